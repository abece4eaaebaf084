"""Finds reservations by their kind and start, and the mails to a person."""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_reservation_kind", "reservation", ["workspace_id", "id", "kind"])
    op.create_index("ix_reservation_starts_on", "reservation", ["workspace_id", "starts_on"])
    op.create_index(
        "ix_outbox_mail_recipient", "outbox_mail", ["workspace_id", "recipient", "written_at"]
    )


def downgrade() -> None:
    op.drop_index("ix_outbox_mail_recipient", "outbox_mail")
    op.drop_index("ix_reservation_starts_on", "reservation")
    op.drop_index("ix_reservation_kind", "reservation")
