"""Finds live stays by their end, and voidings by what they void, without reading all there are."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

_IS_TAKEN = sa.text("cancelled_at IS NULL")
_OPPOSES = sa.text("opposes_id IS NOT NULL")


def upgrade() -> None:
    op.create_index(
        "ix_reservation_live",
        "reservation",
        ["workspace_id", "ends_on"],
        sqlite_where=_IS_TAKEN,
        postgresql_where=_IS_TAKEN,
    )
    op.create_index(
        "ix_ledger_entry_opposes_id",
        "ledger_entry",
        ["workspace_id", "opposes_id"],
        sqlite_where=_OPPOSES,
        postgresql_where=_OPPOSES,
    )


def downgrade() -> None:
    op.drop_index("ix_ledger_entry_opposes_id", "ledger_entry")
    op.drop_index("ix_reservation_live", "reservation")
