"""Payouts name a changed account; the rule of a second person ends a day after it was turned off."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant

revision = "0060"
down_revision = "0059"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("office_bank", sa.Column("second_person_ends_at", Instant, nullable=True))
    op.add_column("payout", sa.Column("payee_id", Id, nullable=True))
    op.add_column("payout", sa.Column("account_changed_at", Instant, nullable=True))
    op.add_column("payout", sa.Column("account_changed_by", sa.String(), nullable=True))


def downgrade() -> None:
    op.drop_column("payout", "account_changed_by")
    op.drop_column("payout", "account_changed_at")
    op.drop_column("payout", "payee_id")
    op.drop_column("office_bank", "second_person_ends_at")
