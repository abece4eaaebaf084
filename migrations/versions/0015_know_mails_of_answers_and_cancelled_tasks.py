"""Knows the mail of an answer to an enquiry, who set a conversation's language, a cancelled task."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("enquiry_note", sa.Column("mail_id", Id, nullable=True))
    op.add_column("conversation", sa.Column("locale_by", sa.String(), nullable=True))
    op.add_column("task", sa.Column("cancelled_at", Instant, nullable=True))


def downgrade() -> None:
    op.drop_column("task", "cancelled_at")
    op.drop_column("conversation", "locale_by")
    op.drop_column("enquiry_note", "mail_id")
