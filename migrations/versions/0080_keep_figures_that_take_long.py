"""Keeps figures that take long to make, and finds allocations by when they were written."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0080"
down_revision = "0079"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "kept_figure",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("question", sa.String(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("made_at", Instant, nullable=False),
        sa.Column("asked_on", sa.Date(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_kept_figure_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_kept_figure")),
        sa.UniqueConstraint(
            "workspace_id",
            "name",
            "question",
            name=op.f("uq_kept_figure_workspace_id_name_question"),
        ),
    )
    if is_postgresql():
        wall_off("kept_figure")
    op.create_index(
        "ix_allocation_written_at", "allocation", ["workspace_id", "written_at", "allocated_on"]
    )
    # Without statistics SQLite would choose the new index where others are better.
    op.execute("ANALYZE allocation")


def downgrade() -> None:
    op.drop_index("ix_allocation_written_at", "allocation")
    op.drop_table("kept_figure")
