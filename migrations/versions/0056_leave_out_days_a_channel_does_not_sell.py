"""Lets a calendar leave out the days that the channel itself does not sell."""

import sqlalchemy as sa
from alembic import op

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None


def upgrade() -> None:
    chosen: sa.Column[bool] = sa.Column(
        "leaves_out_window", sa.Boolean(), nullable=False, server_default=sa.false()
    )
    op.add_column("calendar_feed", chosen)


def downgrade() -> None:
    op.drop_column("calendar_feed", "leaves_out_window")
