"""Which nights others are told as taken, and where a stay meets a block from outside."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.rules.availability import Availability, decide
from pms.rules.days import FIRST_DAY, LAST_DAY, CorruptDay
from pms.rules.enumerations import AvailabilityState, ReservationKind
from pms.rules.policy import Policy
from pms.rules.unit_stays import Block, Span, Stay
from pms.rules.vacancy import (
    Meeting,
    block_span,
    end_at_successors,
    held_spans,
    is_held,
    meetings,
    own_runs,
    repeats_own_nights,
    vacancy_for,
    without_echoes,
)
from tests.rules.facts import stays_of_a_unit

TODAY = date(2026, 6, 10)
ONE = timedelta(days=1)
EARLY, LATE = date(2026, 1, 1), date(2026, 6, 30)


def held(*stays: Stay) -> list[date | None]:
    return [span.free_from_on for span in held_spans(stays, TODAY, Policy())]


FAR = date(2026, 12, 31)


@pytest.mark.parametrize(
    "stay",
    [
        Stay("month to month", EARLY, LATE),
        Stay("within the contract", EARLY, FAR),
        Stay("contract past", EARLY, EARLY),
        Stay("to come", TODAY + 20 * ONE, FAR),
        Stay("booked and awaited", TODAY - 9 * ONE, FAR, is_unconfirmed=True),
        Stay("expected departure", EARLY, FAR, expected_departure_on=TODAY + 5 * ONE),
        Stay("owner to leave", EARLY, move_out_on=LATE, kind=ReservationKind.OWNER_RESIDENT),
        Stay("unreadable notice", EARLY, FAR, move_out_on=CorruptDay("soon")),
        Stay("guest without an end", EARLY, kind=ReservationKind.GUEST),
    ],
    ids=lambda stay: stay.id,
)
def test_who_filed_no_notice_holds_the_unit_without_an_end(stay: Stay) -> None:
    assert held(stay) == [None]


def test_a_notice_and_a_check_out_are_known_ends() -> None:
    assert held(Stay("one", EARLY, FAR, move_out_on=LATE)) == [LATE]
    assert held(Stay("guest", EARLY, LATE, kind=ReservationKind.GUEST)) == [LATE]


def test_what_is_over_holds_nothing() -> None:
    over = TODAY - 5 * ONE
    assert held(Stay("gone", EARLY, FAR, move_out_on=over)) == []
    assert held(Stay("nobody came", EARLY, over, is_unconfirmed=True)) == []
    assert held(Stay("cancelled", EARLY, FAR, is_cancelled=True)) == []


def test_a_start_that_cannot_be_read_counts_from_today() -> None:
    odd = Stay("odd", CorruptDay("soon"), FAR)
    assert held_spans([odd], TODAY, Policy()) == (Span("odd", TODAY, None),)


near = st.integers(-40, 40).map(lambda days: TODAY + days * ONE)


@given(stays_of_a_unit, near)
def test_the_nights_held_are_those_on_which_the_unit_is_not_free(
    stays: list[Stay], night: date
) -> None:
    """The published calendar gives the answer of find-a-room, offers, links and the API."""
    night, known = max(night, TODAY), [stay._replace(id=str(n)) for n, stay in enumerate(stays)]
    runs = own_runs(held_spans(known, TODAY, Policy()))
    is_taken = is_held(Span("", night, night + ONE), runs, TODAY)
    wanted = Stay("", night, night + ONE, kind=ReservationKind.GUEST)
    assert vacancy_for(wanted, known, (), TODAY, Policy()).is_free is not is_taken


def test_nights_that_touch_are_one_run() -> None:
    spans = [Span("a", EARLY, LATE), Span("b", LATE, FAR), Span("c", FAR + ONE, None)]
    assert [run[1:] for run in own_runs(spans)] == [(EARLY, FAR), (FAR + ONE, None)]


def told(*stays: Stay) -> list[date | None]:
    spans = end_at_successors(held_spans(stays, TODAY, Policy()), TODAY)
    return [span.free_from_on for span in spans]


def test_without_a_notice_a_conflict_is_told_until_somebody_else_moves_in() -> None:
    after = Stay("two", date(2026, 7, 5), FAR)
    assert told(Stay("within the contract", EARLY, FAR)) == [None]
    assert told(after, Stay("one", EARLY, FAR)) == [after.start_on, None]
    assert told(after, Stay("one", EARLY, FAR, move_out_on=LATE)) == [LATE, None]
    assert told(Stay("one", EARLY), Stay("lives there too", LATE - 60 * ONE)) == [None, None]
    assert told(Stay("one", EARLY), Stay("unreadable", CorruptDay("soon"))) == [None, None]


LEAVES = Stay("leaves", EARLY, FAR, move_out_on=LATE)


@pytest.mark.parametrize(
    ("first_on", "last_on", "is_echo"),
    [
        (TODAY + ONE, LATE - ONE, True),
        (EARLY, LATE - ONE, True),
        (TODAY + 3 * ONE, LATE - 3 * ONE, True),
        (TODAY + ONE, LATE, False),
        (LATE, FAR, False),
        (TODAY, None, False),
    ],
)
def test_a_channel_s_block_within_our_own_nights_changes_no_state(
    first_on: date, last_on: date | None, *, is_echo: bool
) -> None:
    block = Block(first_on, last_on, is_of_channel=True)
    kept = without_echoes([block], [LEAVES], TODAY, Policy())
    assert (kept == []) is is_echo
    ours = block._replace(is_of_channel=False)
    assert without_echoes([ours], [LEAVES], TODAY, Policy()) == [ours]
    free = Availability(AvailabilityState.AVAILABLE_FROM, LATE, LATE)
    assert (decide([LEAVES], kept, TODAY, Policy()) == free) is is_echo


@pytest.mark.parametrize(
    ("first_on", "until_on", "is_repeated"),
    [
        (TODAY + ONE, LATE, True),
        (EARLY, LATE, True),
        (TODAY + 2 * ONE, LATE, False),
        (TODAY + ONE, LATE - ONE, False),
        (TODAY + ONE, LATE + ONE, False),
    ],
)
def test_a_second_stay_within_our_nights_is_no_echo(
    first_on: date, until_on: date, *, is_repeated: bool
) -> None:
    spans = held_spans([LEAVES], TODAY, Policy())
    assert repeats_own_nights(Span("x", first_on, until_on), spans, TODAY) is is_repeated


def test_the_echo_of_a_stay_without_an_end_reaches_far_ahead() -> None:
    spans = held_spans([Stay("lives", EARLY, LATE)], TODAY, Policy())
    assert repeats_own_nights(Span("x", TODAY, TODAY + 180 * ONE), spans, TODAY)
    assert not repeats_own_nights(Span("x", TODAY, TODAY + 4 * ONE), spans, TODAY)


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


def test_who_waits_for_a_move_in_holds_tonight_and_nobody_s_stay_is_empty() -> None:
    late = Stay("late", EARLY, FAR, move_out_on=TODAY, is_unconfirmed=True)
    unread = Stay("unread", CorruptDay("soon"), FAR, move_out_on=TODAY)
    for stay in (late, unread, Stay("one night", TODAY, TODAY, kind=ReservationKind.GUEST)):
        assert held(stay) == [TODAY + ONE]
        night = stay._replace(id="", start_on=TODAY, end_on=None, move_out_on=None)
        assert not vacancy_for(night, [stay], (), TODAY, Policy()).is_free


@pytest.mark.parametrize(
    ("from_day", "until_day", "is_repeated"),
    [
        (25, 28, True),
        (10, 28, True),
        (10, 25, True),
        (26, 28, False),
        (25, 27, False),
        (12, 25, False),
    ],
)
def test_the_turnover_after_a_stay_told_back_is_our_own(
    from_day: int, until_day: int, is_repeated: bool
) -> None:
    """We publish a stay of the 10th to the 25th until the 28th; channels tell either part back."""
    stayed = Span("own", date(2027, 3, 10), date(2027, 3, 28))
    told_back = Span("x", date(2027, 3, from_day), date(2027, 3, until_day))
    assert repeats_own_nights(told_back, [stayed], TODAY, turnover_days=3) is is_repeated
