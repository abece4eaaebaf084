"""Knows transfers by day, direction, amount, payer and count, and accounts by their numbers."""

import re
from collections import Counter
from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id, Json
from pms.rules.bank_identity import payer_identity, transfer_key

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None

_NUMBERS = re.compile(r"([0-9]{4})-([0-9]{3})-([0-9])-([0-9]{1,10})")
_TRANSFER = sa.table(
    "bank_transfer",
    sa.column("workspace_id", Id),
    sa.column("id", Id),
    sa.column("account_id", Id),
    sa.column("key"),
    sa.column("number"),
    sa.column("booked_on", sa.Date),
    sa.column("is_deposit", sa.Boolean),
    sa.column("yen", sa.BigInteger),
    sa.column("payer"),
    sa.column("text"),
    sa.column("balance_yen", sa.BigInteger),
)
_ACCOUNT = sa.table(
    "bank_account",
    sa.column("workspace_id", Id),
    sa.column("id", Id),
    sa.column("key"),
    sa.column("bank_code"),
    sa.column("branch_code"),
    sa.column("kind"),
    sa.column("number"),
)


def upgrade() -> None:
    for name in ("bank_code", "branch_code", "kind", "number"):
        op.add_column("bank_account", sa.Column(name, sa.String(), nullable=True))
    op.add_column("bank_transfer", sa.Column("other_keys", Json, nullable=True))
    op.drop_column("bank_transfer", "likeness")
    _open_walls()
    connection = op.get_bind()
    for account in connection.execute(sa.select(*_ACCOUNT.c)).all():
        if numbers := _NUMBERS.fullmatch(account.key):
            bank, branch, kind, number = numbers.groups()
            connection.execute(
                sa.update(_ACCOUNT)
                .where(_ACCOUNT.c.workspace_id == account.workspace_id, _ACCOUNT.c.id == account.id)
                .values(bank_code=bank, branch_code=branch, kind=kind, number=number)
            )
    _write_keys(_identity)


def downgrade() -> None:
    op.add_column(
        "bank_transfer", sa.Column("likeness", sa.String(), nullable=False, server_default="")
    )
    op.drop_column("bank_transfer", "other_keys")
    for name in ("number", "kind", "branch_code", "bank_code"):
        op.drop_column("bank_account", name)
    _open_walls()
    _write_keys(_earlier_key)


def _open_walls() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("SELECT set_config('app.workspace', '*', true)")


def _write_keys(stem_of: Callable[[sa.Row[tuple[object, ...]]], str]) -> None:
    """Write the key of every transfer; equal ones of an account are counted in their order."""
    connection = op.get_bind()
    columns = _TRANSFER.c
    found = connection.execute(
        sa.select(*columns).order_by(columns.workspace_id, columns.account_id, columns.id)
    ).all()
    seen: Counter[tuple[str, str, str]] = Counter()
    written = []
    for row in found:
        stem = stem_of(row)
        counted = row.workspace_id, row.account_id, stem
        seen[counted] += 1
        written.append({"in_": row.workspace_id, "of": row.id, "said": f"{stem}|{seen[counted]}"})
    if written:
        connection.execute(
            sa.update(_TRANSFER)
            .where(columns.workspace_id == sa.bindparam("in_"), columns.id == sa.bindparam("of"))
            .values(key=sa.bindparam("said")),
            written,
        )


def _identity(row: sa.Row[tuple[object, ...]]) -> str:
    signed_yen = row.yen if row.is_deposit else -row.yen
    return transfer_key(row.booked_on, signed_yen, payer_identity(row.payer))


def _earlier_key(row: sa.Row[tuple[object, ...]]) -> str:
    moved = f"{row.booked_on.isoformat()}|{row.yen if row.is_deposit else -row.yen}"
    if row.balance_yen is not None:
        return f"b|{moved}|{row.balance_yen}"
    return f"n|{moved}|{row.number}"
