"""Counted visits of the website are found by their day, of whatever axis."""

from alembic import op

revision = "0063"
down_revision = "0062"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_telemetry_day_day_on", "telemetry_day", ["workspace_id", "day_on"])


def downgrade() -> None:
    op.drop_index("ix_telemetry_day_day_on", "telemetry_day")
