"""Keeps the deeds: who did what and when, written once."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant, Json
from pms.foundation.row_security import is_postgresql, refuse_changes, wall_off

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_INDEXES = (
    ("ix_audit_record_at", ["workspace_id", "at", "id"]),
    ("ix_audit_record_subject", ["workspace_id", "subject_kind", "subject_id", "at"]),
    ("ix_audit_record_actor", ["workspace_id", "actor", "at"]),
)


def upgrade() -> None:
    op.create_table(
        "audit_record",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("at", Instant, nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("deed", sa.String(), nullable=False),
        sa.Column("subject_kind", sa.String(), nullable=False),
        sa.Column("subject_id", sa.String(), nullable=False),
        sa.Column("before", Json, nullable=True),
        sa.Column("after", Json, nullable=True),
        sa.Column("via", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_audit_record_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_audit_record")),
    )
    for name, columns in _INDEXES:
        op.create_index(name, "audit_record", columns, unique=False)
    if is_postgresql():
        wall_off("audit_record")
    refuse_changes("audit_record")


def downgrade() -> None:
    op.drop_table("audit_record")
