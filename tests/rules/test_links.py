"""What opens a link and for how long: of guests, of contractors, of those who reserve."""

from datetime import UTC, date, datetime, time, timedelta

import pytest

from pms.rules.availability import decide
from pms.rules.contract_dates import ContractTerm
from pms.rules.days import JAPAN, CorruptDay
from pms.rules.enumerations import (
    CheckInLinkState,
    Lifecycle,
    ProjectState,
    RegisterField,
    ReservationKind,
    ReservationLinkState,
    ShareLinkState,
)
from pms.rules.links import (
    GuestRegisterEntry,
    arrives_at,
    check_in_link_state,
    codes_released_at,
    is_clock_time,
    link_ends_at,
    link_expires_at,
    missing_entries,
    register_kept_from,
    reservation_link_state,
    share_link_state,
)
from pms.rules.policy import Policy
from pms.rules.unit_stays import Block, Stay
from pms.rules.vacancy import FollowedStay, Vacancy, is_free_from, vacancy_for

NOW = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)
TODAY = date(2026, 11, 20)
TOMORROW = date(2026, 11, 21)
ONE = timedelta(days=1)
TERM = ContractTerm(date(2026, 12, 10), date(2026, 12, 20))


@pytest.mark.parametrize(
    ("revoked_at", "cancelled_at", "lifecycle", "check_out_on", "state"),
    [
        (None, None, Lifecycle.BOOKED, None, CheckInLinkState.LIVE),
        (None, None, Lifecycle.LIVING, TODAY, CheckInLinkState.LIVE),
        (None, None, Lifecycle.LIVING, TOMORROW, CheckInLinkState.LIVE),
        (None, None, Lifecycle.LIVING, TODAY - ONE, CheckInLinkState.OVER),
        (None, None, Lifecycle.MOVED_OUT, None, CheckInLinkState.OVER),
        (None, None, Lifecycle.SETTLED, TOMORROW, CheckInLinkState.OVER),
        (None, NOW, Lifecycle.BOOKED, TOMORROW, CheckInLinkState.CANCELLED),
        (None, None, Lifecycle.CANCELLED, TOMORROW, CheckInLinkState.CANCELLED),
        (None, NOW, Lifecycle.MOVED_OUT, TODAY - ONE, CheckInLinkState.CANCELLED),
        (NOW, NOW, Lifecycle.CANCELLED, TODAY - ONE, CheckInLinkState.REVOKED),
        (NOW, None, Lifecycle.LIVING, TOMORROW, CheckInLinkState.REVOKED),
    ],
)
def test_a_check_in_link_opens_through_the_day_of_the_check_out(
    revoked_at: datetime | None,
    cancelled_at: datetime | None,
    lifecycle: Lifecycle,
    check_out_on: date | None,
    state: CheckInLinkState,
) -> None:
    assert state is check_in_link_state(
        today=TODAY,
        revoked_at=revoked_at,
        cancelled_at=cancelled_at,
        lifecycle=lifecycle,
        check_out_on=check_out_on,
    )


def test_a_check_in_link_ends_with_the_day_of_the_check_out_in_japan() -> None:
    assert link_ends_at(TODAY) == datetime(2026, 11, 21, tzinfo=JAPAN)


def test_codes_are_shown_so_many_minutes_before_the_arrival_in_japan() -> None:
    arrival = datetime.combine(TODAY, time(15, 30), tzinfo=JAPAN)
    assert arrives_at(TODAY, "15:30") == arrival
    assert codes_released_at(TODAY, "15:30", 90) == arrival - timedelta(minutes=90)
    assert arrives_at(None, "15:30") is None
    assert codes_released_at(None, "15:30", 90) is None


def test_the_register_is_kept_for_whole_years() -> None:
    assert register_kept_from(TODAY, 3) == date(2023, 11, 20)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("00:00", True), ("23:59", True), ("24:00", False), ("7:00", False), ("07:00:00", False)],
)
def test_a_time_of_the_clock_has_hours_and_minutes(text: str, is_one: bool) -> None:
    assert is_clock_time(text) is is_one


def test_the_register_asks_residents_of_japan_less_and_takes_a_passport_copy_instead() -> None:
    assert missing_entries(GuestRegisterEntry(), ()) == (
        *("address", "contact", "name", "nationality", "passportNumber"),
    )
    assert missing_entries(GuestRegisterEntry(lives_in_japan=True), ()) == (
        "address",
        "contact",
        "name",
    )
    assert missing_entries(GuestRegisterEntry(has_passport_copy=True), ()) == ("address", "contact")
    result = GuestRegisterEntry(
        name="Tess", address="Oslo", contact="1", nationality="NO", passport_number="A1"
    )
    assert missing_entries(result, ()) == ()
    assert missing_entries(GuestRegisterEntry(lives_in_japan=True, name="花子"), ()) == (
        *("address", "contact"),
    )


def test_the_register_asks_for_the_extra_fields_of_the_house_and_no_others() -> None:
    asked, other = list(RegisterField)[:2]
    here = {"has_passport_copy": True, "address": "Oslo", "contact": "1"}
    assert missing_entries(GuestRegisterEntry(**here), {asked}) == (asked.value,)  # type: ignore[arg-type]  # of several types
    result = GuestRegisterEntry(**here, extras={asked.value: "said"})  # type: ignore[arg-type]  # of several types
    assert missing_entries(result, {asked}) == ()
    assert missing_entries(result, {asked, other}) == (other.value,)


@pytest.mark.parametrize(
    ("revoked_at", "expires_on", "project", "state"),
    [
        (None, None, ProjectState.OPEN, ShareLinkState.LIVE),
        (None, TODAY, ProjectState.OPEN, ShareLinkState.LIVE),
        (None, TODAY - ONE, ProjectState.OPEN, ShareLinkState.EXPIRED),
        (None, None, ProjectState.DONE, ShareLinkState.PROJECT_ENDED),
        (None, TODAY - ONE, ProjectState.DONE, ShareLinkState.EXPIRED),
        (NOW, TODAY - ONE, ProjectState.DONE, ShareLinkState.REVOKED),
    ],
)
def test_a_contractors_link_opens_through_its_last_day(
    revoked_at: datetime | None,
    expires_on: date | None,
    project: ProjectState,
    state: ShareLinkState,
) -> None:
    assert state is share_link_state(
        today=TODAY, expires_on=expires_on, revoked_at=revoked_at, project=project
    )


@pytest.mark.parametrize(
    ("expires_at", "revoked_at", "accepted_at", "state"),
    [
        (NOW + ONE, None, None, ReservationLinkState.LIVE),
        (NOW, None, None, ReservationLinkState.EXPIRED),
        (NOW - ONE, None, None, ReservationLinkState.EXPIRED),
        (NOW - ONE, NOW, None, ReservationLinkState.REVOKED),
        (NOW - ONE, NOW, NOW, ReservationLinkState.ACCEPTED),
    ],
)
def test_a_reservation_link_is_live_until_the_instant_of_its_end(
    expires_at: datetime,
    revoked_at: datetime | None,
    accepted_at: datetime | None,
    state: ReservationLinkState,
) -> None:
    assert state is reservation_link_state(
        now=NOW, expires_at=expires_at, revoked_at=revoked_at, accepted_at=accepted_at
    )


def test_a_reservation_link_ends_after_its_days_and_with_the_move_in_day_at_the_latest() -> None:
    assert link_expires_at(NOW, 7, date(2026, 12, 24)) == NOW + timedelta(days=7)
    assert link_expires_at(NOW, 7, TOMORROW) == datetime(2026, 11, 22, tzinfo=JAPAN)


def free_for(*stays: Stay, blocks: tuple[Block, ...] = (), term: ContractTerm = TERM) -> bool:
    """Whether nothing of a unit stands in the way of the days of a contract."""
    policy = Policy(turnover_days=2)
    wanted = Stay("wanted", term.start_on, term.end_on)
    return vacancy_for(wanted, stays, blocks, TODAY, policy).is_free


@pytest.mark.parametrize(
    ("stay", "is_free"),
    [
        # Two days of rest between a departure and the next stay.
        (Stay("before", date(2026, 11, 1), move_out_on=date(2026, 12, 8)), True),
        (Stay("before", date(2026, 11, 1), move_out_on=date(2026, 12, 9)), False),
        (Stay("open", date(2026, 11, 1)), False),
        (Stay("after", date(2026, 12, 22)), True),
        (Stay("after", date(2026, 12, 21)), False),
        (Stay("unreadable", CorruptDay("soon")), False),
        (Stay("unreadable", date(2026, 11, 1), move_out_on=CorruptDay("soon")), False),
    ],
)
def test_a_stay_that_is_over_before_a_contract_or_begins_after_it_does_not_stand_in_its_way(
    stay: Stay, is_free: bool
) -> None:
    assert free_for(stay) is is_free


@pytest.mark.parametrize(
    ("block", "is_free"),
    [
        (Block(date(2026, 11, 1), date(2026, 12, 9)), True),
        (Block(date(2026, 11, 1), date(2026, 12, 10)), False),
        (Block(date(2026, 11, 1)), False),
        (Block(date(2026, 12, 23)), True),
        (Block(date(2026, 12, 22)), False),
        (Block(CorruptDay("soon")), False),
        (Block(date(2026, 11, 1), CorruptDay("soon")), False),
    ],
)
def test_a_block_that_is_over_before_a_contract_or_begins_after_it_does_not_stand_in_its_way(
    block: Block, is_free: bool
) -> None:
    assert free_for(blocks=(block,)) is is_free


def test_everybody_to_come_stands_in_the_way_of_a_contract_without_an_end() -> None:
    open_term = ContractTerm(TERM.start_on, None)
    assert free_for(term=open_term)
    assert not free_for(Stay("after", date(2030, 1, 1)), term=open_term)
    assert not free_for(blocks=(Block(date(2030, 1, 1)),), term=open_term)


def test_what_follows_whom_is_told_beside_what_stands_in_the_way() -> None:
    """A tenancy to come finds who lives there month to month, and what holds its nights."""
    since = date(2025, 1, 1)
    lodger = Stay("lodger", since, date(2026, 10, 31))
    owner = Stay("owner", since, move_out_on=TODAY, kind=ReservationKind.OWNER_RESIDENT)
    wanted = Stay("wanted", TERM.start_on, TERM.end_on)

    def found(*stays: Stay, blocks: tuple[Block, ...] = ()) -> Vacancy:
        return vacancy_for(wanted, (wanted, *stays), blocks, TODAY, Policy())

    followed = found(lodger)
    assert not followed.is_free and not followed.is_blocked and followed.conflicts == ()
    assert followed.followed == (FollowedStay(lodger, is_month_to_month=True),)
    # Who comes after the lodger and before the tenancy ends that state.
    between = Stay("between", TOMORROW, date(2026, 11, 30))
    assert found(lodger, between).followed == (
        FollowedStay(lodger, is_month_to_month=False),
        FollowedStay(between, is_month_to_month=False),
    )
    assert found(lodger._replace(is_cancelled=True)).is_free
    # An owner keeps the unit until the day after the move-out, whoever else is long gone.
    assert not found(owner).is_free
    assert found(owner._replace(move_out_on=TODAY - ONE)).is_free
    turnover = Policy(turnover_days=2)
    gone = Stay("gone", since, move_out_on=date(2026, 12, 8))
    after = Stay("after", date(2026, 12, 22))
    left = vacancy_for(wanted, (gone, after), (), TODAY, turnover)
    assert (left.is_free, left.followed) == (True, ())
    # Within the days of rest the unit is named as it stands, beside the conflict.
    for stay, on in (
        (gone._replace(move_out_on=date(2026, 12, 9)), date(2026, 12, 11)),
        (after._replace(start_on=TOMORROW + ONE * 30), TOMORROW + ONE * 30),
    ):
        met = vacancy_for(wanted, (stay,), (), TODAY, turnover)
        assert (met.availability.on, len(met.conflicts)) == (on, 1)
    unreadable = found(Stay("unreadable", CorruptDay("soon"), date(2026, 10, 31)))
    assert [one.is_month_to_month for one in unreadable.followed] == [False]
    later = Stay("later", date(2026, 12, 15), date(2027, 1, 31))
    sooner = Stay("sooner", date(2026, 12, 11), date(2026, 12, 14))
    assert [span.id for span in found(later, sooner).conflicts] == ["sooner", "later"]
    assert found(later).followed == ()
    assert found(blocks=(Block(TERM.start_on),)).is_blocked


def test_a_tenancy_that_began_is_free_when_the_unit_is_from_today() -> None:
    begun = ContractTerm(date(2026, 11, 1), TERM.end_on)
    assert free_for(term=begun)


def test_a_unit_is_offered_from_the_day_it_is_confirmed_free() -> None:
    from_today = decide((), (), TODAY, Policy())
    assert is_free_from(from_today, TODAY) and is_free_from(from_today, TOMORROW)
    assert not is_free_from(from_today, TODAY - ONE)
    forced = decide((Stay("forced", TODAY, is_forced=True),), (), TODAY, Policy())
    assert not is_free_from(forced, TOMORROW)
