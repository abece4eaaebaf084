"""The reason shown for an availability is the one that decided it."""

from datetime import date, timedelta

from hypothesis import given

from pms.rules.availability import Availability, ReasonKind, StayReason, decide, explain
from pms.rules.days import CorruptDay
from pms.rules.enumerations import AvailabilityState, ReservationKind
from pms.rules.policy import DEFAULT_POLICY, Policy
from pms.rules.unit_stays import Block, Stay
from tests.rules.facts import TODAY, blocks_of_a_unit, policies, stays_of_a_unit

STATES = {
    ReasonKind.FORCED: AvailabilityState.OCCUPIED,
    ReasonKind.BLOCKED: AvailabilityState.RESERVED,
    ReasonKind.NEXT_STAY: AvailabilityState.RESERVED,
    ReasonKind.AWAITED: AvailabilityState.RESERVED,
    ReasonKind.NEXT_BLOCK: AvailabilityState.RESERVED,
    ReasonKind.OWNER_LIVES: AvailabilityState.OCCUPIED,
    ReasonKind.DEPARTURE_PASSED: AvailabilityState.OCCUPIED,
    ReasonKind.NO_END: AvailabilityState.OCCUPIED,
    ReasonKind.DEPARTURE_EXPECTED: AvailabilityState.POSSIBLY_AVAILABLE,
    ReasonKind.NOTICE_FILED: AvailabilityState.AVAILABLE_FROM,
    ReasonKind.CHECK_OUT: AvailabilityState.AVAILABLE_FROM,
    ReasonKind.FREE: AvailabilityState.AVAILABLE_NOW,
}
DATED = STATES.keys() - {
    ReasonKind.FORCED,
    ReasonKind.BLOCKED,
    ReasonKind.OWNER_LIVES,
    ReasonKind.DEPARTURE_PASSED,
    ReasonKind.NO_END,
    ReasonKind.FREE,
}


def day_shown(reason: StayReason) -> date | None:
    if reason.kind not in DATED or not isinstance(reason.on, date):
        return None
    return reason.on + timedelta(days=reason.turnover_days)


@given(stays_of_a_unit, blocks_of_a_unit, policies)
def test_the_reason_leads_to_the_very_label(
    unit: list[Stay], blocked: list[Block], policy: Policy
) -> None:
    reason = explain(unit, blocked, TODAY, policy)
    answer: Availability = decide(unit, blocked, TODAY, policy)
    assert (STATES[reason.kind], day_shown(reason)) == (answer.state, answer.on)


@given(stays_of_a_unit, blocks_of_a_unit, policies)
def test_a_reason_names_a_stay_of_the_unit_or_none(
    unit: list[Stay], blocked: list[Block], policy: Policy
) -> None:
    reason = explain(unit, blocked, TODAY, policy)
    assert reason.stay_id is None or reason.stay_id in {stay.id for stay in unit}


def test_a_filed_notice_is_the_reason_with_its_day() -> None:
    leaving = Stay("a", date(2020, 1, 1), move_out_on=TODAY + timedelta(days=9))
    reason = explain([leaving], [], TODAY, DEFAULT_POLICY)
    assert reason == (ReasonKind.NOTICE_FILED, leaving.move_out_on, "a", 0)


def test_a_contract_end_alone_is_no_end() -> None:
    living = Stay("a", date(2020, 1, 1), end_on=TODAY + timedelta(days=9))
    assert explain([living], [], TODAY, DEFAULT_POLICY).kind is ReasonKind.NO_END


def test_a_damaged_start_is_told_as_it_was_recorded() -> None:
    odd = Stay("a", CorruptDay("soon"))
    reason = explain([odd], [], TODAY, DEFAULT_POLICY)
    assert (reason.kind, reason.on) == (ReasonKind.NEXT_STAY, CorruptDay("soon"))


def test_an_owner_who_lives_there_is_the_reason() -> None:
    owner = Stay("a", date(2020, 1, 1), kind=ReservationKind.OWNER_RESIDENT)
    assert explain([owner], [], TODAY, DEFAULT_POLICY).kind is ReasonKind.OWNER_LIVES


def test_a_block_is_in_force_from_its_first_day_through_its_last() -> None:
    tomorrow, yesterday = TODAY + timedelta(days=1), TODAY - timedelta(days=1)
    for block in (Block(TODAY, tomorrow), Block(yesterday, TODAY)):
        assert explain((), (block,), TODAY, DEFAULT_POLICY) == (
            *(ReasonKind.BLOCKED, block.last_on, None, 0),
        )
    coming = explain((), (Block(tomorrow),), TODAY, DEFAULT_POLICY)
    assert coming == StayReason(ReasonKind.NEXT_BLOCK, tomorrow)


def test_of_several_to_come_the_first_is_the_reason() -> None:
    near, far = TODAY + timedelta(days=3), TODAY + timedelta(days=9)
    block = Block(near, far)
    assert explain((Stay("far", far),), (block,), TODAY, DEFAULT_POLICY) == StayReason(
        ReasonKind.NEXT_BLOCK, near
    )
    assert explain((Stay("near", near),), (Block(far),), TODAY, DEFAULT_POLICY) == StayReason(
        ReasonKind.NEXT_STAY, near, "near"
    )
    unreadable = Stay("unreadable", CorruptDay("soon"))
    reason = explain((Stay("near", near), unreadable), (), TODAY, DEFAULT_POLICY)
    assert reason.stay_id == "unreadable"


def test_of_several_who_leave_the_last_is_the_reason() -> None:
    near, far = TODAY + timedelta(days=3), TODAY + timedelta(days=9)
    first = Stay("first", TODAY, move_out_on=near)
    last = Stay("last", TODAY, move_out_on=far)
    for unit in ((first, last), (last, first)):
        assert explain(unit, (), TODAY, DEFAULT_POLICY) == StayReason(
            ReasonKind.NOTICE_FILED, far, "last"
        )
    expecting = Stay("expecting", TODAY, expected_departure_on=near)
    for unit in ((last, expecting), (expecting, last)):
        assert explain(unit, (), TODAY, DEFAULT_POLICY).stay_id == "expecting"
    today = Stay("today", TODAY, expected_departure_on=TODAY)
    assert explain((today,), (), TODAY, DEFAULT_POLICY).kind is ReasonKind.DEPARTURE_EXPECTED
    unreadable = Stay("unreadable", TODAY, move_out_on=CorruptDay("late"))
    assert explain((unreadable, last), (), TODAY, DEFAULT_POLICY).stay_id == "unreadable"


def test_an_expected_departure_is_the_reason_for_a_resident_and_not_for_a_guest() -> None:
    later = TODAY + timedelta(days=3)
    resident = Stay("one", TODAY, expected_departure_on=later)
    assert explain((resident,), (), TODAY, DEFAULT_POLICY) == StayReason(
        ReasonKind.DEPARTURE_EXPECTED, later, "one"
    )
    passed = Stay("one", TODAY, expected_departure_on=TODAY - timedelta(days=1))
    assert explain((passed,), (), TODAY, DEFAULT_POLICY).kind is ReasonKind.DEPARTURE_PASSED
    guest = resident._replace(kind=ReservationKind.GUEST)
    assert explain((guest,), (), TODAY, DEFAULT_POLICY).kind is ReasonKind.NO_END


def test_who_leaves_within_the_days_of_turnover_may_still_be_the_next() -> None:
    policy = Policy(turnover_days=2)
    tomorrow = TODAY + timedelta(days=1)
    for ends_on in (TODAY - timedelta(days=2), TODAY, tomorrow):
        odd = Stay("odd", CorruptDay("soon"), move_out_on=ends_on)
        assert explain((odd,), (), TODAY, policy) == StayReason(
            ReasonKind.NEXT_STAY, odd.start_on, "odd"
        )
    gone = Stay("gone", CorruptDay("soon"), move_out_on=TODAY - timedelta(days=3))
    assert explain((gone,), (), TODAY, policy) == StayReason(ReasonKind.FREE)
    short = Stay("short", tomorrow, move_out_on=tomorrow)
    assert explain((short,), (), TODAY, policy) == StayReason(
        ReasonKind.NEXT_STAY, tomorrow, "short"
    )
