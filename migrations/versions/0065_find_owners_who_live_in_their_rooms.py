"""Finds the few owners who live in a room of their own, whose stays hold it also after their end."""

import sqlalchemy as sa
from alembic import op

revision = "0065"
down_revision = "0064"
branch_labels = None
depends_on = None

_IS_OWNERS = sa.text("kind = 'owner_resident'")


def upgrade() -> None:
    op.create_index(
        "ix_reservation_owner_resident",
        "reservation",
        ["workspace_id", "unit_id"],
        sqlite_where=_IS_OWNERS,
        postgresql_where=_IS_OWNERS,
    )


def downgrade() -> None:
    op.drop_index("ix_reservation_owner_resident", "reservation")
