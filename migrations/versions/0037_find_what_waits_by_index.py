"""Finds what waits in the inbox by index: unanswered conversations, failed mails and calls, disputes."""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

_INDEXES = (
    (
        "ix_conversation_waiting",
        "conversation",
        "last_message_at",
        "state = 'open' AND merged_into_id IS NULL AND (awaits = 'staff' OR has_failure)",
    ),
    ("ix_outbox_mail_given_up_at", "outbox_mail", "given_up_at", "given_up_at IS NOT NULL"),
    ("ix_provider_call_given_up_at", "provider_call", "given_up_at", "given_up_at IS NOT NULL"),
    (
        "ix_provider_payment_disputed_at",
        "provider_payment",
        "disputed_at",
        "disputed_at IS NOT NULL",
    ),
    ("ix_lead_note_mail_id", "lead_note", "mail_id", "mail_id IS NOT NULL"),
)


def upgrade() -> None:
    for name, table, column, condition in _INDEXES:
        where = sa.text(condition)
        op.create_index(
            name, table, ["workspace_id", column], sqlite_where=where, postgresql_where=where
        )


def downgrade() -> None:
    for name, table, *_ in _INDEXES:
        op.drop_index(name, table)
