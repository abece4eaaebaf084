"""Finds the row of a link by its chance alone, so that its address carries nothing else."""

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

COLUMNS = (
    ("invitation", "token_hash"),
    ("share_link", "token_hash"),
    ("check_in_link", "nonce"),
    ("reservation_link", "nonce"),
    ("unit_calendar", "nonce"),
)


def upgrade() -> None:
    for table, column in COLUMNS:
        op.create_index(f"ix_{table}_{column}", table, [column])


def downgrade() -> None:
    for table, column in COLUMNS:
        op.drop_index(f"ix_{table}_{column}", table)
