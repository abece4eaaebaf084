"""Takes tenancies over: the day, the last day billed before, and debts older than their entries."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.row_security import is_postgresql

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

_CHECK = "ck_ledger_entry_due_when_issued"
_BEFORE = "due_on >= issued_on"
_AFTER = "kind = 'opening' OR due_on >= issued_on"


def upgrade() -> None:
    # Added in place: a table written anew on SQLite would lose its triggers.
    op.add_column("reservation", sa.Column("taken_over_on", sa.Date(), nullable=True))
    op.add_column("reservation", sa.Column("billed_through_on", sa.Date(), nullable=True))
    op.add_column(
        "reservation",
        sa.Column(
            "penalty_elsewhere_yen", sa.BigInteger(), nullable=False, server_default=sa.text("0")
        ),
    )
    _check(_BEFORE, _AFTER)


def downgrade() -> None:
    _check(_AFTER, _BEFORE)
    for column in ("penalty_elsewhere_yen", "billed_through_on", "taken_over_on"):
        op.drop_column("reservation", column)


def _check(before: str, after: str) -> None:
    """Put one condition in the place of another; no row that is stored is looked at again."""
    if is_postgresql():
        op.drop_constraint(op.f(_CHECK), "ledger_entry", type_="check")
        op.create_check_constraint(op.f(_CHECK), "ledger_entry", after)
        return
    # The way SQLite documents for a check alone: the table keeps its rows, keys and triggers.
    version = op.get_bind().exec_driver_sql("PRAGMA schema_version").scalar_one()
    op.execute("PRAGMA writable_schema = ON")
    op.get_bind().execute(
        sa.text(
            "UPDATE sqlite_master SET sql = replace(sql, :before, :after)"
            " WHERE type = 'table' AND name = 'ledger_entry'"
        ),
        {"before": f"CHECK ({before})", "after": f"CHECK ({after})"},
    )
    op.execute(f"PRAGMA schema_version = {int(version) + 1}")
    op.execute("PRAGMA writable_schema = OFF")
