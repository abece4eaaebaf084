"""However many act on one tenancy at once: each audit event once, no edit lost, and no deadlock."""

from datetime import date, timedelta

import pytest

from pms.arrivals.amendments import amend
from pms.arrivals.bookings import book
from pms.arrivals.dates import correct_dates
from pms.departures.notices import file_notice, reschedule_move_out, withdraw_notice
from pms.deposits.deposit_transfers import transfer_deposit
from pms.deposits.refunds import send_refund
from pms.deposits.settlements import settle
from pms.foundation.database import Database
from pms.foundation.phrases import Bilingual
from pms.ledger.billing import bill_month
from pms.ledger.charges import post_charge
from pms.ledger.payment_plan import record_payment
from pms.reservations.month_to_month import force_month_to_month
from tests.stories.house import House, open_house
from tests.stories.invariants import hold
from tests.stories.stress import COLLIDED, DONE, PROCESSES, REFUSED, THREADS, Verb, stress
from tests.stories.tenancy import LEAVES_ON, RENT, START, gone, leaving, living, settled

EVERYBODY = PROCESSES * THREADS
thorough = pytest.mark.thorough("64 threads in four processes")


@pytest.fixture
def house(database: Database) -> House:
    return open_house(database)


def version(house: House, table: str, id_: str) -> int:
    column = "id" if table == "reservation" else "reservation_id"
    question = f"SELECT version FROM {table} WHERE workspace_id = :workspace AND {column} = :id"
    return house.books.number(question, id=id_)


@thorough
def test_of_sixty_four_settlements_one_is_made(house: House) -> None:
    id_ = gone(house)
    found = stress(house, [Verb(settle, {"reservation_id": id_})] * EVERYBODY)
    assert found == {("settle", DONE): 1, ("settle", REFUSED): EVERYBODY - 1}
    hold(house)


@thorough
def test_of_sixty_four_refunds_one_is_sent(house: House) -> None:
    id_ = settled(house)
    found = stress(house, [Verb(send_refund, {"reservation_id": id_})] * EVERYBODY)
    assert found == {("send_refund", DONE): 1, ("send_refund", REFUSED): EVERYBODY - 1}
    hold(house)


@thorough
def test_of_sixty_four_billing_runs_one_bills(house: House) -> None:
    """All of them finish; the days are billed once."""
    id_ = living(house)
    through = {"through_on": date(2025, 7, 31)}
    found = stress(house, [Verb(bill_month, through)] * EVERYBODY)
    assert found == {("bill_month", DONE): EVERYBODY}
    names = [entry.name for entry in house.books.entries(id_)]
    assert names == ["move-in", *(f"rent 2025-0{month}" for month in range(3, 8))]
    hold(house)


@pytest.mark.differs("locks")
def test_of_edits_of_one_version_one_is_kept_and_the_others_are_told(house: House) -> None:
    id_ = living(house)
    seen = version(house, "reservation", id_)
    given = {"reservation_id": id_, "expected_version": seen}
    edits = [
        Verb(correct_dates, {**given, "override_contract_end_date": date(2025, 9, 1 + n % 28)})
        for n in range(EVERYBODY)
    ]
    found = stress(house, edits)
    assert found == {("correct_dates", DONE): 1, ("correct_dates", COLLIDED): EVERYBODY - 1}
    assert version(house, "reservation", id_) == seen + 1
    hold(house)


@thorough
def test_of_edits_of_one_notice_one_is_kept_and_the_others_are_told(house: House) -> None:
    id_ = leaving(house)
    seen = {"reservation_id": id_, "version": version(house, "move_out_notice", id_)}
    edits = [
        Verb(reschedule_move_out, {**seen, "move_out_on": LEAVES_ON + timedelta(days=1 + n)})
        for n in range(EVERYBODY)
    ]
    found = stress(house, edits)
    names = ("reschedule_move_out", DONE), ("reschedule_move_out", COLLIDED)
    assert found == {names[0]: 1, names[1]: EVERYBODY - 1}
    filings = "SELECT count(*) FROM notice_filing WHERE workspace_id = :workspace"
    assert house.books.number(filings) == 2
    hold(house)


@thorough
def test_edits_without_a_version_all_happen_one_after_the_other(house: House) -> None:
    id_ = leaving(house)
    edits = [
        Verb(
            reschedule_move_out,
            {"reservation_id": id_, "move_out_on": LEAVES_ON + timedelta(days=1 + n)},
        )
        for n in range(EVERYBODY)
    ]
    assert stress(house, edits) == {("reschedule_move_out", DONE): EVERYBODY}
    filings = "SELECT count(*) FROM notice_filing WHERE workspace_id = :workspace"
    assert house.books.number(filings) == 1 + EVERYBODY
    hold(house)


@thorough
def test_everything_at_once_on_two_rooms_neither_waits_for_ever_nor_breaks_the_books(
    house: House,
) -> None:
    one, other = living(house, "101"), living(house, "102")
    there = {one: house.room("102"), other: house.room("101")}
    free = house.room("103")
    key = Bilingual("鍵", "Key")
    verbs = []
    for id_ in (one, other):
        leaves_on = {"move_out_on": house.today + timedelta(days=20)}
        moved = {"last_on": house.today, "amounts": RENT}
        for use_case, given in (
            (bill_month, {"through_on": date(2025, 5, 31)}),
            (record_payment, {"reservation_id": id_, "amount_yen": 50_000}),
            (post_charge, {"reservation_id": id_, "amount_yen": 5_500, "label": key}),
            (file_notice, {"reservation_id": id_, **leaves_on}),
            (withdraw_notice, {"reservation_id": id_}),
            (reschedule_move_out, {"reservation_id": id_, **leaves_on}),
            (amend, {"reservation_id": id_, "unit_id": free, **moved}),
            (amend, {"reservation_id": id_, "unit_id": there[id_], **moved}),
            (transfer_deposit, {"reservation_id": id_}),
            (correct_dates, {"reservation_id": id_, "override_contract_end_date": LEAVES_ON}),
            (correct_dates, {"reservation_id": id_, "override_move_in_date": START}),
            (force_month_to_month, {"reservation_id": id_}),
            (settle, {"reservation_id": id_}),
            (bill_month, {}),
            (record_payment, {"reservation_id": id_, "amount_yen": 1_000}),
        ):
            verbs += [Verb(use_case, given)] * 2
    facts = {"unit_id": free, "kind": "resident", "name": "次の住人", "amounts": RENT}
    facts["move_in_date"] = house.today + timedelta(days=1)
    verbs += [Verb(book, facts)] * (EVERYBODY - len(verbs))
    found = stress(house, verbs)
    assert {outcome for _, outcome in found} <= {DONE, REFUSED, COLLIDED}, found
    assert found["bill_month", DONE] == 8
    hold(house)
