"""Lets a workspace say how long before its last day a term's end is reminded of."""

import sqlalchemy as sa
from alembic import op

revision = "0072"
down_revision = "0071"
branch_labels = None
depends_on = None

_DAYS = {"term_lead_days": "240", "short_term_lead_days": "90"}


def upgrade() -> None:
    for name, days in _DAYS.items():
        op.add_column(
            "policy", sa.Column(name, sa.BigInteger(), nullable=False, server_default=days)
        )


def downgrade() -> None:
    for name in _DAYS:
        op.drop_column("policy", name)
