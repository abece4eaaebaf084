"""Two that write at once: one writes, the other sees it, and nothing is doubled."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Barrier
from typing import Any

import pytest

from pms.foundation.errors import Problem
from pms.foundation.work import Work
from pms.ledger.billing import bill_month
from pms.ledger.payment_plan import record_payment
from pms.ledger.payments import reverse_payment
from pms.ledger.posting import void_entry
from pms.ledger.queries import standings
from tests.ledger.conftest import ACTOR, Books

pytestmark = pytest.mark.differs("locks")

AT_ONCE = 4
BILLED = date(2026, 6, 25)


def race(books: Books, verb: Callable[..., Any], *given: Any, **named: Any) -> list[Any]:
    """Let several do the same at once; return what each got, or its refusal."""
    barrier = Barrier(AT_ONCE)

    def run(_: int) -> Any:
        barrier.wait()
        try:
            with books.writing() as session:
                return verb(Work(session, books.clock, ACTOR), *given, **named)
        except Problem as refusal:
            return refusal

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(run, range(AT_ONCE)))


def test_runs_that_start_at_once_bill_each_month_once(books: Books) -> None:
    ids = [books.booked(date(2026, 5, 20), date(2026, 6, 1), None) for _ in range(5)]
    books.at(BILLED)
    billed = race(books, bill_month)
    assert sorted(run.entries for run in billed) == [0] * (AT_ONCE - 1) + [5]
    assert [len(books.entries(id_)) for id_ in ids] == [2] * 5


def test_a_payment_told_several_times_at_once_is_recorded_once(books: Books) -> None:
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), None)
    named = {"reservation_id": id_, "amount_yen": 1_000, "reference": "zengin-1"}
    got = race(books, record_payment, **named)
    assert sum(isinstance(answer, Problem) for answer in got) == AT_ONCE - 1


def test_a_reference_of_two_reservations_is_recorded_for_one(books: Books) -> None:
    ids = iter([books.booked(date(2026, 5, 20), date(2026, 6, 1), None) for _ in range(AT_ONCE)])

    def pay(work: Work) -> str:
        return record_payment(
            work, reservation_id=next(ids), amount_yen=1_000, reference="zengin-2"
        )

    got = race(books, pay)
    assert sum(isinstance(answer, str) for answer in got) == 1


def test_payments_at_once_fill_one_debt_together(books: Books) -> None:
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), None)
    books.bill(BILLED)
    race(books, record_payment, reservation_id=id_, amount_yen=41_500)
    with books.reading() as session:
        found = standings(session, [id_], BILLED)[id_]
    assert [(entry.paid_yen, entry.overpaid_yen) for entry in found] == [(83_000, 0), (83_000, 0)]


def test_an_entry_is_voided_once_however_many_try(books: Books) -> None:
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), None)
    got = race(books, void_entry, books.entry(id_, "move_in").id)
    assert sum(isinstance(answer, Problem) for answer in got) == AT_ONCE - 1
    assert len(books.entries(id_)) == 2


def test_a_payment_is_reversed_once_however_many_try(books: Books) -> None:
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), None)
    payment_id = books.do(record_payment, reservation_id=id_, amount_yen=50_000)
    got = race(books, reverse_payment, payment_id=payment_id, reason="Paid by the neighbour")
    assert sum(isinstance(answer, Problem) for answer in got) == AT_ONCE - 1
    with books.reading() as session:
        (found,) = standings(session, [id_], BILLED)[id_]
    assert (found.paid_yen, found.open_yen) == (0, 83_000)
