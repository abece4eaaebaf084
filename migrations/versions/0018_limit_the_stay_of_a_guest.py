"""Lets a workspace say how many nights a guest stays at most."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    nights = sa.Column("longest_guest_stay", sa.BigInteger(), nullable=False, server_default="180")
    op.add_column("policy", nights)


def downgrade() -> None:
    op.drop_column("policy", "longest_guest_stay")
