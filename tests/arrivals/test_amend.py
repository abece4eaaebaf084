"""A room or occupant change ends one record and goes on with another: no departure, no penalty."""

from typing import Any

import pytest

from pms.arrivals.amendments import amend
from pms.arrivals.lifecycles import advance_lifecycles, cancel_booking, move_in
from pms.contracts.contract_people import people_of_reservation
from pms.contracts.people_changes import hold_people
from pms.departures.departures import notice_in_force
from pms.departures.notices import file_notice
from pms.deposits.deposit_report import balance_on
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.ids import new_id
from pms.ledger.billing import bill_month
from pms.ledger.move_in import change_esign_status
from pms.ledger.statement import Movement, statement
from pms.pricing.agreed_price import MonthlyAmounts
from pms.reservations.residents import NamedPerson
from pms.rules.enumerations import EsignStatus, Lifecycle, PaymentStatus
from tests.arrivals.office import Office, day, refused

DEARER = MonthlyAmounts(base_rent_yen=124_000)


@pytest.fixture
def living(office: Office, room: str) -> str:
    """Somebody who lives in the room since 1 November and paid everything so far."""
    id_ = office.book(
        room, "2026-11-01", "2027-04-30", co_occupants=[NamedPerson("田中 花")], email="a@b.jp"
    )
    office.do(move_in, reservation_id=id_)
    office.pay(id_, 30_000 + 93_000 + 93_000)
    office.go_to("2026-11-25")
    office.do(bill_month)
    return id_


def change_room(office: Office, living: str, other_room: str, last: str, **given: Any) -> Any:
    facts = {"unit_id": other_room, "amounts": DEARER}
    return office.do(amend, reservation_id=living, last_on=day(last), **facts | given)


def held(office: Office, reservation_id: str) -> int:
    return office.ask(balance_on, reservation_id, office.clock.today()).held_yen


def test_a_room_change_reprices_the_old_record_and_bills_the_new_one_from_the_day_after(
    office: Office, living: str, other_room: str
) -> None:
    amended = change_room(office, living, other_room, "2026-12-16")
    old, new = office.row(living), office.row(amended.booked.reservation_id)
    assert (old.lifecycle, old.move_out_date) == (Lifecycle.TRANSFERRED, day("2026-12-16"))
    assert (new.lifecycle, new.starts_on, new.unit_id) == (
        Lifecycle.CONFIRMED,
        day("2026-12-17"),
        other_room,
    )
    assert (new.name, new.email, new.contract_end_date) == (old.name, "a@b.jp", day("2027-04-30"))
    (december,) = amended.repriced
    assert (december.after.last_on, december.total_yen) == (day("2026-12-16"), 48_000)
    assert [line[3] for line in office.lines(new.id)] == [60_000, 124_000]
    assert office.counts()["co_occupant"] == 2


def test_nobody_owes_a_penalty_for_a_room_change_and_a_filed_notice_goes(
    office: Office, living: str, other_room: str
) -> None:
    filed = office.do(file_notice, reservation_id=living, move_out_on=day("2026-12-10"))
    assert filed.penalty.yen > 0
    change_room(office, living, other_room, "2026-12-20")
    assert office.ask(notice_in_force, living) is None
    penalties = [line[3] for line in office.lines(living) if line[0] == "penalty"]
    assert penalties
    assert sum(penalties) == 0
    assert office.row(living).move_out_date == day("2026-12-20")


def test_the_deposit_moves_on_the_day_the_new_record_starts_and_once(
    office: Office, living: str, other_room: str
) -> None:
    amended = change_room(office, living, other_room, "2026-12-16")
    new = amended.booked.reservation_id
    assert not amended.is_deposit_moved
    office.go_to("2026-12-16")
    assert not office.do(advance_lifecycles).deposits_moved
    assert (held(office, living), held(office, new)) == (93_000, 0)
    office.go_to("2026-12-17")
    assert office.do(advance_lifecycles).deposits_moved == (living,)
    assert (held(office, living), held(office, new)) == (0, 93_000)
    assert not office.do(advance_lifecycles).deposits_moved


def test_the_deposit_moves_with_an_amendment_that_is_written_afterwards(
    office: Office, living: str, other_room: str
) -> None:
    amended = change_room(office, living, other_room, "2026-11-20")
    assert amended.is_deposit_moved
    assert (held(office, living), held(office, amended.booked.reservation_id)) == (0, 93_000)


def test_a_deposit_that_was_to_come_along_goes_back_with_the_cancelled_booking(
    office: Office, living: str, other_room: str
) -> None:
    new = change_room(office, living, other_room, "2026-12-16").booked.reservation_id
    office.do(cancel_booking, reservation_id=new)
    assert (held(office, living), held(office, new)) == (0, 93_000)
    assert office.lifecycle(new) == Lifecycle.CANCELLED


def test_the_people_of_the_contract_go_on_with_who_changes_rooms(
    office: Office, living: str, other_room: str
) -> None:
    with office.database.writing(office.home.workspace_id) as session:
        people_id = hold_people(session, office.clock, reservation_id=living)
    amended = change_room(office, living, other_room, "2026-12-16")
    assert office.ask(people_of_reservation, amended.booked.reservation_id) == people_id
    assert office.ask(people_of_reservation, living) is None


def test_another_occupant_takes_over_the_same_room_without_the_people_of_before(
    office: Office, living: str, room: str
) -> None:
    facts = {"name": "鈴木 次郎", "amounts": DEARER}
    amended = office.do(amend, reservation_id=living, last_on=day("2026-12-16"), **facts)
    new = office.row(amended.booked.reservation_id)
    assert (new.unit_id, new.name, new.email) == (room, "鈴木 次郎", None)
    assert office.counts()["co_occupant"] == 1


def test_somebody_whose_start_has_come_is_amended_although_nobody_moved_them_in(
    office: Office, room: str, other_room: str
) -> None:
    id_ = office.book(room, "2026-11-01", "2027-04-30")
    change_room(office, id_, other_room, "2026-12-16")
    assert office.lifecycle(id_) == Lifecycle.TRANSFERRED


@pytest.mark.parametrize(
    ("last_and_given", "saying"),
    [
        (("2026-10-31", {}), "lastDay: 2026-10-31 is before the move-in"),
        (("2026-12-16", {"amounts": None}), "amounts: A resident agrees to a rent"),
        (("2026-12-16", {"deposit_yen": -1}), "depositYen"),
        (("2027-04-30", {"contract_end_date": day("2027-04-30")}), "contractEndDate: 2027-04-30"),
    ],
)
def test_bad_facts_of_an_amendment_are_refused_and_nothing_is_written(
    office: Office,
    living: str,
    other_room: str,
    last_and_given: tuple[str, dict[str, Any]],
    saying: str,
) -> None:
    last, given = last_and_given
    with refused(office, saying, Refused):
        change_room(office, living, other_room, last, **given)


def test_an_amendment_that_changes_neither_room_nor_occupant_is_refused(
    office: Office, living: str
) -> None:
    with refused(office, "Neither the room nor the occupant changes", Refused):
        office.do(amend, reservation_id=living, last_on=day("2026-12-16"), amounts=DEARER)


def test_an_amendment_into_held_nights_or_no_room_at_all_is_refused(
    office: Office, living: str, other_room: str
) -> None:
    office.book(other_room, "2027-01-10", "2027-06-09")
    with refused(office, "from 2027-01-10 until 2027-06-09", Refused):
        change_room(office, living, other_room, "2026-12-16")
    with refused(office, "There is no unit", NotFound):
        change_room(office, living, new_id(), "2026-12-16")


def test_only_who_lives_there_is_amended_and_only_once(
    office: Office, living: str, room: str, other_room: str
) -> None:
    coming = office.book(room, "2027-05-01", "2027-10-31")
    with refused(office, "booked cannot become transferred", Refused):
        change_room(office, coming, other_room, "2027-06-30")
    change_room(office, living, other_room, "2026-12-16")
    with refused(office, "transferred cannot become transferred", Refused):
        change_room(office, living, other_room, "2026-12-16")


def test_an_amendment_on_an_old_version_is_a_collision(
    office: Office, living: str, other_room: str
) -> None:
    with refused(office, "version", Collision):
        change_room(office, living, other_room, "2026-12-16", expected_version=1)


@pytest.fixture
def signed_and_paid(office: Office, living: str) -> str:
    """The same, who signed, and who has paid December with its invoice of 93,000."""
    for status in (EsignStatus.SENT, EsignStatus.SIGNED):
        office.do(change_esign_status, reservation_id=living, status=status)
    office.pay_all(living)
    return living


def test_what_was_overpaid_pays_the_new_invoice_with_a_line_on_both_ledgers(
    office: Office, signed_and_paid: str, other_room: str
) -> None:
    """December was paid for 31 days and is billed for 16: 45,000 too much."""
    living = signed_and_paid
    amended = change_room(office, living, other_room, "2026-12-16", moves_overpayment=True)
    new, today = amended.booked.reservation_id, office.clock.today()
    assert amended.moved_yen == 45_000
    rows = [*office.ask(statement, living, today).rows, *office.ask(statement, new, today).rows]
    moved = [row.yen for row in rows if row.movement is Movement.MOVED]
    assert moved == [45_000, -45_000]
    (invoice,) = office.standings(new)
    assert invoice.open_yen == 60_000 + 124_000 - 45_000
    balances = [office.ask(balance_on, id_, today) for id_ in (living, new)]
    assert [balance.overpaid_yen for balance in balances] == [0, 0]
    assert held(office, living) == 93_000, "the deposit moves on the first day"


def test_what_was_overpaid_stays_unless_staff_move_it_and_debts_always_stay(
    office: Office, living: str, other_room: str
) -> None:
    """December, billed and unpaid, stays owed on the old record for its 16 days."""
    office.pay(living, 10_000)
    today = office.clock.today()
    kept = change_room(office, living, other_room, "2026-12-16")
    assert kept.moved_yen == 0
    assert office.ask(balance_on, living, today).overpaid_yen == 10_000
    assert [one.unpaid_yen for one in office.standings(living)] == [0, 48_000]


def test_more_than_the_new_invoice_is_overpaid_there(
    office: Office, signed_and_paid: str, other_room: str
) -> None:
    office.pay(signed_and_paid, 200_000)
    change = {"moves_overpayment": True}
    amended = change_room(office, signed_and_paid, other_room, "2026-12-16", **change)
    assert amended.moved_yen == 245_000
    (invoice,) = office.standings(amended.booked.reservation_id)
    assert (invoice.open_yen, invoice.overpaid_yen) == (0, 245_000 - 184_000)


def test_the_due_day_of_the_new_invoice_is_chosen_and_never_past(
    office: Office, living: str, other_room: str
) -> None:
    with refused(office, "invoiceDueOn: 2026-11-24 is in the past", Refused):
        change_room(office, living, other_room, "2026-12-16", invoice_due_on=day("2026-11-24"))
    chosen = {"invoice_due_on": day("2027-01-31")}
    amended = change_room(office, living, other_room, "2026-12-16", **chosen)
    (invoice,) = office.standings(amended.booked.reservation_id)
    assert invoice.due_on == day("2027-01-31")


def test_the_new_record_begins_where_the_old_one_stood(
    office: Office, signed_and_paid: str, other_room: str
) -> None:
    amended = change_room(office, signed_and_paid, other_room, "2026-12-16")
    new = amended.booked.reservation_id
    row = office.row(new)
    assert (row.payment_status, row.esign_status) == (PaymentStatus.PAID, EsignStatus.SIGNED)
    assert row.lifecycle == Lifecycle.CONFIRMED
    office.go_to("2026-12-17")
    office.do(advance_lifecycles)
    assert office.lifecycle(new) == Lifecycle.LIVING


def test_who_changed_rooms_already_lives_in_the_new_one(
    office: Office, living: str, other_room: str
) -> None:
    amended = change_room(office, living, other_room, "2026-11-20")
    assert office.lifecycle(amended.booked.reservation_id) == Lifecycle.LIVING


def test_another_occupant_has_signed_nothing_yet(office: Office, signed_and_paid: str) -> None:
    facts = {"name": "鈴木 次郎", "amounts": DEARER, "last_on": day("2026-12-16")}
    amended = office.do(amend, reservation_id=signed_and_paid, **facts)
    row = office.row(amended.booked.reservation_id)
    assert (row.esign_status, row.lifecycle) == (EsignStatus.PENDING, Lifecycle.BOOKED)


def test_the_room_that_was_left_is_booked_from_the_day_the_old_record_ends(
    office: Office, living: str, room: str, other_room: str
) -> None:
    change_room(office, living, other_room, "2026-12-16")
    office.book(room, "2026-12-16", "2027-06-15")
