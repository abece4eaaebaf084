"""A unit's availability is decided for any stays, and never promises what is not confirmed."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.availability.labels import label
from pms.rules.availability import (
    Availability,
    UnknownKinds,
    decide,
    is_living,
    is_shown,
    matches_available_now,
    matches_move_in_by,
    read_excluded_kinds,
)
from pms.rules.days import ONE_DAY, CorruptDay
from pms.rules.enumerations import AvailabilityState, Locale, ReservationKind
from pms.rules.policy import DEFAULT_POLICY, Policy
from pms.rules.unit_stays import Block, Stay
from tests.rules.facts import (
    TODAY,
    blocks,
    blocks_of_a_unit,
    near_days,
    policies,
    stays,
    stays_of_a_unit,
)

CORRUPT = CorruptDay("2026-06-31")
FREE = frozenset({AvailabilityState.AVAILABLE_NOW, AvailabilityState.AVAILABLE_FROM})


@given(stays_of_a_unit, blocks_of_a_unit, policies, st.sampled_from(Locale))
def test_whatever_is_recorded_there_is_an_answer_with_a_label(
    unit: list[Stay], blocked: list[Block], policy: Policy, locale: Locale
) -> None:
    answer = decide(unit, blocked, TODAY, policy)
    assert label(answer, locale)
    # Only a booking that nobody moved into is told by a day that has passed: its start.
    is_awaited = any(stay.start_on == answer.on and stay.is_unconfirmed for stay in unit)
    assert answer.on is None or answer.on >= TODAY or is_awaited
    assert answer.is_confirmed == (answer.move_in_from is not None)


@given(stays_of_a_unit, blocks_of_a_unit, policies)
def test_a_move_in_is_offered_only_where_the_state_says_free(
    unit: list[Stay], blocked: list[Block], policy: Policy
) -> None:
    answer = decide(unit, blocked, TODAY, policy)
    assert not answer.is_confirmed or answer.state in FREE
    assert not (answer.is_confirmed and answer.is_possible)
    if answer.state is AvailabilityState.AVAILABLE_NOW:
        assert answer.move_in_from == TODAY


@given(stays_of_a_unit, blocks_of_a_unit, blocks, policies)
def test_adding_a_block_never_makes_a_unit_freer(
    unit: list[Stay], blocked: list[Block], more: Block, policy: Policy
) -> None:
    before = decide(unit, blocked, TODAY, policy)
    after = decide(unit, [*blocked, more], TODAY, policy)
    assert after == before or after.state is AvailabilityState.RESERVED


@given(stays_of_a_unit, blocks_of_a_unit, stays, policies)
def test_adding_a_stay_never_brings_a_move_in_forward(
    unit: list[Stay], blocked: list[Block], more: Stay, policy: Policy
) -> None:
    before = decide(unit, blocked, TODAY, policy)
    after = decide([*unit, more], blocked, TODAY, policy)
    if after.move_in_from is not None:
        assert before.move_in_from is not None
        assert before.move_in_from <= after.move_in_from


@given(st.permutations(range(4)), st.lists(stays, min_size=4, max_size=4), policies)
def test_the_order_of_the_stays_does_not_matter(
    order: list[int], unit: list[Stay], policy: Policy
) -> None:
    shuffled = [unit[place] for place in order]
    assert decide(shuffled, [], TODAY, policy) == decide(unit, [], TODAY, policy)


@given(stays_of_a_unit, blocks_of_a_unit, policies)
def test_cancelled_stays_might_as_well_not_exist(
    unit: list[Stay], blocked: list[Block], policy: Policy
) -> None:
    kept = [stay for stay in unit if not stay.is_cancelled]
    assert decide(unit, blocked, TODAY, policy) == decide(kept, blocked, TODAY, policy)


@given(stays_of_a_unit, blocks_of_a_unit, near_days, policies)
def test_an_expected_departure_never_frees_a_unit(
    unit: list[Stay], blocked: list[Block], departs_on: date, policy: Policy
) -> None:
    expecting = [stay._replace(expected_departure_on=departs_on) for stay in unit]
    silent = [stay._replace(expected_departure_on=None) for stay in unit]
    after, before = (decide(those, blocked, TODAY, policy) for those in (expecting, silent))
    assert after.move_in_from == before.move_in_from


@given(near_days, st.integers(0, 7))
def test_a_filed_move_out_is_shown_until_its_day_is_past(move_out_on: date, rest: int) -> None:
    stay = Stay("A", TODAY - timedelta(days=90), move_out_on=move_out_on)
    answer = decide([stay], [], TODAY, replace(DEFAULT_POLICY, turnover_days=rest))
    free_on = move_out_on + timedelta(days=rest)
    if free_on < TODAY:
        assert answer == Availability(AvailabilityState.AVAILABLE_NOW, None, TODAY)
    else:
        assert answer == Availability(AvailabilityState.AVAILABLE_FROM, free_on, free_on)


@given(stays_of_a_unit, blocks_of_a_unit, near_days, policies)
def test_the_list_filters_keep_confirmed_units_only(
    unit: list[Stay], blocked: list[Block], move_in_by: date, policy: Policy
) -> None:
    answer = decide(unit, blocked, TODAY, policy)
    if matches_available_now(answer) or matches_move_in_by(answer, move_in_by):
        assert answer.is_confirmed
    if matches_move_in_by(answer, move_in_by):
        assert matches_move_in_by(answer, move_in_by + ONE_DAY)


def test_move_in_by_includes_its_own_day() -> None:
    free_on = TODAY + ONE_DAY
    answer = Availability(AvailabilityState.AVAILABLE_FROM, free_on, free_on)
    assert matches_move_in_by(answer, free_on)
    assert not matches_move_in_by(answer, TODAY)


@pytest.mark.parametrize("state", AvailabilityState)
@pytest.mark.parametrize("locale", Locale)
def test_every_state_has_a_plain_label(state: AvailabilityState, locale: Locale) -> None:
    assert label(Availability(state, None, None), locale)


@pytest.mark.parametrize(
    ("state", "japanese", "plain"),
    [
        (AvailabilityState.AVAILABLE_FROM, "2026年12月1日から空室", "空室予定"),
        (AvailabilityState.RESERVED, "2026年12月1日から予約済み", "予約済み"),
        (
            AvailabilityState.POSSIBLY_AVAILABLE,
            "2026年12月1日頃空室の可能性あり",
            "空室の可能性あり",
        ),
    ],
)
def test_a_japanese_label_reads_naturally(
    state: AvailabilityState, japanese: str, plain: str
) -> None:
    assert label(Availability(state, date(2026, 12, 1), None), Locale.JA) == japanese
    assert label(Availability(state, None, None), Locale.JA) == plain


def test_the_latest_of_several_known_ends_is_shown() -> None:
    living = [
        Stay("A", date(2026, 1, 1), move_out_on=date(2026, 6, 30)),
        Stay("B", date(2026, 1, 1), move_out_on=date(2026, 8, 31)),
    ]
    assert decide(living, [], TODAY, DEFAULT_POLICY).on == date(2026, 8, 31)


def test_a_corrupt_date_among_several_takes_the_date_and_keeps_the_state() -> None:
    living = [
        Stay("A", date(2026, 1, 1), move_out_on=date(2026, 6, 30)),
        Stay("B", date(2026, 1, 1), move_out_on=CORRUPT),
    ]
    answer = decide(living, [], TODAY, DEFAULT_POLICY)
    assert answer == Availability(AvailabilityState.AVAILABLE_FROM, None, None)
    coming = [Stay("A", date(2026, 9, 1)), Stay("B", CORRUPT)]
    answer = decide(coming, [], TODAY, DEFAULT_POLICY)
    assert answer == Availability(AvailabilityState.RESERVED, None, None)


@pytest.mark.parametrize(
    ("block", "state", "on"),
    [
        (Block(CORRUPT, TODAY - ONE_DAY), AvailabilityState.AVAILABLE_NOW, None),
        (Block(CORRUPT, TODAY), AvailabilityState.RESERVED, None),
        (Block(CORRUPT, None), AvailabilityState.RESERVED, None),
        (Block(TODAY, CORRUPT), AvailabilityState.RESERVED, None),
        (Block(TODAY + ONE_DAY, CORRUPT), AvailabilityState.RESERVED, TODAY + ONE_DAY),
    ],
)
def test_a_block_with_a_corrupt_date_blocks_unless_it_is_surely_over(
    block: Block, state: AvailabilityState, on: date | None
) -> None:
    answer = decide([], [block], TODAY, DEFAULT_POLICY)
    assert (answer.state, answer.on) == (state, on)


def test_a_guest_without_a_readable_check_out_promises_no_date() -> None:
    guest = Stay("G", date(2026, 6, 8), CORRUPT, kind=ReservationKind.GUEST)
    answer = decide([guest], [], TODAY, DEFAULT_POLICY)
    assert answer == Availability(AvailabilityState.AVAILABLE_FROM, None, None)
    endless = guest._replace(end_on=None, expected_departure_on=date(2026, 7, 1))
    assert decide([endless], [], TODAY, DEFAULT_POLICY).state is AvailabilityState.OCCUPIED


@given(near_days, st.booleans())
def test_an_owner_resident_is_never_free_until_gone(day: date, is_filed: bool) -> None:
    owner = Stay("O", date(2026, 1, 1), kind=ReservationKind.OWNER_RESIDENT)
    if is_filed:
        owner = owner._replace(move_out_on=day)
    else:
        owner = owner._replace(expected_departure_on=day)
    answer = decide([owner], [], TODAY, DEFAULT_POLICY)
    is_gone = is_filed and day < TODAY
    expected = AvailabilityState.AVAILABLE_NOW if is_gone else AvailabilityState.OCCUPIED
    assert answer.state is expected


def test_the_owner_resident_filter_has_three_states_and_refuses_other_words() -> None:
    assert read_excluded_kinds(None) == frozenset({ReservationKind.OWNER_RESIDENT})
    assert read_excluded_kinds("") == read_excluded_kinds(" , ") == frozenset()
    assert read_excluded_kinds("guest, owner_resident") == frozenset(
        {ReservationKind.GUEST, ReservationKind.OWNER_RESIDENT}
    )
    assert read_excluded_kinds("guest,ghost") == UnknownKinds(("ghost",))


def test_a_view_leaves_out_a_unit_while_the_owner_lives_there() -> None:
    owner = Stay("O", date(2026, 1, 1), kind=ReservationKind.OWNER_RESIDENT)
    unset = read_excluded_kinds(None)
    assert isinstance(unset, frozenset)
    gone = owner._replace(move_out_on=TODAY - ONE_DAY)
    coming = owner._replace(start_on=TODAY + ONE_DAY)
    assert not is_shown([owner], unset, TODAY, DEFAULT_POLICY)
    assert is_shown([gone, coming], unset, TODAY, DEFAULT_POLICY)
    assert not is_shown([owner, coming], unset, TODAY, DEFAULT_POLICY)
    assert is_shown([owner], frozenset(), TODAY, DEFAULT_POLICY)


def test_somebody_lives_in_a_unit_through_the_move_out_day() -> None:
    stay = Stay("A", TODAY, move_out_on=TODAY)
    assert is_living(stay, TODAY, DEFAULT_POLICY)
    assert not is_living(stay, TODAY + ONE_DAY, DEFAULT_POLICY)
    assert not is_living(stay, TODAY - ONE_DAY, DEFAULT_POLICY)


def test_a_block_that_is_over_hides_no_other() -> None:
    over = Block(TODAY - 9 * ONE_DAY, TODAY - ONE_DAY)
    tomorrow = TODAY + ONE_DAY
    for blocked, on in (([over, Block(TODAY)], None), ([over, Block(tomorrow)], tomorrow)):
        assert decide([], blocked, TODAY, DEFAULT_POLICY) == Availability(
            AvailabilityState.RESERVED, on, None
        )
    assert decide([], [over], TODAY, DEFAULT_POLICY).state is AvailabilityState.AVAILABLE_NOW


def test_who_leaves_on_the_first_day_held_that_one_night() -> None:
    stay = Stay("A", TODAY, move_out_on=TODAY)
    tomorrow = TODAY + ONE_DAY
    answer = decide([stay], [], TODAY, DEFAULT_POLICY)
    assert answer == Availability(AvailabilityState.AVAILABLE_FROM, tomorrow, tomorrow)
    free = Availability(AvailabilityState.AVAILABLE_NOW, None, tomorrow)
    assert decide([stay], [], tomorrow, DEFAULT_POLICY) == free
