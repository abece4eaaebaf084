"""The terms of master leases: what the operator pays an owner for a building."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant, Json
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0093"
down_revision = "0092"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "master_lease",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("building_id", Id, nullable=False),
        sa.Column("first_on", sa.Date(), nullable=False),
        sa.Column("last_on", sa.Date(), nullable=True),
        sa.Column("free_months", sa.BigInteger(), nullable=False),
        sa.Column("steps", Json, nullable=False),
        sa.Column("categories", Json, nullable=False),
        sa.Column("tax_treatment", sa.String(), nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_master_lease_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "building_id"],
            ["building.workspace_id", "building.id"],
            name=op.f("fk_master_lease_workspace_id_building_id_building"),
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_master_lease")),
        sa.UniqueConstraint(
            "workspace_id",
            "building_id",
            "first_on",
            name=op.f("uq_master_lease_workspace_id_building_id_first_on"),
        ),
    )
    if is_postgresql():
        wall_off("master_lease")


def downgrade() -> None:
    op.drop_table("master_lease")
