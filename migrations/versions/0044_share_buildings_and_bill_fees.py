"""Keeps the shares of several owners of a building, and invoices of the management fee."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant, Json
from pms.foundation.row_security import allow_changes, is_postgresql, refuse_changes, wall_off

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None


def _of_workspace(table: str) -> tuple[sa.schema.SchemaItem, ...]:
    return (
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f(f"fk_{table}_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f(f"pk_{table}")),
    )


def _link(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["workspace_id", column],
        [f"{other}.workspace_id", f"{other}.id"],
        name=op.f(f"fk_{table}_workspace_id_{column}_{other}"),
    )


def upgrade() -> None:
    op.create_table(
        "building_share",
        *_of_workspace("building_share"),
        sa.Column("building_id", Id, nullable=False),
        sa.Column("from_on", sa.Date(), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("numerator", sa.BigInteger(), nullable=False),
        sa.Column("denominator", sa.BigInteger(), nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.CheckConstraint(
            "0 < numerator AND numerator <= denominator",
            name=op.f("ck_building_share_part_of_the_whole"),
        ),
        _link("building_share", "building_id", "building"),
        _link("building_share", "owner_id", "owner"),
        sa.UniqueConstraint(
            "workspace_id",
            "building_id",
            "from_on",
            "owner_id",
            name=op.f("uq_building_share_workspace_id_building_id_from_on_owner_id"),
        ),
        sa.UniqueConstraint(
            "workspace_id",
            "building_id",
            "from_on",
            "position",
            name=op.f("uq_building_share_workspace_id_building_id_from_on_position"),
        ),
    )
    op.create_index("ix_building_share_owner_id", "building_share", ["workspace_id", "owner_id"])
    op.create_table(
        "fee_invoice",
        *_of_workspace("fee_invoice"),
        sa.Column("statement_id", Id, nullable=False),
        sa.Column("building_id", Id, nullable=False),
        sa.Column("month_on", sa.Date(), nullable=False),
        sa.Column("owner_id", Id, nullable=False),
        sa.Column("number", sa.String(), nullable=False),
        sa.Column("issued_on", sa.Date(), nullable=False),
        sa.Column("yen", sa.BigInteger(), nullable=False),
        sa.Column("tax_yen", sa.BigInteger(), nullable=False),
        sa.Column("facts", Json, nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        sa.CheckConstraint("yen <> 0", name=op.f("ck_fee_invoice_not_zero")),
        _link("fee_invoice", "statement_id", "owner_statement"),
        _link("fee_invoice", "building_id", "building"),
        _link("fee_invoice", "owner_id", "owner"),
        sa.UniqueConstraint(
            "workspace_id",
            "statement_id",
            "owner_id",
            name=op.f("uq_fee_invoice_workspace_id_statement_id_owner_id"),
        ),
        sa.UniqueConstraint(
            "workspace_id", "number", name=op.f("uq_fee_invoice_workspace_id_number")
        ),
    )
    for column in ("building_id", "owner_id"):
        op.create_index(
            f"ix_fee_invoice_{column}", "fee_invoice", ["workspace_id", column, "month_on"]
        )
    refuse_changes("fee_invoice")
    if is_postgresql():
        wall_off("building_share")
        wall_off("fee_invoice")


def downgrade() -> None:
    allow_changes("fee_invoice")
    op.drop_table("fee_invoice")
    op.drop_table("building_share")
    op.execute("DELETE FROM counter WHERE series LIKE 'fee-invoice-%'")
