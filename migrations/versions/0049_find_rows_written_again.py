"""Finds the billed rows that were written again by an index that holds no others."""

from alembic import op

from pms.foundation.db import only_where

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_row_extent_written_again",
        "row_extent",
        ["workspace_id", "row_id"],
        **only_where("number > 1"),
    )
    op.execute("ANALYZE row_extent")


def downgrade() -> None:
    op.drop_index("ix_row_extent_written_again", "row_extent")
