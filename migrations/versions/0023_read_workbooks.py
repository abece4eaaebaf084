"""Keeps which sheet of a workbook is read, and the odd lines that somebody confirmed."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Json

revision = "0023"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Every sheet sent so far is a text, with nothing confirmed."""
    with op.batch_alter_table("sent_sheet") as table:
        table.add_column(sa.Column("sheet_name", sa.String(), nullable=False, server_default=""))
        table.add_column(sa.Column("confirmed", Json, nullable=False, server_default="[]"))
    with op.batch_alter_table("sent_sheet") as table:
        table.alter_column("sheet_name", server_default=None)
        table.alter_column("confirmed", server_default=None)


def downgrade() -> None:
    """Forget both."""
    with op.batch_alter_table("sent_sheet") as table:
        table.drop_column("confirmed")
        table.drop_column("sheet_name")
