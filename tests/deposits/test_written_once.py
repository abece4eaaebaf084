"""The database itself keeps a settlement, a refund and a transfer to once, and never edits one."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from sqlalchemy import delete, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from pms.deposits.deposit_transfers import transfer_deposit
from pms.deposits.models import Amendment, DeductionRow, Refund, Settlement
from pms.deposits.refunds import send_refund
from pms.deposits.settlements import AskedDeduction, settle
from pms.foundation.db import Base
from pms.foundation.ids import new_id
from pms.ledger.models import DepositMoveRow
from tests.departures.desk import Desk
from tests.deposits.test_refund_and_transfer import moving_on, release
from tests.deposits.test_settle import left_in_august

pytestmark = pytest.mark.differs("constraints")


def closed(desk: Desk) -> None:
    """A reservation settled with a deduction and refunded, and a transfer of another."""
    old, _ = moving_on(desk)
    desk.do(transfer_deposit, reservation_id=old)
    id_ = left_in_august(desk)
    desk.do(settle, reservation_id=id_, deductions=[AskedDeduction("清掃", 10_000)])
    release(desk, id_)
    desk.do(send_refund, reservation_id=id_, amount_yen=5_000)


def copy_of(row: Any) -> Base:
    values = {column.key: getattr(row, column.key) for column in row.__mapper__.column_attrs}
    copied: Base = type(row)(**{**values, "id": new_id()})
    return copied


@pytest.mark.parametrize("table", [Settlement, Refund, DepositMoveRow, Amendment])
def test_the_same_verb_cannot_be_stored_twice(desk: Desk, table: Any) -> None:
    closed(desk)
    for row in desk.ask(lambda session: session.scalars(select(table)).all()):
        with pytest.raises(IntegrityError):
            desk.add(copy_of(row))


CHANGES: dict[str, Callable[[Any], Any]] = {
    "changed": lambda table: update(table).values(another_value(table)),
    "deleted": delete,
}


def another_value(table: Any) -> dict[str, Any]:
    """One column of the table, and what it would be changed to."""
    given: dict[Any, dict[str, Any]] = {
        Settlement: {"remainder_yen": 1},
        Refund: {"amount_yen": 1},
        DeductionRow: {"reached_yen": 1},
        DepositMoveRow: {"amount_yen": 1},
        Amendment: {"last_on": date(2030, 1, 1)},
    }
    return given[table]


@pytest.mark.parametrize("how", CHANGES)
@pytest.mark.parametrize("table", [Settlement, Refund, DeductionRow, DepositMoveRow, Amendment])
def test_what_was_written_is_neither_changed_nor_deleted(desk: Desk, table: Any, how: str) -> None:
    closed(desk)
    with (
        pytest.raises(DBAPIError, match="written_once"),
        desk.database.writing(desk.workspace_id) as session,
    ):
        session.execute(CHANGES[how](table))
