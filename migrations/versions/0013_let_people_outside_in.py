"""Keeps what people outside the office do: stays, contracts, checkouts, offers, enquiries.

And reads calendars by the clock, with a calendar of each unit's own.
"""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant, Json
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

TABLES = (
    "contract_template",
    "integration",
    "provider_call",
    "stay_terms",
    "enquiry",
    "unit_calendar",
    "check_in_link",
    "condition_report",
    "contract",
    "enquiry_note",
    "reservation_link",
    "checkout",
    "condition_photo",
    "condition_room",
    "contract_signature",
    "guest_registration",
    "viewing_of_enquiry",
)


def upgrade() -> None:
    op.create_table(
        "contract_template",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("body_ja", sa.Text(), nullable=False),
        sa.Column("body_en", sa.Text(), nullable=False),
        sa.Column("is_default", sa.Boolean(), nullable=False),
        sa.Column("updated_at", Instant, nullable=False),
        sa.Column("updated_by", sa.String(), nullable=False),
        sa.Column("archived_at", Instant, nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_contract_template_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_contract_template")),
    )
    op.create_table(
        "integration",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=True),
        sa.Column("sealed_secret", sa.Text(), nullable=False),
        sa.Column("hint", sa.String(), nullable=False),
        sa.Column("set_at", Instant, nullable=False),
        sa.Column("set_by", sa.String(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_integration_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_integration")),
        sa.UniqueConstraint("workspace_id", "kind", name=op.f("uq_integration_workspace_id_kind")),
    )
    op.create_table(
        "provider_call",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject_id", Id, nullable=False),
        sa.Column("facts", Json, nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("due_at", Instant, nullable=True),
        sa.Column("attempts", sa.BigInteger(), nullable=False),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.Column("done_at", Instant, nullable=True),
        sa.Column("given_up_at", Instant, nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_provider_call_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_provider_call")),
    )
    op.create_index("ix_provider_call_due_at", "provider_call", ["due_at"])
    op.create_index("ix_provider_call_subject_id", "provider_call", ["workspace_id", "subject_id"])
    op.create_table(
        "stay_terms",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("check_in_time", sa.String(length=5), nullable=False),
        sa.Column("check_out_time", sa.String(length=5), nullable=False),
        sa.Column("release_minutes", sa.BigInteger(), nullable=False),
        sa.Column("codes_need_register", sa.Boolean(), nullable=False),
        sa.Column("wants_passport_copy", sa.Boolean(), nullable=False),
        sa.Column("register_fields", Json, nullable=False),
        sa.Column("register_kept_years", sa.BigInteger(), nullable=False),
        sa.Column("rules_ja", sa.Text(), nullable=False),
        sa.Column("rules_en", sa.Text(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_stay_terms_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_stay_terms")),
        sa.UniqueConstraint("workspace_id", name=op.f("uq_stay_terms_workspace_id")),
    )
    op.create_table(
        "enquiry",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=True),
        sa.Column("email_key", sa.String(), nullable=True),
        sa.Column("phone", sa.String(), nullable=True),
        sa.Column("phone_key", sa.String(), nullable=True),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("unit_id", Id, nullable=True),
        sa.Column("building_id", Id, nullable=True),
        sa.Column("move_in_on", sa.Date(), nullable=True),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("assignee_id", Id, nullable=True),
        sa.Column("duplicate_of_id", Id, nullable=True),
        sa.Column("external_id", sa.String(), nullable=True),
        sa.Column("received_at", Instant, nullable=False),
        sa.Column("received_by", sa.String(), nullable=False),
        sa.Column("answered_at", Instant, nullable=True),
        sa.Column("changed_at", Instant, nullable=False),
        sa.Column("changed_by", sa.String(), nullable=False),
        sa.Column("search_text", sa.Text(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "building_id"],
            ["building.workspace_id", "building.id"],
            name=op.f("fk_enquiry_workspace_id_building_id_building"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "duplicate_of_id"],
            ["enquiry.workspace_id", "enquiry.id"],
            name=op.f("fk_enquiry_workspace_id_duplicate_of_id_enquiry"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "unit_id"],
            ["unit.workspace_id", "unit.id"],
            name=op.f("fk_enquiry_workspace_id_unit_id_unit"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_enquiry_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_enquiry")),
        sa.UniqueConstraint(
            "workspace_id", "external_id", name=op.f("uq_enquiry_workspace_id_external_id")
        ),
    )
    op.create_index("ix_enquiry_email_key", "enquiry", ["workspace_id", "email_key"])
    op.create_index("ix_enquiry_phone_key", "enquiry", ["workspace_id", "phone_key"])
    op.create_index("ix_enquiry_state", "enquiry", ["workspace_id", "state", "received_at", "id"])
    op.create_index("ix_enquiry_unit_id", "enquiry", ["workspace_id", "unit_id"])
    op.create_table(
        "unit_calendar",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("unit_id", Id, nullable=False),
        sa.Column("nonce", sa.String(length=32), nullable=False),
        sa.Column("made_at", Instant, nullable=False),
        sa.Column("made_by", sa.String(), nullable=False),
        sa.Column("last_read_at", Instant, nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "unit_id"],
            ["unit.workspace_id", "unit.id"],
            name=op.f("fk_unit_calendar_workspace_id_unit_id_unit"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_unit_calendar_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_unit_calendar")),
        sa.UniqueConstraint(
            "workspace_id", "unit_id", name=op.f("uq_unit_calendar_workspace_id_unit_id")
        ),
    )
    op.create_table(
        "check_in_link",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("nonce", sa.String(length=32), nullable=False),
        sa.Column("guests", sa.BigInteger(), nullable=False),
        sa.Column("arrival_time", sa.String(length=5), nullable=True),
        sa.Column("rules_accepted_at", Instant, nullable=True),
        sa.Column("registered_at", Instant, nullable=True),
        sa.Column("finished_at", Instant, nullable=True),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("sent_at", Instant, nullable=True),
        sa.Column("revoked_at", Instant, nullable=True),
        sa.Column("revoked_by", sa.String(), nullable=True),
        sa.Column("last_opened_at", Instant, nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_check_in_link_workspace_id_reservation_id_reservation"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_check_in_link_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_check_in_link")),
        sa.UniqueConstraint(
            "workspace_id",
            "reservation_id",
            name=op.f("uq_check_in_link_workspace_id_reservation_id"),
        ),
    )
    op.create_index("ix_check_in_link_created_at", "check_in_link", ["workspace_id", "created_at"])
    op.create_table(
        "condition_report",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("remark", sa.Text(), nullable=True),
        sa.Column("started_at", Instant, nullable=False),
        sa.Column("sent_at", Instant, nullable=True),
        sa.Column("seen_at", Instant, nullable=True),
        sa.Column("seen_by", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_condition_report_workspace_id_reservation_id_reservation"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_condition_report_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_condition_report")),
        sa.UniqueConstraint(
            "workspace_id",
            "reservation_id",
            name=op.f("uq_condition_report_workspace_id_reservation_id"),
        ),
    )
    op.create_table(
        "contract",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("template_id", Id, nullable=True),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("body_hash", sa.String(length=64), nullable=False),
        sa.Column("file_key", sa.String(), nullable=True),
        sa.Column("issued_at", Instant, nullable=False),
        sa.Column("issued_by", sa.String(), nullable=False),
        sa.Column("sent_at", Instant, nullable=True),
        sa.Column("envelope", sa.String(), nullable=True),
        sa.Column("signing_url", sa.Text(), nullable=True),
        sa.Column("declined_at", Instant, nullable=True),
        sa.Column("decline_reason", sa.Text(), nullable=True),
        sa.Column("expired_at", Instant, nullable=True),
        sa.Column("replaced_at", Instant, nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_contract_workspace_id_reservation_id_reservation"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "template_id"],
            ["contract_template.workspace_id", "contract_template.id"],
            name=op.f("fk_contract_workspace_id_template_id_contract_template"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_contract_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_contract")),
    )
    op.create_index("ix_contract_envelope", "contract", ["workspace_id", "envelope"])
    op.create_index(
        "ix_contract_reservation_id", "contract", ["workspace_id", "reservation_id", "issued_at"]
    )
    op.create_table(
        "enquiry_note",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("enquiry_id", Id, nullable=False),
        sa.Column("is_answer", sa.Boolean(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", Instant, nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "enquiry_id"],
            ["enquiry.workspace_id", "enquiry.id"],
            name=op.f("fk_enquiry_note_workspace_id_enquiry_id_enquiry"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_enquiry_note_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_enquiry_note")),
    )
    op.create_index(
        "ix_enquiry_note_enquiry_id", "enquiry_note", ["workspace_id", "enquiry_id", "at"]
    )
    op.create_table(
        "reservation_link",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("unit_id", Id, nullable=False),
        sa.Column("nonce", sa.String(length=32), nullable=False),
        sa.Column("move_in_on", sa.Date(), nullable=False),
        sa.Column("contract_end_on", sa.Date(), nullable=True),
        sa.Column("name", sa.String(), nullable=True),
        sa.Column("email", sa.String(), nullable=True),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("terms", Json, nullable=False),
        sa.Column("details", Json, nullable=False),
        sa.Column("template_id", Id, nullable=True),
        sa.Column("enquiry_id", Id, nullable=True),
        sa.Column("place_id", Id, nullable=True),
        sa.Column("expires_at", Instant, nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("sent_at", Instant, nullable=True),
        sa.Column("last_opened_at", Instant, nullable=True),
        sa.Column("revoked_at", Instant, nullable=True),
        sa.Column("revoked_by", sa.String(), nullable=True),
        sa.Column("accepted_at", Instant, nullable=True),
        sa.Column("reservation_id", Id, nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "enquiry_id"],
            ["enquiry.workspace_id", "enquiry.id"],
            name=op.f("fk_reservation_link_workspace_id_enquiry_id_enquiry"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "place_id"],
            ["waitlist_place.workspace_id", "waitlist_place.id"],
            name=op.f("fk_reservation_link_workspace_id_place_id_waitlist_place"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_reservation_link_workspace_id_reservation_id_reservation"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "template_id"],
            ["contract_template.workspace_id", "contract_template.id"],
            name=op.f("fk_reservation_link_workspace_id_template_id_contract_template"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "unit_id"],
            ["unit.workspace_id", "unit.id"],
            name=op.f("fk_reservation_link_workspace_id_unit_id_unit"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_reservation_link_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_reservation_link")),
    )
    op.create_index(
        "ix_reservation_link_created_at", "reservation_link", ["workspace_id", "created_at"]
    )
    op.create_index(
        "ix_reservation_link_reservation_id", "reservation_link", ["workspace_id", "reservation_id"]
    )
    op.create_index("ix_reservation_link_unit_id", "reservation_link", ["workspace_id", "unit_id"])
    op.create_table(
        "checkout",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("entry_id", Id, nullable=False),
        sa.Column("amount_yen", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("return_path", sa.String(), nullable=False),
        sa.Column("reference", sa.String(), nullable=True),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("asked_at", Instant, nullable=False),
        sa.Column("asked_by", sa.String(), nullable=False),
        sa.Column("opened_at", Instant, nullable=True),
        sa.Column("ended_at", Instant, nullable=True),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.CheckConstraint("amount_yen > 0", name=op.f("ck_checkout_some_amount")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "entry_id"],
            ["ledger_entry.workspace_id", "ledger_entry.id"],
            name=op.f("fk_checkout_workspace_id_entry_id_ledger_entry"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_checkout_workspace_id_reservation_id_reservation"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_checkout_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_checkout")),
        sa.UniqueConstraint(
            "workspace_id", "reference", name=op.f("uq_checkout_workspace_id_reference")
        ),
    )
    op.create_index("ix_checkout_entry_id", "checkout", ["workspace_id", "entry_id", "asked_at"])
    op.create_index("ix_checkout_reservation_id", "checkout", ["workspace_id", "reservation_id"])
    op.create_table(
        "condition_photo",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("report_id", Id, nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("width", sa.BigInteger(), nullable=False),
        sa.Column("height", sa.BigInteger(), nullable=False),
        sa.Column("files", Json, nullable=False),
        sa.Column("added_at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "report_id"],
            ["condition_report.workspace_id", "condition_report.id"],
            name=op.f("fk_condition_photo_workspace_id_report_id_condition_report"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_condition_photo_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_condition_photo")),
    )
    op.create_index(
        "ix_condition_photo_report_id", "condition_photo", ["workspace_id", "report_id"]
    )
    op.create_table(
        "condition_room",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("report_id", Id, nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "report_id"],
            ["condition_report.workspace_id", "condition_report.id"],
            name=op.f("fk_condition_room_workspace_id_report_id_condition_report"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_condition_room_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_condition_room")),
        sa.UniqueConstraint(
            "workspace_id",
            "report_id",
            "room",
            name=op.f("uq_condition_room_workspace_id_report_id_room"),
        ),
    )
    op.create_table(
        "contract_signature",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("contract_id", Id, nullable=False),
        sa.Column("signer", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=True),
        sa.Column("signed_at", Instant, nullable=False),
        sa.Column("document_hash", sa.String(length=64), nullable=False),
        sa.Column("device", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "contract_id"],
            ["contract.workspace_id", "contract.id"],
            name=op.f("fk_contract_signature_workspace_id_contract_id_contract"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_contract_signature_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_contract_signature")),
        sa.UniqueConstraint(
            "workspace_id",
            "contract_id",
            "signer",
            name=op.f("uq_contract_signature_workspace_id_contract_id_signer"),
        ),
    )
    op.create_table(
        "guest_registration",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("link_id", Id, nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("lives_in_japan", sa.Boolean(), nullable=False),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("contact", sa.String(), nullable=True),
        sa.Column("nationality", sa.String(), nullable=True),
        sa.Column("passport_number", sa.String(), nullable=True),
        sa.Column("passport_file_key", sa.String(), nullable=True),
        sa.Column("passport_sent_at", Instant, nullable=True),
        sa.Column("extras", Json, nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("updated_at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "link_id"],
            ["check_in_link.workspace_id", "check_in_link.id"],
            name=op.f("fk_guest_registration_workspace_id_link_id_check_in_link"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_guest_registration_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_guest_registration")),
        sa.UniqueConstraint(
            "workspace_id",
            "link_id",
            "position",
            name=op.f("uq_guest_registration_workspace_id_link_id_position"),
        ),
    )
    op.create_table(
        "viewing_of_enquiry",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("viewing_id", Id, nullable=False),
        sa.Column("enquiry_id", Id, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "enquiry_id"],
            ["enquiry.workspace_id", "enquiry.id"],
            name=op.f("fk_viewing_of_enquiry_workspace_id_enquiry_id_enquiry"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "viewing_id"],
            ["viewing.workspace_id", "viewing.id"],
            name=op.f("fk_viewing_of_enquiry_workspace_id_viewing_id_viewing"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_viewing_of_enquiry_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_viewing_of_enquiry")),
        sa.UniqueConstraint(
            "workspace_id",
            "viewing_id",
            name=op.f("uq_viewing_of_enquiry_workspace_id_viewing_id"),
        ),
    )
    op.create_index(
        "ix_viewing_of_enquiry_enquiry_id", "viewing_of_enquiry", ["workspace_id", "enquiry_id"]
    )
    with op.batch_alter_table("calendar_feed") as batch_op:
        batch_op.add_column(sa.Column("due_at", Instant, nullable=True))
        batch_op.add_column(sa.Column("tried_at", Instant, nullable=True))
        batch_op.add_column(
            sa.Column("failures", sa.BigInteger(), nullable=False, server_default="0")
        )
        batch_op.add_column(sa.Column("failure", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("etag", sa.String(), nullable=True))
        batch_op.add_column(sa.Column("last_modified", sa.String(), nullable=True))
        batch_op.add_column(sa.Column("events", sa.BigInteger(), nullable=True))
        batch_op.add_column(sa.Column("broken", Json, nullable=False, server_default="[]"))
        batch_op.create_index("ix_calendar_feed_due_at", ["due_at"], unique=False)
    with op.batch_alter_table("viewing") as batch_op:
        batch_op.add_column(sa.Column("host_id", Id, nullable=True))
        batch_op.add_column(
            sa.Column("version", sa.BigInteger(), nullable=False, server_default="1")
        )
        batch_op.create_index(
            "ix_viewing_host_id", ["workspace_id", "host_id", "starts_at"], unique=False
        )
    if is_postgresql():
        for table in TABLES:
            wall_off(table)


def downgrade() -> None:
    with op.batch_alter_table("viewing") as batch_op:
        batch_op.drop_index("ix_viewing_host_id")
        batch_op.drop_column("version")
        batch_op.drop_column("host_id")
    with op.batch_alter_table("calendar_feed") as batch_op:
        batch_op.drop_index("ix_calendar_feed_due_at")
        batch_op.drop_column("broken")
        batch_op.drop_column("events")
        batch_op.drop_column("last_modified")
        batch_op.drop_column("etag")
        batch_op.drop_column("failure")
        batch_op.drop_column("failures")
        batch_op.drop_column("tried_at")
        batch_op.drop_column("due_at")
    for table in reversed(TABLES):
        op.drop_table(table)
