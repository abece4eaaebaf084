"""Keeps why an inspection was finished although places were not recorded."""

import sqlalchemy as sa
from alembic import op

revision = "0091"
down_revision = "0090"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("move_out_inspection", sa.Column("left_out_because", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("move_out_inspection", "left_out_because")
