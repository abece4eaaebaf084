"""Payouts of earlier releases name their payee too, so that the next one is compared with them."""

from collections import defaultdict
from typing import Any

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id
from pms.foundation.row_security import is_postgresql

revision = "0065"
down_revision = "0064"
branch_labels = None
depends_on = None

_PAYOUT = sa.table(
    "payout",
    sa.column("workspace_id", Id),
    sa.column("id", Id),
    sa.column("payout_kind"),
    sa.column("source"),
    sa.column("payee"),
    sa.column("payee_id", Id),
)
_SETTLEMENT = sa.table(
    "settlement",
    sa.column("workspace_id", Id),
    sa.column("id", Id),
    sa.column("reservation_id", Id),
)
_OWNER = sa.table("owner", sa.column("workspace_id", Id), sa.column("id", Id), sa.column("name"))


def upgrade() -> None:
    if is_postgresql():
        op.execute("SELECT set_config('app.workspace', '*', true)")
    connection = op.get_bind()
    unnamed = connection.execute(sa.select(*_PAYOUT.c).where(_PAYOUT.c.payee_id.is_(None))).all()
    if not unnamed:
        return
    residents = {
        (row.workspace_id, row.id): row.reservation_id
        for row in connection.execute(sa.select(*_SETTLEMENT.c))
    }
    owners: dict[Any, set[str]] = defaultdict(set)
    for row in connection.execute(sa.select(*_OWNER.c)):
        owners[row.workspace_id, row.id].add(row.id)
        owners[row.workspace_id, row.name].add(row.id)
    change = (
        sa.update(_PAYOUT)
        .where(
            _PAYOUT.c.workspace_id == sa.bindparam("of_workspace", type_=Id),
            _PAYOUT.c.id == sa.bindparam("of_id", type_=Id),
        )
        .values(payee_id=sa.bindparam("to", type_=Id))
    )
    for row in unnamed:
        if payee_id := _payee_id(row, residents, owners):
            facts = {"of_workspace": row.workspace_id, "of_id": row.id, "to": payee_id}
            connection.execute(change, facts)


def _payee_id(row: Any, residents: dict[Any, str], owners: dict[Any, set[str]]) -> str | None:
    """Return whom a payout paid: by its settlement, its share, or the one owner of its name."""
    first, *others = row.source.split("/")
    if row.payout_kind == "refund":
        return residents.get((row.workspace_id, first))
    named = others[1] if len(others) > 1 else row.payee
    found = owners.get((row.workspace_id, named), set())
    return next(iter(found)) if len(found) == 1 else None


def downgrade() -> None:
    """Keep the names: the release before reads them as it reads its own."""
