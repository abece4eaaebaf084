"""Keeps what a guide that takes tenancies over was told, and lets a take-over be undone whole."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Instant, Json
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None

_TABLES = ("takeover", "takeover_file", "takeover_row")
# What a take-over writes once, and what goes again with it, within the one transaction that undoes it.
_UNDOABLE = (
    *("ledger_entry", "ledger_line", "payment", "allocation"),
    *("pricing_snapshot", "notice_filing"),
)
_ALL_GOES = "NOT EXISTS (SELECT FROM workspace WHERE id = OLD.workspace_id)"
_UNDOING = (
    "EXISTS (SELECT 1 FROM takeover WHERE workspace_id = OLD.workspace_id AND state = 'undoing')"
)
_STANDS = "EXISTS (SELECT 1 FROM workspace WHERE id = OLD.workspace_id)"


def upgrade() -> None:
    op.create_table(
        "takeover",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("blank_rows", sa.BigInteger(), nullable=False),
        sa.Column("answers", Json, nullable=False),
        sa.Column("columns", Json, nullable=False),
        sa.Column("totals", Json, nullable=False),
        sa.Column("accepted", Json, nullable=False),
        sa.Column("made", Json, nullable=False),
        sa.Column("started_at", Instant, nullable=False),
        sa.Column("started_by", sa.String(), nullable=False),
        sa.Column("live_at", Instant, nullable=True),
        sa.Column("undone_at", Instant, nullable=True),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_takeover_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_takeover")),
    )
    op.create_index("ix_takeover_state", "takeover", ["workspace_id", "state", "started_at"])
    op.create_table(
        "takeover_file",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("takeover_id", Id, nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("file_key", sa.String(), nullable=False),
        *_of_takeover("takeover_file"),
        sa.UniqueConstraint(
            "workspace_id",
            "takeover_id",
            "position",
            name=op.f("uq_takeover_file_workspace_id_takeover_id_position"),
        ),
    )
    op.create_table(
        "takeover_row",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("takeover_id", Id, nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("edits", Json, nullable=False),
        sa.Column("answers", Json, nullable=False),
        *_of_takeover("takeover_row"),
        sa.UniqueConstraint(
            "workspace_id",
            "takeover_id",
            "at",
            name=op.f("uq_takeover_row_workspace_id_takeover_id_at"),
        ),
    )
    if is_postgresql():
        for table in _TABLES:
            wall_off(table)
    _refuse_deletes(unless_undone=True)


def _of_takeover(table: str) -> tuple[sa.Constraint, ...]:
    return (
        sa.ForeignKeyConstraint(
            ["workspace_id", "takeover_id"],
            ["takeover.workspace_id", "takeover.id"],
            name=op.f(f"fk_{table}_workspace_id_takeover_id_takeover"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f(f"fk_{table}_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f(f"pk_{table}")),
    )


def _refuse_deletes(*, unless_undone: bool) -> None:
    """Refuse to delete what was written once; a take-over that is being undone may be let go."""
    if is_postgresql():
        names = ", ".join(f"'{table}'" for table in _UNDOABLE)
        undone = f"OR (TG_TABLE_NAME IN ({names}) AND {_UNDOING})" if unless_undone else ""
        op.execute(
            "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$"
            f" BEGIN IF TG_OP = 'DELETE' AND ({_ALL_GOES} {undone}) THEN RETURN OLD; END IF;"
            " RAISE EXCEPTION 'written_once: %', TG_TABLE_NAME"
            " USING ERRCODE = 'integrity_constraint_violation'; END $$"
        )
        return
    condition = f"{_STANDS} AND NOT {_UNDOING}" if unless_undone else _STANDS
    for table in _UNDOABLE:
        op.execute(f"DROP TRIGGER {table}_written_once_delete")
        op.execute(
            f"CREATE TRIGGER {table}_written_once_delete BEFORE DELETE ON {table}"
            f" WHEN {condition} BEGIN SELECT RAISE(ABORT, 'written_once: {table}'); END"
        )


def downgrade() -> None:
    _refuse_deletes(unless_undone=False)
    for table in reversed(_TABLES):
        op.drop_table(table)
