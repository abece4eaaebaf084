"""Remembers from which network a code was asked for, so that a newer one from there ends it."""

import sqlalchemy as sa
from alembic import op

revision = "0057"
down_revision = "0056"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "sign_in_code",
        sa.Column("network_hash", sa.String(length=64), nullable=False, server_default=""),
    )
    op.add_column(
        "sign_in_code",
        sa.Column("is_over_allowance", sa.Boolean(), nullable=False, server_default=sa.false()),
    )


def downgrade() -> None:
    op.drop_column("sign_in_code", "is_over_allowance")
    op.drop_column("sign_in_code", "network_hash")
