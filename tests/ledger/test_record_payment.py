"""Money reaches the entry it names or the open ones, once, and never a voided one."""

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.ids import new_id
from pms.ledger.models import Allocation, Payment
from pms.ledger.payment_plan import record_payment
from pms.ledger.posting import void_entry
from pms.ledger.queries import deposit_balances, standings
from pms.rules.ledger_entries import EntryBalance
from tests.ledger.conftest import ACTOR, Books

BILLED = date(2026, 7, 25)


@pytest.fixture
def owing(books: Books) -> str:
    """Owes the move-in invoice with a deposit, July and August."""
    id_ = books.booked(
        date(2026, 5, 20),
        date(2026, 6, 1),
        date(2027, 5, 31),
        reservation_fee_yen=30_000,
        deposit_yen=68_000,
    )
    books.bill(BILLED)
    return id_


def by_entry(books: Books, id_: str) -> list[EntryBalance]:
    with books.reading() as session:
        return list(standings(session, [id_], books.clock.today())[id_])


def written(books: Books) -> int:
    with books.reading() as session:
        rows = [*session.scalars(select(Payment)), *session.scalars(select(Allocation))]
    return len(rows)


def test_a_payment_reaches_the_entry_it_names_and_what_is_too_much_is_overpaid(
    books: Books, owing: str
) -> None:
    july = books.entry(owing, "rent", "2026-07-01")
    books.pay(BILLED, owing, 90_000, july)
    standing = next(entry for entry in by_entry(books, owing) if entry.id == july.id)
    assert (standing.paid_yen, standing.unpaid_yen, standing.overpaid_yen) == (90_000, 0, 7_000)


def test_a_payment_without_a_name_fills_the_oldest_debts_and_the_deposit_last(
    books: Books, owing: str
) -> None:
    books.pay(BILLED, owing, 30_000 + 83_000 + 83_000 + 10_000)
    assert [entry.paid_yen for entry in by_entry(books, owing)] == [113_000, 83_000, 10_000]
    books.pay(BILLED, owing, 73_000 + 20_000)
    invoice = by_entry(books, owing)[0]
    assert (invoice.paid_yen, invoice.collected_yen) == (133_000, 20_000)


def test_what_is_left_of_a_payment_is_an_overpayment_of_the_newest_entry(
    books: Books, owing: str
) -> None:
    everything = sum(entry.open_yen for entry in by_entry(books, owing))
    books.pay(BILLED, owing, everything + 5_000)
    assert [entry.overpaid_yen for entry in by_entry(books, owing)] == [0, 0, 5_000]
    with books.reading() as session:
        balance = deposit_balances(session, [owing], BILLED)[owing]
    assert (balance.held_yen, balance.overpaid_yen, balance.balance_yen) == (68_000, 5_000, 73_000)


def test_a_payment_counts_from_the_day_it_was_received(books: Books, owing: str) -> None:
    july = books.entry(owing, "rent", "2026-07-01")
    received_on = BILLED - timedelta(days=2)
    books.at(BILLED)
    books.do(
        record_payment,
        reservation_id=owing,
        amount_yen=83_000,
        entry_id=july.id,
        received_on=received_on,
    )
    with books.reading() as session:
        assert session.scalars(select(Allocation.allocated_on)).one() == received_on


def test_a_reference_is_taken_once(books: Books, owing: str) -> None:
    named = {"reservation_id": owing, "amount_yen": 1_000, "reference": "zengin-1"}
    books.do(record_payment, **named)
    with pytest.raises(Collision, match="zengin-1"):
        books.do(record_payment, **named)
    books.do(record_payment, **named, method="card")
    assert written(books) == 4


def test_a_voided_entry_takes_no_payment(books: Books, owing: str) -> None:
    july = books.entry(owing, "rent", "2026-07-01")
    books.do(void_entry, july.id)
    with pytest.raises(Refused, match="voided"):
        books.do(record_payment, reservation_id=owing, amount_yen=1_000, entry_id=july.id)
    books.pay(BILLED, owing, 113_000 + 83_000 + 68_000 + 1)
    assert next(e for e in by_entry(books, owing) if e.id == july.id).paid_yen == 0


@pytest.mark.parametrize("amount", [0, -1, 1.5, 100.0, True, "100", None, 10**12, 10**30])
def test_what_is_no_whole_yen_is_refused_and_nothing_is_written(
    books: Books, owing: str, amount: Any
) -> None:
    with pytest.raises(Refused, match="amount"):
        books.do(record_payment, reservation_id=owing, amount_yen=amount)
    assert written(books) == 0


def test_money_of_tomorrow_is_refused(books: Books, owing: str) -> None:
    tomorrow = books.clock.today() + timedelta(days=1)
    with pytest.raises(Refused, match="is in the future"):
        books.do(record_payment, reservation_id=owing, amount_yen=1, received_on=tomorrow)
    assert written(books) == 0


def test_a_reservation_without_entries_takes_no_payment(books: Books) -> None:
    id_ = books.resident(date(2026, 6, 1), None)
    with pytest.raises(Refused, match="has no bill to pay"):
        books.do(record_payment, reservation_id=id_, amount_yen=1)


@pytest.mark.parametrize("id_", ["", "nobody", "0" * 32, "'; --"])
def test_nobody_pays_nothing(books: Books, id_: str) -> None:
    with pytest.raises(NotFound):
        books.do(record_payment, reservation_id=id_, amount_yen=1)


def test_the_entry_of_somebody_else_is_not_found(books: Books, owing: str) -> None:
    other = books.booked(BILLED, date(2026, 9, 1), None)
    theirs = books.entry(other, "move_in")
    for entry_id in (theirs.id, new_id(), "rent"):
        with pytest.raises(NotFound):
            books.do(record_payment, reservation_id=owing, amount_yen=1, entry_id=entry_id)
    assert written(books) == 0


def test_who_wrote_a_payment_and_when_is_kept(books: Books, owing: str) -> None:
    books.pay(BILLED, owing, 1_000)
    with books.reading() as session:
        payment = session.scalars(select(Payment)).one()
    assert (payment.written_by, payment.written_at) == (ACTOR, books.clock.now())
