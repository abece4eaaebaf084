"""Lets a workspace have overpayments pay open bills at each billing run."""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None


def upgrade() -> None:
    chosen: sa.Column[bool] = sa.Column(
        "overpayments_pay_next_bills", sa.Boolean(), nullable=False, server_default=sa.false()
    )
    op.add_column("policy", chosen)


def downgrade() -> None:
    op.drop_column("policy", "overpayments_pay_next_bills")
