"""Keeps which sheet of a workbook is read, the odd lines that were confirmed, and edited messages."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Json

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Every sheet sent so far is a text, with nothing confirmed; no message is an edit."""
    # Added in place: a table written anew on SQLite would lose its triggers.
    op.add_column(
        "sent_sheet", sa.Column("sheet_name", sa.String(), nullable=False, server_default="")
    )
    op.add_column("sent_sheet", sa.Column("confirmed", Json, nullable=False, server_default="[]"))
    op.add_column(
        "guest_message",
        sa.Column("is_edit", sa.Boolean(), nullable=False, server_default=sa.false()),
    )


def downgrade() -> None:
    """Forget all of it; an edit stays as a message that quotes another."""
    op.drop_column("guest_message", "is_edit")
    op.drop_column("sent_sheet", "confirmed")
    op.drop_column("sent_sheet", "sheet_name")
