"""Periods of scheduled jobs note how much was done, so that it can be shown."""

import sqlalchemy as sa
from alembic import op

revision = "0061"
down_revision = "0060"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("job_slot", sa.Column("done", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("job_slot", "done")
