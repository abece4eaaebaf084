"""Finds the newest payments of a workspace by an index, not by reading all of them."""

from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_payment_received_on", "payment", ["workspace_id", "received_on", "id"])
    # Without figures about the new index, SQLite would use it to find the payments of one stay.
    op.execute("ANALYZE payment")


def downgrade() -> None:
    op.drop_index("ix_payment_received_on", "payment")
