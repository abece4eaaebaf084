"""Keeps the accounts of the office, and the journals of closed months."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant, Json, only_where
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

_TABLES = ("account_chart", "month_closing", "closed_journal")


def upgrade() -> None:
    op.create_table(
        "account_chart",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("accounts", Json, nullable=False),
        sa.Column("taxes", Json, nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("written_at", Instant, nullable=False),
        sa.Column("written_by", sa.String(), nullable=False),
        *_of_workspace("account_chart"),
        sa.UniqueConstraint("workspace_id", name=op.f("uq_account_chart_workspace_id")),
    )
    op.create_table(
        "month_closing",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("month_on", sa.Date(), nullable=False),
        sa.Column("accounts", Json, nullable=False),
        sa.Column("taxes", Json, nullable=False),
        sa.Column("journals", sa.BigInteger(), nullable=False),
        sa.Column("total_yen", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", Instant, nullable=False),
        sa.Column("closed_by", sa.String(), nullable=False),
        sa.Column("reopened_at", Instant, nullable=True),
        sa.Column("reopened_by", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        *_of_workspace("month_closing"),
    )
    op.create_index(
        "uq_month_closing_in_force",
        "month_closing",
        ["workspace_id", "month_on"],
        unique=True,
        **only_where("reopened_at IS NULL"),
    )
    op.create_table(
        "closed_journal",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("closing_id", Id, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("subject_id", Id, nullable=False),
        sa.Column("building_id", Id, nullable=False),
        sa.Column("month_on", sa.Date(), nullable=False),
        sa.Column("happened_on", sa.Date(), nullable=False),
        sa.Column("entered_on", sa.Date(), nullable=False),
        sa.Column("is_late", sa.Boolean(), nullable=False),
        sa.Column("memo", sa.Text(), nullable=False),
        sa.Column("postings", Json, nullable=False),
        sa.Column("income_yen", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id", "closing_id"],
            ["month_closing.workspace_id", "month_closing.id"],
            name=op.f("fk_closed_journal_workspace_id_closing_id_month_closing"),
        ),
        *_of_workspace("closed_journal"),
        sa.UniqueConstraint(
            "workspace_id",
            "closing_id",
            "number",
            name=op.f("uq_closed_journal_workspace_id_closing_id_number"),
        ),
    )
    op.create_index(
        "ix_closed_journal_subject_id", "closed_journal", ["workspace_id", "subject_id"]
    )
    op.create_index(
        "ix_closed_journal_building_id",
        "closed_journal",
        ["workspace_id", "building_id", "month_on"],
    )
    if is_postgresql():
        for table in _TABLES:
            wall_off(table)


def _of_workspace(table: str) -> tuple[sa.Constraint, ...]:
    return (
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f(f"fk_{table}_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f(f"pk_{table}")),
    )


def downgrade() -> None:
    for table in reversed(_TABLES):
        op.drop_table(table)
