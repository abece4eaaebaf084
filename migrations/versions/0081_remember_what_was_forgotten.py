"""Records of people who were forgotten, and the day on which more of them can go."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0081"
down_revision = "0080"
branch_labels = None
depends_on = None

_TABLE = "forgotten_record"


def upgrade() -> None:
    op.create_table(
        _TABLE,
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("subject_kind", sa.String(), nullable=False),
        sa.Column("subject_id", Id, nullable=False),
        sa.Column("forgotten_at", Instant, nullable=False),
        sa.Column("forgotten_by", sa.String(), nullable=False),
        sa.Column("next_on", sa.Date(), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_forgotten_record_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_forgotten_record")),
        sa.UniqueConstraint(
            "workspace_id",
            "subject_kind",
            "subject_id",
            name=op.f("uq_forgotten_record_workspace_id_subject_kind_subject_id"),
        ),
    )
    op.create_index("ix_forgotten_record_next_on", _TABLE, ["workspace_id", "next_on"])
    if is_postgresql():
        wall_off(_TABLE)


def downgrade() -> None:
    op.drop_table(_TABLE)
