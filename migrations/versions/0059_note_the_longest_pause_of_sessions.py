"""Sessions note how long they were not used at most, since each workspace has a limit of its own."""

import sqlalchemy as sa
from alembic import op

revision = "0059"
down_revision = "0058"
branch_labels = None
depends_on = None


def upgrade() -> None:
    seconds: sa.Column[int] = sa.Column(
        "longest_pause_seconds", sa.BigInteger(), nullable=False, server_default="0"
    )
    op.add_column("auth_session", seconds)


def downgrade() -> None:
    op.drop_column("auth_session", "longest_pause_seconds")
