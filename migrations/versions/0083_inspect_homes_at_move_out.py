"""Keeps the inspection of a home at move-out: its places, their photos, and what is worse."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Exact, Id, Instant, Json
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0083"
down_revision = "0082"
branch_labels = None
depends_on = None

_INSPECTION, _ROOM = "move_out_inspection", "inspected_room"
_PHOTO, _DAMAGE = "inspection_photo", "inspected_damage"


def upgrade() -> None:
    _create_table(
        _INSPECTION,
        ("reservation_id", "reservation"),
        sa.Column("started_at", Instant, nullable=False),
        sa.Column("started_by", sa.String(), nullable=False),
        sa.Column("finished_at", Instant, nullable=True),
        sa.Column("finished_by", sa.String(), nullable=True),
        sa.UniqueConstraint(
            "workspace_id",
            "reservation_id",
            name=op.f(f"uq_{_INSPECTION}_workspace_id_reservation_id"),
        ),
    )
    _create_table(
        _ROOM,
        ("inspection_id", _INSPECTION),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.UniqueConstraint(
            "workspace_id",
            "inspection_id",
            "room",
            name=op.f(f"uq_{_ROOM}_workspace_id_inspection_id_room"),
        ),
    )
    _create_table(
        _PHOTO,
        ("inspection_id", _INSPECTION),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("width", sa.BigInteger(), nullable=False),
        sa.Column("height", sa.BigInteger(), nullable=False),
        sa.Column("files", Json, nullable=False),
        sa.Column("taken_at", Instant, nullable=False),
        sa.Column("taken_by", sa.String(), nullable=False),
    )
    op.create_index(f"ix_{_PHOTO}_inspection_id", _PHOTO, ["workspace_id", "inspection_id"])
    _create_table(
        _DAMAGE,
        ("inspection_id", _INSPECTION),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("item", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=True),
        sa.Column("quantity", Exact, nullable=False),
        sa.Column("bearer", sa.String(), nullable=False),
        sa.Column("fitted_on", sa.Date(), nullable=True),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
    )
    op.create_index(f"ix_{_DAMAGE}_inspection_id", _DAMAGE, ["workspace_id", "inspection_id"])


def downgrade() -> None:
    for table in (_DAMAGE, _PHOTO, _ROOM, _INSPECTION):
        op.drop_table(table)


def _create_table(table: str, parent: tuple[str, str], *columns: sa.schema.SchemaItem) -> None:
    """Create a table of a workspace that goes with another one's row, behind its wall."""
    column, target = parent
    op.create_table(
        table,
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column(column, Id, nullable=False),
        *columns,
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f(f"fk_{table}_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", column],
            [f"{target}.workspace_id", f"{target}.id"],
            name=op.f(f"fk_{table}_workspace_id_{column}_{target}"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f(f"pk_{table}")),
    )
    if is_postgresql():
        wall_off(table)
