"""Keeps what waiting transfers would pay, and notes each change that a verdict depends on."""

from typing import Final, NamedTuple

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Json
from pms.foundation.row_security import is_postgresql, wall_off

revision = "0068"
down_revision = "0067"
branch_labels = None
depends_on = None

_WAITS = "{0}.state IN ('waiting', 'kept')"
# A workspace that is deleted takes all its rows along, and needs no note of them.
_IS_THERE = "EXISTS (SELECT 1 FROM workspace w WHERE w.id = {0}.workspace_id)"
_NAMED = ("name", "name_kana", "email_key", "payment_reference", "unit_id", "ends_on")
_RENAMED = (*_NAMED, "cancelled_at")


class _Note(NamedTuple):
    """When a row is noted, of which kind, and what about it.

    A changed row is noted where one of the columns differs, if any are named.
    """

    table: str
    event: str
    kind: str
    about: str
    columns: tuple[str, ...] = ()
    when: str = ""


_NOTES: Final = [
    *(
        _Note("entry_total", one, "bills", "reservation_id")
        for one in ("INSERT", "UPDATE", "DELETE")
    ),
    *(_Note("reservation", one, "people", "workspace_id") for one in ("INSERT", "DELETE")),
    _Note("reservation", "UPDATE", "people", "workspace_id", _RENAMED),
    _Note("unit", "UPDATE", "people", "workspace_id", ("name",)),
    *(_Note("bank_payer", one, "people", "workspace_id") for one in ("INSERT", "DELETE")),
    _Note("bank_payer", "UPDATE", "people", "workspace_id", ("payer", "reservation_id")),
    *(_Note("bank_transfer", one, "transfer", "id", when=_WAITS) for one in ("INSERT", "DELETE")),
    _Note("bank_transfer", "UPDATE", "transfer", "id", ("state", "booked_on")),
    # A correction may take an earlier deposit back, whichever of them is read in first.
    *(
        _Note("bank_transfer", one, "people", "workspace_id", when="{0}.move = 'correction'")
        for one in ("INSERT", "DELETE")
    ),
]
_INDEXED: Final = [
    ("bank_reading_key", "reading_id"),
    ("bank_reading_key", "key", "reading_id"),
    ("bank_verdict", "reading_id"),
    ("bank_verdict_payee", "verdict_id"),
    ("bank_verdict_payee", "payee", "verdict_id"),
]
# Verdicts are made by the program, for the first time soon after this.
_FIRST: Final = """INSERT INTO bank_change (workspace_id, id, kind, about, written_in)
    SELECT DISTINCT workspace_id, workspace_id, 'people', workspace_id, 0
    FROM bank_transfer t WHERE """


def upgrade() -> None:
    _create(
        "bank_matching",
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("made_on", sa.Date(), nullable=False),
        sa.Column("fees", Json, nullable=False),
        sa.Column("people", sa.BigInteger(), nullable=False),
    )
    _create(
        "bank_reading",
        sa.Column("payer", sa.String(), nullable=False),
        sa.Column("message", sa.String(), nullable=False),
        sa.Column("is_broken", sa.Boolean(), nullable=False),
        sa.Column("reading", Json, nullable=False),
        sa.UniqueConstraint(
            "workspace_id",
            "payer",
            "message",
            "is_broken",
            name=op.f("uq_bank_reading_workspace_id_payer_message_is_broken"),
        ),
    )
    _create(
        "bank_reading_key",
        sa.Column("reading_id", Id, nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        _link("bank_reading_key", "reading_id", "bank_reading", ondelete="CASCADE"),
    )
    _create(
        "bank_verdict",
        sa.Column("reading_id", Id, nullable=True),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("match", Json, nullable=False),
        _link("bank_verdict", "reading_id", "bank_reading"),
    )
    _create(
        "bank_verdict_payee",
        sa.Column("verdict_id", Id, nullable=False),
        sa.Column("payee", Id, nullable=False),
        _link("bank_verdict_payee", "verdict_id", "bank_verdict", ondelete="CASCADE"),
    )
    for table, *columns in _INDEXED:
        op.create_index(f"ix_{table}_{columns[0]}", table, ["workspace_id", *columns])
    _create(
        "bank_change",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("about", Id, nullable=False),
        sa.Column("written_in", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint(
            "workspace_id",
            "kind",
            "about",
            "written_in",
            name=op.f("uq_bank_change_workspace_id_kind_about_written_in"),
        ),
    )
    op.execute(_FIRST + _WAITS.format("t"))
    for number, note in enumerate(_NOTES):
        _write_note(number, note)


def _link(
    table: str, column: str, target: str, ondelete: str | None = None
) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["workspace_id", column],
        [f"{target}.workspace_id", f"{target}.id"],
        name=op.f(f"fk_{table}_workspace_id_{column}_{target}"),
        ondelete=ondelete,
    )


def _create(table: str, *columns: sa.schema.SchemaItem) -> None:
    op.create_table(
        table,
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        *columns,
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f(f"fk_{table}_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f(f"pk_{table}")),
    )
    if is_postgresql():
        wall_off(table)


def _write_note(number: int, note: _Note) -> None:
    table, event, kind, about, columns, when = note
    row = "OLD" if event == "DELETE" else "NEW"
    if is_postgresql():
        _write_postgresql_note(number, note)
        return
    conditions = [when.format(row)] if when else []
    if columns:
        conditions.append("(" + " OR ".join(f"OLD.{one} IS NOT NEW.{one}" for one in columns) + ")")
    if event == "DELETE":
        conditions.append(_IS_THERE.format(row))
    of = f" OF {', '.join(columns)}" if columns else ""
    only = f" WHEN {' AND '.join(conditions)}" if conditions else ""
    # The number tells a renewal that is under way which notes it cannot have seen.
    renewals = f"SELECT number FROM bank_matching WHERE workspace_id = {row}.workspace_id"
    op.execute(
        f"CREATE TRIGGER {table}_noted_{number} AFTER {event}{of} ON {table}{only} BEGIN"
        " INSERT INTO bank_change (workspace_id, id, kind, about, written_in)"
        f" VALUES ({row}.workspace_id, lower(hex(randomblob(16))), '{kind}', {row}.{about},"
        f" coalesce(({renewals}), 0))"
        " ON CONFLICT DO NOTHING; END"
    )


def _write_postgresql_note(number: int, note: _Note) -> None:
    table, event, kind, about, columns, when = note
    conditions = [when.format("c")] if when else []
    tables = "changed c"
    if columns:
        # The primary key never changes, so that both states of a row are found by it.
        tables += " JOIN before b ON b.workspace_id = c.workspace_id AND b.id = c.id"
        changed = (f"b.{one} IS DISTINCT FROM c.{one}" for one in columns)
        conditions.append(f"({' OR '.join(changed)})")
    if event == "DELETE":
        conditions.append(_IS_THERE.format("c"))
    only = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    op.execute(
        f"CREATE FUNCTION note_bank_change_{number}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " INSERT INTO bank_change (workspace_id, id, kind, about, written_in)"
        f" SELECT workspace_id, gen_random_uuid(), '{kind}', about, txid_current() FROM ("
        f"SELECT DISTINCT c.workspace_id, c.{about} AS about FROM {tables}{only}) n"
        " ON CONFLICT DO NOTHING; RETURN NULL; END $$"
    )
    passed = "OLD TABLE AS changed" if event == "DELETE" else "NEW TABLE AS changed"
    passed += " OLD TABLE AS before" if columns else ""
    op.execute(
        f"CREATE TRIGGER noted_{number} AFTER {event} ON {table} REFERENCING {passed}"
        f" FOR EACH STATEMENT EXECUTE FUNCTION note_bank_change_{number}()"
    )


def downgrade() -> None:
    for number, note in enumerate(_NOTES):
        if is_postgresql():
            op.execute(f"DROP TRIGGER noted_{number} ON {note.table}")
            op.execute(f"DROP FUNCTION note_bank_change_{number}()")
        else:
            op.execute(f"DROP TRIGGER {note.table}_noted_{number}")
    op.drop_table("bank_change")
    for table in ("bank_verdict_payee", "bank_verdict", "bank_reading_key", "bank_reading"):
        op.drop_table(table)
    op.drop_table("bank_matching")
