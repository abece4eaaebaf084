"""Keeps which keys were handed over; of tenancies that had begun before, nobody knows it here."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0064"
down_revision = "0063"
branch_labels = None
depends_on = None

_TABLE = "key_handover"
_NOT_BEGUN = ("booked", "confirmed", "cancelled")


def upgrade() -> None:
    op.create_table(
        _TABLE,
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("handed_on", sa.Date(), nullable=False),
        sa.Column("key_count", sa.BigInteger(), nullable=True),
        sa.Column("items", sa.String(), nullable=True),
        sa.Column("handed_to", sa.String(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.Column("withdrawn_at", Instant, nullable=True),
        sa.Column("withdrawn_by", sa.String(), nullable=True),
        sa.Column("withdrawn_because", sa.String(), nullable=True),
        sa.CheckConstraint("key_count > 0", name=op.f(f"ck_{_TABLE}_some_keys")),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f(f"fk_{_TABLE}_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f(f"fk_{_TABLE}_workspace_id_reservation_id_reservation"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f(f"pk_{_TABLE}")),
    )
    op.create_index(
        "ix_key_handover_reservation_id", _TABLE, ["workspace_id", "reservation_id", "handed_on"]
    )
    if is_postgresql():
        wall_off(_TABLE)
        op.execute("SELECT set_config('app.workspace', '*', true)")
    op.add_column(
        "reservation",
        sa.Column("has_earlier_keys", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.add_column("reservation", sa.Column("keys_on", sa.Date(), nullable=True))
    reservation = sa.table("reservation", sa.column("lifecycle"), sa.column("has_earlier_keys"))
    op.execute(
        sa.update(reservation)
        .where(reservation.c.lifecycle.not_in(_NOT_BEGUN))
        .values(has_earlier_keys=sa.true())
    )


def downgrade() -> None:
    op.drop_column("reservation", "keys_on")
    op.drop_column("reservation", "has_earlier_keys")
    op.drop_table(_TABLE)
