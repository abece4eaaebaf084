"""Payouts note whether they are the first to their payee; those made before keep what they said."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.row_security import is_postgresql

revision = "0070"
down_revision = "0069"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "payout", sa.Column("is_first", sa.Boolean(), nullable=False, server_default=sa.false())
    )


def downgrade() -> None:
    """Take the notes of first payouts too: the release before reads them as changed accounts."""
    if is_postgresql():
        op.execute("SELECT set_config('app.workspace', '*', true)")
    payout = sa.table(
        "payout",
        sa.column("is_first"),
        sa.column("account_changed_at"),
        sa.column("account_changed_by"),
    )
    op.execute(
        sa.update(payout)
        .where(payout.c.is_first)
        .values(account_changed_at=None, account_changed_by=None)
    )
    op.drop_column("payout", "is_first")
