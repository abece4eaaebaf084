"""Keeps which points of a checklist an inspection found wanting."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

_JSON = sa.JSON().with_variant(JSONB(), "postgresql")


def upgrade() -> None:
    op.add_column(
        "inspection", sa.Column("failed_points", _JSON, nullable=False, server_default="[]")
    )


def downgrade() -> None:
    op.drop_column("inspection", "failed_points")
