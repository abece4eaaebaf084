"""Keeps which buildings a member and an invitation are for; none named means all of them."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0088"
down_revision = "0087"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("member", "invitation"):
        ids = sa.JSON().with_variant(JSONB(), "postgresql")
        op.add_column(table, sa.Column("building_ids", ids, nullable=True))


def downgrade() -> None:
    for table in ("member", "invitation"):
        op.drop_column(table, "building_ids")
