"""Counts the changes of a workspace's ledger, so that nobody counts its rows to know of one."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "workspace",
        sa.Column("ledger_version", sa.BigInteger(), nullable=False, server_default=sa.text("1")),
    )


def downgrade() -> None:
    op.drop_column("workspace", "ledger_version")
