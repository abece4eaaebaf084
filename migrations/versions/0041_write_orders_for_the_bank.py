"""Keeps payment references, the office's account, direct debits, payouts and fees written off."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant, Json, only_where
from pms.foundation.ids import new_id
from pms.foundation.numbering import PAYMENT_REFERENCES
from pms.foundation.row_security import is_postgresql, wall_off
from pms.rules.invoices import payment_reference

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

_TABLES = (
    "debit_file",
    "office_bank",
    "payout_file",
    "payout",
    "debit_mandate",
    "payee_account",
    "bank_fee_write_off",
    "debit",
    "debit_bill",
)


def upgrade() -> None:
    op.add_column("reservation", sa.Column("payment_reference", sa.String(), nullable=True))
    op.create_index(
        "uq_reservation_payment_reference",
        "reservation",
        ["workspace_id", "payment_reference"],
        unique=True,
    )
    op.create_table(
        "debit_file",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("answered_at", Instant, nullable=True),
        sa.Column("answered_by", sa.String(), nullable=True),
        sa.Column("collected_yen", sa.BigInteger(), nullable=True),
        sa.Column("failed", sa.BigInteger(), nullable=True),
        sa.Column("due_on", sa.Date(), nullable=False),
        sa.Column("office", Json, nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.Column("total_yen", sa.BigInteger(), nullable=False),
        sa.Column("made_at", Instant, nullable=False),
        sa.Column("made_by", sa.String(), nullable=False),
        sa.Column("confirmed_at", Instant, nullable=True),
        sa.Column("confirmed_by", sa.String(), nullable=True),
        sa.Column("handed_over_at", Instant, nullable=True),
        sa.Column("handed_over_by", sa.String(), nullable=True),
        sa.Column("dropped_at", Instant, nullable=True),
        sa.Column("dropped_by", sa.String(), nullable=True),
        sa.CheckConstraint("total_yen > 0", name=op.f("ck_debit_file_some_yen")),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_debit_file_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_debit_file")),
    )
    op.create_index("ix_debit_file_due_on", "debit_file", ["workspace_id", "due_on"])
    op.create_table(
        "office_bank",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("bank_code", sa.String(), nullable=False),
        sa.Column("bank_name", sa.String(), nullable=False),
        sa.Column("branch_code", sa.String(), nullable=False),
        sa.Column("branch_name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("number", sa.String(), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.Column("debit_client", sa.String(), nullable=True),
        sa.Column("payout_client", sa.String(), nullable=True),
        sa.Column("needs_second_person", sa.Boolean(), nullable=False),
        sa.Column("debit_attempts", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "debit_attempts BETWEEN 1 AND 3", name=op.f("ck_office_bank_some_attempts")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_office_bank_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_office_bank")),
        sa.UniqueConstraint("workspace_id", name=op.f("uq_office_bank_workspace_id")),
    )
    op.create_table(
        "payout_file",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("needs_second_person", sa.Boolean(), nullable=False),
        sa.Column("due_on", sa.Date(), nullable=False),
        sa.Column("office", Json, nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.Column("total_yen", sa.BigInteger(), nullable=False),
        sa.Column("made_at", Instant, nullable=False),
        sa.Column("made_by", sa.String(), nullable=False),
        sa.Column("confirmed_at", Instant, nullable=True),
        sa.Column("confirmed_by", sa.String(), nullable=True),
        sa.Column("handed_over_at", Instant, nullable=True),
        sa.Column("handed_over_by", sa.String(), nullable=True),
        sa.Column("dropped_at", Instant, nullable=True),
        sa.Column("dropped_by", sa.String(), nullable=True),
        sa.CheckConstraint("total_yen > 0", name=op.f("ck_payout_file_some_yen")),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_payout_file_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_payout_file")),
    )
    op.create_index("ix_payout_file_due_on", "payout_file", ["workspace_id", "due_on"])
    op.create_table(
        "payout",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("file_id", Id, nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("payout_kind", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("payee", sa.String(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.Column("yen", sa.BigInteger(), nullable=False),
        sa.Column("is_in_force", sa.Boolean(), nullable=False),
        sa.Column("bank_code", sa.String(), nullable=False),
        sa.Column("bank_name", sa.String(), nullable=False),
        sa.Column("branch_code", sa.String(), nullable=False),
        sa.Column("branch_name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("number", sa.String(), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.CheckConstraint("yen > 0", name=op.f("ck_payout_some_yen")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "file_id"],
            ["payout_file.workspace_id", "payout_file.id"],
            name=op.f("fk_payout_workspace_id_file_id_payout_file"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_payout_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_payout")),
    )
    op.create_index("ix_payout_file_id", "payout", ["workspace_id", "file_id", "position"])
    op.create_index(
        "uq_payout_in_force",
        "payout",
        ["workspace_id", "payout_kind", "source"],
        unique=True,
        **only_where("is_in_force"),
    )
    op.create_table(
        "debit_mandate",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("customer", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("from_on", sa.Date(), nullable=False),
        sa.Column("is_first", sa.Boolean(), nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("bank_code", sa.String(), nullable=False),
        sa.Column("bank_name", sa.String(), nullable=False),
        sa.Column("branch_code", sa.String(), nullable=False),
        sa.Column("branch_name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("number", sa.String(), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_debit_mandate_workspace_id_reservation_id_reservation"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_debit_mandate_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_debit_mandate")),
        sa.UniqueConstraint(
            "workspace_id", "customer", name=op.f("uq_debit_mandate_workspace_id_customer")
        ),
    )
    op.create_index(
        "ix_debit_mandate_reservation_id", "debit_mandate", ["workspace_id", "reservation_id"]
    )
    op.create_index(
        "uq_debit_mandate_in_force",
        "debit_mandate",
        ["workspace_id", "reservation_id"],
        unique=True,
        **only_where("state <> 'ended'"),
    )
    op.create_table(
        "payee_account",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("owner_id", Id, nullable=True),
        sa.Column("reservation_id", Id, nullable=True),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("bank_code", sa.String(), nullable=False),
        sa.Column("bank_name", sa.String(), nullable=False),
        sa.Column("branch_code", sa.String(), nullable=False),
        sa.Column("branch_name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("number", sa.String(), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.CheckConstraint(
            "(owner_id IS NULL) <> (reservation_id IS NULL)",
            name=op.f("ck_payee_account_one_payee"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "owner_id"],
            ["owner.workspace_id", "owner.id"],
            name=op.f("fk_payee_account_workspace_id_owner_id_owner"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_payee_account_workspace_id_reservation_id_reservation"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_payee_account_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_payee_account")),
        sa.UniqueConstraint(
            "workspace_id", "owner_id", name=op.f("uq_payee_account_workspace_id_owner_id")
        ),
        sa.UniqueConstraint(
            "workspace_id",
            "reservation_id",
            name=op.f("uq_payee_account_workspace_id_reservation_id"),
        ),
    )
    op.create_table(
        "bank_fee_write_off",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("transfer_id", Id, nullable=False),
        sa.Column("entry_id", Id, nullable=False),
        sa.Column("credit_id", Id, nullable=False),
        sa.Column("yen", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.Column("undone_at", Instant, nullable=True),
        sa.CheckConstraint("yen > 0", name=op.f("ck_bank_fee_write_off_some_yen")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "credit_id"],
            ["ledger_entry.workspace_id", "ledger_entry.id"],
            name=op.f("fk_bank_fee_write_off_workspace_id_credit_id_ledger_entry"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "entry_id"],
            ["ledger_entry.workspace_id", "ledger_entry.id"],
            name=op.f("fk_bank_fee_write_off_workspace_id_entry_id_ledger_entry"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "transfer_id"],
            ["bank_transfer.workspace_id", "bank_transfer.id"],
            name=op.f("fk_bank_fee_write_off_workspace_id_transfer_id_bank_transfer"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_bank_fee_write_off_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_bank_fee_write_off")),
        sa.UniqueConstraint(
            "workspace_id", "credit_id", name=op.f("uq_bank_fee_write_off_workspace_id_credit_id")
        ),
    )
    op.create_index(
        "ix_bank_fee_write_off_transfer_id", "bank_fee_write_off", ["workspace_id", "transfer_id"]
    )
    op.create_index("ix_bank_fee_write_off_yen", "bank_fee_write_off", ["workspace_id", "yen"])
    op.create_table(
        "debit",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("file_id", Id, nullable=False),
        sa.Column("mandate_id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("customer", sa.String(), nullable=False),
        sa.Column("yen", sa.BigInteger(), nullable=False),
        sa.Column("is_first", sa.Boolean(), nullable=False),
        sa.Column("code", sa.String(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("payment_id", Id, nullable=True),
        sa.Column("bank_code", sa.String(), nullable=False),
        sa.Column("bank_name", sa.String(), nullable=False),
        sa.Column("branch_code", sa.String(), nullable=False),
        sa.Column("branch_name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("number", sa.String(), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.CheckConstraint("yen > 0", name=op.f("ck_debit_some_yen")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "file_id"],
            ["debit_file.workspace_id", "debit_file.id"],
            name=op.f("fk_debit_workspace_id_file_id_debit_file"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "mandate_id"],
            ["debit_mandate.workspace_id", "debit_mandate.id"],
            name=op.f("fk_debit_workspace_id_mandate_id_debit_mandate"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "payment_id"],
            ["payment.workspace_id", "payment.id"],
            name=op.f("fk_debit_workspace_id_payment_id_payment"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_debit_workspace_id_reservation_id_reservation"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_debit_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_debit")),
        sa.UniqueConstraint(
            "workspace_id",
            "file_id",
            "customer",
            name=op.f("uq_debit_workspace_id_file_id_customer"),
        ),
    )
    op.create_index("ix_debit_mandate_id", "debit", ["workspace_id", "mandate_id"])
    op.create_index("ix_debit_reservation_id", "debit", ["workspace_id", "reservation_id"])
    op.create_table(
        "debit_bill",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("debit_id", Id, nullable=False),
        sa.Column("entry_id", Id, nullable=False),
        sa.Column("yen", sa.BigInteger(), nullable=False),
        sa.Column("is_awaited", sa.Boolean(), nullable=False),
        sa.CheckConstraint("yen > 0", name=op.f("ck_debit_bill_some_yen")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "debit_id"],
            ["debit.workspace_id", "debit.id"],
            name=op.f("fk_debit_bill_workspace_id_debit_id_debit"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "entry_id"],
            ["ledger_entry.workspace_id", "ledger_entry.id"],
            name=op.f("fk_debit_bill_workspace_id_entry_id_ledger_entry"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_debit_bill_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_debit_bill")),
    )
    op.create_index("ix_debit_bill_debit_id", "debit_bill", ["workspace_id", "debit_id"])
    op.create_index("ix_debit_bill_entry_id", "debit_bill", ["workspace_id", "entry_id"])
    op.create_index(
        "uq_debit_bill_awaited",
        "debit_bill",
        ["workspace_id", "entry_id"],
        unique=True,
        **only_where("is_awaited"),
    )
    if is_postgresql():
        for table in _TABLES:
            wall_off(table)
        op.execute("SELECT set_config('app.workspace', '*', true)")
    _give_references()


def _give_references() -> None:
    """Give each tenancy the reference of its place, the earliest first."""
    connection = op.get_bind()
    reservation = sa.table(
        "reservation",
        sa.column("workspace_id", Id),
        sa.column("id", Id),
        sa.column("payment_reference"),
    )
    counter = sa.table(
        "counter",
        sa.column("workspace_id", Id),
        sa.column("id", Id),
        sa.column("series"),
        sa.column("value"),
    )
    columns = reservation.c
    found = connection.execute(
        sa.select(columns.workspace_id, columns.id).order_by(columns.workspace_id, columns.id)
    ).all()
    places: dict[str, int] = {}
    given = []
    for workspace_id, id_ in found:
        places[workspace_id] = place = places.get(workspace_id, 0) + 1
        given.append({"in_": workspace_id, "of": id_, "said": payment_reference(place)})
    if given:
        connection.execute(
            sa.update(reservation)
            .where(columns.workspace_id == sa.bindparam("in_"), columns.id == sa.bindparam("of"))
            .values(payment_reference=sa.bindparam("said")),
            given,
        )
        connection.execute(
            sa.insert(counter),
            [
                {"workspace_id": one, "id": new_id(), "series": PAYMENT_REFERENCES, "value": place}
                for one, place in places.items()
            ],
        )


def downgrade() -> None:
    for table in reversed(_TABLES):
        op.drop_table(table)
    op.drop_index("uq_reservation_payment_reference", "reservation")
    op.drop_column("reservation", "payment_reference")
    op.execute(f"DELETE FROM counter WHERE series = '{PAYMENT_REFERENCES}'")
