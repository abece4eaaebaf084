"""Tenancies taken over: the worked cases and stories are answered as they are written."""

from dataclasses import replace
from datetime import date

import pytest

from pms.rules.enumerations import ReservationKind
from pms.rules.ledger_entries import EntryBalance
from pms.rules.payments import AllocatedPart
from pms.rules.rent_lines import RentLine
from pms.rules.taking_over import (
    OpeningDebt,
    TakenOver,
    TakeOverProblem,
    charged_here,
    days_billed_ahead,
    days_billed_before,
    lines_beyond,
    may_end_on,
    may_override_start,
    paid_by_opening_credit,
    refusal_of_take_over,
)
from tests.cases.by_rules import check_case, tell_story
from tests.cases.files import kept_cases, kept_stories
from tests.rules.take_overs import ANY_TERM
from tests.rules.worked_cases import Given

TAKEN = TakenOver(date(2026, 11, 20), date(2026, 11, 30))


@pytest.mark.parametrize("case", kept_cases("takeover.json"), ids=lambda case: case["id"])
def test_the_law_answers_a_case_of_a_tenancy_taken_over(case: Given) -> None:
    assert check_case(case) == [], case["note"]


@pytest.mark.parametrize("story", kept_stories("takeover.json"), ids=lambda story: story["id"])
def test_a_story_of_a_tenancy_taken_over_goes_as_it_is_told(story: Given) -> None:
    assert not list(tell_story(story))


@pytest.mark.parametrize(
    ("taken", "kind", "field"),
    [
        (replace(TAKEN, overpaid_yen=-1), "resident", TakeOverProblem.OVERPAID),
        (replace(TAKEN, deposit_held_yen=1), "owner_resident", TakeOverProblem.DEPOSIT_HELD),
        (
            replace(TAKEN, unpaid=(OpeningDebt("key", 0, TAKEN.on),)),
            "resident",
            TakeOverProblem.UNPAID,
        ),
        (
            replace(TAKEN, unpaid=(OpeningDebt("rent 2026-12", 1, TAKEN.on),)),
            "resident",
            TakeOverProblem.UNPAID,
        ),
        (replace(TAKEN, unpaid=(OpeningDebt("rent 2026-11", 1, TAKEN.on),)), "resident", None),
        (TAKEN, "owner_resident", None),
    ],
)
def test_a_take_over_names_the_fact_it_refuses(
    taken: TakenOver, kind: str, field: TakeOverProblem | None
) -> None:
    assert refusal_of_take_over(taken, ReservationKind(kind), is_begun=False) is field


def test_days_billed_before_are_touched_by_no_edit() -> None:
    through = date(2026, 11, 30)
    assert not may_override_start(date(2026, 12, 10), through, through)
    assert may_override_start(date(2026, 12, 10), date(2026, 12, 1), through)
    assert may_override_start(date(2020, 1, 1), date(2030, 1, 1), None)
    assert may_end_on(through, through)
    assert not may_end_on(date(2026, 11, 29), through)
    assert may_end_on(None, through)


def test_days_billed_beyond_a_move_out_are_named() -> None:
    through = date(2026, 12, 31)
    ahead = days_billed_ahead(date(2026, 12, 23), ANY_TERM, through)
    assert ahead == (date(2026, 12, 24), through)
    assert days_billed_ahead(date(2026, 12, 30), ANY_TERM, through) == (through, through)
    assert days_billed_ahead(through, ANY_TERM, through) is None
    assert days_billed_ahead(through, ANY_TERM, None) is None


def test_days_billed_before_end_with_the_last_day_billed() -> None:
    start_on, through = date(2026, 11, 10), date(2026, 11, 30)
    assert days_billed_before(start_on, through) == (start_on, through)
    assert days_billed_before(through, through) == (through, through)
    assert days_billed_before(date(2026, 12, 1), through) is None
    assert days_billed_before(start_on, None) is None


@pytest.mark.parametrize(
    ("elsewhere_yen", "left"),
    [(0, (30, 12)), (10, (20, 12)), (30, (12,)), (35, (7,)), (42, ()), (50, ())],
)
def test_what_was_charged_elsewhere_is_taken_off_the_first_lines(
    elsewhere_yen: int, left: tuple[int, ...]
) -> None:
    days = (date(2026, 11, 1), date(2026, 11, 30))
    lines = [RentLine("penalty", *days, yen) for yen in (30, 12)]
    beyond = lines_beyond(lines, elsewhere_yen)
    assert tuple(line.yen for line in beyond) == left
    assert all(line._replace(yen=0) == lines[0]._replace(yen=0) for line in beyond)


def test_what_came_along_overpaid_pays_the_oldest_due_first() -> None:
    credit = EntryBalance("credit", TAKEN.on, 0, paid_yen=100)
    later = EntryBalance("a", date(2026, 12, 25), 80)
    sooner = EntryBalance("b", date(2026, 12, 1), 70)
    paid = paid_by_opening_credit(credit, [later, sooner])
    assert paid == (AllocatedPart("b", 70), AllocatedPart("a", 30))
    assert paid_by_opening_credit(None, [sooner]) == ()


def test_a_notice_that_came_along_is_charged_for_what_exceeds_it() -> None:
    assert charged_here(75_000, 42_000) == 33_000
    assert charged_here(42_000, 75_000) == 0
