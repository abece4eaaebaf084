"""Two stays conflict exactly when they share a night."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from pms.rules.days import ONE_DAY, CorruptDay
from pms.rules.enumerations import ReservationKind
from pms.rules.policy import DEFAULT_POLICY, Policy
from pms.rules.unit_stays import (
    Span,
    Stay,
    conflicts,
    conflicts_with,
    overlaps,
    read_spans,
    span_of,
)
from tests.rules.facts import TODAY, near_days, policies, stays, stays_of_a_unit

FAR = 400
spans = st.builds(
    lambda id_, first_on, nights: Span(
        id_, first_on, None if nights is None else first_on + timedelta(days=nights)
    ),
    st.text("ABCDEFGH", min_size=1, max_size=4),
    near_days,
    st.none() | st.integers(0, 60),
)


def nights(span: Span) -> set[date]:
    last = span.free_from_on or TODAY + timedelta(days=FAR)
    return {span.first_on + timedelta(days=n) for n in range((last - span.first_on).days)}


@given(spans, spans)
def test_an_overlap_is_a_shared_night_and_goes_both_ways(one: Span, other: Span) -> None:
    assert overlaps(one, other) == overlaps(other, one) == bool(nights(one) & nights(other))


@given(spans, st.none() | st.integers(0, 60))
def test_a_stay_that_starts_when_another_is_free_never_conflicts(
    one: Span, more: int | None
) -> None:
    if one.free_from_on is not None:
        free_on = one.free_from_on
        after = Span("after", free_on, None if more is None else free_on + timedelta(days=more))
        assert not overlaps(one, after)


@given(st.lists(spans, max_size=7, unique_by=lambda span: span.id))
def test_the_sweep_finds_every_pair_once(unit: list[Span]) -> None:
    found = [frozenset((one.id, other.id)) for one, other in conflicts(unit)]
    expected = {
        frozenset((one.id, other.id))
        for one in unit
        for other in unit
        if one.id < other.id and overlaps(one, other)
    }
    assert len(found) == len(set(found))
    assert set(found) == expected


@given(spans, st.lists(spans, max_size=5))
def test_a_new_booking_meets_those_it_overlaps_and_never_itself(
    new: Span, unit: list[Span]
) -> None:
    met = conflicts_with(new, [*unit, new])
    assert all(overlaps(new, span) and span.id != new.id for span in met)


@given(stays_of_a_unit, policies)
def test_every_stay_is_cancelled_read_or_reported(unit: list[Stay], policy: Policy) -> None:
    reading = read_spans(unit, TODAY, policy)
    live = [stay for stay in unit if not stay.is_cancelled]
    assert len(reading.spans) + len(reading.unreadable) == len(live)
    assert all(
        span.free_from_on is None or span.first_on < span.free_from_on for span in reading.spans
    )


@given(stays, near_days, policies)
def test_an_expected_departure_is_never_read(stay: Stay, on: date, policy: Policy) -> None:
    expecting = stay._replace(expected_departure_on=on)
    assert span_of(expecting, TODAY, policy) == span_of(stay, TODAY, policy)


@given(stays)
def test_whoever_has_not_filed_is_there_tonight(stay: Stay) -> None:
    living = stay._replace(start_on=TODAY, move_out_on=None, kind=ReservationKind.RESIDENT)
    span = span_of(living, TODAY, DEFAULT_POLICY)
    assert span is not None
    assert TODAY in nights(span)


def test_a_corrupt_move_out_falls_to_the_contract_end_then_open() -> None:
    corrupt = CorruptDay("2026-06-31")
    stay = Stay("A", date(2026, 1, 1), date(2026, 8, 31), move_out_on=corrupt)
    assert span_of(stay, TODAY, DEFAULT_POLICY) == Span("A", date(2026, 1, 1), date(2026, 8, 31))
    open_stay = stay._replace(end_on=corrupt)
    assert span_of(open_stay, TODAY, DEFAULT_POLICY) == Span("A", date(2026, 1, 1), None)


def test_turnover_days_keep_a_unit_after_a_departure() -> None:
    stay = Stay("A", date(2026, 1, 1), move_out_on=date(2026, 6, 30))
    span = span_of(stay, TODAY, Policy(turnover_days=2))
    assert span == Span("A", date(2026, 1, 1), date(2026, 7, 2))


def test_a_stay_of_one_day_holds_that_night() -> None:
    day = TODAY + 30 * ONE_DAY
    one_day = Stay("A", day, day)
    left_at_once = Stay("B", day, day + 90 * ONE_DAY, move_out_on=day)
    for stay in (one_day, left_at_once):
        span = span_of(stay, TODAY, DEFAULT_POLICY)
        assert span == Span(stay.id, day, day + ONE_DAY)
        assert span_of(stay, TODAY, Policy(turnover_days=2)) == Span(
            stay.id, day, day + 3 * ONE_DAY
        )
        assert overlaps(span, Span("C", day - ONE_DAY, day + ONE_DAY))
        assert not overlaps(span, Span("D", day + ONE_DAY, None))


def test_a_guest_past_the_check_out_holds_no_more_nights() -> None:
    guest = Stay("G", TODAY - 3 * ONE_DAY, TODAY - ONE_DAY, kind=ReservationKind.GUEST)
    span = span_of(guest, TODAY, DEFAULT_POLICY)
    assert span == Span("G", TODAY - 3 * ONE_DAY, TODAY - ONE_DAY)


def test_pairs_are_found_in_the_order_of_their_days_whatever_they_are_called() -> None:
    late, early = Span("a", TODAY + 2 * ONE_DAY, None), Span("b", TODAY, TODAY + 9 * ONE_DAY)
    middle = Span("c", TODAY + ONE_DAY, TODAY + 2 * ONE_DAY)
    empty = Span("d", TODAY + ONE_DAY, TODAY + ONE_DAY)
    expected = [(early, middle), (early, late)]
    for unit in ([late, early, middle, empty], [empty, middle, late, early]):
        assert list(conflicts(unit)) == expected
