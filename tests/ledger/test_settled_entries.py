"""Entries that are paid to the yen are told apart from all that the rules must look at."""

from datetime import date, timedelta
from typing import Any

import pytest

from pms.ledger.debts import PartedEntries, parted_entries
from pms.rules.enumerations import EntryKind
from tests.ledger.conftest import Books
from tests.statements.postings import deposit, pay, post_entry, post_lines, rent, void

ISSUED, PAID = date(2026, 5, 20), date(2026, 5, 25)
ONE_DAY = timedelta(days=1)


@pytest.fixture
def id_(books: Books) -> str:
    return books.resident(date(2026, 6, 1), None)


def parted(books: Books, on: date = PAID) -> PartedEntries:
    with books.reading() as session:
        return parted_entries(session, on)


def post(books: Books, id_: str, *lines: dict[str, Any], paid_yen: int = 0, **given: Any) -> str:
    """Post an entry of lines on the day of issue, and what of it was paid on the day after."""
    with books.writing() as session:
        entry_id = post_entry(session, id_, lines, issued_on=ISSUED, **given)
        if paid_yen:
            pay(session, id_, {entry_id: paid_yen}, PAID)
    return entry_id


def unsettled(books: Books, on: date = PAID) -> list[str]:
    """The entries that the rules must look at."""
    return [one.id for entries in parted(books, on).standings.values() for one in entries]


def test_of_what_is_paid_to_the_yen_only_the_deposit_is_told(books: Books, id_: str) -> None:
    post(books, id_, rent(93_000), deposit(50_000), paid_yen=143_000)
    post(books, id_, rent(93_000), paid_yen=93_000)
    post(books, id_, deposit(7_000), deposit(-3_000), paid_yen=4_000)
    assert parted(books) == PartedEntries({id_: 54_000}, {})


@pytest.mark.parametrize("paid_yen", [0, 1, 142_999, 143_001])
def test_a_yen_too_few_or_too_many_is_left_to_the_rules(
    books: Books, id_: str, paid_yen: int
) -> None:
    entry_id = post(books, id_, rent(93_000), deposit(50_000), paid_yen=paid_yen)
    found = parted(books)
    assert found.collected_yen == {}
    ((standing,),) = found.standings.values()
    assert (standing.id, standing.payable_yen, standing.deposit_yen, standing.paid_yen) == (
        entry_id,
        93_000,
        50_000,
        paid_yen,
    )


def test_a_single_yen_is_owed_until_it_is_paid_and_nothing_is_never_owed(
    books: Books, id_: str
) -> None:
    post(books, id_)
    assert unsettled(books) == []
    owed = post(books, id_, rent(1))
    too_much = post(books, id_, paid_yen=1)
    assert sorted(unsettled(books)) == sorted([owed, too_much])


def test_a_deposit_that_came_to_nothing_is_settled_and_one_below_is_not(
    books: Books, id_: str
) -> None:
    post(books, id_, deposit(5_000), deposit(-5_000))
    assert parted(books) == PartedEntries({}, {})
    below = post(books, id_, rent(1), deposit(-1))
    assert unsettled(books) == [below]


def test_a_day_knows_what_was_issued_posted_and_paid_by_its_end(books: Books, id_: str) -> None:
    entry_id = post(books, id_, rent(9_000), deposit(1_000), paid_yen=10_000)
    later = PAID + 5 * ONE_DAY
    with books.writing() as session:
        post_lines(session, entry_id, [deposit(500)], later)
        pay(session, id_, {entry_id: 500}, later)
    assert parted(books, ISSUED - ONE_DAY) == PartedEntries({}, {})
    for on in (ISSUED, PAID - ONE_DAY):
        assert unsettled(books, on) == [entry_id]
    for on in (PAID, later - ONE_DAY):
        (standing,) = parted(books, on).standings[id_]
        assert (standing.unpaid_yen, standing.collected_yen) == (0, 1_000)
    assert parted(books, later) == PartedEntries({id_: 1_500}, {})


def test_a_deposit_paid_on_the_day_it_was_billed_is_held_from_that_day(
    books: Books, id_: str
) -> None:
    entry_id = post(books, id_, deposit(5_000))
    with books.writing() as session:
        pay(session, id_, {entry_id: 5_000}, ISSUED)
    assert parted(books, ISSUED) == PartedEntries({id_: 5_000}, {})


def test_what_is_voided_and_what_arrears_collect_is_left_to_the_rules(
    books: Books, id_: str
) -> None:
    voided = post(books, id_, deposit(1_000), paid_yen=1_000)
    named = post(books, id_, deposit(2_000), paid_yen=2_000)
    collected = {"arrears_of_id": named, "cancelled_yen": 1}
    arrears = post(books, id_, rent(1), paid_yen=1, kind=EntryKind.ARREARS, **collected)
    with books.writing() as session:
        void(session, voided, id_, PAID)
    assert parted(books, ISSUED - ONE_DAY) == PartedEntries({}, {})
    found = parted(books)
    assert found.collected_yen == {}
    assert sorted(one.id for one in found.standings[id_]) == sorted([voided, named, arrears])


def test_an_opposite_entry_itself_holds_no_deposit(books: Books, id_: str) -> None:
    voided = post(books, id_, deposit(1_000), paid_yen=1_000)
    with books.writing() as session:
        opposite = {"kind": EntryKind.OPPOSITE, "opposes_id": voided}
        lines = [deposit(1_000), rent(-1_000)]
        post_entry(session, id_, lines, issued_on=PAID, due_on=PAID, **opposite)
    assert parted(books).collected_yen == {}


def test_the_same_day_is_told_anew_once_the_ledger_was_written_to(books: Books, id_: str) -> None:
    entry_id = post(books, id_, deposit(5_000))
    assert parted(books).collected_yen == {}
    with books.writing() as session:
        pay(session, id_, {entry_id: 5_000}, PAID)
    assert parted(books).collected_yen == {id_: 5_000}
