"""Debts of everybody in one question are the debts of each ledger, worked out by the law."""

from datetime import date

import pytest

from pms.foundation.ids import new_id
from pms.foundation.phrases import Bilingual
from pms.ledger.charges import post_arrears_charge, post_charge
from pms.ledger.debts import Debt, DebtAge, debt_age, debt_totals, debts
from pms.ledger.payment_plan import record_payment
from pms.ledger.posting import void_entry
from pms.ledger.queries import entries_of, standings
from tests.cast import building, unit
from tests.ledger.conftest import Books

END = date(2027, 3, 31)


def _debts(books: Books, on: date) -> dict[str, Debt]:
    with books.reading() as session:
        return {debt.reservation_id: debt for debt in debts(session, on)}


def _agree(books: Books, on: date, *ids: str) -> None:
    """The one question gives what the law gives of each ledger."""
    found = _debts(books, on)
    with books.reading() as session:
        ledgers = standings(session, ids, on)
    for id_ in ids:
        entries = ledgers.get(id_, ())
        unpaid_yen = sum(entry.unpaid_yen for entry in entries)
        debt = found.get(id_, Debt(id_))
        assert debt.unpaid_yen == unpaid_yen
        if unpaid_yen:
            assert debt.overpaid_yen == sum(entry.overpaid_yen for entry in entries)
            assert debt.oldest_due_on == min(one.due_on for one in entries if one.unpaid_yen)
            assert debt.entries == sum(1 for one in entries if one.unpaid_yen)


@pytest.mark.parametrize(
    ("days", "age"),
    [
        (-5, DebtAge.NOT_DUE),
        (0, DebtAge.NOT_DUE),
        (1, DebtAge.DAYS_1_30),
        (30, DebtAge.DAYS_1_30),
        (31, DebtAge.DAYS_31_60),
        (60, DebtAge.DAYS_31_60),
        (61, DebtAge.DAYS_61_90),
        (90, DebtAge.DAYS_61_90),
        (91, DebtAge.OVER_90),
    ],
)
def test_a_debt_is_as_old_as_its_due_day_is_past(days: int, age: DebtAge) -> None:
    due_on = date(2026, 6, 15)
    assert debt_age(due_on, date.fromordinal(due_on.toordinal() + days)) is age


def test_a_history_of_charges_voids_and_overpayments_agrees_on_every_day(books: Books) -> None:
    one = books.booked(date(2026, 3, 1), date(2026, 4, 1), END, deposit_yen=60_000)
    two = books.booked(date(2026, 3, 5), date(2026, 4, 1), END)
    books.bill(date(2026, 4, 25))
    books.at(date(2026, 5, 2))
    books.do(record_payment, reservation_id=one, amount_yen=100_000)
    books.do(record_payment, reservation_id=two, amount_yen=300_000)
    books.bill(date(2026, 5, 25))
    books.at(date(2026, 6, 10))
    with books.reading() as session:
        entries = entries_of(session, one)
    arrears = books.do(post_arrears_charge, entry_id=entries[-1].id, amount_yen=50_000)
    charge = books.do(
        post_charge, reservation_id=two, amount_yen=8_000, label=Bilingual("鍵", "Key")
    )
    books.at(date(2026, 6, 20))
    books.do(record_payment, reservation_id=two, amount_yen=8_000, entry_id=charge)
    books.do(void_entry, charge)
    books.at(date(2026, 7, 1))
    books.do(void_entry, arrears)
    for month in range(3, 8):
        for day in (1, 10, 20, 28):
            _agree(books, date(2026, month, day), one, two)


def test_an_unpaid_deposit_is_no_debt(books: Books) -> None:
    id_ = books.booked(date(2026, 3, 1), date(2026, 4, 1), END, deposit_yen=60_000)
    books.do(record_payment, reservation_id=id_, amount_yen=83_000)
    assert id_ not in _debts(books, date(2026, 6, 1))


def test_the_totals_add_up_what_everybody_owes(books: Books) -> None:
    books.booked(date(2026, 3, 1), date(2026, 4, 1), END)
    books.booked(date(2026, 3, 1), date(2026, 4, 1), END)
    books.bill(date(2026, 4, 25))
    found = _debts(books, date(2026, 4, 26))
    totals = debt_totals(found.values())
    assert totals[DebtAge.NOT_DUE] == 2 * 83_000
    assert totals[DebtAge.DAYS_31_60] + totals[DebtAge.DAYS_1_30] == 2 * 83_000
    assert sum(totals.values()) == 4 * 83_000


def test_who_owes_longest_comes_first_and_a_building_has_only_its_own(books: Books) -> None:
    later = books.booked(date(2026, 4, 1), date(2026, 5, 1), END)
    first, second = (books.booked(date(2026, 3, 1), date(2026, 4, 1), END) for _ in range(2))
    house_id, room_id = new_id(), new_id()
    with books.writing() as session:
        session.add(building(id=house_id, slug="annex", name="アネックス"))
        session.flush()
        session.add(unit(id=room_id, building_id=house_id, name="1", slug="annex-1"))
    elsewhere = books.booked(date(2026, 3, 2), date(2026, 4, 2), END, unit_id=room_id)
    paid = books.booked(date(2026, 3, 1), date(2026, 4, 1), END)
    books.pay(date(2026, 4, 1), paid, 83_000)
    on = date(2026, 4, 20)

    def owing(building_id: str | None) -> list[str]:
        with books.reading() as session:
            return [debt.reservation_id for debt in debts(session, on, building_id)]

    assert owing(None) == [*sorted([first, second]), elsewhere, later]
    assert owing(books.building_id) == [*sorted([first, second]), later]
    assert owing(house_id) == [elsewhere]
    assert owing(new_id()) == []
    books.bill(date(2026, 4, 25))
    debt = _debts(books, date(2026, 4, 26))[first]
    assert (debt.overdue_yen, debt.unpaid_yen) == (83_000, 2 * 83_000)
