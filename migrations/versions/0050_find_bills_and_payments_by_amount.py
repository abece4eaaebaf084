"""Finds the bills and payments of one amount by an index, not by reading all of them."""

from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_entry_total_billed_yen", "entry_total", ["workspace_id", "billed_yen", "id"]
    )
    op.create_index(
        "ix_payment_amount_yen", "payment", ["workspace_id", "amount_yen", "received_on", "id"]
    )
    op.execute("ANALYZE entry_total")
    op.execute("ANALYZE payment")


def downgrade() -> None:
    op.drop_index("ix_payment_amount_yen", "payment")
    op.drop_index("ix_entry_total_billed_yen", "entry_total")
