"""A closed month stays as it is; what changes later is entered in the open one."""

from datetime import date

import pytest
from sqlalchemy.orm import Session

from pms.accounting import charts, closings, months
from pms.accounting.charts import Chart, Encoding, JournalAccount
from pms.accounting.models import MonthClosing
from pms.accounting.months import MonthBooks
from pms.arrivals.bookings import book
from pms.foundation.database import Database
from pms.foundation.errors import Collision, NotFound, Refused
from pms.ledger.billing import bill_month
from pms.ledger.payment_plan import record_payment
from pms.rules.journal_files import Program
from tests.stories.house import House, morning, open_house
from tests.stories.tenancy import booking

JANUARY, FEBRUARY, MARCH = date(2025, 1, 1), date(2025, 2, 1), date(2025, 3, 1)


@pytest.fixture
def house(database: Database) -> House:
    """Somebody came on 10 January and paid all but 50,000 yen on the 12th."""
    found = open_house(database)
    found.go_to(morning(date(2025, 1, 5)))
    facts = {**booking(found, "101"), "move_in_date": date(2025, 1, 10)}
    who = found.do(book, **facts).reservation_id
    found.go_to(morning(date(2025, 1, 12)))
    found.do(record_payment, reservation_id=who, amount_yen=100_000, reference="FB-1")
    found.rooms["who"] = who
    found.go_to(morning(date(2025, 2, 3)))
    return found


def _books(house: House, month_on: date) -> MonthBooks:
    return house.ask(lambda session: months.month_books(session, month_on))


def _pay(house: House, yen: int, on: date) -> None:
    who = house.rooms["who"]
    house.do(record_payment, reservation_id=who, amount_yen=yen, received_on=on)


def _closing(house: House, month_on: date) -> MonthClosing:
    found = house.ask(lambda session: months.closing_of(session, month_on))
    assert found is not None, "an earlier month is closed with it"
    return found


def _file(house: House, month_on: date, program: Program = Program.YAYOI) -> bytes:
    def made(session: Session) -> bytes:
        books = months.month_books(session, month_on)
        closing = books.closing
        chart = charts.chart_of_closing(closing) if closing else charts.chart_of(session)
        return charts.journal_file(program, Encoding.CP932, books.journals, chart)

    return house.ask(made)


def test_a_payment_found_later_is_entered_in_the_open_month(house: House) -> None:
    house.do(closings.close_month, month_on=JANUARY)
    before = {program: _file(house, JANUARY, program) for program in Program}
    house.do(
        record_payment,
        reservation_id=house.rooms["who"],
        amount_yen=20_000,
        received_on=date(2025, 1, 20),
    )
    assert {program: _file(house, JANUARY, program) for program in Program} == before
    (late,) = _books(house, FEBRUARY).late
    assert (late.happened_on, late.entered_on) == (date(2025, 1, 20), FEBRUARY)
    # The rest of the invoice was paid: what was open is the deposit.
    assert {posting.role: posting.yen for posting in late.postings} == {
        "money/bank_transfer": 20_000,
        "deposits": -20_000,
    }
    assert not _books(house, MARCH).late


def test_what_a_closed_month_told_otherwise_is_reversed_and_told_again(house: House) -> None:
    """An earlier payment fills the bill first, so the later one pays less of it."""
    house.do(record_payment, reservation_id=house.rooms["who"], amount_yen=400_000)
    house.go_to(morning(date(2025, 3, 2)))
    house.do(closings.close_month, month_on=FEBRUARY)
    _pay(house, 30_000, date(2025, 1, 11))
    late = _books(house, MARCH).late
    by_key = [[one.postings for one in late if one.key == key] for key in {one.key for one in late}]
    pairs = [found for found in by_key if len(found) == 2]
    assert pairs, "at least one payment pays something else than was told"
    for row, now in pairs:
        assert {(one.yen > 0) for one in row if one.role == "money/bank_transfer"} == {False}
        assert sum(one.yen for one in row) == sum(one.yen for one in now) == 0
        money = [one.yen for one in (*row, *now) if one.role == "money/bank_transfer"]
        assert sum(money) == 0, "the money itself is the same"


def test_closing_again_holds_the_corrections_and_nothing_is_late_any_more(house: House) -> None:
    house.do(closings.close_month, month_on=JANUARY)
    _pay(house, 20_000, date(2025, 1, 20))
    house.go_to(morning(date(2025, 3, 2)))
    house.do(closings.close_month, month_on=FEBRUARY)
    assert len(_books(house, FEBRUARY).late) == 1
    assert not _books(house, MARCH).late


def test_new_names_of_accounts_do_not_change_a_closed_month(house: House) -> None:
    house.do(closings.close_month, month_on=JANUARY)
    before = _file(house, JANUARY)
    chart = charts.preset()
    accounts = {**chart.accounts, "deposits": JournalAccount("預り保証金", "敷金")}
    house.do(charts.write_chart, chart=Chart(accounts, chart.taxes, 0))
    house.do(bill_month)
    assert _file(house, JANUARY) == before
    assert house.ask(charts.chart_of).account("deposits") == JournalAccount("預り保証金", "敷金")
    with pytest.raises(Collision):
        house.do(charts.write_chart, chart=chart)


@pytest.mark.parametrize("name", ["", "=1+1", "長い名前が入りきらない勘定科目"])
def test_an_account_that_no_program_takes_is_refused(house: House, name: str) -> None:
    chart = charts.preset()
    accounts = {**chart.accounts, "deposits": JournalAccount(name)}
    with pytest.raises(Refused) as refusal:
        house.do(charts.write_chart, chart=Chart(accounts, chart.taxes, 0))
    assert refusal.value.field == "account.deposits"


def test_a_month_is_closed_once_after_its_last_day_and_as_it_was_seen(house: House) -> None:
    with pytest.raises(Refused):
        house.do(closings.close_month, month_on=FEBRUARY)
    with pytest.raises(Collision):
        house.do(closings.close_month, month_on=JANUARY, seen=closings.Seen(1, 1))
    books = _books(house, JANUARY)
    seen = closings.Seen(len(books.journals), books.total_yen)
    house.do(closings.close_month, month_on=JANUARY, seen=seen)
    with pytest.raises(Refused):
        house.do(closings.close_month, month_on=JANUARY)


def test_only_the_newest_closed_month_is_opened_again_and_its_file_stays(house: House) -> None:
    house.go_to(morning(date(2025, 3, 2)))
    house.do(closings.close_month, month_on=FEBRUARY)
    january, february = _closing(house, JANUARY), _closing(house, FEBRUARY)
    with pytest.raises(Refused):
        house.do(closings.reopen_month, closing_id=january.id, reason="wrong")
    with pytest.raises(Refused):
        house.do(closings.reopen_month, closing_id=february.id, reason=" ")
    house.do(closings.reopen_month, closing_id=february.id, reason="a bill was missing")
    assert _books(house, FEBRUARY).closing is None
    kept = house.ask(lambda session: months.closed_journals(session, february))
    assert len(kept) == february.journals
    with pytest.raises(NotFound):
        house.do(closings.reopen_month, closing_id="nobody", reason="wrong")
