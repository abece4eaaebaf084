"""A booking that was neither confirmed nor moved into: nobody lives there, also after its start."""

from dataclasses import replace
from datetime import date

import pytest

from pms.availability.labels import label
from pms.rules.availability import ReasonKind, StayReason, decide, explain, is_living
from pms.rules.contract_dates import ContractTerm
from pms.rules.enumerations import Lifecycle, MonthToMonthState, ReservationKind
from pms.rules.policy import DEFAULT_POLICY, Policy
from pms.rules.unit_stays import (
    BillableSpan,
    Span,
    Stay,
    TenancyFacts,
    billable_span,
    is_unconfirmed,
    month_to_month_state,
    read_spans,
)
from pms.rules.vacancy import vacancy_for

START, END = date(2026, 11, 1), date(2027, 1, 31)
TODAY = date(2027, 1, 20)
LATER = date(2027, 2, 1)
NO_SHOW = Stay("A", START, END, is_unconfirmed=True)
BOOKED = TenancyFacts(ContractTerm(START, END), is_unconfirmed=True)


@pytest.mark.parametrize(
    ("lifecycle", "kind", "is_waiting"),
    [
        (Lifecycle.BOOKED, ReservationKind.RESIDENT, True),
        (Lifecycle.CONFIRMED, ReservationKind.RESIDENT, False),
        (Lifecycle.LIVING, ReservationKind.RESIDENT, False),
        (Lifecycle.BOOKED, ReservationKind.GUEST, False),
        (Lifecycle.BOOKED, ReservationKind.OWNER_RESIDENT, False),
    ],
)
def test_only_a_resident_s_booking_waits_to_be_confirmed(
    lifecycle: Lifecycle, kind: ReservationKind, *, is_waiting: bool
) -> None:
    assert is_unconfirmed(lifecycle, kind) is is_waiting


def test_its_unit_is_reserved_from_its_start_and_the_reason_says_so() -> None:
    assert not is_living(NO_SHOW, TODAY, DEFAULT_POLICY)
    found = decide([NO_SHOW], [], TODAY, DEFAULT_POLICY)
    assert label(found) == "Reserved from 2026-11-01"
    reason = explain([NO_SHOW], [], TODAY, DEFAULT_POLICY)
    assert reason == StayReason(ReasonKind.AWAITED, START, "A")
    moved_in = NO_SHOW._replace(is_unconfirmed=False)
    assert label(decide([moved_in], [], TODAY, DEFAULT_POLICY)) == "Occupied"


def test_its_nights_end_with_its_contract_and_the_unit_is_free_then() -> None:
    after = date(2027, 2, 10)
    assert read_spans([NO_SHOW], after, DEFAULT_POLICY).spans == (Span("A", START, END),)
    assert label(decide([NO_SHOW], [], after, DEFAULT_POLICY)) == "Available now"
    wanted = Stay("B", after, date(2027, 6, 30))
    found = vacancy_for(wanted, [NO_SHOW], [], after, DEFAULT_POLICY)
    assert (found.is_free, found.followed) == (True, ())
    within_turnover = decide([NO_SHOW], [], LATER, Policy(turnover_days=3))
    assert label(within_turnover) == "Reserved from 2026-11-01"


def test_until_then_no_later_day_of_its_unit_is_free() -> None:
    wanted = Stay("B", date(2027, 3, 1), date(2027, 6, 30))
    assert not vacancy_for(wanted, [NO_SHOW], [], TODAY, DEFAULT_POLICY).is_free


@pytest.mark.parametrize("on", [TODAY, LATER, date(2027, 9, 1)])
def test_it_is_never_month_to_month_and_is_billed_to_its_contract_end_only(on: date) -> None:
    assert month_to_month_state(BOOKED, on, DEFAULT_POLICY) is MonthToMonthState.NONE
    assert billable_span(BOOKED, on, DEFAULT_POLICY) == BillableSpan(START, END)
    lives = replace(BOOKED, is_unconfirmed=False)
    assert month_to_month_state(lives, on, DEFAULT_POLICY) is MonthToMonthState.DERIVED
    assert billable_span(lives, on, DEFAULT_POLICY) == BillableSpan(START, None)
