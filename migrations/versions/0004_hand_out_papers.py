"""Hands out papers: mails with attachments, what owners agreed and bear, arrival reminders."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Exact, Id, Instant, Json
from pms.foundation.row_security import is_postgresql, refuse_changes, wall_off

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

TABLES_OF_A_WORKSPACE = ("arrival_reminder", "owner_deduction", "owner_terms")
# Money is written once: a correction is a row of its own.
WRITTEN_ONCE = ("owner_deduction",)


def _text(name: str, of_old_rows: str = "") -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=False, server_default=of_old_rows)


def upgrade() -> None:
    op.create_table(
        "owner_deduction",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("building_id", Id, nullable=False),
        sa.Column("deducted_on", sa.Date(), nullable=False),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("label_ja", sa.String(), nullable=False),
        sa.Column("label_en", sa.String(), nullable=False),
        sa.Column("amount_yen", sa.BigInteger(), nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.CheckConstraint("amount_yen <> 0", name=op.f("ck_owner_deduction_not_zero")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "building_id"],
            ["building.workspace_id", "building.id"],
            name=op.f("fk_owner_deduction_workspace_id_building_id_building"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_owner_deduction_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_owner_deduction")),
    )
    with op.batch_alter_table("owner_deduction", schema=None) as batch_op:
        batch_op.create_index(
            "ix_owner_deduction_building_id",
            ["workspace_id", "building_id", "deducted_on"],
            unique=False,
        )

    op.create_table(
        "owner_terms",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("building_id", Id, nullable=False),
        sa.Column("from_on", sa.Date(), nullable=False),
        sa.Column("management_percent", Exact(), nullable=False),
        sa.Column("payout_day", sa.BigInteger(), nullable=False),
        sa.Column("payout_account", sa.Text(), nullable=True),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.CheckConstraint(
            "payout_day BETWEEN 1 AND 31", name=op.f("ck_owner_terms_payout_day_of_a_month")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "building_id"],
            ["building.workspace_id", "building.id"],
            name=op.f("fk_owner_terms_workspace_id_building_id_building"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_owner_terms_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_owner_terms")),
        sa.UniqueConstraint(
            "workspace_id",
            "building_id",
            "from_on",
            name=op.f("uq_owner_terms_workspace_id_building_id_from_on"),
        ),
    )
    op.create_table(
        "arrival_reminder",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("arrival_on", sa.Date(), nullable=False),
        sa.Column("sent_at", Instant, nullable=False),
        sa.CheckConstraint("number IN (1, 2)", name=op.f("ck_arrival_reminder_two")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_arrival_reminder_workspace_id_reservation_id_reservation"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_arrival_reminder_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_arrival_reminder")),
        sa.UniqueConstraint(
            "workspace_id",
            "reservation_id",
            "number",
            name=op.f("uq_arrival_reminder_workspace_id_reservation_id_number"),
        ),
    )
    op.add_column("invoice", sa.Column("sent_file_key", sa.String(), nullable=True))
    op.add_column("invoice", _text("written_by"))
    op.add_column("receipt", _text("locale", "ja"))
    op.add_column("receipt", _text("written_by"))

    op.add_column(
        "outbox_mail", sa.Column("attachments", Json, nullable=False, server_default="[]")
    )
    if is_postgresql():
        for table in TABLES_OF_A_WORKSPACE:
            wall_off(table)
    for table in WRITTEN_ONCE:
        refuse_changes(table)


def downgrade() -> None:
    op.drop_column("outbox_mail", "attachments")

    op.drop_column("invoice", "written_by")
    op.drop_column("invoice", "sent_file_key")
    op.drop_column("receipt", "written_by")
    op.drop_column("receipt", "locale")

    op.drop_table("arrival_reminder")
    op.drop_table("owner_terms")
    with op.batch_alter_table("owner_deduction", schema=None) as batch_op:
        batch_op.drop_index("ix_owner_deduction_building_id")

    op.drop_table("owner_deduction")
