"""The reason shown for an availability is the one that decided it."""

from datetime import date, timedelta

from hypothesis import given

from pms.rules.availability import Availability, decide
from pms.rules.availability_reasons import Reason, ReasonKind, explain
from pms.rules.days import CorruptDay
from pms.rules.enumerations import AvailabilityState, ReservationKind
from pms.rules.policy import DEFAULT_POLICY, Policy
from pms.rules.stays import Block, Stay
from tests.rules.facts import TODAY, blocks_of_a_unit, policies, stays_of_a_unit

STATES = {
    ReasonKind.FORCED: AvailabilityState.OCCUPIED,
    ReasonKind.BLOCKED: AvailabilityState.RESERVED,
    ReasonKind.NEXT_STAY: AvailabilityState.RESERVED,
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


def day_shown(reason: Reason) -> date | None:
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
