"""Counts the changes of a workspace's ledger, and finds what a month or a day is about."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

_IS_ARREARS = sa.text("arrears_of_id IS NOT NULL")


def upgrade() -> None:
    op.add_column(
        "workspace",
        sa.Column("ledger_version", sa.BigInteger(), nullable=False, server_default=sa.text("1")),
    )
    op.create_index("ix_billed_row_first_on", "billed_row", ["workspace_id", "first_on"])
    op.create_index(
        "ix_allocation_allocated_on", "allocation", ["workspace_id", "allocated_on", "entry_id"]
    )
    op.create_index("ix_move_out_notice_filed_on", "move_out_notice", ["workspace_id", "filed_on"])
    op.drop_index("ix_ledger_entry_arrears_of_id", "ledger_entry")
    op.create_index(
        "ix_ledger_entry_arrears_of_id",
        "ledger_entry",
        ["workspace_id", "arrears_of_id"],
        sqlite_where=_IS_ARREARS,
        postgresql_where=_IS_ARREARS,
    )


def downgrade() -> None:
    op.drop_index("ix_ledger_entry_arrears_of_id", "ledger_entry")
    op.create_index("ix_ledger_entry_arrears_of_id", "ledger_entry", ["arrears_of_id"])
    op.drop_index("ix_move_out_notice_filed_on", "move_out_notice")
    op.drop_index("ix_allocation_allocated_on", "allocation")
    op.drop_index("ix_billed_row_first_on", "billed_row")
    op.drop_column("workspace", "ledger_version")
