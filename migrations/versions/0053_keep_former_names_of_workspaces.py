"""Keeps every short name that a workspace has or had, so that old addresses lead to the new one."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "workspace_slug",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("held_since", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_workspace_slug_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_workspace_slug")),
        sa.UniqueConstraint("slug", name=op.f("uq_workspace_slug_slug")),
    )
    op.execute(
        "INSERT INTO workspace_slug (workspace_id, id, slug, held_since)"
        " SELECT id, id, slug, created_at FROM workspace"
    )
    if is_postgresql():
        wall_off("workspace_slug")


def downgrade() -> None:
    op.drop_table("workspace_slug")
