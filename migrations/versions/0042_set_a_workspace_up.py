"""Keeps whether the set-up list is hidden, whose sample a workspace is, and whom an opening is for."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("workspace", sa.Column("set_up_hidden_at", Instant, nullable=True))
    op.add_column("workspace", sa.Column("sample_of", Id, nullable=True))
    op.create_index("ix_workspace_sample_of", "workspace", ["sample_of"], unique=True)
    op.add_column("workspace_opening", sa.Column("email", sa.String(), nullable=True))


def downgrade() -> None:
    op.drop_column("workspace_opening", "email")
    op.drop_index("ix_workspace_sample_of", "workspace")
    op.drop_column("workspace", "sample_of")
    op.drop_column("workspace", "set_up_hidden_at")
