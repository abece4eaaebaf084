"""Counts the changes of what the office edits by hand; tells what a handbook page is about."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

COUNTED = ("owner", "handbook_page", "photo")


def upgrade() -> None:
    for table in COUNTED:
        op.add_column(
            table, sa.Column("version", sa.BigInteger(), nullable=False, server_default="1")
        )
    op.add_column(
        "handbook_page", sa.Column("topic", sa.String(), nullable=False, server_default="other")
    )


def downgrade() -> None:
    op.drop_column("handbook_page", "topic")
    for table in COUNTED:
        op.drop_column(table, "version")
