"""Keeps upkeep: reports, projects, tasks, visits, hours, purchases, share links and tickets.

And marks of every handbook page who has it in their copy.
"""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant, Json
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

TABLES = (
    "sent_once",
    "checklist_template",
    "visit",
    "maintenance_project",
    "maintenance_request",
    "project_charge",
    "share_link",
    "task",
    "hours_log",
    "inspection",
    "purchase",
    "task_item",
    "task_move",
    "task_note",
    "ticket",
    "ticket_message",
    "upkeep_photo",
)
READERS = ("is_for_contractors", "is_for_residents", "is_for_guests")


def upgrade() -> None:
    op.create_table(
        "sent_once",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_sent_once_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_sent_once")),
        sa.UniqueConstraint(
            "workspace_id", "sender", "key", name=op.f("uq_sent_once_workspace_id_sender_key")
        ),
    )
    op.create_index("ix_sent_once_at", "sent_once", ["workspace_id", "at"])
    op.create_table(
        "checklist_template",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("building_id", Id, nullable=True),
        sa.Column("points", Json, nullable=False),
        sa.Column("updated_at", Instant, nullable=False),
        sa.Column("updated_by", sa.String(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "building_id"],
            ["building.workspace_id", "building.id"],
            name=op.f("fk_checklist_template_workspace_id_building_id_building"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_checklist_template_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_checklist_template")),
        sa.UniqueConstraint(
            "workspace_id",
            "kind",
            "building_id",
            name=op.f("uq_checklist_template_workspace_id_kind_building_id"),
        ),
    )
    op.create_index(
        "ix_checklist_template_building_id", "checklist_template", ["workspace_id", "building_id"]
    )
    op.create_table(
        "visit",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("person_id", Id, nullable=False),
        sa.Column("building_id", Id, nullable=False),
        sa.Column("on_day", sa.Date(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("planned_at", Instant, nullable=False),
        sa.Column("planned_by", sa.String(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_visit_person_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "building_id"],
            ["building.workspace_id", "building.id"],
            name=op.f("fk_visit_workspace_id_building_id_building"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_visit_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_visit")),
        sa.UniqueConstraint(
            "workspace_id",
            "on_day",
            "person_id",
            "building_id",
            name=op.f("uq_visit_workspace_id_on_day_person_id_building_id"),
        ),
    )
    op.create_index("ix_visit_building_id", "visit", ["workspace_id", "building_id"])
    op.create_index(op.f("ix_visit_person_id"), "visit", ["person_id"])
    op.create_table(
        "maintenance_project",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("building_id", Id, nullable=False),
        sa.Column("unit_id", Id, nullable=True),
        sa.Column("opened_at", Instant, nullable=False),
        sa.Column("opened_by", sa.String(), nullable=False),
        sa.Column("ended_at", Instant, nullable=True),
        sa.Column("ended_by", sa.String(), nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "building_id"],
            ["building.workspace_id", "building.id"],
            name=op.f("fk_maintenance_project_workspace_id_building_id_building"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "unit_id"],
            ["unit.workspace_id", "unit.id"],
            name=op.f("fk_maintenance_project_workspace_id_unit_id_unit"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_maintenance_project_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_maintenance_project")),
        sa.UniqueConstraint(
            "workspace_id", "number", name=op.f("uq_maintenance_project_workspace_id_number")
        ),
    )
    op.create_index(
        "ix_maintenance_project_building_id", "maintenance_project", ["workspace_id", "building_id"]
    )
    op.create_index(
        "ix_maintenance_project_state", "maintenance_project", ["workspace_id", "state", "number"]
    )
    op.create_index(
        "ix_maintenance_project_unit_id", "maintenance_project", ["workspace_id", "unit_id"]
    )
    op.create_table(
        "maintenance_request",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("building_id", Id, nullable=False),
        sa.Column("unit_id", Id, nullable=True),
        sa.Column("reservation_id", Id, nullable=True),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("may_enter", sa.Boolean(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("project_id", Id, nullable=True),
        sa.Column("reported_at", Instant, nullable=False),
        sa.Column("reported_by", sa.String(), nullable=False),
        sa.Column("closed_at", Instant, nullable=True),
        sa.Column("closed_by", sa.String(), nullable=True),
        sa.Column("closed_because", sa.Text(), nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "building_id"],
            ["building.workspace_id", "building.id"],
            name=op.f("fk_maintenance_request_workspace_id_building_id_building"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "project_id"],
            ["maintenance_project.workspace_id", "maintenance_project.id"],
            name=op.f("fk_maintenance_request_workspace_id_project_id_project"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_maintenance_request_workspace_id_reservation_id_reservation"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "unit_id"],
            ["unit.workspace_id", "unit.id"],
            name=op.f("fk_maintenance_request_workspace_id_unit_id_unit"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_maintenance_request_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_maintenance_request")),
    )
    op.create_index(
        "ix_maintenance_request_building_id", "maintenance_request", ["workspace_id", "building_id"]
    )
    op.create_index(
        "ix_maintenance_request_project_id", "maintenance_request", ["workspace_id", "project_id"]
    )
    op.create_index(
        "ix_maintenance_request_reservation_id",
        "maintenance_request",
        ["workspace_id", "reservation_id"],
    )
    op.create_index(
        "ix_maintenance_request_state",
        "maintenance_request",
        ["workspace_id", "state", "reported_at", "id"],
    )
    op.create_index(
        "ix_maintenance_request_unit_id", "maintenance_request", ["workspace_id", "unit_id"]
    )
    op.create_table(
        "project_charge",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=False),
        sa.Column("deduction_id", Id, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "deduction_id"],
            ["owner_deduction.workspace_id", "owner_deduction.id"],
            name=op.f("fk_project_charge_workspace_id_deduction_id_owner_deduction"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "project_id"],
            ["maintenance_project.workspace_id", "maintenance_project.id"],
            name=op.f("fk_project_charge_workspace_id_project_id_maintenance_project"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_project_charge_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_project_charge")),
        sa.UniqueConstraint(
            "workspace_id", "deduction_id", name=op.f("uq_project_charge_workspace_id_deduction_id")
        ),
    )
    op.create_index(
        "ix_project_charge_project_id", "project_charge", ["workspace_id", "project_id"]
    )
    op.create_table(
        "share_link",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=False),
        sa.Column("contractor_name", sa.String(), nullable=False),
        sa.Column("contractor_phone", sa.String(), nullable=True),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("hourly_yen", sa.BigInteger(), nullable=True),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("expires_on", sa.Date(), nullable=True),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("revoked_at", Instant, nullable=True),
        sa.Column("revoked_by", sa.String(), nullable=True),
        sa.Column("last_opened_at", Instant, nullable=True),
        sa.CheckConstraint("hourly_yen >= 0", name=op.f("ck_share_link_hourly_not_negative")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "project_id"],
            ["maintenance_project.workspace_id", "maintenance_project.id"],
            name=op.f("fk_share_link_workspace_id_project_id_maintenance_project"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_share_link_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_share_link")),
    )
    op.create_index("ix_share_link_project_id", "share_link", ["workspace_id", "project_id"])
    op.create_table(
        "task",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("hold_reason", sa.String(), nullable=True),
        sa.Column("moves", sa.BigInteger(), nullable=False),
        sa.Column("state_since", Instant, nullable=False),
        sa.Column("state_by", sa.String(), nullable=False),
        sa.Column("building_id", Id, nullable=False),
        sa.Column("unit_id", Id, nullable=True),
        sa.Column("project_id", Id, nullable=True),
        sa.Column("leaving_id", Id, nullable=True),
        sa.Column("title", sa.String(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("opens_on", sa.Date(), nullable=True),
        sa.Column("due_on", sa.Date(), nullable=True),
        sa.Column("released_at", Instant, nullable=True),
        sa.Column("assignee_id", Id, nullable=True),
        sa.Column("visit_id", Id, nullable=True),
        sa.Column("visit_position", sa.BigInteger(), nullable=True),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignee_id"], ["person.id"], name=op.f("fk_task_assignee_id_person")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "building_id"],
            ["building.workspace_id", "building.id"],
            name=op.f("fk_task_workspace_id_building_id_building"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "leaving_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_task_workspace_id_leaving_id_reservation"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "project_id"],
            ["maintenance_project.workspace_id", "maintenance_project.id"],
            name=op.f("fk_task_workspace_id_project_id_maintenance_project"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "unit_id"],
            ["unit.workspace_id", "unit.id"],
            name=op.f("fk_task_workspace_id_unit_id_unit"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "visit_id"],
            ["visit.workspace_id", "visit.id"],
            name=op.f("fk_task_workspace_id_visit_id_visit"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_task_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_task")),
        sa.UniqueConstraint(
            "workspace_id", "leaving_id", name=op.f("uq_task_workspace_id_leaving_id")
        ),
    )
    op.create_index("ix_task_assignee_id", "task", ["workspace_id", "assignee_id", "state"])
    op.create_index("ix_task_building_id", "task", ["workspace_id", "building_id", "state"])
    op.create_index("ix_task_project_id", "task", ["workspace_id", "project_id"])
    op.create_index("ix_task_state", "task", ["workspace_id", "state", "due_on", "id"])
    op.create_index("ix_task_unit_id", "task", ["workspace_id", "unit_id"])
    op.create_index("ix_task_visit_id", "task", ["workspace_id", "visit_id", "visit_position"])
    op.create_table(
        "hours_log",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=False),
        sa.Column("task_id", Id, nullable=True),
        sa.Column("worked_on", sa.Date(), nullable=False),
        sa.Column("minutes", sa.BigInteger(), nullable=False),
        sa.Column("hourly_yen", sa.BigInteger(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("logged_at", Instant, nullable=False),
        sa.Column("logged_by", sa.String(), nullable=False),
        sa.Column("removed_at", Instant, nullable=True),
        sa.Column("removed_by", sa.String(), nullable=True),
        sa.CheckConstraint("hourly_yen >= 0", name=op.f("ck_hours_log_hourly_not_negative")),
        sa.CheckConstraint("minutes > 0", name=op.f("ck_hours_log_some_minutes")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "project_id"],
            ["maintenance_project.workspace_id", "maintenance_project.id"],
            name=op.f("fk_hours_log_workspace_id_project_id_maintenance_project"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "task_id"],
            ["task.workspace_id", "task.id"],
            name=op.f("fk_hours_log_workspace_id_task_id_task"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_hours_log_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_hours_log")),
    )
    op.create_index(
        "ix_hours_log_project_id", "hours_log", ["workspace_id", "project_id", "worked_on"]
    )
    op.create_index("ix_hours_log_task_id", "hours_log", ["workspace_id", "task_id"])
    op.create_table(
        "inspection",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("task_id", Id, nullable=False),
        sa.Column("has_passed", sa.Boolean(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("at", Instant, nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "task_id"],
            ["task.workspace_id", "task.id"],
            name=op.f("fk_inspection_workspace_id_task_id_task"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_inspection_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_inspection")),
    )
    op.create_index("ix_inspection_task_id", "inspection", ["workspace_id", "task_id", "at"])
    op.create_table(
        "purchase",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("project_id", Id, nullable=False),
        sa.Column("task_id", Id, nullable=True),
        sa.Column("bought_on", sa.Date(), nullable=False),
        sa.Column("shop", sa.String(), nullable=True),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("amount_yen", sa.BigInteger(), nullable=False),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("logged_at", Instant, nullable=False),
        sa.Column("logged_by", sa.String(), nullable=False),
        sa.Column("removed_at", Instant, nullable=True),
        sa.Column("removed_by", sa.String(), nullable=True),
        sa.CheckConstraint("amount_yen > 0", name=op.f("ck_purchase_some_amount")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "project_id"],
            ["maintenance_project.workspace_id", "maintenance_project.id"],
            name=op.f("fk_purchase_workspace_id_project_id_maintenance_project"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "task_id"],
            ["task.workspace_id", "task.id"],
            name=op.f("fk_purchase_workspace_id_task_id_task"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_purchase_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_purchase")),
    )
    op.create_index(
        "ix_purchase_project_id", "purchase", ["workspace_id", "project_id", "bought_on"]
    )
    op.create_index("ix_purchase_task_id", "purchase", ["workspace_id", "task_id"])
    op.create_table(
        "task_item",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("task_id", Id, nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("text_ja", sa.String(), nullable=True),
        sa.Column("text_en", sa.String(), nullable=True),
        sa.Column("ticked_at", Instant, nullable=True),
        sa.Column("ticked_by", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "task_id"],
            ["task.workspace_id", "task.id"],
            name=op.f("fk_task_item_workspace_id_task_id_task"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_task_item_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_task_item")),
    )
    op.create_index("ix_task_item_task_id", "task_item", ["workspace_id", "task_id", "position"])
    op.create_table(
        "task_move",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("task_id", Id, nullable=False),
        sa.Column("from_state", sa.String(), nullable=False),
        sa.Column("to_state", sa.String(), nullable=False),
        sa.Column("hold_reason", sa.String(), nullable=True),
        sa.Column("at", Instant, nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "task_id"],
            ["task.workspace_id", "task.id"],
            name=op.f("fk_task_move_workspace_id_task_id_task"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_task_move_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_task_move")),
    )
    op.create_index("ix_task_move_task_id", "task_move", ["workspace_id", "task_id", "at"])
    op.create_table(
        "task_note",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("task_id", Id, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", Instant, nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "task_id"],
            ["task.workspace_id", "task.id"],
            name=op.f("fk_task_note_workspace_id_task_id_task"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_task_note_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_task_note")),
    )
    op.create_index("ix_task_note_task_id", "task_note", ["workspace_id", "task_id", "at"])
    op.create_table(
        "ticket",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("request_id", Id, nullable=True),
        sa.Column("project_id", Id, nullable=True),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("awaits", sa.String(), nullable=False),
        sa.Column("opened_at", Instant, nullable=False),
        sa.Column("opened_by", sa.String(), nullable=False),
        sa.Column("last_message_at", Instant, nullable=False),
        sa.Column("closed_at", Instant, nullable=True),
        sa.Column("closed_by", sa.String(), nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "project_id"],
            ["maintenance_project.workspace_id", "maintenance_project.id"],
            name=op.f("fk_ticket_workspace_id_project_id_maintenance_project"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "request_id"],
            ["maintenance_request.workspace_id", "maintenance_request.id"],
            name=op.f("fk_ticket_workspace_id_request_id_maintenance_request"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_ticket_workspace_id_reservation_id_reservation"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_ticket_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_ticket")),
    )
    op.create_index("ix_ticket_project_id", "ticket", ["workspace_id", "project_id"])
    op.create_index("ix_ticket_request_id", "ticket", ["workspace_id", "request_id"])
    op.create_index("ix_ticket_reservation_id", "ticket", ["workspace_id", "reservation_id"])
    op.create_index("ix_ticket_state", "ticket", ["workspace_id", "state", "last_message_at", "id"])
    op.create_table(
        "ticket_message",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("ticket_id", Id, nullable=False),
        sa.Column("side", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("step", sa.String(), nullable=True),
        sa.Column("step_on", sa.Date(), nullable=True),
        sa.Column("at", Instant, nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.CheckConstraint(
            "(text IS NULL) <> (step IS NULL)", name=op.f("ck_ticket_message_words_or_step")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "ticket_id"],
            ["ticket.workspace_id", "ticket.id"],
            name=op.f("fk_ticket_message_workspace_id_ticket_id_ticket"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_ticket_message_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_ticket_message")),
    )
    op.create_index(
        "ix_ticket_message_ticket_id", "ticket_message", ["workspace_id", "ticket_id", "at"]
    )
    op.create_table(
        "upkeep_photo",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("request_id", Id, nullable=True),
        sa.Column("task_id", Id, nullable=True),
        sa.Column("purchase_id", Id, nullable=True),
        sa.Column("width", sa.BigInteger(), nullable=False),
        sa.Column("height", sa.BigInteger(), nullable=False),
        sa.Column("files", Json, nullable=False),
        sa.Column("taken_at", Instant, nullable=False),
        sa.Column("taken_by", sa.String(), nullable=False),
        sa.CheckConstraint(
            "(request_id IS NOT NULL AND task_id IS NULL AND purchase_id IS NULL) OR (request_id IS NULL AND task_id IS NOT NULL AND purchase_id IS NULL) OR (request_id IS NULL AND task_id IS NULL AND purchase_id IS NOT NULL)",
            name=op.f("ck_upkeep_photo_one_subject"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "purchase_id"],
            ["purchase.workspace_id", "purchase.id"],
            name=op.f("fk_upkeep_photo_workspace_id_purchase_id_purchase"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "request_id"],
            ["maintenance_request.workspace_id", "maintenance_request.id"],
            name=op.f("fk_upkeep_photo_workspace_id_request_id_maintenance_request"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "task_id"],
            ["task.workspace_id", "task.id"],
            name=op.f("fk_upkeep_photo_workspace_id_task_id_task"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_upkeep_photo_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_upkeep_photo")),
    )
    op.create_index("ix_upkeep_photo_purchase_id", "upkeep_photo", ["workspace_id", "purchase_id"])
    op.create_index("ix_upkeep_photo_request_id", "upkeep_photo", ["workspace_id", "request_id"])
    op.create_index("ix_upkeep_photo_task_id", "upkeep_photo", ["workspace_id", "task_id"])
    index_reports()
    if is_postgresql():
        for table in TABLES:
            wall_off(table)
    for column in READERS:
        op.add_column(
            "handbook_page",
            sa.Column(column, sa.Boolean(), nullable=False, server_default=sa.true()),
        )


def downgrade() -> None:
    unindex_reports()
    for column in READERS:
        op.drop_column("handbook_page", column)
    for table in reversed(TABLES):
        op.drop_table(table)


def index_reports() -> None:
    """Let reports of money be answered from the indexes alone (docs/decisions/ledger.md)."""
    op.drop_index("ix_ledger_line_entry_id", "ledger_line")
    columns = ["workspace_id", "entry_id", "posted_on", "is_deposit", "amount_yen"]
    op.create_index("ix_ledger_line_entry_id", "ledger_line", columns)
    op.drop_index("ix_allocation_entry_id", "allocation")
    columns = ["workspace_id", "entry_id", "allocated_on", "amount_yen"]
    op.create_index("ix_allocation_entry_id", "allocation", columns)
    columns = ["workspace_id", "reservation_id", "id", "issued_on"]
    op.create_index("ix_ledger_entry_reservation_id", "ledger_entry", columns)


def unindex_reports() -> None:
    op.drop_index("ix_ledger_entry_reservation_id", "ledger_entry")
    for table, day in (("ledger_line", "posted_on"), ("allocation", "allocated_on")):
        op.drop_index(f"ix_{table}_entry_id", table)
        op.create_index(f"ix_{table}_entry_id", table, ["workspace_id", "entry_id", day])
