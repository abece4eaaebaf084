"""Keeps the people and papers of a contract, and what each building asks for."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.sql.naming import conv

from pms.foundation.db import Id, Instant
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0087"
down_revision = "0086"
branch_labels = None
depends_on = None

_PEOPLE = {
    "guarantor": (
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_kana", sa.String(), nullable=True),
        sa.Column("address", sa.String(), nullable=True),
        sa.Column("phone", sa.String(), nullable=True),
        sa.Column("born_on", sa.Date(), nullable=True),
        sa.Column("relationship", sa.String(), nullable=True),
        sa.Column("highest_yen", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("highest_yen > 0", name=conv("ck_guarantor_amount_above_zero")),
    ),
    "guarantee_company": (
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("number", sa.String(), nullable=True),
        sa.Column("plan", sa.String(), nullable=True),
        sa.Column("from_on", sa.Date(), nullable=True),
        sa.Column("renews_on", sa.Date(), nullable=True),
        sa.Column("fee_yen", sa.BigInteger(), nullable=True),
    ),
    "emergency_contact": (
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_kana", sa.String(), nullable=True),
        sa.Column("relationship", sa.String(), nullable=True),
        sa.Column("phone", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=True),
    ),
    "occupation": (
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("phone", sa.String(), nullable=True),
        sa.Column("address", sa.String(), nullable=True),
    ),
    "identity_paper": (
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("sealed_number", sa.Text(), nullable=True),
        sa.Column("expires_on", sa.Date(), nullable=True),
        sa.Column("file_key", sa.String(), nullable=True),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
    ),
}


def upgrade() -> None:
    op.create_table(
        "asked_of_building",
        *_list_keys("asked_of_building", "building_id", "building"),
        sa.Column("building_id", Id, nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("asked", sa.String(), nullable=False),
        sa.Column("highest_yen", sa.BigInteger(), nullable=True),
        sa.UniqueConstraint(
            "workspace_id",
            "building_id",
            "kind",
            name=op.f("uq_asked_of_building_workspace_id_building_id_kind"),
        ),
    )
    op.create_table(
        "contract_people",
        *_list_keys("contract_people", "reservation_id", "reservation"),
        sa.Column("reservation_id", Id, nullable=True),
        sa.Column("updated_at", Instant, nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint(
            "workspace_id",
            "reservation_id",
            name=op.f("uq_contract_people_workspace_id_reservation_id"),
        ),
    )
    for table, columns in _PEOPLE.items():
        op.create_table(
            table,
            *_list_keys(table, "people_id", "contract_people"),
            sa.Column("people_id", Id, nullable=False),
            *columns,
            *(
                ()
                if table == "identity_paper"
                else (
                    sa.UniqueConstraint(
                        "workspace_id", "people_id", name=op.f(f"uq_{table}_workspace_id_people_id")
                    ),
                )
            ),
        )
    op.create_index(
        "ix_guarantee_company_renews_on", "guarantee_company", ["workspace_id", "renews_on"]
    )
    op.create_index("ix_identity_paper_people_id", "identity_paper", ["workspace_id", "people_id"])
    op.create_index(
        "ix_identity_paper_expires_on", "identity_paper", ["workspace_id", "expires_on"]
    )
    op.add_column("reservation_link", sa.Column("people_id", Id, nullable=True))
    op.create_index(
        "ix_reservation_link_people_id", "reservation_link", ["workspace_id", "people_id"]
    )
    op.add_column(
        "policy",
        sa.Column("expiry_reminder_days", sa.BigInteger(), nullable=False, server_default="60"),
    )
    if is_postgresql():
        for table in ("asked_of_building", "contract_people", *_PEOPLE):
            wall_off(table)


def _list_keys(table: str, column: str, target: str) -> tuple[sa.schema.SchemaItem, ...]:
    return (
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f(f"fk_{table}_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", column],
            [f"{target}.workspace_id", f"{target}.id"],
            name=op.f(f"fk_{table}_workspace_id_{column}_{target}"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f(f"pk_{table}")),
    )


def downgrade() -> None:
    op.drop_column("policy", "expiry_reminder_days")
    op.drop_index("ix_reservation_link_people_id", table_name="reservation_link")
    op.drop_column("reservation_link", "people_id")
    for table in reversed(_PEOPLE):
        op.drop_table(table)
    op.drop_table("contract_people")
    op.drop_table("asked_of_building")
