"""Keeps useful lives and unit prices of restorations, and the days to object to a settlement."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant, Json
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0071"
down_revision = "0070"
branch_labels = None
depends_on = None

_TABLE = "restoration_prices"


def upgrade() -> None:
    op.create_table(
        _TABLE,
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("lives", Json, nullable=False),
        sa.Column("prices", Json, nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f(f"fk_{_TABLE}_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f(f"pk_{_TABLE}")),
        sa.UniqueConstraint("workspace_id", name=op.f(f"uq_{_TABLE}_workspace_id")),
    )
    if is_postgresql():
        wall_off(_TABLE)
    days = sa.Column("objection_days", sa.BigInteger(), nullable=False, server_default="14")
    op.add_column("policy", days)


def downgrade() -> None:
    op.drop_column("policy", "objection_days")
    op.drop_table(_TABLE)
