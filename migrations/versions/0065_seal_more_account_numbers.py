"""The office's own account numbers, owners' accounts in terms and statements, and those in the audit.

The audit and published statements are only added to, so that a number in them could never be sealed
anew with another key. So the whole texts move, sealed, to tables of their own, and audit records keep
the last digits, as new ones do. For that the refusal of changes is lifted here, and set again.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

from pms.foundation.db import Id, Json
from pms.foundation.ids import new_id
from pms.foundation.row_security import allow_changes, is_postgresql, refuse_changes, wall_off
from pms.foundation.sealing import is_sealed, seal, unseal
from pms.foundation.tokens import Signer
from pms.rules.account_numbers import hide_both

revision = "0065"
down_revision = "0064"
branch_labels = None
depends_on = None

_AT_ONCE: Final = 500
_FILES: Final = ("debit_file", "payout_file")
_TEXTS: Final = (
    ("office_bank", "number"),
    ("bank_account", "number"),
    ("owner_terms", "payout_account"),
)
_NUMBERS: Final = ("number", "payout_account")
_NAMES: Final = ("name", "account")
"""Facts of an event about the office's accounts whose name may end with the number."""
_EVENTS: Final = (
    "bank_account.set",
    "bank_file.imported",
    "bank_import.undone",
    "bank_accounts.merged",
    "mandate.written",
    "office_bank.set",
    "payee_account.set",
    "terms.agreed",
)
_NUMBER_IN_NAME: Final = re.compile(r"(?<!\d)\d{3}(\d{4})(?!\d)")
_SHORT_NUMBER: Final = re.compile(r"…(\d{4})(?!\d)")

Row = Any
Columns = Mapping[str, Any]


def upgrade() -> None:
    for name in _FILES:
        op.add_column(
            name, sa.Column("office_number", sa.Text(), nullable=False, server_default="")
        )
    _create_table(
        "audit_number",
        "audit_record",
        sa.Column("audit_id", Id, nullable=False),
        sa.Column("is_before", sa.Boolean(), nullable=False),
        sa.Column("fact", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
    )
    op.create_index("ix_audit_number_audit_id", "audit_number", ["workspace_id", "audit_id"])
    _create_table(
        "statement_account",
        "owner_statement",
        sa.Column("statement_id", Id, nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.UniqueConstraint(
            "workspace_id",
            "statement_id",
            name=op.f("uq_statement_account_workspace_id_statement_id"),
        ),
    )
    _see_all_workspaces()
    signer = _signer()

    def sealed(owner: str, text: str | None) -> str | None:
        return text if text is None or is_sealed(text) else seal(signer, owner, text)

    def of_account(row: Row) -> Columns:
        if row.number is None or is_sealed(row.number):
            return {}
        name = row.name.replace(row.number, f"…{row.number[-4:]}")
        return {"key": row.id, "name": name, "number": sealed(row.workspace_id, row.number)}

    def of_file(row: Row) -> Columns:
        office = dict(row.office)
        number = sealed(row.workspace_id, office.pop("number", ""))
        return {"office": office, "office_number": number}

    _rewrite("bank_account", ("key", "name", "number"), of_account)
    for table, column in _TEXTS:
        _rewrite(
            table,
            (column,),
            lambda row: {row._fields[-1]: sealed(row.workspace_id, row[-1])},
        )
    for table in _FILES:
        _rewrite(table, ("office", "office_number"), of_file)
    _take_accounts_out(sealed)
    _shorten_audit(sealed)


def downgrade() -> None:
    """Write the numbers back in clear; fails where no configured key opens one."""
    _see_all_workspaces()
    signer = _signer()

    def opened(owner: str, text: str | None) -> str | None:
        return unseal(signer, owner, text) if text is not None and is_sealed(text) else text

    def of_account(row: Row) -> Columns:
        number = opened(row.workspace_id, row.number)
        if number is None:
            return {}
        key = f"{row.bank_code}-{row.branch_code}-{row.kind}-{number}"
        name = row.name.replace(f"…{number[-4:]}", number)
        return {"key": key, "name": name, "number": number}

    def of_file(row: Row) -> Columns:
        return {"office": {**row.office, "number": opened(row.workspace_id, row.office_number)}}

    _rewrite(
        "bank_account", ("bank_code", "branch_code", "kind", "key", "name", "number"), of_account
    )
    for table, column in _TEXTS:
        _rewrite(
            table,
            (column,),
            lambda row: {row._fields[-1]: opened(row.workspace_id, row[-1])},
        )
    for table in _FILES:
        _rewrite(table, ("office", "office_number"), of_file)
    _put_accounts_back(opened)
    _lengthen_audit(opened)
    op.drop_table("audit_number")
    op.drop_table("statement_account")
    for name in _FILES:
        op.drop_column(name, "office_number")


def _create_table(
    name: str, above: str, link: sa.Column[str], *others: sa.Column[Any] | sa.UniqueConstraint
) -> None:
    op.create_table(
        name,
        sa.Column("workspace_id", Id, nullable=False),
        sa.Column("id", Id, nullable=False),
        link,
        *others,
        sa.ForeignKeyConstraint(
            ["workspace_id", link.name],
            [f"{above}.workspace_id", f"{above}.id"],
            name=op.f(f"fk_{name}_workspace_id_{above}"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspace.id"],
            name=op.f(f"fk_{name}_workspace_id_workspace"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workspace_id", "id", name=op.f(f"pk_{name}")),
    )
    if is_postgresql():
        wall_off(name)


def _signer() -> Signer:
    config = op.get_context().config
    assert config is not None
    signer: Signer = config.attributes["signer"]
    return signer


def _see_all_workspaces() -> None:
    if is_postgresql():
        op.execute("SELECT set_config('app.workspace', '*', true)")


def _table(name: str, *columns: str) -> sa.TableClause:
    told = sa.JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")
    typed: dict[str, Any] = {"office": Json, "figures": Json, "before": told, "after": told}
    typed |= {"audit_id": Id, "statement_id": Id}
    return sa.table(
        name,
        sa.column("workspace_id", Id),
        sa.column("id", Id),
        *(sa.column(column, typed.get(column)) for column in columns),
    )


def _rewrite(name: str, columns: tuple[str, ...], written: Callable[[Row], Columns]) -> None:
    table = _table(name, *columns)
    rows = op.get_bind().execute(sa.select(*table.c).order_by(table.c.id)).all()
    _write(table, [(row, found) for row in rows if (found := written(row))])


def _write(table: sa.TableClause, changes: list[tuple[Row, Columns]]) -> None:
    for first in range(0, len(changes), _AT_ONCE):
        part = changes[first : first + _AT_ONCE]
        change = (
            sa.update(table)
            .where(
                table.c.workspace_id == sa.bindparam("of_workspace", type_=Id),
                table.c.id == sa.bindparam("of_id", type_=Id),
            )
            .values(
                {name: sa.bindparam(f"to_{name}", type_=table.c[name].type) for name in part[0][1]}
            )
        )
        op.get_bind().execute(
            change,
            [
                {
                    "of_workspace": row.workspace_id,
                    "of_id": row.id,
                    **{f"to_{name}": value for name, value in columns.items()},
                }
                for row, columns in part
            ],
        )


def _take_accounts_out(sealed: Callable[[str, str | None], str | None]) -> None:
    statements = _table("owner_statement", "figures")
    rows = op.get_bind().execute(sa.select(*statements.c).order_by(statements.c.id)).all()
    stated = [row for row in rows if row.figures.get("payout_account")]
    accounts = [
        {
            "workspace_id": row.workspace_id,
            "id": new_id(),
            "statement_id": row.id,
            "account": sealed(row.workspace_id, row.figures["payout_account"]),
        }
        for row in stated
    ]
    _change(
        statements,
        [(row, {"figures": {**row.figures, "payout_account": None}}) for row in stated],
    )
    _insert(_table("statement_account", "statement_id", "account"), accounts)


def _put_accounts_back(opened: Callable[[str, str | None], str | None]) -> None:
    statements = _table("owner_statement", "figures")
    kept = _table("statement_account", "statement_id", "account")
    is_of = sa.and_(
        kept.c.workspace_id == statements.c.workspace_id, kept.c.statement_id == statements.c.id
    )
    # Statements published since have no key at all, which the release before needs.
    rows = op.get_bind().execute(
        sa.select(*statements.c, kept.c.account).outerjoin(kept, is_of).order_by(statements.c.id)
    )
    _change(
        statements,
        [
            (
                row,
                {
                    "figures": {
                        **row.figures,
                        "payout_account": opened(row.workspace_id, row.account),
                    }
                },
            )
            for row in rows.all()
        ],
    )


def _shorten_audit(sealed: Callable[[str, str | None], str | None]) -> None:
    audit = _table("audit_record", "deed", "before", "after")
    kept = _table("audit_number", "audit_id", "is_before", "fact", "text")
    rows = op.get_bind().execute(
        sa.select(*audit.c).where(audit.c.deed.in_(_EVENTS)).order_by(audit.c.id)
    )
    changes: list[tuple[Row, Columns]] = []
    numbers: list[dict[str, Any]] = []
    for row in rows:
        sides = {"before": dict(row.before or {}), "after": dict(row.after or {})}
        found = list(_shortened(sides))
        for side, fact, short in found:
            numbers.append(
                {
                    "workspace_id": row.workspace_id,
                    "id": new_id(),
                    "audit_id": row.id,
                    "is_before": side == "before",
                    "fact": fact,
                    "text": sealed(row.workspace_id, sides[side][fact]),
                }
            )
            sides[side][fact] = short
        if found:
            changes.append((row, {side: facts or None for side, facts in sides.items()}))
    _change(audit, changes)
    _insert(kept, numbers)


def _shortened(sides: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str, str]]:
    """Yield each fact with a whole number: its side, its name and its last digits."""
    for fact in _NUMBERS:
        texts = [sides[side].get(fact) for side in ("before", "after")]
        if all(text is None or isinstance(text, str) for text in texts):
            for side, text, short in zip(sides, texts, hide_both(*texts), strict=True):
                if short is not None and short != text:
                    yield side, fact, short
    for side, facts in sides.items():
        for fact in _NAMES:
            text = facts.get(fact)
            if isinstance(text, str) and _NUMBER_IN_NAME.search(text):
                yield side, fact, _NUMBER_IN_NAME.sub(r"…\1", text)


def _lengthen_audit(opened: Callable[[str, str | None], str | None]) -> None:
    audit = _table("audit_record", "before", "after")
    kept = _table("audit_number", "audit_id", "is_before", "fact", "text")
    rows = op.get_bind().execute(
        sa.select(
            *audit.c,
            kept.c.is_before,
            kept.c.fact,
            kept.c.text,
        )
        .join(
            kept,
            sa.and_(kept.c.workspace_id == audit.c.workspace_id, kept.c.audit_id == audit.c.id),
        )
        .order_by(audit.c.id)
    )
    changes: dict[tuple[str, str], tuple[Row, dict[str, Any]]] = {}
    for row in rows:
        both = {"before": row.before, "after": row.after}
        _, sides = changes.setdefault((row.workspace_id, row.id), (row, both))
        side = "before" if row.is_before else "after"
        sides[side] = {**(sides[side] or {}), row.fact: opened(row.workspace_id, row.text)}
    _change(audit, list(changes.values()))


def _change(table: sa.TableClause, changes: list[tuple[Row, Columns]]) -> None:
    allow_changes(table.name)
    _write(table, changes)
    refuse_changes(table.name)


def _insert(table: sa.TableClause, rows: list[dict[str, Any]]) -> None:
    for first in range(0, len(rows), _AT_ONCE):
        op.get_bind().execute(sa.insert(table), rows[first : first + _AT_ONCE])
