"""Lets a mail be sent in another name than its workspace's: that of a sign-up in the product's."""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("outbox_mail", sa.Column("sender_name", sa.String(), nullable=True))


def downgrade() -> None:
    op.drop_column("outbox_mail", "sender_name")
