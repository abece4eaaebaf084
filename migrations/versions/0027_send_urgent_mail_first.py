"""Lets a mail say that somebody waits for it, so that it goes before the others."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the word; no mail that waits now is urgent."""
    op.add_column(
        "outbox_mail",
        sa.Column("is_urgent", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.drop_index("ix_outbox_mail_due_at", "outbox_mail")
    op.create_index("ix_outbox_mail_due_at", "outbox_mail", ["is_urgent", "due_at"])


def downgrade() -> None:
    """Forget it."""
    op.drop_index("ix_outbox_mail_due_at", "outbox_mail")
    op.create_index("ix_outbox_mail_due_at", "outbox_mail", ["due_at"])
    op.drop_column("outbox_mail", "is_urgent")
