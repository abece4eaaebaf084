"""Which nights others are told as taken, and where a stay meets a block from outside."""

from datetime import date, timedelta

import pytest

from pms.rules.days import FIRST_DAY, LAST_DAY, CorruptDay
from pms.rules.enumerations import ReservationKind
from pms.rules.policy import Policy
from pms.rules.unit_stays import Block, Span, Stay
from pms.rules.vacancy import Meeting, block_span, held_spans, meetings

TODAY = date(2026, 6, 10)
ONE = timedelta(days=1)
EARLY, LATE = date(2026, 1, 1), date(2026, 6, 30)


def held(*stays: Stay) -> list[date | None]:
    return [span.free_from_on for span in held_spans(stays, TODAY, Policy())]


def test_whoever_is_month_to_month_holds_the_unit_without_an_end() -> None:
    assert held(Stay("one", EARLY, LATE)) == [None]


def test_a_notice_a_successor_or_a_window_not_yet_open_leaves_the_known_end() -> None:
    far_on = date(2026, 12, 31)
    assert held(Stay("one", EARLY, LATE, move_out_on=LATE)) == [LATE]
    assert held(Stay("one", EARLY, far_on)) == [far_on]
    after = Stay("two", date(2026, 7, 5), far_on)
    assert held(after, Stay("one", EARLY, LATE)) == [LATE, far_on]
    guest = Stay("guest", EARLY, LATE, kind=ReservationKind.GUEST)
    assert held(guest) == [LATE]


def test_of_two_that_begin_on_one_day_the_second_by_id_succeeds_the_first() -> None:
    assert held(Stay("b", EARLY, LATE), Stay("a", EARLY, LATE)) == [LATE, None]


@pytest.mark.parametrize(
    ("block", "first_on", "free_from_on"),
    [
        (Block(EARLY, LATE), EARLY, LATE + ONE),
        (Block(EARLY), EARLY, None),
        (Block(EARLY, LAST_DAY), EARLY, None),
        (Block(EARLY, LAST_DAY - ONE), EARLY, LAST_DAY),
        (Block(CorruptDay("soon"), LATE), FIRST_DAY, LATE + ONE),
        (Block(EARLY, CorruptDay("late")), EARLY, None),
    ],
)
def test_a_block_holds_its_last_day_and_a_damaged_one_holds_more(
    block: Block, first_on: date, free_from_on: date | None
) -> None:
    assert block_span("id", block) == Span("id", first_on, free_from_on)


def met(stay: tuple[date, date | None], block: tuple[date, date | None]) -> list[Meeting]:
    return list(meetings([Span("stay", *stay)], [Span("block", *block)], TODAY))


def test_a_stay_meets_a_block_on_the_nights_both_take() -> None:
    tomorrow = TODAY + ONE
    assert met((EARLY, LATE), (TODAY, None)) == [Meeting("stay", "block", TODAY, LATE)]
    assert met((TODAY, None), (EARLY, LATE)) == [Meeting("stay", "block", TODAY, LATE)]
    assert met((EARLY, None), (TODAY, None)) == [Meeting("stay", "block", TODAY, None)]
    assert met((EARLY, tomorrow), (EARLY, LATE)) == [Meeting("stay", "block", EARLY, tomorrow)]
    assert met((EARLY, TODAY), (EARLY, LATE)) == []
    assert met((EARLY, LATE), (EARLY, TODAY)) == []
    assert met((EARLY, TODAY + ONE), (tomorrow, LATE)) == []
