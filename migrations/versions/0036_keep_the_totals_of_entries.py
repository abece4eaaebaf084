"""Keeps what each ledger entry bills and got: the database adds up each line and allocation."""

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, only_where
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

_IS_OPEN = "billed_yen <> paid_yen OR deposit_yen < 0"
_ALL = """INSERT INTO entry_total
    (workspace_id, id, reservation_id, billed_yen, deposit_yen, paid_yen, last_on)
    SELECT e.workspace_id, e.id, e.reservation_id,
        coalesce(l.billed_yen, 0), coalesce(l.deposit_yen, 0), coalesce(a.paid_yen, 0),
        {greatest}(e.issued_on, coalesce(l.last_on, e.issued_on), coalesce(a.last_on, e.issued_on))
    FROM ledger_entry e
    LEFT JOIN (
        SELECT workspace_id, entry_id, sum(amount_yen) AS billed_yen, max(posted_on) AS last_on,
            sum(CASE WHEN is_deposit THEN amount_yen ELSE 0 END) AS deposit_yen
        FROM ledger_line GROUP BY workspace_id, entry_id
    ) l ON l.workspace_id = e.workspace_id AND l.entry_id = e.id
    LEFT JOIN (
        SELECT workspace_id, entry_id, sum(amount_yen) AS paid_yen, max(allocated_on) AS last_on
        FROM allocation GROUP BY workspace_id, entry_id
    ) a ON a.workspace_id = e.workspace_id AND a.entry_id = e.id"""
_COLUMNS = "(workspace_id, id, reservation_id, billed_yen, deposit_yen, paid_yen, last_on)"
# Each row alone on SQLite; on PostgreSQL all rows of a statement at once, which bulk writes need.
_SQLITE = {
    "ledger_entry": f"INSERT INTO entry_total {_COLUMNS}"
    " VALUES (NEW.workspace_id, NEW.id, NEW.reservation_id, 0, 0, 0, NEW.issued_on)",
    "ledger_line": """UPDATE entry_total SET billed_yen = billed_yen + NEW.amount_yen,
        deposit_yen = deposit_yen + CASE WHEN NEW.is_deposit THEN NEW.amount_yen ELSE 0 END,
        last_on = max(last_on, NEW.posted_on)
        WHERE workspace_id = NEW.workspace_id AND id = NEW.entry_id""",
    "allocation": """UPDATE entry_total SET paid_yen = paid_yen + NEW.amount_yen,
        last_on = max(last_on, NEW.allocated_on)
        WHERE workspace_id = NEW.workspace_id AND id = NEW.entry_id""",
}
_POSTGRESQL = {
    "ledger_entry": f"""INSERT INTO entry_total {_COLUMNS}
        SELECT workspace_id, id, reservation_id, 0, 0, 0, issued_on FROM written;""",
    "ledger_line": """UPDATE entry_total t SET billed_yen = t.billed_yen + w.yen,
        deposit_yen = t.deposit_yen + w.deposit_yen, last_on = greatest(t.last_on, w.last_on)
        FROM (
            SELECT workspace_id, entry_id, sum(amount_yen) AS yen, max(posted_on) AS last_on,
                coalesce(sum(amount_yen) FILTER (WHERE is_deposit), 0) AS deposit_yen
            FROM written GROUP BY workspace_id, entry_id
        ) w WHERE t.workspace_id = w.workspace_id AND t.id = w.entry_id;""",
    "allocation": """UPDATE entry_total t SET paid_yen = t.paid_yen + w.yen,
        last_on = greatest(t.last_on, w.last_on)
        FROM (
            SELECT workspace_id, entry_id, sum(amount_yen) AS yen, max(allocated_on) AS last_on
            FROM written GROUP BY workspace_id, entry_id
        ) w WHERE t.workspace_id = w.workspace_id AND t.id = w.entry_id;""",
}


def upgrade() -> None:
    op.create_table(
        "entry_total",
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        sa.Column("reservation_id", Id, nullable=False),
        sa.Column("billed_yen", sa.BigInteger(), nullable=False),
        sa.Column("deposit_yen", sa.BigInteger(), nullable=False),
        sa.Column("paid_yen", sa.BigInteger(), nullable=False),
        sa.Column("last_on", sa.Date(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f("fk_entry_total_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id", "id"],
            ["ledger_entry.workspace_id", "ledger_entry.id"],
            name=op.f("fk_entry_total_workspace_id_id_ledger_entry"),
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f("pk_entry_total")),
    )
    op.create_index(
        "ix_entry_total_open", "entry_total", ["workspace_id", "id"], **only_where(_IS_OPEN)
    )
    op.create_index("ix_entry_total_last_on", "entry_total", ["workspace_id", "last_on"])
    op.create_index(
        "ix_entry_total_deposit",
        "entry_total",
        ["workspace_id", "reservation_id", "id", "deposit_yen"],
        **only_where("deposit_yen <> 0"),
    )
    op.execute(_ALL.format(greatest="greatest" if is_postgresql() else "max"))
    if is_postgresql():
        wall_off("entry_total")
    for table in _SQLITE:
        _add_up(table)


def _add_up(table: str) -> None:
    if not is_postgresql():
        op.execute(
            f"CREATE TRIGGER {table}_added_up AFTER INSERT ON {table} BEGIN {_SQLITE[table]}; END"
        )
        return
    op.execute(
        f"CREATE FUNCTION add_up_{table}() RETURNS trigger LANGUAGE plpgsql AS"
        f" $$ BEGIN {_POSTGRESQL[table]} RETURN NULL; END $$"
    )
    op.execute(
        f"CREATE TRIGGER added_up AFTER INSERT ON {table} REFERENCING NEW TABLE AS written"
        f" FOR EACH STATEMENT EXECUTE FUNCTION add_up_{table}()"
    )


def downgrade() -> None:
    for table in _SQLITE:
        if is_postgresql():
            op.execute(f"DROP TRIGGER added_up ON {table}")
            op.execute(f"DROP FUNCTION add_up_{table}()")
        else:
            op.execute(f"DROP TRIGGER {table}_added_up")
    op.drop_table("entry_total")
