"""Keeps the one-time addresses that open a workspace."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Instant

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "workspace_opening",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("made_by", sa.String(), nullable=False),
        sa.Column("made_at", Instant, nullable=False),
        sa.Column("expires_at", Instant, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_workspace_opening")),
    )


def downgrade() -> None:
    op.drop_table("workspace_opening")
