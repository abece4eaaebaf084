"""Knows which mail an answer to an enquiry went out by, and who set the language of a conversation."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("enquiry_note", sa.Column("mail_id", Id, nullable=True))
    op.add_column("conversation", sa.Column("locale_by", sa.String(), nullable=True))


def downgrade() -> None:
    op.drop_column("conversation", "locale_by")
    op.drop_column("enquiry_note", "mail_id")
