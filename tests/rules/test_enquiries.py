"""How an enquiry and a viewing move on, and when two numbers are one."""

from datetime import UTC, date, datetime

import pytest

from pms.rules.addresses import telephone_key
from pms.rules.brand_colour import brand_colour
from pms.rules.enquiry_steps import (
    CLOSED,
    OPEN,
    advance_state,
    may_change,
    may_end,
    may_move,
    next_states,
    reopened_state,
)
from pms.rules.enumerations import EnquiryState, ViewingStatus

NEW, ANSWERED, VIEWING = EnquiryState.NEW, EnquiryState.ANSWERED, EnquiryState.VIEWING
OFFERED, WON, LOST = EnquiryState.OFFERED, EnquiryState.WON, EnquiryState.LOST
TODAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("state", "into"),
    [
        (NEW, (ANSWERED, VIEWING, OFFERED, WON, LOST)),
        (ANSWERED, (VIEWING, OFFERED, WON, LOST)),
        (VIEWING, (OFFERED, WON, LOST)),
        (OFFERED, (VIEWING, WON, LOST)),
        (WON, OPEN),
        (LOST, OPEN),
    ],
)
def test_an_enquiry_moves_to_these_states_and_no_others(
    state: EnquiryState, into: tuple[EnquiryState, ...]
) -> None:
    assert next_states(state) == into
    assert [one for one in EnquiryState if may_move(state, one)] == sorted(
        into, key=list(EnquiryState).index
    )


def test_a_verb_only_leads_on_and_opens_nothing_that_is_closed() -> None:
    assert advance_state(NEW, ANSWERED) is ANSWERED
    assert advance_state(OFFERED, ANSWERED) is OFFERED
    for closed in CLOSED:
        assert advance_state(closed, VIEWING) is closed
        assert advance_state(NEW, closed) is NEW
    assert (reopened_state(was_answered=False), reopened_state(was_answered=True)) == (
        NEW,
        ANSWERED,
    )


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("090-1234-5678", "09012345678"),
        ("+81 90 1234 5678", "09012345678"),
        ("+81 (0)90-1234-5678", "09012345678"),
        ("０９０ー１２３４ー５６７８", "09012345678"),
        ("+1 415 555 0100", "14155550100"),
        ("81-12-3456", "81123456"),
        ("110", None),
        ("", None),
        (None, None),
    ],
)
def test_two_spellings_of_a_number_are_one(typed: str | None, key: str | None) -> None:
    assert telephone_key(typed) == key


def test_a_result_is_noted_from_the_viewings_own_day_in_japan_on() -> None:
    late = datetime(2026, 11, 20, 14, 59, tzinfo=UTC)  # 23:59 in Japan
    tomorrow = datetime(2026, 11, 20, 15, 0, tzinfo=UTC)
    assert may_end(ViewingStatus.SCHEDULED, late, TODAY)
    assert not may_end(ViewingStatus.SCHEDULED, tomorrow, TODAY)
    assert may_end(ViewingStatus.NO_SHOW, late, TODAY), "a mistake is corrected"
    assert not may_end(ViewingStatus.CANCELLED, late, TODAY)
    assert [one for one in ViewingStatus if may_change(one)] == [ViewingStatus.SCHEDULED]


@pytest.mark.parametrize("hue", range(0, 360, 10))
def test_white_letters_can_be_read_on_the_colour_of_every_hue(hue: int) -> None:
    colour = brand_colour(hue)
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    luminance = sum(
        weight * one for weight, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True)
    )
    assert 1.05 / (luminance + 0.05) >= 4.5
