"""Lets others write in: events of providers, conversations, orders, leads, telemetry, the assistant.

And keeps who wrote content last, what came back of a payment, and the last calls of a key.
"""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Exact, Id, Instant, Json
from pms.foundation.row_security import is_postgresql, refuse_changes, wall_off

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

TABLES = (
    "assistant_settings",
    "first_answer",
    "inbound_event",
    "reply_template",
    "telemetry_day",
    "telemetry_report",
    "telemetry_open_day",
    "webhook_secret",
    "api_key_call",
    "chat_conversation",
    "lead",
    "chat_turn",
    "lead_note",
    "conversation",
    "supplier_order",
    "conversation_handle",
    "guest_message",
    "payment_return",
    "provider_payment",
    "supplier_order_line",
)
LINKS = ("check_in_link", "reservation_link")


def upgrade() -> None:
    op.create_table(
        "assistant_settings",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("is_on", sa.Boolean(), nullable=False),
        sa.Column("uses_model", sa.Boolean(), nullable=False),
        sa.Column("price_in_yen", Exact, nullable=False),
        sa.Column("price_out_yen", Exact, nullable=False),
        sa.Column("ceiling_yen", sa.BigInteger(), nullable=False),
        sa.Column("most_messages", sa.BigInteger(), nullable=False),
        sa.Column("greeting_ja", sa.Text(), nullable=False),
        sa.Column("greeting_en", sa.Text(), nullable=False),
        sa.Column("updated_at", Instant, nullable=False),
        sa.Column("updated_by", sa.String(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_assistant_settings_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_assistant_settings")),
        sa.UniqueConstraint("workspace_id", name=op.f("uq_assistant_settings_workspace_id")),
    )
    op.create_table(
        "first_answer",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("status", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_first_answer_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_first_answer")),
        sa.UniqueConstraint(
            "workspace_id", "sender", "key", name=op.f("uq_first_answer_workspace_id_sender_key")
        ),
    )
    with op.batch_alter_table("first_answer") as batch_op:
        batch_op.create_index("ix_first_answer_at", ["at"], unique=False)

    op.create_table(
        "inbound_event",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("event_key", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("body", Json, nullable=False),
        sa.Column("key_id", Id, nullable=True),
        sa.Column("occurred_at", Instant, nullable=True),
        sa.Column("received_at", Instant, nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("due_at", Instant, nullable=True),
        sa.Column("attempts", sa.BigInteger(), nullable=False),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.Column("ended_at", Instant, nullable=True),
        sa.Column("ended_by", sa.String(), nullable=True),
        sa.Column("subject_kind", sa.String(), nullable=True),
        sa.Column("subject_id", Id, nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_inbound_event_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_inbound_event")),
        sa.UniqueConstraint(
            "workspace_id",
            "source",
            "event_key",
            name=op.f("uq_inbound_event_workspace_id_source_event_key"),
        ),
    )
    with op.batch_alter_table("inbound_event") as batch_op:
        batch_op.create_index(
            "ix_inbound_event_due_at",
            ["due_at"],
            unique=False,
            sqlite_where=sa.text("due_at IS NOT NULL"),
            postgresql_where=sa.text("due_at IS NOT NULL"),
        )
        batch_op.create_index(
            "ix_inbound_event_received_at",
            ["workspace_id", "source", "received_at", "id"],
            unique=False,
        )
        batch_op.create_index(
            "ix_inbound_event_state", ["workspace_id", "state", "received_at"], unique=False
        )
        batch_op.create_index(
            "ix_inbound_event_subject_id", ["workspace_id", "subject_id"], unique=False
        )

    op.create_table(
        "reply_template",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("text_ja", sa.Text(), nullable=False),
        sa.Column("text_en", sa.Text(), nullable=False),
        sa.Column("updated_at", Instant, nullable=False),
        sa.Column("updated_by", sa.String(), nullable=False),
        sa.Column("archived_at", Instant, nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_reply_template_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_reply_template")),
        sa.UniqueConstraint(
            "workspace_id", "name", name=op.f("uq_reply_template_workspace_id_name")
        ),
    )
    op.create_table(
        "telemetry_day",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("day_on", sa.Date(), nullable=False),
        sa.Column("axis", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("times", sa.BigInteger(), nullable=False),
        sa.Column("visitors", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_telemetry_day_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_telemetry_day")),
        sa.UniqueConstraint(
            "workspace_id",
            "axis",
            "day_on",
            "value",
            "path",
            name=op.f("uq_telemetry_day_workspace_id_axis_day_on_value_path"),
        ),
    )
    op.create_table(
        "telemetry_open_day",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("day_on", sa.Date(), nullable=False),
        sa.Column("salt", sa.String(), nullable=False),
        sa.Column("events", sa.BigInteger(), nullable=False),
        sa.Column("counted", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", Instant, nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_telemetry_open_day_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_telemetry_open_day")),
        sa.UniqueConstraint(
            "workspace_id", "day_on", name=op.f("uq_telemetry_open_day_workspace_id_day_on")
        ),
    )
    op.create_table(
        "telemetry_report",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("day_on", sa.Date(), nullable=False),
        sa.Column("told", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_telemetry_report_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_telemetry_report")),
    )
    with op.batch_alter_table("telemetry_report") as batch_op:
        batch_op.create_index("ix_telemetry_report_day_on", ["workspace_id", "day_on"])

    op.create_table(
        "webhook_secret",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("sealed_secret", sa.Text(), nullable=False),
        sa.Column("hint", sa.String(), nullable=False),
        sa.Column("added_at", Instant, nullable=False),
        sa.Column("added_by", sa.String(), nullable=False),
        sa.Column("retires_at", Instant, nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_webhook_secret_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_webhook_secret")),
    )
    with op.batch_alter_table("webhook_secret") as batch_op:
        batch_op.create_index(
            "ix_webhook_secret_source", ["workspace_id", "source", "purpose"], unique=False
        )

    op.create_table(
        "api_key_call",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("key_id", Id, nullable=False),
        sa.Column("at", Instant, nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("status", sa.BigInteger(), nullable=False),
        sa.Column("milliseconds", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "key_id"],
            ["api_key.workspace_id", "api_key.id"],
            name=op.f("fk_api_key_call_workspace_id_key_id_api_key"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_api_key_call_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_api_key_call")),
    )
    with op.batch_alter_table("api_key_call") as batch_op:
        batch_op.create_index(
            "ix_api_key_call_key_id", ["workspace_id", "key_id", "at"], unique=False
        )

    op.create_table(
        "chat_conversation",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("key_id", Id, nullable=True),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("started_at", Instant, nullable=False),
        sa.Column("last_at", Instant, nullable=False),
        sa.Column("turns", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "key_id"],
            ["api_key.workspace_id", "api_key.id"],
            name=op.f("fk_chat_conversation_workspace_id_key_id_api_key"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_chat_conversation_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_chat_conversation")),
    )
    with op.batch_alter_table("chat_conversation") as batch_op:
        batch_op.create_index(
            "ix_chat_conversation_key_id", ["workspace_id", "key_id"], unique=False
        )
        batch_op.create_index(
            "ix_chat_conversation_last_at", ["workspace_id", "last_at", "id"], unique=False
        )

    op.create_table(
        "lead",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("email_key", sa.String(), nullable=False),
        sa.Column("phone", sa.String(), nullable=True),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("position_id", Id, nullable=True),
        sa.Column("resume_key", sa.String(), nullable=True),
        sa.Column("resume_name", sa.String(), nullable=True),
        sa.Column("resume_type", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("assignee_id", Id, nullable=True),
        sa.Column("external_id", sa.String(), nullable=True),
        sa.Column("declined_at", Instant, nullable=True),
        sa.Column("received_at", Instant, nullable=False),
        sa.Column("received_by", sa.String(), nullable=False),
        sa.Column("changed_at", Instant, nullable=False),
        sa.Column("changed_by", sa.String(), nullable=False),
        sa.Column("search_text", sa.Text(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "position_id"],
            ["position.workspace_id", "position.id"],
            name=op.f("fk_lead_workspace_id_position_id_position"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_lead_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_lead")),
        sa.UniqueConstraint(
            "workspace_id", "external_id", name=op.f("uq_lead_workspace_id_external_id")
        ),
    )
    with op.batch_alter_table("lead") as batch_op:
        batch_op.create_index("ix_lead_declined_at", ["workspace_id", "declined_at"], unique=False)
        batch_op.create_index("ix_lead_email_key", ["workspace_id", "email_key"], unique=False)
        batch_op.create_index("ix_lead_position_id", ["workspace_id", "position_id"], unique=False)
        batch_op.create_index(
            "ix_lead_state", ["workspace_id", "state", "received_at", "id"], unique=False
        )

    op.create_table(
        "chat_turn",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("conversation_id", Id, nullable=False),
        sa.Column("key_id", Id, nullable=True),
        sa.Column("day_on", sa.Date(), nullable=False),
        sa.Column("at", Instant, nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("sources", Json, nullable=False),
        sa.Column("answered_by", sa.String(), nullable=False),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.Column("tokens_in", sa.BigInteger(), nullable=False),
        sa.Column("tokens_out", sa.BigInteger(), nullable=False),
        sa.Column("cost_thousandths", sa.BigInteger(), nullable=False),
        sa.Column("search_text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "conversation_id"],
            ["chat_conversation.workspace_id", "chat_conversation.id"],
            name=op.f("fk_chat_turn_workspace_id_conversation_id_chat_conversation"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "key_id"],
            ["api_key.workspace_id", "api_key.id"],
            name=op.f("fk_chat_turn_workspace_id_key_id_api_key"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_chat_turn_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_chat_turn")),
    )
    with op.batch_alter_table("chat_turn") as batch_op:
        batch_op.create_index(
            "ix_chat_turn_conversation_id", ["workspace_id", "conversation_id", "at"], unique=False
        )
        batch_op.create_index("ix_chat_turn_day_on", ["workspace_id", "day_on"], unique=False)
        batch_op.create_index(
            "ix_chat_turn_key_id", ["workspace_id", "key_id", "day_on"], unique=False
        )

    op.create_table(
        "lead_note",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("lead_id", Id, nullable=False),
        sa.Column("is_answer", sa.Boolean(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("mail_id", Id, nullable=True),
        sa.Column("at", Instant, nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "lead_id"],
            ["lead.workspace_id", "lead.id"],
            name=op.f("fk_lead_note_workspace_id_lead_id_lead"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_lead_note_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_lead_note")),
    )
    with op.batch_alter_table("lead_note") as batch_op:
        batch_op.create_index(
            "ix_lead_note_lead_id", ["workspace_id", "lead_id", "at"], unique=False
        )

    op.create_table(
        "conversation",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("awaits", sa.String(), nullable=False),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("reservation_id", Id, nullable=True),
        sa.Column("linked_by", sa.String(), nullable=True),
        sa.Column("enquiry_id", Id, nullable=True),
        sa.Column("assignee_id", Id, nullable=True),
        sa.Column("merged_into_id", Id, nullable=True),
        sa.Column("has_failure", sa.Boolean(), nullable=False),
        sa.Column("last_words", sa.Text(), nullable=False),
        sa.Column("last_message_at", Instant, nullable=False),
        sa.Column("started_at", Instant, nullable=False),
        sa.Column("closed_at", Instant, nullable=True),
        sa.Column("closed_by", sa.String(), nullable=True),
        sa.Column("reopened_at", Instant, nullable=True),
        sa.Column("search_text", sa.Text(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "enquiry_id"],
            ["enquiry.workspace_id", "enquiry.id"],
            name=op.f("fk_conversation_workspace_id_enquiry_id_enquiry"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "merged_into_id"],
            ["conversation.workspace_id", "conversation.id"],
            name=op.f("fk_conversation_workspace_id_merged_into_id_conversation"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_conversation_workspace_id_reservation_id_reservation"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_conversation_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_conversation")),
    )
    with op.batch_alter_table("conversation") as batch_op:
        batch_op.create_index(
            "ix_conversation_enquiry_id", ["workspace_id", "enquiry_id"], unique=False
        )
        batch_op.create_index(
            "ix_conversation_reservation_id", ["workspace_id", "reservation_id"], unique=False
        )
        batch_op.create_index(
            "ix_conversation_state",
            ["workspace_id", "state", "last_message_at", "id"],
            unique=False,
        )

    op.create_table(
        "supplier_order",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("supplier", sa.String(), nullable=False),
        sa.Column("order_number", sa.String(), nullable=False),
        sa.Column("known_as", sa.String(), nullable=False),
        sa.Column("ordered_on", sa.Date(), nullable=False),
        sa.Column("building_id", Id, nullable=True),
        sa.Column("named_number", sa.BigInteger(), nullable=True),
        sa.Column("project_id", Id, nullable=True),
        sa.Column("total_yen", sa.BigInteger(), nullable=False),
        sa.Column("external_id", sa.String(), nullable=True),
        sa.Column("key_id", Id, nullable=True),
        sa.Column("repeats_id", Id, nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("received_at", Instant, nullable=False),
        sa.Column("received_by", sa.String(), nullable=False),
        sa.Column("changed_at", Instant, nullable=False),
        sa.Column("changed_by", sa.String(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "building_id"],
            ["building.workspace_id", "building.id"],
            name=op.f("fk_supplier_order_workspace_id_building_id_building"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "key_id"],
            ["api_key.workspace_id", "api_key.id"],
            name=op.f("fk_supplier_order_workspace_id_key_id_api_key"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "project_id"],
            ["maintenance_project.workspace_id", "maintenance_project.id"],
            name=op.f("fk_supplier_order_workspace_id_project_id_maintenance_project"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "repeats_id"],
            ["supplier_order.workspace_id", "supplier_order.id"],
            name=op.f("fk_supplier_order_workspace_id_repeats_id_supplier_order"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_supplier_order_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_supplier_order")),
        sa.UniqueConstraint(
            "workspace_id", "external_id", name=op.f("uq_supplier_order_workspace_id_external_id")
        ),
    )
    with op.batch_alter_table("supplier_order") as batch_op:
        batch_op.create_index(
            "ix_supplier_order_known_as", ["workspace_id", "known_as"], unique=False
        )
        batch_op.create_index(
            "ix_supplier_order_project_id", ["workspace_id", "project_id"], unique=False
        )
        batch_op.create_index(
            "ix_supplier_order_state", ["workspace_id", "state", "received_at", "id"], unique=False
        )

    op.create_table(
        "conversation_handle",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("conversation_id", Id, nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("handle", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=True),
        sa.Column("added_at", Instant, nullable=False),
        sa.Column("is_blocked", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "conversation_id"],
            ["conversation.workspace_id", "conversation.id"],
            name=op.f("fk_conversation_handle_workspace_id_conversation_id_conversation"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_conversation_handle_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_conversation_handle")),
        sa.UniqueConstraint(
            "workspace_id",
            "channel",
            "handle",
            name=op.f("uq_conversation_handle_workspace_id_channel_handle"),
        ),
    )
    with op.batch_alter_table("conversation_handle") as batch_op:
        batch_op.create_index(
            "ix_conversation_handle_conversation_id",
            ["workspace_id", "conversation_id"],
            unique=False,
        )

    op.create_table(
        "guest_message",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("conversation_id", Id, nullable=False),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("handle", sa.String(), nullable=True),
        sa.Column("external_id", sa.String(), nullable=True),
        sa.Column("side", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("quoted_id", sa.String(), nullable=True),
        sa.Column("sent_at", Instant, nullable=False),
        sa.Column("received_at", Instant, nullable=False),
        sa.Column("by", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.Column("media_id", sa.String(), nullable=True),
        sa.Column("media_key", sa.String(), nullable=True),
        sa.Column("media_type", sa.String(), nullable=True),
        sa.Column("media_name", sa.String(), nullable=True),
        sa.Column("media_failure", sa.Text(), nullable=True),
        sa.Column("booking_reference", sa.String(), nullable=True),
        sa.Column("listing", sa.String(), nullable=True),
        sa.Column("taken_back_at", Instant, nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "conversation_id"],
            ["conversation.workspace_id", "conversation.id"],
            name=op.f("fk_guest_message_workspace_id_conversation_id_conversation"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_guest_message_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_guest_message")),
        sa.UniqueConstraint(
            "workspace_id",
            "channel",
            "external_id",
            name=op.f("uq_guest_message_workspace_id_channel_external_id"),
        ),
    )
    with op.batch_alter_table("guest_message") as batch_op:
        batch_op.create_index(
            "ix_guest_message_conversation_id",
            ["workspace_id", "conversation_id", "sent_at"],
            unique=False,
        )

    op.create_table(
        "payment_return",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("payment_id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("returned_on", sa.Date(), nullable=False),
        sa.Column("amount_yen", sa.BigInteger(), nullable=False),
        sa.Column("reference", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=True),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.CheckConstraint("amount_yen > 0", name=op.f("ck_payment_return_positive")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "payment_id"],
            ["payment.workspace_id", "payment.id"],
            name=op.f("fk_payment_return_workspace_id_payment_id_payment"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_payment_return_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_payment_return")),
        sa.UniqueConstraint(
            "workspace_id", "reference", name=op.f("uq_payment_return_workspace_id_reference")
        ),
    )
    with op.batch_alter_table("payment_return") as batch_op:
        batch_op.create_index(
            "ix_payment_return_payment_id", ["workspace_id", "payment_id"], unique=False
        )
        batch_op.create_index(
            "ix_payment_return_reservation_id",
            ["workspace_id", "reservation_id", "returned_on"],
            unique=False,
        )

    op.create_table(
        "provider_payment",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("intent", sa.String(), nullable=False),
        sa.Column("charge", sa.String(), nullable=True),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("entry_id", Id, nullable=False),
        sa.Column("payment_id", Id, nullable=True),
        sa.Column("amount_yen", sa.BigInteger(), nullable=False),
        sa.Column("paid_at", Instant, nullable=True),
        sa.Column("failed_at", Instant, nullable=True),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.Column("refunded_yen", sa.BigInteger(), nullable=False),
        sa.Column("disputed_at", Instant, nullable=True),
        sa.Column("dispute_reason", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "entry_id"],
            ["ledger_entry.workspace_id", "ledger_entry.id"],
            name=op.f("fk_provider_payment_workspace_id_entry_id_ledger_entry"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "payment_id"],
            ["payment.workspace_id", "payment.id"],
            name=op.f("fk_provider_payment_workspace_id_payment_id_payment"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_provider_payment_workspace_id_reservation_id_reservation"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_provider_payment_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_provider_payment")),
        sa.UniqueConstraint(
            "workspace_id", "intent", name=op.f("uq_provider_payment_workspace_id_intent")
        ),
    )
    with op.batch_alter_table("provider_payment") as batch_op:
        batch_op.create_index(
            "ix_provider_payment_charge", ["workspace_id", "charge"], unique=False
        )
        batch_op.create_index(
            "ix_provider_payment_entry_id", ["workspace_id", "entry_id"], unique=False
        )
        batch_op.create_index(
            "ix_provider_payment_payment_id", ["workspace_id", "payment_id"], unique=False
        )
        batch_op.create_index(
            "ix_provider_payment_reservation_id", ["workspace_id", "reservation_id"], unique=False
        )

    op.create_table(
        "supplier_order_line",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("order_id", Id, nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("quantity", sa.BigInteger(), nullable=False),
        sa.Column("unit_price_yen", sa.BigInteger(), nullable=False),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("purchase_id", Id, nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "order_id"],
            ["supplier_order.workspace_id", "supplier_order.id"],
            name=op.f("fk_supplier_order_line_workspace_id_order_id_supplier_order"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "purchase_id"],
            ["purchase.workspace_id", "purchase.id"],
            name=op.f("fk_supplier_order_line_workspace_id_purchase_id_purchase"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_supplier_order_line_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_supplier_order_line")),
        sa.UniqueConstraint(
            "workspace_id",
            "order_id",
            "position",
            name=op.f("uq_supplier_order_line_workspace_id_order_id_position"),
        ),
    )
    with op.batch_alter_table("supplier_order_line") as batch_op:
        batch_op.create_index(
            "ix_supplier_order_line_purchase_id", ["workspace_id", "purchase_id"], unique=False
        )

    op.add_column("external_block", sa.Column("booking_reference", sa.String(), nullable=True))
    with op.batch_alter_table("campaign") as batch_op:
        batch_op.add_column(sa.Column("updated_by", sa.String(), nullable=True))
        batch_op.add_column(
            sa.Column("version", sa.BigInteger(), nullable=False, server_default="1")
        )

    with op.batch_alter_table("position") as batch_op:
        batch_op.add_column(sa.Column("updated_by", sa.String(), nullable=True))
        batch_op.add_column(
            sa.Column("version", sa.BigInteger(), nullable=False, server_default="1")
        )

    with op.batch_alter_table("post") as batch_op:
        batch_op.add_column(sa.Column("updated_by", sa.String(), nullable=True))
        batch_op.add_column(
            sa.Column("version", sa.BigInteger(), nullable=False, server_default="1")
        )
        batch_op.add_column(sa.Column("is_out", sa.Boolean(), nullable=False, server_default="0"))
    op.create_index(
        "ix_post_due",
        "post",
        ["published_at"],
        unique=False,
        sqlite_where=sa.text("NOT is_out"),
        postgresql_where=sa.text("NOT is_out"),
    )

    with op.batch_alter_table("service") as batch_op:
        batch_op.add_column(sa.Column("updated_by", sa.String(), nullable=True))
        batch_op.add_column(
            sa.Column("version", sa.BigInteger(), nullable=False, server_default="1")
        )

    with op.batch_alter_table("site_configuration") as batch_op:
        batch_op.add_column(sa.Column("updated_by", sa.String(), nullable=True))
        batch_op.add_column(
            sa.Column("version", sa.BigInteger(), nullable=False, server_default="1")
        )

    for table in LINKS:
        op.add_column(table, sa.Column("external_id", sa.String(), nullable=True))
        known_as = ["workspace_id", "external_id"]
        op.create_index(f"uq_{table}_external_id", table, known_as, unique=True)
    if is_postgresql():
        for table in TABLES:
            wall_off(table)
    refuse_changes("payment_return")


def downgrade() -> None:
    for table in LINKS:
        op.drop_index(f"uq_{table}_external_id", table)
        op.drop_column(table, "external_id")
    with op.batch_alter_table("site_configuration") as batch_op:
        batch_op.drop_column("version")
        batch_op.drop_column("updated_by")
    with op.batch_alter_table("service") as batch_op:
        batch_op.drop_column("version")
        batch_op.drop_column("updated_by")
    op.drop_index("ix_post_due", "post")
    with op.batch_alter_table("post") as batch_op:
        batch_op.drop_column("is_out")
        batch_op.drop_column("version")
        batch_op.drop_column("updated_by")
    with op.batch_alter_table("position") as batch_op:
        batch_op.drop_column("version")
        batch_op.drop_column("updated_by")
    with op.batch_alter_table("campaign") as batch_op:
        batch_op.drop_column("version")
        batch_op.drop_column("updated_by")
    op.drop_column("external_block", "booking_reference")
    for table in reversed(TABLES):
        op.drop_table(table)
