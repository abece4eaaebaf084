"""Who may report what about a home, how an applicant moves on, and which order is whose."""

from datetime import date, timedelta
from hashlib import blake2b

import pytest

from pms.rules.addresses import surname
from pms.rules.enquiry_steps import declined_kept_from, may_move_lead, next_lead_states
from pms.rules.enumerations import Lifecycle, ProjectState
from pms.rules.message_words import LeadState, OrderDoubt
from pms.rules.resident_reports import (
    ConditionWindow,
    NoReporting,
    condition_window,
    due_reminder,
    no_reporting,
    telling_words,
)
from pms.rules.template_places import fill_plainly, open_places
from pms.rules.upkeep_cost import NamedProject, doubt_of_order, known_order

TODAY = date(2026, 11, 20)
ONE = timedelta(days=1)
OPEN = NamedProject(ProjectState.OPEN, "house")


def test_the_arrival_opens_the_window_before_the_start_of_the_contract() -> None:
    assert condition_window(TODAY, TODAY + ONE) == ConditionWindow(TODAY)
    assert condition_window(None, TODAY) == ConditionWindow(TODAY)
    assert condition_window(None, None) is None


@pytest.mark.parametrize(
    ("days_after", "is_open", "reminder"),
    [(-2, False, None), (-1, True, 1), (2, True, 1), (3, True, 2), (7, True, 2), (8, False, None)],
)
def test_a_condition_is_reported_and_reminded_of_from_the_day_before_to_the_seventh_after(
    days_after: int, is_open: bool, reminder: int | None
) -> None:
    day = TODAY + timedelta(days=days_after)
    assert ConditionWindow(TODAY).is_open(day) is is_open
    assert due_reminder(TODAY, day) == reminder


@pytest.mark.parametrize(
    ("lifecycle", "start_on", "why"),
    [
        (Lifecycle.LIVING, None, None),
        (Lifecycle.NOTICE_FILED, None, None),
        (Lifecycle.BOOKED, TODAY + timedelta(days=7), None),
        (Lifecycle.CONFIRMED, TODAY + timedelta(days=8), NoReporting.NOT_YET),
        (Lifecycle.CONFIRMED, TODAY - ONE, None),
        (Lifecycle.BOOKED, None, NoReporting.NOT_YET),
        (Lifecycle.MOVED_OUT, TODAY - ONE, NoReporting.ENDED),
        (Lifecycle.CANCELLED, TODAY, NoReporting.ENDED),
    ],
)
def test_who_lives_there_or_comes_within_a_week_reports_a_problem(
    lifecycle: Lifecycle, start_on: date | None, why: NoReporting | None
) -> None:
    assert no_reporting(lifecycle, start_on, TODAY) is why


def test_a_problem_is_told_by_its_few_long_words_in_small_letters() -> None:
    assert telling_words("The Shower is cold, SHOWER!") == ("shower", "cold")
    assert telling_words("お湯の出ないシャワー、洗面台") == ("シャワー", "洗面台")
    assert len(telling_words("aaaa bbbb cccc dddd eeee ffff gggg")) == 6


def test_an_applicant_moves_on_and_a_closed_one_only_opens_again() -> None:
    for state in LeadState:
        for into in LeadState:
            assert may_move_lead(state, into) is (into in next_lead_states(state))
    assert not may_move_lead(LeadState.DECLINED, LeadState.TAKEN_ON)
    assert may_move_lead(LeadState.DECLINED, LeadState.IN_TALKS)
    assert declined_kept_from(TODAY) == date(2025, 11, 20)


@pytest.mark.parametrize(
    ("number", "project", "building_id", "is_repeated", "doubt"),
    [
        (1, OPEN, "house", False, None),
        (1, OPEN, None, False, None),
        (1, OPEN, "house", True, OrderDoubt.REPEATED),
        (1, OPEN, "elsewhere", True, OrderDoubt.ELSEWHERE),
        (1, NamedProject(ProjectState.DONE, "house"), "elsewhere", False, OrderDoubt.DONE),
        (1, NamedProject(ProjectState.CANCELLED, "house"), None, True, OrderDoubt.CANCELLED),
        (1, None, "house", False, OrderDoubt.UNKNOWN_NUMBER),
        (None, OPEN, "house", False, OrderDoubt.NO_NUMBER),
    ],
)
def test_an_order_is_cost_by_itself_only_when_nothing_speaks_against_it(
    number: int | None,
    project: NamedProject | None,
    building_id: str | None,
    is_repeated: bool,
    doubt: OrderDoubt | None,
) -> None:
    assert doubt_of_order(number, project, building_id, is_repeated=is_repeated) is doubt


def test_an_order_is_known_however_it_was_typed() -> None:
    known = known_order("Lumber Co", "A-1")
    assert len(known) == 32
    assert known == known_order(" lumber  co", "ａ－１")
    assert known != known_order("Lumber", "Co A-1")
    assert known != known_order("Lumber Co", "A-2")


@pytest.mark.parametrize(
    ("name", "greeted"),
    [
        ("山田 花子", "山田"),
        ("Tess de Wit", "Wit"),
        ("Tess", "Tess"),
        ("花子 Wit", "Wit"),
        (" ", ""),
    ],
)
def test_somebody_is_greeted_by_the_surname(name: str, greeted: str) -> None:
    assert surname(name) == greeted


def test_a_place_without_a_value_stays_for_whoever_sends_the_text() -> None:
    text = "Dear {{ name }}, {{day}} or {{ day }}, {{other}}"
    filled = fill_plainly(text, {"name": "Tess *", "day": None})
    assert filled == "Dear Tess *, {{day}} or {{ day }}, {{other}}"
    assert open_places(filled, {"name", "day"}) == ("day",)


def test_an_order_stays_known_by_the_same_digest() -> None:
    typed = "lumberco\na-1"
    assert known_order("Lumber Co", "A-1") == blake2b(typed.encode(), digest_size=16).hexdigest()
