"""Keeps what was recorded at the door when a resident left, and further bills of one checkout."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant, Json
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None

_TABLE = "move_out_record"


def upgrade() -> None:
    op.create_table(
        _TABLE,
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("left_on", sa.Date(), nullable=False),
        sa.Column("has_keys", sa.Boolean(), nullable=False),
        sa.Column("meter_reading", sa.String(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
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
        sa.UniqueConstraint(
            "workspace_id",
            "reservation_id",
            name=op.f(f"uq_{_TABLE}_workspace_id_reservation_id"),
        ),
    )
    if is_postgresql():
        wall_off(_TABLE)
    op.add_column("checkout", sa.Column("other_entry_ids", Json, nullable=True))


def downgrade() -> None:
    op.drop_column("checkout", "other_entry_ids")
    op.drop_table(_TABLE)
