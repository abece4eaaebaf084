"""Filing a notice sets the day, bills the penalty and shortens the rent, or writes nothing."""

from datetime import date, timedelta

import pytest
from sqlalchemy import select

from pms.departures.departures import filings_of, notice_in_force
from pms.departures.expected_departures import clear_expected_departure, record_expected_departure
from pms.departures.notice_plans import preview_notice
from pms.departures.notices import file_notice, shown_figures
from pms.deposits.models import Amendment
from pms.foundation.audit import AuditRecord
from pms.foundation.errors import Collision, NotFound, Refused
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.ledger.queries import issued_rows
from pms.rules.audit_events import AuditEvent
from pms.rules.days import LAST_DAY, CorruptDay
from pms.rules.enumerations import EntryKind, Lifecycle, PenaltyKind, ReservationKind
from pms.rules.notices import ClassReason, OwedReason
from pms.rules.price_changes import PriceSpan
from tests.departures.desk import STAFF, Desk, day

RENT_AND_MORE = (
    PriceSpan(
        date(2025, 3, 1),
        None,
        {"base_rent": 66_000, "utilities": 12_000, "building_maintenance": 3_000},
    ),
)


def leaving_in_august(desk: Desk) -> str:
    """A resident of half a year who paid everything through August, deposit and fee included."""
    desk.on("2025-02-20")
    id_ = desk.resident(
        "2025-03-01", "2025-08-31", RENT_AND_MORE, deposit_yen=30_000, reservation_fee_yen=20_000
    )
    desk.invoice(id_)
    for billed_on in ("2025-03-25", "2025-04-25", "2025-05-25", "2025-06-25", "2025-07-25"):
        desk.bill(billed_on)
    desk.pay_all(id_)
    return id_


def test_a_notice_sets_the_day_bills_the_larger_penalty_and_shortens_the_rent(desk: Desk) -> None:
    id_ = leaving_in_august(desk)
    desk.on("2025-08-24")
    found = desk.do(file_notice, reservation_id=id_, move_out_on=date(2025, 8, 28))
    row = desk.row(id_)
    assert row.move_out_date == date(2025, 8, 28)
    assert row.lifecycle == Lifecycle.NOTICE_FILED
    assert found.notice.penalty_yen == 54_787
    assert (found.notice.kind, found.notice.basis) == (
        PenaltyKind.EARLY_EXIT,
        PenaltyKind.SHORT_NOTICE,
    )
    (penalty,) = desk.entries(id_, EntryKind.PENALTY)
    assert (penalty.total_yen, penalty.due_on) == (54_787, date(2025, 8, 24))
    (august,) = found.repriced
    assert (august.after.last_on, august.total_yen, august.change_yen) == (
        date(2025, 8, 28),
        73_162,
        -7_838,
    )
    rows = desk.ask(issued_rows, (id_,))[id_]
    assert max(row.last_on for row in rows if row.last_on) == date(2025, 8, 28)


def test_the_preview_tells_everything_and_writes_nothing(desk: Desk) -> None:
    id_ = leaving_in_august(desk)
    desk.on("2025-08-24")
    before = desk.counts()
    found = desk.ask(preview_notice, desk.clock, reservation_id=id_, move_out_on=date(2025, 8, 28))
    assert desk.counts() == before
    terms = found.terms
    assert (terms.class_days, terms.class_reason) == (30, ClassReason.MANY_DAYS)
    assert (terms.window_opens_on, terms.owed_reason) == (
        date(2025, 8, 1),
        OwedReason.WINDOW_OPEN,
    )
    notice = found.penalty.notice
    assert (notice.owed_days, notice.given_days, notice.missing_days) == (30, 5, 25)
    assert (found.penalty.early_exit.yen, found.penalty.short_notice.yen) == (6_387, 54_787)
    assert (found.penalty.basis, found.cap_yen) == (PenaltyKind.SHORT_NOTICE, 66_000)
    assert found.last_rent is not None
    assert (found.last_rent.total_yen, found.last_rent.is_issued) == (73_162, True)
    assert (found.deposit.held_yen, found.deposit.overpaid_yen) == (30_000, 7_838)
    assert (found.deposit.remainder_yen, found.deposit.owed_yen) == (0, 16_949)
    assert (found.free_from_on, found.replaces) == (date(2025, 8, 28), None)


def test_the_last_rent_of_a_month_not_yet_billed_is_foretold_too(desk: Desk) -> None:
    id_ = leaving_in_august(desk)
    desk.on("2025-08-01")
    asked = {"reservation_id": id_, "move_out_on": date(2025, 9, 10)}
    found = desk.ask(preview_notice, desk.clock, **asked)
    assert found.last_rent is not None
    assert not found.last_rent.is_issued
    assert (found.last_rent.first_on, found.last_rent.last_on) == (
        date(2025, 9, 1),
        date(2025, 9, 10),
    )
    assert found.last_rent.total_yen == 22_000 + 4_000 + 1_000
    asked["move_out_on"] = date(2025, 9, 1)
    only = desk.ask(preview_notice, desk.clock, **asked).last_rent
    assert only is not None
    assert (only.first_on, only.last_on, only.total_yen) == (
        date(2025, 9, 1),
        date(2025, 9, 1),
        2_200 + 400 + 100,
    )


@pytest.mark.parametrize(
    ("start", "end", "reason", "days"),
    [
        ("2026-03-01", "2026-03-31", ClassReason.WHOLE_MONTH, 30),
        ("2026-04-10", "2026-05-09", ClassReason.FEW_DAYS, 15),
        ("2026-03-15", "2026-04-15", ClassReason.MANY_DAYS, 30),
        ("2026-03-15", None, ClassReason.NO_END, 30),
    ],
)
def test_the_preview_says_why_a_contract_is_of_its_class(
    desk: Desk, start: str, end: str | None, reason: ClassReason, days: int
) -> None:
    id_ = desk.resident(start, end)
    desk.on(start)
    asked = {"reservation_id": id_, "move_out_on": day(start) + timedelta(days=10)}
    terms = desk.ask(preview_notice, desk.clock, **asked).terms
    assert (terms.class_reason, terms.class_days) == (reason, days)


def test_a_flag_set_on_the_filing_day_is_the_reason_for_thirty_days(desk: Desk) -> None:
    id_ = desk.resident("2026-04-10", "2026-05-09")
    desk.force(id_, "2026-04-12", cleared="2026-04-15")
    owed = {}
    for on in ("2026-04-11", "2026-04-12", "2026-04-15"):
        desk.on(on)
        asked = {"reservation_id": id_, "move_out_on": date(2026, 5, 9)}
        found = desk.ask(preview_notice, desk.clock, **asked)
        owed[on] = (found.terms.owed_reason, found.penalty.notice.owed_days)
    assert owed == {
        "2026-04-11": (OwedReason.CONTRACT, 15),
        "2026-04-12": (OwedReason.FORCED, 30),
        "2026-04-15": (OwedReason.CONTRACT, 15),
    }


def test_an_expected_departure_clears_itself_and_can_be_taken_back_before(desk: Desk) -> None:
    id_ = desk.resident("2025-05-01", "2027-04-30")
    desk.on("2026-11-20")
    expected = {"reservation_id": id_, "expected_departure_on": date(2026, 12, 20)}
    desk.do(record_expected_departure, **expected)
    desk.do(clear_expected_departure, reservation_id=id_)
    assert desk.row(id_).expected_departure_date is None
    with desk.database.reading(desk.workspace_id) as session:
        of_it = select(AuditRecord).where(AuditRecord.subject_id == id_).order_by(AuditRecord.id)
        noted = [(one.audit_event, one.after) for one in session.scalars(of_it)]
    assert noted == [
        (AuditEvent.EXPECTED_DEPARTURE_RECORDED, {"expected_departure_date": "2026-12-20"}),
        (AuditEvent.EXPECTED_DEPARTURE_CLEARED, {"expected_departure_date": None}),
    ]
    desk.do(record_expected_departure, **expected)
    desk.do(file_notice, reservation_id=id_, move_out_on=date(2027, 4, 30))
    assert desk.row(id_).expected_departure_date is None


def test_an_expected_departure_is_kept_and_taken_back_as_it_was_seen(desk: Desk) -> None:
    id_ = desk.resident("2026-04-01", "2027-03-31")
    seen = {"reservation_id": id_, "expected_version": desk.row(id_).version}
    desk.do(record_expected_departure, **seen, expected_departure_on=date(2026, 11, 20))
    with desk.refuses("changed since you opened it", as_=Collision):
        desk.do(record_expected_departure, **seen, expected_departure_on=date(2026, 11, 21))
    with desk.refuses("changed since you opened it", as_=Collision):
        desk.do(clear_expected_departure, **seen)
    assert desk.row(id_).expected_departure_date == date(2026, 11, 20)


def test_an_expected_departure_is_of_who_lives_there_and_no_day_past(desk: Desk) -> None:
    def expect(id_: str, expected_on: date) -> None:
        asked = {"reservation_id": id_, "expected_departure_on": expected_on}
        desk.do(record_expected_departure, **asked)

    living = desk.resident("2026-04-01", "2027-03-31", override_move_in_date=date(2026, 12, 1))
    with desk.refuses("is in the past", as_=Refused):
        expect(living, date(2026, 11, 19))
    with desk.refuses("2026-11-30 is before the move-in on 2026-12-01", as_=Refused):
        expect(living, date(2026, 11, 30))
    expect(living, date(2026, 12, 1))
    for given in (
        {"lifecycle": Lifecycle.NOTICE_FILED},
        {"move_out_date": date(2026, 12, 24)},
    ):
        leaving = desk.resident("2026-04-01", "2027-03-31", **given)
        with desk.refuses("a notice has been given, so the move-out", as_=Refused):
            expect(leaving, date(2026, 12, 20))
    coming = desk.resident("2026-12-01", "2027-11-30", lifecycle=Lifecycle.BOOKED)
    with desk.refuses("The reservation is booked", as_=Refused):
        expect(coming, date(2027, 1, 20))
    desk.do(clear_expected_departure, reservation_id=coming)
    moved_in = desk.resident("2026-11-20", "2027-11-30", lifecycle=Lifecycle.CONFIRMED)
    expect(moved_in, date(2027, 1, 20))


def test_an_instant_of_this_moment_is_taken(desk: Desk) -> None:
    id_ = desk.resident("2026-04-01", "2027-03-31")
    asked = {"reservation_id": id_, "move_out_on": date(2027, 3, 31)}
    found = desk.do(file_notice, **asked, filed_at=desk.clock.now())
    assert found.notice.filed_on == date(2026, 11, 20)


def test_an_owner_resident_gives_notice_and_owes_nothing(desk: Desk) -> None:
    kind = ReservationKind.OWNER_RESIDENT
    id_ = desk.resident("2025-05-01", "2027-04-30", (), kind=kind)
    found = desk.do(file_notice, reservation_id=id_, move_out_on=date(2026, 11, 20))
    assert (found.notice.penalty_yen, found.notice.kind) == (0, PenaltyKind.NONE)
    assert found.notice.penalty_entry_id is None


def test_of_an_owner_resident_no_rent_and_no_cap_is_foretold(desk: Desk) -> None:
    for prices in ((), RENT_AND_MORE):
        id_ = desk.resident("2025-05-01", None, prices, kind=ReservationKind.OWNER_RESIDENT)
        asked = {"reservation_id": id_, "move_out_on": LAST_DAY}
        found = desk.ask(preview_notice, desk.clock, **asked)
        assert (found.cap_yen, found.last_rent, found.penalty.yen) == (None, None, 0)
        assert shown_figures(found) == f"2026-11-20 {LAST_DAY} 0 - 0 0 0 -"


@pytest.mark.parametrize("state", [Lifecycle.CONFIRMED, Lifecycle.BOOKED])
def test_whose_start_has_come_lives_there_and_may_give_notice(desk: Desk, state: Lifecycle) -> None:
    id_ = desk.resident("2026-11-01", "2027-10-31", lifecycle=state)
    desk.do(file_notice, reservation_id=id_, move_out_on=date(2027, 10, 31))
    assert desk.row(id_).lifecycle == Lifecycle.NOTICE_FILED


def test_a_move_out_day_that_was_imported_is_replaced_by_the_first_notice(desk: Desk) -> None:
    id_ = desk.resident(
        "2025-11-01",
        "2027-10-31",
        move_out_date=date(2027, 1, 31),
        lifecycle=Lifecycle.NOTICE_FILED,
    )
    desk.do(file_notice, reservation_id=id_, move_out_on=date(2027, 2, 28))
    assert desk.row(id_).move_out_date == date(2027, 2, 28)


def test_every_day_asked_for_is_kept(desk: Desk) -> None:
    id_ = desk.resident("2025-05-01", "2027-04-30")
    found = desk.do(file_notice, reservation_id=id_, move_out_on=date(2027, 4, 30))
    (filing,) = desk.ask(filings_of, found.notice.id)
    assert (filing.number, filing.filed_on, filing.move_out_on, filing.written_by) == (
        1,
        date(2026, 11, 20),
        date(2027, 4, 30),
        STAFF,
    )
    stored = desk.ask(notice_in_force, id_)
    assert stored is not None
    assert stored.version == 1


def test_a_day_before_the_move_in_is_refused(desk: Desk) -> None:
    id_ = desk.resident("2026-04-01", "2027-03-31")
    with desk.refuses("moveOutDate", "2026-03-31", "2026-04-01", as_=Refused):
        desk.do(file_notice, reservation_id=id_, move_out_on=date(2026, 3, 31))
    with desk.refuses("moveOutDate", as_=Refused):
        desk.do(file_notice, reservation_id=id_, move_out_on=date(9999, 12, 31))
    desk.do(file_notice, reservation_id=id_, move_out_on=date(2026, 4, 1))


def test_a_second_notice_is_refused_and_names_the_first(desk: Desk) -> None:
    id_ = desk.resident("2026-04-01", "2027-03-31")
    desk.do(file_notice, reservation_id=id_, move_out_on=date(2027, 3, 31))
    with desk.refuses(
        "2027-03-31", "has already been given. Reschedule or withdraw it", as_=Refused
    ):
        desk.do(file_notice, reservation_id=id_, move_out_on=date(2027, 2, 28))


def test_nobody_gives_notice_before_they_live_there(desk: Desk) -> None:
    id_ = desk.resident("2026-12-01", "2027-11-30", lifecycle=Lifecycle.CONFIRMED)
    with desk.refuses("2026-12-01", "Cancel the booking", as_=Refused):
        desk.do(file_notice, reservation_id=id_, move_out_on=date(2027, 6, 30))


@pytest.mark.parametrize(
    "state",
    [Lifecycle.MOVED_OUT, Lifecycle.SETTLED, Lifecycle.REFUNDED, Lifecycle.CANCELLED],
)
def test_who_has_left_or_never_came_gives_no_notice(desk: Desk, state: Lifecycle) -> None:
    id_ = desk.resident("2026-04-01", "2027-03-31", lifecycle=state)
    with desk.refuses("notice", state, as_=Refused):
        desk.do(file_notice, reservation_id=id_, move_out_on=date(2027, 3, 31))


def test_an_amended_reservation_takes_no_notice(desk: Desk) -> None:
    old = desk.resident("2026-04-01", "2027-03-31", lifecycle=Lifecycle.TRANSFERRED)
    new = desk.resident("2026-11-10", "2027-03-31")
    amended = {"old_reservation_id": old, "new_reservation_id": new, "last_on": date(2026, 11, 9)}
    desk.add(Amendment(**amended, written_at=desk.clock.now(), written_by=STAFF))
    with desk.refuses("notice", "transferred", as_=Refused):
        desk.do(file_notice, reservation_id=old, move_out_on=date(2026, 11, 30))
    desk.do(file_notice, reservation_id=new, move_out_on=date(2027, 3, 31))


def test_a_guest_has_no_notice(desk: Desk) -> None:
    id_ = desk.resident("2026-11-18", "2026-11-25", kind=ReservationKind.GUEST)
    with desk.refuses("a guest's stay ends on the check-out day without a notice", as_=Refused):
        desk.do(file_notice, reservation_id=id_, move_out_on=date(2026, 11, 22))


def test_a_night_the_unit_is_held_by_a_successor_is_refused_with_its_dates(desk: Desk) -> None:
    id_ = desk.resident("2025-12-01", "2026-11-30")
    unit_id = desk.row(id_).unit_id
    booked = Lifecycle.CONFIRMED
    desk.resident("2026-12-01", "2027-11-30", unit_id=unit_id, name="鈴木 一郎", lifecycle=booked)
    with desk.refuses("2026-12-01", as_=Refused):
        desk.do(file_notice, reservation_id=id_, move_out_on=date(2026, 12, 20))
    desk.do(file_notice, reservation_id=id_, move_out_on=date(2026, 12, 1))


@pytest.mark.parametrize("hours", [1, 24])
def test_an_instant_still_to_come_or_without_an_offset_is_refused(desk: Desk, hours: int) -> None:
    id_ = desk.resident("2026-04-01", "2027-03-31")
    later = desk.clock.now() + timedelta(hours=hours)
    for at in (later, (later - timedelta(days=9)).replace(tzinfo=None)):
        with desk.refuses("filedAt", as_=Refused):
            asked = {"reservation_id": id_, "move_out_on": date(2027, 3, 31), "filed_at": at}
            desk.do(file_notice, **asked)


def test_a_resident_without_a_price_is_refused_by_name(desk: Desk) -> None:
    id_ = desk.resident("2026-04-01", "2027-03-31", ())
    with desk.refuses("no rent", as_=Refused):
        desk.do(file_notice, reservation_id=id_, move_out_on=date(2026, 12, 31))


def test_a_damaged_day_is_refused_by_name(desk: Desk) -> None:
    id_ = desk.resident("2026-04-01", None)
    with desk.database.writing(desk.workspace_id) as session:
        row = session.merge(desk.row(id_))
        row.contract_end_date = CorruptDay("2027-02-30")
    with desk.refuses("2027-02-30", as_=Refused):
        desk.do(file_notice, reservation_id=id_, move_out_on=date(2026, 12, 31))


@pytest.mark.parametrize("torn", ["", "x", "0" * 32, "'; drop table unit", "０" * 32])
def test_an_id_of_nobody_is_not_found(desk: Desk, torn: str) -> None:
    with desk.refuses("no reservation", as_=NotFound):
        desk.do(file_notice, reservation_id=torn, move_out_on=date(2026, 12, 31))
    with desk.refuses("no reservation", as_=NotFound):
        desk.ask(preview_notice, desk.clock, reservation_id=torn, move_out_on=date(2026, 12, 31))


def test_a_stranger_s_reservation_is_not_found(desk: Desk) -> None:
    id_ = desk.resident("2026-04-01", "2027-03-31")
    with (
        desk.database.writing(new_id()) as session,
        pytest.raises(NotFound),
    ):
        file_notice(
            Work(session, desk.clock, STAFF), reservation_id=id_, move_out_on=date(2026, 12, 31)
        )


def test_a_reservation_that_changed_since_it_was_seen_is_a_collision(desk: Desk) -> None:
    id_ = desk.resident("2026-04-01", "2027-03-31")
    seen = {"reservation_id": id_, "expected_version": desk.row(id_).version + 1}
    with desk.refuses("version", as_=Collision):
        desk.do(file_notice, move_out_on=date(2027, 3, 31), **seen)
