"""Finds the allocations of a transfer without reading all there are."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

_IS_MOVED = sa.text("transfer_id IS NOT NULL")


def upgrade() -> None:
    op.create_index(
        "ix_allocation_transfer_id",
        "allocation",
        ["workspace_id", "transfer_id"],
        sqlite_where=_IS_MOVED,
        postgresql_where=_IS_MOVED,
    )


def downgrade() -> None:
    op.drop_index("ix_allocation_transfer_id", "allocation")
