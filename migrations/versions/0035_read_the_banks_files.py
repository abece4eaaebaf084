"""Keeps the accounts of the office at its banks, what moved on them, and what each transfer paid."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant, Json, only_where
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

_TABLES = ("bank_account", "bank_import", "bank_transfer", "bank_placement", "bank_payer")


def upgrade() -> None:
    op.create_table(
        "bank_account",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("heads", sa.Text(), nullable=True),
        sa.Column("columns", Json, nullable=True),
        sa.Column("added_at", Instant, nullable=False),
        sa.Column("added_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_bank_account_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_bank_account")),
        sa.UniqueConstraint("workspace_id", "key", name=op.f("uq_bank_account_workspace_id_key")),
    )
    op.create_table(
        "bank_import",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("account_id", Id, nullable=False),
        sa.Column("file_name", sa.String(), nullable=False),
        sa.Column("form", sa.String(), nullable=False),
        sa.Column("first_on", sa.Date(), nullable=False),
        sa.Column("last_on", sa.Date(), nullable=False),
        sa.Column("opening_yen", sa.BigInteger(), nullable=True),
        sa.Column("closing_yen", sa.BigInteger(), nullable=True),
        sa.Column("gap_yen", sa.BigInteger(), nullable=False),
        sa.Column("rows", sa.BigInteger(), nullable=False),
        sa.Column("new_rows", sa.BigInteger(), nullable=False),
        sa.Column("imported_at", Instant, nullable=False),
        sa.Column("imported_by", sa.String(), nullable=False),
        sa.Column("undone_at", Instant, nullable=True),
        sa.Column("undone_by", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id", "account_id"],
            ["bank_account.workspace_id", "bank_account.id"],
            name=op.f("fk_bank_import_workspace_id_account_id_bank_account"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_bank_import_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_bank_import")),
    )
    op.create_index(
        "ix_bank_import_account_id", "bank_import", ["workspace_id", "account_id", "last_on"]
    )
    op.create_table(
        "bank_transfer",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("account_id", Id, nullable=False),
        sa.Column("import_id", Id, nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("likeness", sa.String(), nullable=False),
        sa.Column("line", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.String(), nullable=False),
        sa.Column("booked_on", sa.Date(), nullable=False),
        sa.Column("is_deposit", sa.Boolean(), nullable=False),
        sa.Column("move", sa.String(), nullable=False),
        sa.Column("yen", sa.BigInteger(), nullable=False),
        sa.Column("payer", sa.String(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("bank_name", sa.String(), nullable=False),
        sa.Column("branch_name", sa.String(), nullable=False),
        sa.Column("balance_yen", sa.BigInteger(), nullable=True),
        sa.Column("is_broken", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.CheckConstraint("yen > 0", name=op.f("ck_bank_transfer_some_yen")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "account_id"],
            ["bank_account.workspace_id", "bank_account.id"],
            name=op.f("fk_bank_transfer_workspace_id_account_id_bank_account"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "import_id"],
            ["bank_import.workspace_id", "bank_import.id"],
            name=op.f("fk_bank_transfer_workspace_id_import_id_bank_import"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_bank_transfer_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_bank_transfer")),
        sa.UniqueConstraint(
            "workspace_id",
            "account_id",
            "key",
            name=op.f("uq_bank_transfer_workspace_id_account_id_key"),
        ),
    )
    op.create_index(
        "ix_bank_transfer_booked_on", "bank_transfer", ["workspace_id", "account_id", "booked_on"]
    )
    op.create_index("ix_bank_transfer_import_id", "bank_transfer", ["workspace_id", "import_id"])
    op.create_index(
        "ix_bank_transfer_state", "bank_transfer", ["workspace_id", "state", "booked_on"]
    )
    op.create_table(
        "bank_payer",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("payer", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("form", sa.String(), nullable=False),
        sa.Column("learnt_from", Id, nullable=True),
        sa.Column("learnt_at", Instant, nullable=False),
        sa.Column("learnt_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_bank_payer_workspace_id_reservation_id_reservation"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_bank_payer_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_bank_payer")),
        sa.UniqueConstraint(
            "workspace_id",
            "key",
            "form",
            "reservation_id",
            name=op.f("uq_bank_payer_workspace_id_key_form_reservation_id"),
        ),
    )
    op.create_index(
        "ix_bank_payer_reservation_id", "bank_payer", ["workspace_id", "reservation_id"]
    )
    op.create_table(
        "bank_placement",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("transfer_id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("payment_id", Id, nullable=False),
        sa.Column("yen", sa.BigInteger(), nullable=False),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("placed_at", Instant, nullable=False),
        sa.Column("placed_by", sa.String(), nullable=False),
        sa.Column("taken_off_at", Instant, nullable=True),
        sa.Column("taken_off_by", sa.String(), nullable=True),
        sa.CheckConstraint("yen > 0", name=op.f("ck_bank_placement_some_yen")),
        sa.ForeignKeyConstraint(
            ["workspace_id", "payment_id"],
            ["payment.workspace_id", "payment.id"],
            name=op.f("fk_bank_placement_workspace_id_payment_id_payment"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "reservation_id"],
            ["reservation.workspace_id", "reservation.id"],
            name=op.f("fk_bank_placement_workspace_id_reservation_id_reservation"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "transfer_id"],
            ["bank_transfer.workspace_id", "bank_transfer.id"],
            name=op.f("fk_bank_placement_workspace_id_transfer_id_bank_transfer"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_bank_placement_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_bank_placement")),
        sa.UniqueConstraint(
            "workspace_id", "payment_id", name=op.f("uq_bank_placement_workspace_id_payment_id")
        ),
    )
    op.create_index(
        "ix_bank_placement_reservation_id", "bank_placement", ["workspace_id", "reservation_id"]
    )
    op.create_index(
        "ix_bank_placement_transfer_id", "bank_placement", ["workspace_id", "transfer_id"]
    )
    op.create_index(
        "uq_bank_placement_in_force",
        "bank_placement",
        ["workspace_id", "transfer_id", "reservation_id"],
        unique=True,
        **only_where("taken_off_at IS NULL"),
    )
    if is_postgresql():
        for table in _TABLES:
            wall_off(table)


def downgrade() -> None:
    for table in reversed(_TABLES):
        op.drop_table(table)
