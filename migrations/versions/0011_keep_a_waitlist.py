"""Keeps who waits for a unit, a building, or anything that becomes free."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "waitlist_place",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("unit_id", Id, nullable=True),
        sa.Column("building_id", Id, nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=True),
        sa.Column("phone", sa.String(), nullable=True),
        sa.Column("wanted_from_on", sa.Date(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("added_at", Instant, nullable=False),
        sa.Column("added_by", sa.String(), nullable=False),
        sa.Column("changed_at", Instant, nullable=False),
        sa.Column("changed_by", sa.String(), nullable=False),
        sa.CheckConstraint(
            "unit_id IS NULL OR building_id IS NULL", name=op.f("ck_waitlist_place_one_place")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "building_id"],
            ["building.workspace_id", "building.id"],
            name=op.f("fk_waitlist_place_workspace_id_building"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "unit_id"],
            ["unit.workspace_id", "unit.id"],
            name=op.f("fk_waitlist_place_workspace_id_unit"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_waitlist_place_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_waitlist_place")),
    )
    op.create_index(
        "ix_waitlist_place_state",
        "waitlist_place",
        ["workspace_id", "state", "wanted_from_on", "id"],
    )
    op.create_index("ix_waitlist_place_unit_id", "waitlist_place", ["workspace_id", "unit_id"])
    op.create_index(
        "ix_waitlist_place_building_id", "waitlist_place", ["workspace_id", "building_id"]
    )
    if is_postgresql():
        wall_off("waitlist_place")


def downgrade() -> None:
    op.drop_table("waitlist_place")
