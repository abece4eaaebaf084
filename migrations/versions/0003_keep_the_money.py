"""Keeps the money: prices, the append-only ledger, deposits, notices, papers and runs."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant, Json
from pms.foundation.row_security import allow_changes, is_postgresql, refuse_changes, wall_off

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

TABLES_OF_A_WORKSPACE = (
    "allocation",
    "amendment",
    "billed_row",
    "counter",
    "deduction",
    "deposit_move",
    "frozen_discount",
    "invoice",
    "ledger_entry",
    "ledger_line",
    "move_out_notice",
    "notice_filing",
    "owner_statement",
    "payment",
    "period_fee",
    "receipt",
    "refund",
    "row_extent",
    "run",
    "settlement",
)

# Money is written once: a correction is a row of its own.
WRITTEN_ONCE = (
    "billed_row",
    "row_extent",
    "ledger_line",
    "ledger_entry",
    "payment",
    "allocation",
    "deposit_move",
    "settlement",
    "deduction",
    "refund",
    "notice_filing",
    "pricing_snapshot",
    "receipt",
    "owner_statement",
    "amendment",
)


def upgrade() -> None:
    op.create_table(
        "counter",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("series", sa.String(), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_counter_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_counter")),
        sa.UniqueConstraint("workspace_id", "series", name=op.f("uq_counter_workspace_id_series")),
    )
    op.create_table(
        "run",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("done", sa.BigInteger(), nullable=False),
        sa.Column("problems", sa.BigInteger(), nullable=False),
        sa.Column("result", Json, nullable=False),
        sa.Column("started_by", sa.String(), nullable=False),
        sa.Column("started_at", Instant, nullable=False),
        sa.Column("moved_at", Instant, nullable=False),
        sa.Column("finished_at", Instant, nullable=True),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_run_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_run")),
        sa.UniqueConstraint(
            "workspace_id",
            "kind",
            "subject",
            "number",
            name=op.f("uq_run_workspace_id_kind_subject_number"),
        ),
    )
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.create_index("ix_run_started_at", ["workspace_id", "started_at"], unique=False)

    op.create_table(
        "owner_statement",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("building_id", Id, nullable=False),
        sa.Column("month_on", sa.Date(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("figures", Json, nullable=False),
        sa.Column("published_at", Instant, nullable=False),
        sa.Column("published_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "building_id"],
            ["building.workspace_id", "building.id"],
            name=op.f("fk_owner_statement_workspace_id_building_id_building"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_owner_statement_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_owner_statement")),
        sa.UniqueConstraint(
            "workspace_id",
            "building_id",
            "month_on",
            "version",
            name=op.f("uq_owner_statement_workspace_id_building_id_month_on_version"),
        ),
    )
    op.create_table(
        "amendment",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("old_reservation_id", Id, nullable=False),
        sa.Column("new_reservation_id", Id, nullable=False),
        sa.Column("last_on", sa.Date(), nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "new_reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_amendment_workspace_id_new_reservation_id_reservation"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "old_reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_amendment_workspace_id_old_reservation_id_reservation"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_amendment_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_amendment")),
        sa.UniqueConstraint(
            "workspace_id",
            "new_reservation_id",
            name=op.f("uq_amendment_workspace_id_new_reservation_id"),
        ),
        sa.UniqueConstraint(
            "workspace_id",
            "old_reservation_id",
            name=op.f("uq_amendment_workspace_id_old_reservation_id"),
        ),
    )
    op.create_table(
        "deposit_move",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("moved_on", sa.Date(), nullable=False),
        sa.Column("amount_yen", sa.BigInteger(), nullable=False),
        sa.Column("transfer_id", Id, nullable=True),
        sa.Column("settlement_id", Id, nullable=True),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.CheckConstraint(
            "(kind = 'settled') = (transfer_id IS NULL) AND (kind = 'settled') = (settlement_id IS NOT NULL)",
            name=op.f("ck_deposit_move_one_cause"),
        ),
        sa.CheckConstraint("amount_yen > 0", name=op.f("ck_deposit_move_positive")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_deposit_move_workspace_id_reservation_id_reservation"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_deposit_move_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_deposit_move")),
        sa.UniqueConstraint(
            "workspace_id", "settlement_id", name=op.f("uq_deposit_move_workspace_id_settlement_id")
        ),
        sa.UniqueConstraint(
            "workspace_id",
            "transfer_id",
            "kind",
            name=op.f("uq_deposit_move_workspace_id_transfer_id_kind"),
        ),
    )
    with op.batch_alter_table("deposit_move", schema=None) as batch_op:
        batch_op.create_index(
            "ix_deposit_move_reservation_id",
            ["workspace_id", "reservation_id", "moved_on"],
            unique=False,
        )

    op.create_table(
        "frozen_discount",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("label_ja", sa.String(), nullable=False),
        sa.Column("label_en", sa.String(), nullable=False),
        sa.Column("percent", sa.String(), nullable=True),
        sa.Column("monthly_yen", sa.BigInteger(), nullable=True),
        sa.Column("is_recurring", sa.Boolean(), nullable=False),
        sa.Column("minimum_stay_days", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "(percent IS NULL) <> (monthly_yen IS NULL)", name=op.f("ck_frozen_discount_one_figure")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_frozen_discount_workspace_id_reservation_id_reservation"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_frozen_discount_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_frozen_discount")),
        sa.UniqueConstraint(
            "workspace_id",
            "reservation_id",
            name=op.f("uq_frozen_discount_workspace_id_reservation_id"),
        ),
    )
    op.create_table(
        "ledger_entry",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("period", sa.String(), nullable=False),
        sa.Column("round", sa.BigInteger(), nullable=False),
        sa.Column("label_ja", sa.String(), nullable=False),
        sa.Column("label_en", sa.String(), nullable=False),
        sa.Column("issued_on", sa.Date(), nullable=False),
        sa.Column("due_on", sa.Date(), nullable=False),
        sa.Column("arrears_of_id", Id, nullable=True),
        sa.Column("cancelled_yen", sa.BigInteger(), nullable=False),
        sa.Column("opposes_id", Id, nullable=True),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.CheckConstraint(
            "(kind = 'arrears') = (arrears_of_id IS NOT NULL)", name=op.f("ck_ledger_entry_arrears")
        ),
        sa.CheckConstraint(
            "(kind = 'opposite') = (opposes_id IS NOT NULL)", name=op.f("ck_ledger_entry_opposite")
        ),
        sa.CheckConstraint("due_on >= issued_on", name=op.f("ck_ledger_entry_due_when_issued")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "arrears_of_id"],
            ["ledger_entry.workspace_id", "ledger_entry.id"],
            name=op.f("fk_ledger_entry_workspace_id_arrears_of_id_ledger_entry"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "opposes_id"],
            ["ledger_entry.workspace_id", "ledger_entry.id"],
            name=op.f("fk_ledger_entry_workspace_id_opposes_id_ledger_entry"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_ledger_entry_workspace_id_reservation_id_reservation"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_ledger_entry_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_ledger_entry")),
        sa.UniqueConstraint(
            "workspace_id", "opposes_id", name=op.f("uq_ledger_entry_workspace_id_opposes_id")
        ),
        sa.UniqueConstraint(
            "workspace_id",
            "reservation_id",
            "kind",
            "period",
            "round",
            name=op.f("uq_ledger_entry_workspace_id_reservation_id_kind_period_round"),
        ),
    )
    with op.batch_alter_table("ledger_entry", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_ledger_entry_arrears_of_id"), ["arrears_of_id"], unique=False
        )
        batch_op.create_index(
            "ix_ledger_entry_issued_on", ["workspace_id", "issued_on"], unique=False
        )

    op.create_table(
        "payment",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("received_on", sa.Date(), nullable=False),
        sa.Column("amount_yen", sa.BigInteger(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("reference", sa.String(), nullable=True),
        sa.Column("note", sa.String(), nullable=True),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.CheckConstraint("amount_yen > 0", name=op.f("ck_payment_positive")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_payment_workspace_id_reservation_id_reservation"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_payment_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_payment")),
        sa.UniqueConstraint(
            "workspace_id",
            "method",
            "reference",
            name=op.f("uq_payment_workspace_id_method_reference"),
        ),
    )
    with op.batch_alter_table("payment", schema=None) as batch_op:
        batch_op.create_index(
            "ix_payment_reservation_id",
            ["workspace_id", "reservation_id", "received_on"],
            unique=False,
        )

    op.create_table(
        "settlement",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("settled_on", sa.Date(), nullable=False),
        sa.Column("held_yen", sa.BigInteger(), nullable=False),
        sa.Column("overpaid_yen", sa.BigInteger(), nullable=False),
        sa.Column("deducted_yen", sa.BigInteger(), nullable=False),
        sa.Column("netted_yen", sa.BigInteger(), nullable=False),
        sa.Column("remainder_yen", sa.BigInteger(), nullable=False),
        sa.Column("owed_yen", sa.BigInteger(), nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.CheckConstraint(
            "remainder_yen >= 0 AND owed_yen >= 0", name=op.f("ck_settlement_no_negative_end")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_settlement_workspace_id_reservation_id_reservation"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_settlement_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_settlement")),
        sa.UniqueConstraint(
            "workspace_id", "reservation_id", name=op.f("uq_settlement_workspace_id_reservation_id")
        ),
    )
    op.create_table(
        "allocation",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("entry_id", Id, nullable=False),
        sa.Column("payment_id", Id, nullable=True),
        sa.Column("settlement_id", Id, nullable=True),
        sa.Column("amount_yen", sa.BigInteger(), nullable=False),
        sa.Column("allocated_on", sa.Date(), nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "entry_id"],
            ["ledger_entry.workspace_id", "ledger_entry.id"],
            name=op.f("fk_allocation_workspace_id_entry_id_ledger_entry"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "payment_id"],
            ["payment.workspace_id", "payment.id"],
            name=op.f("fk_allocation_workspace_id_payment_id_payment"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_allocation_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_allocation")),
    )
    with op.batch_alter_table("allocation", schema=None) as batch_op:
        batch_op.create_index(
            "ix_allocation_entry_id", ["workspace_id", "entry_id", "allocated_on"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_allocation_payment_id"), ["payment_id"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_allocation_settlement_id"), ["settlement_id"], unique=False
        )

    op.create_table(
        "billed_row",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("entry_id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("first_on", sa.Date(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "entry_id"],
            ["ledger_entry.workspace_id", "ledger_entry.id"],
            name=op.f("fk_billed_row_workspace_id_entry_id_ledger_entry"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_billed_row_workspace_id_reservation_id_reservation"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_billed_row_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_billed_row")),
        sa.UniqueConstraint(
            "workspace_id",
            "entry_id",
            "first_on",
            name=op.f("uq_billed_row_workspace_id_entry_id_first_on"),
        ),
    )
    with op.batch_alter_table("billed_row", schema=None) as batch_op:
        batch_op.create_index(
            "ix_billed_row_reservation_id",
            ["workspace_id", "reservation_id", "first_on"],
            unique=False,
        )

    op.create_table(
        "deduction",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("settlement_id", Id, nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("asked_yen", sa.BigInteger(), nullable=False),
        sa.Column("reached_yen", sa.BigInteger(), nullable=False),
        sa.Column("charge_id", Id, nullable=True),
        sa.CheckConstraint(
            "0 < asked_yen AND 0 <= reached_yen AND reached_yen <= asked_yen",
            name=op.f("ck_deduction_in_order"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "charge_id"],
            ["ledger_entry.workspace_id", "ledger_entry.id"],
            name=op.f("fk_deduction_workspace_id_charge_id_ledger_entry"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "settlement_id"],
            ["settlement.workspace_id", "settlement.id"],
            name=op.f("fk_deduction_workspace_id_settlement_id_settlement"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_deduction_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_deduction")),
    )
    with op.batch_alter_table("deduction", schema=None) as batch_op:
        batch_op.create_index(
            "ix_deduction_settlement_id",
            ["workspace_id", "settlement_id", "position"],
            unique=False,
        )

    op.create_table(
        "invoice",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("entry_id", Id, nullable=False),
        sa.Column("number", sa.String(), nullable=False),
        sa.Column("issued_on", sa.Date(), nullable=False),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("sent_at", Instant, nullable=True),
        sa.Column("reminded_at", Instant, nullable=True),
        sa.Column("written_at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "entry_id"],
            ["ledger_entry.workspace_id", "ledger_entry.id"],
            name=op.f("fk_invoice_workspace_id_entry_id_ledger_entry"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_invoice_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_invoice")),
        sa.UniqueConstraint(
            "workspace_id", "entry_id", name=op.f("uq_invoice_workspace_id_entry_id")
        ),
        sa.UniqueConstraint("workspace_id", "number", name=op.f("uq_invoice_workspace_id_number")),
    )
    op.create_table(
        "move_out_notice",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("filed_on", sa.Date(), nullable=False),
        sa.Column("move_out_on", sa.Date(), nullable=False),
        sa.Column("notice_owed_days", sa.BigInteger(), nullable=False),
        sa.Column("notice_given_days", sa.BigInteger(), nullable=False),
        sa.Column("notice_missing_days", sa.BigInteger(), nullable=False),
        sa.Column("early_exit_yen", sa.BigInteger(), nullable=False),
        sa.Column("short_notice_yen", sa.BigInteger(), nullable=False),
        sa.Column("penalty_yen", sa.BigInteger(), nullable=False),
        sa.Column("penalty_days", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("basis", sa.String(), nullable=False),
        sa.Column("is_capped", sa.Boolean(), nullable=False),
        sa.Column("runs_until_on", sa.Date(), nullable=True),
        sa.Column("forfeit_yen", sa.BigInteger(), nullable=False),
        sa.Column("penalty_entry_id", Id, nullable=True),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.Column("withdrawn_at", Instant, nullable=True),
        sa.Column("withdrawn_by", sa.String(), nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "penalty_yen >= 0 AND penalty_days >= 0",
            name=op.f("ck_move_out_notice_penalty_not_negative"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "penalty_entry_id"],
            ["ledger_entry.workspace_id", "ledger_entry.id"],
            name=op.f("fk_move_out_notice_workspace_id_penalty_entry_id_ledger_entry"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_move_out_notice_workspace_id_reservation_id_reservation"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_move_out_notice_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_move_out_notice")),
    )
    with op.batch_alter_table("move_out_notice", schema=None) as batch_op:
        batch_op.create_index(
            "uq_move_out_notice_in_force",
            ["workspace_id", "reservation_id"],
            unique=True,
            sqlite_where=sa.text("withdrawn_at IS NULL"),
            postgresql_where=sa.text("withdrawn_at IS NULL"),
        )

    op.create_table(
        "period_fee",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("period_id", Id, nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("label_ja", sa.String(), nullable=False),
        sa.Column("label_en", sa.String(), nullable=False),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("tax_treatment", sa.String(), nullable=False),
        sa.Column("amount_yen", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "period_id"],
            ["price_period.workspace_id", "price_period.id"],
            name=op.f("fk_period_fee_workspace_id_period_id_price_period"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_period_fee_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_period_fee")),
        sa.UniqueConstraint(
            "workspace_id",
            "period_id",
            "code",
            name=op.f("uq_period_fee_workspace_id_period_id_code"),
        ),
    )
    op.create_table(
        "receipt",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("payment_id", Id, nullable=False),
        sa.Column("number", sa.String(), nullable=False),
        sa.Column("issued_on", sa.Date(), nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "payment_id"],
            ["payment.workspace_id", "payment.id"],
            name=op.f("fk_receipt_workspace_id_payment_id_payment"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_receipt_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_receipt")),
        sa.UniqueConstraint("workspace_id", "number", name=op.f("uq_receipt_workspace_id_number")),
        sa.UniqueConstraint(
            "workspace_id", "payment_id", name=op.f("uq_receipt_workspace_id_payment_id")
        ),
    )
    op.create_table(
        "refund",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("settlement_id", Id, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("sent_on", sa.Date(), nullable=False),
        sa.Column("amount_yen", sa.BigInteger(), nullable=False),
        sa.Column("reference", sa.String(), nullable=True),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.CheckConstraint("amount_yen > 0", name=op.f("ck_refund_positive")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "settlement_id"],
            ["settlement.workspace_id", "settlement.id"],
            name=op.f("fk_refund_workspace_id_settlement_id_settlement"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_refund_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_refund")),
        sa.UniqueConstraint(
            "workspace_id",
            "settlement_id",
            "number",
            name=op.f("uq_refund_workspace_id_settlement_id_number"),
        ),
    )
    op.create_table(
        "ledger_line",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("entry_id", Id, nullable=False),
        sa.Column("row_id", Id, nullable=True),
        sa.Column("item", sa.String(), nullable=False),
        sa.Column("label_ja", sa.String(), nullable=False),
        sa.Column("label_en", sa.String(), nullable=False),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("tax_treatment", sa.String(), nullable=False),
        sa.Column("is_deposit", sa.Boolean(), nullable=False),
        sa.Column("first_on", sa.Date(), nullable=True),
        sa.Column("last_on", sa.Date(), nullable=True),
        sa.Column("amount_yen", sa.BigInteger(), nullable=False),
        sa.Column("posted_on", sa.Date(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "entry_id"],
            ["ledger_entry.workspace_id", "ledger_entry.id"],
            name=op.f("fk_ledger_line_workspace_id_entry_id_ledger_entry"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "row_id"],
            ["billed_row.workspace_id", "billed_row.id"],
            name=op.f("fk_ledger_line_workspace_id_row_id_billed_row"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_ledger_line_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_ledger_line")),
    )
    with op.batch_alter_table("ledger_line", schema=None) as batch_op:
        batch_op.create_index(
            "ix_ledger_line_entry_id", ["workspace_id", "entry_id", "posted_on"], unique=False
        )
        batch_op.create_index(
            "ix_ledger_line_posted_on", ["workspace_id", "posted_on"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_ledger_line_row_id"), ["row_id"], unique=False)

    op.create_table(
        "notice_filing",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("notice_id", Id, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("filed_on", sa.Date(), nullable=False),
        sa.Column("move_out_on", sa.Date(), nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "notice_id"],
            ["move_out_notice.workspace_id", "move_out_notice.id"],
            name=op.f("fk_notice_filing_workspace_id_notice_id_move_out_notice"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_notice_filing_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_notice_filing")),
        sa.UniqueConstraint(
            "workspace_id",
            "notice_id",
            "number",
            name=op.f("uq_notice_filing_workspace_id_notice_id_number"),
        ),
    )
    op.create_table(
        "row_extent",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("row_id", Id, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("last_on", sa.Date(), nullable=True),
        sa.Column("set_on", sa.Date(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "row_id"],
            ["billed_row.workspace_id", "billed_row.id"],
            name=op.f("fk_row_extent_workspace_id_row_id_billed_row"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_row_extent_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_row_extent")),
        sa.UniqueConstraint(
            "workspace_id",
            "row_id",
            "number",
            name=op.f("uq_row_extent_workspace_id_row_id_number"),
        ),
    )
    with op.batch_alter_table("workspace", schema=None) as batch_op:
        batch_op.add_column(sa.Column("qualified_invoice_number", sa.String(), nullable=True))
        batch_op.add_column(sa.Column("bank_details", sa.String(), nullable=True))
    if is_postgresql():
        for table in TABLES_OF_A_WORKSPACE:
            wall_off(table)
    for table in WRITTEN_ONCE:
        refuse_changes(table)


def downgrade() -> None:
    allow_changes("pricing_snapshot")
    op.drop_table("row_extent")
    op.drop_table("notice_filing")
    with op.batch_alter_table("ledger_line", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_ledger_line_row_id"))
        batch_op.drop_index("ix_ledger_line_posted_on")
        batch_op.drop_index("ix_ledger_line_entry_id")

    op.drop_table("ledger_line")
    op.drop_table("refund")
    op.drop_table("receipt")
    op.drop_table("period_fee")
    with op.batch_alter_table("move_out_notice", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_move_out_notice_in_force",
            sqlite_where=sa.text("withdrawn_at IS NULL"),
            postgresql_where=sa.text("withdrawn_at IS NULL"),
        )

    op.drop_table("move_out_notice")
    op.drop_table("invoice")
    with op.batch_alter_table("deduction", schema=None) as batch_op:
        batch_op.drop_index("ix_deduction_settlement_id")

    op.drop_table("deduction")
    with op.batch_alter_table("billed_row", schema=None) as batch_op:
        batch_op.drop_index("ix_billed_row_reservation_id")

    op.drop_table("billed_row")
    with op.batch_alter_table("allocation", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_allocation_settlement_id"))
        batch_op.drop_index(batch_op.f("ix_allocation_payment_id"))
        batch_op.drop_index("ix_allocation_entry_id")

    op.drop_table("allocation")
    op.drop_table("settlement")
    with op.batch_alter_table("payment", schema=None) as batch_op:
        batch_op.drop_index("ix_payment_reservation_id")

    op.drop_table("payment")
    with op.batch_alter_table("ledger_entry", schema=None) as batch_op:
        batch_op.drop_index("ix_ledger_entry_issued_on")
        batch_op.drop_index(batch_op.f("ix_ledger_entry_arrears_of_id"))

    op.drop_table("ledger_entry")
    op.drop_table("frozen_discount")
    with op.batch_alter_table("deposit_move", schema=None) as batch_op:
        batch_op.drop_index("ix_deposit_move_reservation_id")

    op.drop_table("deposit_move")
    op.drop_table("amendment")
    op.drop_table("owner_statement")
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.drop_index("ix_run_started_at")

    op.drop_table("run")
    op.drop_table("counter")
    # Last, because SQLite copies the table, which triggers of the money still name before.
    with op.batch_alter_table("workspace", schema=None) as batch_op:
        batch_op.drop_column("bank_details")
        batch_op.drop_column("qualified_invoice_number")
    if is_postgresql():
        op.execute("DROP FUNCTION refuse_change()")
