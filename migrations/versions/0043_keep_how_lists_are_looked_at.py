"""Keeps the columns people choose in lists, and the views they save."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "list_view",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("person_id", Id, nullable=False),
        sa.Column("listing", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("is_shared", sa.Boolean(), nullable=False),
        sa.Column("saved_at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_list_view_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_list_view_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_list_view")),
        sa.UniqueConstraint(
            "workspace_id",
            "person_id",
            "listing",
            "name",
            name=op.f("uq_list_view_workspace_id_person_id_listing_name"),
        ),
    )
    if is_postgresql():
        wall_off("list_view")


def downgrade() -> None:
    op.drop_table("list_view")
