"""A provider sends money back: it is owed again, unless a settlement has counted it already."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from pms.checkouts.lookups import METHOD
from pms.checkouts.money_back import note_refund_total
from pms.checkouts.provider_notes import note_provider_paid
from pms.deposits.settlements import settle
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import NotFound, Refused
from pms.ledger.payment_plan import record_payment
from pms.providers.payment_news import PaymentEvent, PaymentNews
from tests.departures.desk import Desk, open_desk
from tests.deposits.test_settle import left_in_august


@pytest.fixture
def desk(database: Database, clock: FixedClock) -> Desk:
    return open_desk(database, clock)


@contextmanager
def locks(desk: Desk) -> Iterator[list[str]]:
    """Give the tables whose rows are locked meanwhile, in order; only PostgreSQL locks rows."""
    seen: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if re.search(r" FOR (NO KEY )?UPDATE", statement):
            seen.append(statement.partition("FROM ")[2].split()[0])

    event.listen(desk.database.engine, "before_cursor_execute", note)
    yield seen
    event.remove(desk.database.engine, "before_cursor_execute", note)


def paid_online(desk: Desk, id_: str, yen: int) -> None:
    entry_id = desk.standings(id_)[0].id
    facts = {"intent": "pi_1", "charge": "ch_1", "entry_id": entry_id, "paid_at": None}
    desk.do(note_provider_paid, amount_yen=yen, **facts)


def went_back(desk: Desk, total_yen: int, charge: str = "ch_1", intent: str = "pi_1") -> str:
    news = PaymentNews(PaymentEvent.REFUNDED, intent, charge, total_yen, "jpy", None, None, None)
    return desk.do(note_refund_total, payment_news=news, occurred_at=desk.clock.now())


def test_what_a_settlement_drew_is_not_taken_off_the_rent_as_well(desk: Desk) -> None:
    id_ = left_in_august(desk)
    paid_online(desk, id_, 50_000)
    desk.do(settle, reservation_id=id_)
    with desk.refuses("The reservation is settled", as_=Refused):
        went_back(desk, 50_000)
    assert sum(one.open_yen for one in desk.standings(id_)) == 0


def test_what_went_back_before_the_settlement_is_told_again_after_it(desk: Desk) -> None:
    id_ = left_in_august(desk)
    paid_online(desk, id_, 50_000)
    went_back(desk, 50_000)
    assert sum(one.overpaid_yen for one in desk.standings(id_)) == 0
    desk.do(settle, reservation_id=id_)
    assert went_back(desk, 50_000) == id_


@pytest.mark.differs("locks")
def test_the_reservation_is_locked_before_its_payment(desk: Desk) -> None:
    id_ = left_in_august(desk)
    paid_online(desk, id_, 50_000)
    with locks(desk) as seen:
        went_back(desk, 10_000)
    assert seen[:2] in ([], ["reservation", "provider_payment"])


def test_money_that_a_look_up_recorded_goes_back_too(desk: Desk) -> None:
    id_ = left_in_august(desk)
    known = {"method": METHOD, "reference": "pi_of_a_look_up"}
    desk.do(record_payment, reservation_id=id_, amount_yen=5_000, **known)
    assert went_back(desk, 5_000, "ch_2", "pi_of_a_look_up") == id_
    assert went_back(desk, 5_000, "ch_2", intent="") == id_


@pytest.mark.parametrize(("charge", "intent"), [("", ""), ("ch_9", ""), ("ch_9", "pi_9")])
def test_a_payment_of_nobody_is_not_found(desk: Desk, charge: str, intent: str) -> None:
    with pytest.raises(NotFound):
        went_back(desk, 1, charge, intent)
