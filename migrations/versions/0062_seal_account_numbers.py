"""The account numbers of owners, residents and mandates are stored sealed."""

from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

from pms.foundation.db import Id
from pms.foundation.sealing import is_sealed, seal, unseal
from pms.foundation.tokens import Signer

revision = "0062"
down_revision = "0061"
branch_labels = None
depends_on = None

_TABLES = ("payee_account", "debit_mandate", "debit", "payout")
_AT_ONCE = 500


def upgrade() -> None:
    signer = _signer()
    _rewrite(lambda owner, number: number if is_sealed(number) else seal(signer, owner, number))


def downgrade() -> None:
    """Open the numbers again; fails where no configured key opens one."""
    signer = _signer()
    _rewrite(lambda owner, number: unseal(signer, owner, number) if is_sealed(number) else number)


def _signer() -> Signer:
    config = op.get_context().config
    assert config is not None
    signer: Signer = config.attributes["signer"]
    return signer


def _rewrite(written: Callable[[str, str], str]) -> None:
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":
        op.execute("SELECT set_config('app.workspace', '*', true)")
    for name in _TABLES:
        table = sa.table(
            name, sa.column("workspace_id", Id), sa.column("id", Id), sa.column("number")
        )
        rows = connection.execute(sa.select(*table.c)).all()
        change = (
            sa.update(table)
            .where(
                table.c.workspace_id == sa.bindparam("of_workspace", type_=Id),
                table.c.id == sa.bindparam("of_id", type_=Id),
            )
            .values(number=sa.bindparam("to"))
        )
        for first in range(0, len(rows), _AT_ONCE):
            connection.execute(
                change,
                [
                    {
                        "of_workspace": row.workspace_id,
                        "of_id": row.id,
                        "to": written(row.workspace_id, row.number),
                    }
                    for row in rows[first : first + _AT_ONCE]
                ],
            )
