"""Lets the office of a workspace ask its language model how a strange sheet is read; off at first."""

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None


def upgrade() -> None:
    reads: sa.Column[bool] = sa.Column(
        "reads_sheets", sa.Boolean(), nullable=False, server_default=sa.false()
    )
    op.add_column("assistant_settings", reads)


def downgrade() -> None:
    op.drop_column("assistant_settings", "reads_sheets")
