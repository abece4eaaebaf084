"""Corrected dates are previewed and written alike: rows, payments and penalties follow them."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from pms.arrivals.amendments import amend
from pms.arrivals.dates import correct_dates, preview_dates
from pms.arrivals.lifecycles import cancel_booking, move_in
from pms.departures.notices import file_notice
from pms.deposits.deposit_report import balance_on
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.ids import new_id
from pms.ledger.billing import bill_month
from pms.reservations.models import Reservation
from pms.reservations.month_to_month import force_month_to_month
from pms.rules.days import CorruptDay
from pms.rules.enumerations import EntryKind, RowKind
from tests.arrivals.office import GUEST, Office, day, refused


@pytest.fixture
def paid(office: Office, room: str) -> str:
    """Booked from 14 December, December paid on the invoice and January billed and paid."""
    id_ = office.book(room, "2026-12-14", "2027-06-13")
    office.pay(id_, 30_000 + 93_000 + 54_000)
    office.go_to("2026-12-25")
    office.do(bill_month)
    office.pay_all(id_)
    return id_


def preview(office: Office, id_: str, **dates: Any) -> Any:
    before = office.counts()
    found = office.ask(preview_dates, office.clock, reservation_id=id_, **dates)
    assert office.counts() == before
    return found


def correct(office: Office, id_: str, **dates: Any) -> Any:
    return office.do(correct_dates, reservation_id=id_, **dates)


def totals(office: Office, id_: str) -> list[tuple[int, int, bool]]:
    """What every entry bills and was paid, and whether it is voided."""
    return [
        (standing.payable_yen + standing.deposit_yen, standing.paid_yen, standing.is_voided)
        for standing in office.standings(id_)
    ]


def test_a_start_after_the_fifteenth_swallows_the_next_month_and_its_payment(
    office: Office, paid: str
) -> None:
    start = {"override_move_in_date": day("2026-12-17")}
    shown = preview(office, paid, **start)
    assert [row.row.first_on for row in shown.rows.voided] == [day("2027-01-01")]
    assert [row.row for row in shown.rows.invoice] == [
        (RowKind.MOVE_IN, day("2026-12-17"), day("2026-12-31")),
        (RowKind.MOVE_IN, day("2027-01-01"), day("2027-01-31")),
    ]
    assert [(row.before.first_on, row.after.last_on) for row in shown.rows.repriced] == [
        (day("2026-12-14"), None)
    ]
    corrected = correct(office, paid, expected_version=shown.version, **start)
    assert corrected.rows == shown.rows
    invoice, january = totals(office, paid)[:2]
    assert invoice == (30_000 + 93_000 + 45_000 + 93_000, 177_000 + 93_000, False)
    assert january == (0, 0, True)
    assert office.row(paid).starts_on == day("2026-12-17")


def test_a_start_before_the_sixteenth_lets_the_second_month_leave_the_invoice(
    office: Office, room: str
) -> None:
    id_ = office.book(room, "2026-12-20", "2027-06-19")
    office.pay(id_, 30_000 + 93_000 + 36_000 + 93_000)
    shown = preview(office, id_, override_move_in_date=day("2026-12-10"))
    corrected = correct(office, id_, override_move_in_date=day("2026-12-10"))
    assert corrected.rows == shown.rows
    assert [(entry.kind, entry.total_yen) for entry in shown.rows.created] == [
        (EntryKind.RENT, 93_000)
    ]
    assert totals(office, id_) == [
        (30_000 + 93_000 + 66_000, 30_000 + 93_000 + 66_000, False),
        (93_000, 63_000, False),
    ]


def test_a_correction_taken_back_bills_as_it_was_agreed(office: Office, paid: str) -> None:
    before = [total for total in totals(office, paid) if not total[2]]
    correct(office, paid, override_move_in_date=day("2026-12-17"))
    correct(office, paid, override_move_in_date=None)
    after = [total for total in totals(office, paid) if not total[2]]
    assert [total[0] for total in after] == [total[0] for total in before]
    assert sum(total[1] for total in after) == sum(total[1] for total in before)


def test_an_end_moved_forward_shortens_the_last_row_and_one_moved_back_gives_it_back(
    office: Office, room: str
) -> None:
    id_ = office.book(room, "2026-12-01", "2026-12-31")
    shown = preview(office, id_, override_contract_end_date=day("2026-12-11"))
    (december,) = shown.rows.repriced
    assert (december.after.last_on, december.change_yen) == (day("2026-12-11"), -60_000)
    assert correct(office, id_, override_contract_end_date=day("2026-12-11")).rows == shown.rows
    correct(office, id_, override_contract_end_date=day("2026-12-31"))
    assert totals(office, id_)[0][0] == 30_000 + 93_000 + 93_000


def test_a_stub_is_shown_as_kept_short_and_stays_short(office: Office, room: str) -> None:
    office.go_to("2026-10-20")
    id_ = office.book(room, "2026-11-01", "2026-11-28")
    office.go_to("2026-11-05")
    office.do(force_month_to_month, reservation_id=id_)
    office.do(bill_month)
    stub = ("base_rent", day("2026-11-29"), day("2026-11-30"), 6_200)
    assert stub in office.lines(id_)
    shown = preview(office, id_, override_contract_end_date=day("2026-12-31"))
    assert [(row.kind, row.first_on, row.last_on) for row in shown.kept_short] == [
        (RowKind.STUB, day("2026-11-29"), day("2026-11-30"))
    ]
    correct(office, id_, override_contract_end_date=day("2026-12-31"))
    assert office.lines(id_)[-1] == stub


def test_an_arrival_drives_nothing_that_is_billed(office: Office, paid: str) -> None:
    before, lines = office.row(paid), office.lines(paid)
    shown = preview(office, paid, arrival_date=day("2026-12-29"))
    assert (shown.term, shown.rows, shown.penalty) == (None, None, None)
    assert correct(office, paid, arrival_date=day("2026-12-29")).rows is None
    after = office.row(paid)
    assert (after.arrival_date, after.version) == (day("2026-12-29"), before.version + 1)
    assert (after.starts_on, office.lines(paid)) == (before.starts_on, lines)


def test_the_same_dates_stated_again_change_nothing(office: Office, paid: str) -> None:
    correct(office, paid, override_move_in_date=day("2026-12-17"))
    version, lines = office.row(paid).version, office.lines(paid)
    correct(office, paid, override_move_in_date=day("2026-12-17"))
    assert (office.row(paid).version, office.lines(paid)) == (version, lines)


def test_the_penalty_of_a_filed_notice_is_worked_out_anew(office: Office, room: str) -> None:
    id_ = office.book(room, "2026-11-01", "2027-04-30")
    office.pay_all(id_)
    office.do(move_in, reservation_id=id_)
    filed = office.do(file_notice, reservation_id=id_, move_out_on=day("2027-01-31"))
    assert filed.penalty.yen == 93_000
    shown = preview(office, id_, override_contract_end_date=day("2027-02-10"))
    corrected = correct(office, id_, override_contract_end_date=day("2027-02-10"))
    assert shown.penalty == corrected.notice.penalty
    assert corrected.notice.penalty.yen == round(93_000 / 28 * 10)
    assert office.ask(balance_on, id_, office.clock.today()).unpaid_yen == sum(
        line[3] for line in office.lines(id_) if line[0] == "penalty"
    )


@pytest.mark.parametrize(
    ("dates", "saying"),
    [
        ({"override_move_in_date": day("2027-06-14")}, "contractEndDate: 2027-06-13 is before"),
        ({"override_contract_end_date": day("2026-12-13")}, "contractEndDate: 2026-12-13"),
        ({"override_move_in_date": day("1899-01-01")}, "overrideMoveInDate: 1899-01-01"),
        ({"arrival_date": day("2300-01-01")}, "arrivalDate: 2300-01-01"),
        ({"override_contract_end_date": day("2027-08-01")}, "from 2027-07-01 until 2027-12-31"),
    ],
)
def test_dates_that_are_no_contract_or_held_by_another_are_refused(
    office: Office, paid: str, room: str, dates: dict[str, Any], saying: str
) -> None:
    office.book(room, "2027-07-01", "2027-12-31")
    for verb in (correct, preview):
        with refused(office, saying, Refused):
            verb(office, paid, **dates)


def test_a_guest_is_left_a_night(office: Office, room: str) -> None:
    stay = {"kind": GUEST, "amounts": None, "deposit_yen": 0, "reservation_fee_yen": 0}
    id_ = office.book(room, "2026-12-01", "2026-12-04", **stay)
    with refused(office, "A guest checks out after", Refused):
        correct(office, id_, override_contract_end_date=day("2026-12-01"))
    correct(office, id_, override_contract_end_date=day("2026-12-02"))
    assert office.row(id_).ends_on == day("2026-12-02")


def test_a_guest_stays_no_longer_than_is_allowed_also_after_a_change_of_rooms(
    office: Office, room: str, other_room: str
) -> None:
    stay = {"kind": GUEST, "amounts": None, "deposit_yen": 0, "reservation_fee_yen": 0}
    id_ = office.book(room, "2026-11-20", "2027-05-19", **stay)
    for verb in (correct, preview):
        with refused(office, "2027-05-20 is 181 nights after 2026-11-20", Refused):
            verb(office, id_, override_contract_end_date=day("2027-05-20"))
        with refused(office, "2027-05-19 is 181 nights after 2026-11-19", Refused):
            verb(office, id_, override_move_in_date=day("2026-11-19"))
    correct(
        office,
        id_,
        override_move_in_date=day("2026-11-21"),
        override_contract_end_date=day("2027-05-20"),
    )
    office.go_to("2026-11-25")
    moves = {"reservation_id": id_, "last_on": day("2026-12-31"), "unit_id": other_room}
    with refused(office, "2027-05-21 is 181 nights after 2026-11-21", Refused):
        office.do(amend, **moves, contract_end_date=day("2027-05-21"))
    moved = office.do(amend, **moves).booked.reservation_id
    with refused(office, "2027-05-21 is 181 nights after 2026-11-21", Refused):
        correct(office, moved, override_contract_end_date=day("2027-05-21"))
    correct(office, moved, override_contract_end_date=day("2027-05-19"))
    assert office.row(moved).ends_on == day("2027-05-19")


def test_of_many_who_saw_one_version_one_corrects_it_and_the_others_are_told(
    office: Office, room: str
) -> None:
    id_ = office.book(room, "2026-12-14", "2027-06-13")

    def contend(number: int) -> str:
        try:
            correct(office, id_, arrival_date=day(f"2026-12-{number:02}"), expected_version=1)
        except Collision:
            return "told"
        return "corrected"

    with ThreadPoolExecutor(8) as threads:
        outcomes = list(threads.map(contend, range(10, 18)))
    assert sorted(outcomes) == ["corrected"] + ["told"] * 7
    assert office.row(id_).version == 2


def test_a_start_after_the_filed_move_out_is_refused(office: Office, paid: str) -> None:
    office.do(file_notice, reservation_id=paid, move_out_on=day("2027-02-10"))
    with refused(office, "after the move-out date in the notice, 2027-02-10", Refused):
        correct(office, paid, override_move_in_date=day("2027-02-11"))


def test_a_reservation_that_is_over_or_unknown_is_corrected_no_more(
    office: Office, paid: str
) -> None:
    office.do(cancel_booking, reservation_id=paid)
    with refused(office, "cancelled can no longer be corrected", Refused):
        correct(office, paid, override_move_in_date=day("2026-12-17"))
    for unknown in (new_id(), "nobody"):
        for verb in (correct, preview):
            with refused(office, "There is no reservation", NotFound):
                verb(office, unknown, arrival_date=day("2026-12-17"))


def test_a_correction_of_an_old_version_is_a_collision(office: Office, paid: str) -> None:
    correct(office, paid, arrival_date=day("2026-12-29"))
    with refused(office, "now 2): staff changed it on 2026-12-25 at 12:00", Collision):
        correct(office, paid, arrival_date=day("2026-12-30"), expected_version=1)


def test_a_damaged_day_is_named_until_it_is_corrected(office: Office, paid: str) -> None:
    with office.database.writing(office.home.workspace_id) as session:
        session.get_one(
            Reservation, (office.home.workspace_id, paid)
        ).contract_end_date = CorruptDay("2027-06-31")
    with refused(office, "contractEndDate: '2027-06-31' is not a day", Refused):
        correct(office, paid, override_move_in_date=day("2026-12-17"))
    correct(office, paid, override_contract_end_date=day("2027-06-30"))
    assert office.row(paid).free_from == day("2027-06-30")
