"""Each coming departure has one cleaning, from the day somebody leaves to the next arrival."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from pms.rules.turnovers import (
    RECORDED_LATE,
    KnownTurnover,
    MovedTurnover,
    Turnover,
    TurnoverPlan,
    UnitStay,
    plan_turnovers,
)

TODAY = date(2026, 11, 20)
LATER = TODAY + timedelta(days=10)


def stay(id_: str = "sato", **given_facts: object) -> UnitStay:
    """Somebody who lives in 101 and says nothing of leaving."""
    living = UnitStay(id_, "101", TODAY - timedelta(days=200), None, False, TODAY, False)
    return replace(living, **given_facts)  # type: ignore[arg-type]


def cleaning(of: str, opens_on: date | None = LATER, **given_facts: object) -> KnownTurnover:
    """A cleaning nobody has begun."""
    known = KnownTurnover(f"task {of}", of, opens_on, None, False, False, False)
    return replace(known, **given_facts)  # type: ignore[arg-type]


days = st.integers(-30, 30).map(lambda n: TODAY + timedelta(days=n))
some_stays = st.lists(
    st.builds(
        UnitStay,
        id=st.integers(0, 9).map(str),
        unit_id=st.sampled_from(("101", "102")),
        starts_on=st.none() | days,
        ends_on=st.none() | days,
        is_cancelled=st.booleans(),
        written_on=days,
        is_as_first_written=st.booleans(),
    ),
    max_size=8,
    unique_by=lambda one: one.id,
)
some_known = st.lists(
    st.builds(
        KnownTurnover,
        id=st.integers(0, 10_000).map(str),
        stay_id=st.integers(0, 12).map(str),
        opens_on=st.none() | days,
        due_on=st.none() | days,
        is_begun=st.booleans(),
        is_done=st.just(False),
        is_released=st.just(False),
    ).flatmap(
        lambda one: st.sampled_from(
            (
                one,
                replace(one, is_begun=True, is_done=True),
                replace(one, is_begun=True, is_released=True),
            )
        )
    ),
    max_size=8,
    unique_by=(lambda one: one.id, lambda one: one.stay_id),
)


def carried_out(known: Sequence[KnownTurnover], plan: TurnoverPlan) -> list[KnownTurnover]:
    """The cleanings once the plan is written."""
    moved = {one.known.id: one.becomes for one in plan.moved}
    gone = {one.id for one in plan.dropped}
    released = {one.id for one in plan.released}
    after = []
    for one in known:
        if one.id in moved:
            days_ = moved[one.id]
            after.append(
                replace(one, opens_on=days_.opens_on, due_on=days_.due_on, is_released=False)
            )
        elif one.id in released and not one.is_done:
            after.append(replace(one, is_released=True))
        elif one.id not in gone and one.id not in released:
            after.append(one)
    added = [
        KnownTurnover(f"new {one.stay_id}", one.stay_id, one.opens_on, one.due_on, *[False] * 3)
        for one in plan.added
    ]
    return after + added


@given(some_stays, some_known, st.none() | days)
def test_no_departure_has_two_cleanings_and_asking_again_changes_nothing(
    stays: list[UnitStay], known: list[KnownTurnover], today: date | None
) -> None:
    after = carried_out(known, plan_turnovers(stays, known, today))
    of_stays = [one.stay_id for one in after]
    assert len(of_stays) == len(set(of_stays))
    assert not plan_turnovers(stays, after, today)


@given(some_stays, some_known, st.none() | days)
def test_a_cleaning_is_of_somebody_who_leaves_and_is_never_due_before_it_opens(
    stays: list[UnitStay], known: list[KnownTurnover], today: date | None
) -> None:
    plan = plan_turnovers(stays, known, today)
    of = {one.id: one for one in stays}
    for turnover in (*plan.added, *(one.becomes for one in plan.moved)):
        assert not of[turnover.stay_id].is_cancelled
        assert of[turnover.stay_id].ends_on == turnover.opens_on
        assert turnover.due_on is None or turnover.due_on >= turnover.opens_on


@given(some_stays, some_known, st.none() | days)
def test_what_is_begun_is_never_dropped_and_what_is_done_is_never_moved(
    stays: list[UnitStay], known: list[KnownTurnover], today: date | None
) -> None:
    plan = plan_turnovers(stays, known, today)
    assert not any(one.is_begun for one in plan.dropped)
    assert not any(one.known.is_done for one in plan.moved)


@given(some_stays)
def test_what_is_first_written_after_somebody_left_asks_for_nothing(stays: list[UnitStay]) -> None:
    written_on = max((one.written_on for one in stays), default=TODAY)
    history = [replace(one, written_on=written_on, is_as_first_written=True) for one in stays]
    assert all(one.opens_on >= written_on for one in plan_turnovers(history, ()).added)


def test_without_a_known_arrival_a_cleaning_is_due_on_no_day() -> None:
    plan = plan_turnovers([stay(ends_on=LATER)], ())
    assert plan.added == (Turnover("sato", LATER, None),)


def test_a_cleaning_is_due_on_the_next_effective_start_in_the_same_unit() -> None:
    next_on = LATER + timedelta(days=3)
    others = [
        stay("first", starts_on=next_on),
        stay("second", starts_on=next_on + timedelta(days=60)),
        stay("elsewhere", starts_on=LATER, unit_id="102"),
        stay("cancelled", starts_on=LATER, is_cancelled=True),
    ]
    (found,) = plan_turnovers([stay(ends_on=LATER), *others], ()).added
    assert found.due_on == next_on


def test_somebody_may_arrive_on_the_day_another_leaves() -> None:
    (found,) = plan_turnovers([stay(ends_on=LATER), stay("next", starts_on=LATER)], ()).added
    assert found == Turnover("sato", LATER, LATER)


def test_a_moved_departure_moves_its_cleaning() -> None:
    known = cleaning("sato", TODAY)
    plan = plan_turnovers([stay(ends_on=LATER)], [known])
    assert plan == TurnoverPlan(moved=(MovedTurnover(known, Turnover("sato", LATER, None)),))


def test_a_departure_that_comes_no_more_takes_its_cleaning_along_unless_it_is_begun() -> None:
    untouched, begun = cleaning("sato"), cleaning("kato", is_begun=True)
    plan = plan_turnovers([stay(), stay("kato")], [untouched, begun])
    assert plan == TurnoverPlan(dropped=(untouched,), released=(begun,))


def test_a_released_cleaning_is_asked_for_again_when_somebody_leaves_after_all() -> None:
    known = cleaning("sato", LATER, is_begun=True, is_released=True)
    (moved,) = plan_turnovers([stay(ends_on=LATER)], [known]).moved
    assert moved.becomes == Turnover("sato", LATER, None)


def test_a_departure_recorded_late_is_cleaned_unless_somebody_moved_in_since() -> None:
    left_on = TODAY - RECORDED_LATE
    left = stay(ends_on=left_on)
    assert plan_turnovers([left], ()).added == (Turnover("sato", left_on, None),)
    assert not plan_turnovers([left, stay("next", starts_on=TODAY - timedelta(days=1))], ())
    assert not plan_turnovers([stay(ends_on=left_on - timedelta(days=1))], ())


def test_a_plan_with_anything_to_do_is_true() -> None:
    wanted = Turnover("sato", LATER, None)
    known = cleaning("sato")
    assert not TurnoverPlan()
    for plan in (
        TurnoverPlan(added=(wanted,)),
        TurnoverPlan(moved=(MovedTurnover(known, wanted),)),
        TurnoverPlan(dropped=(known,)),
        TurnoverPlan(released=(known,)),
    ):
        assert plan


def test_a_departure_recorded_late_is_cleaned_for_who_arrives_today() -> None:
    gone = TODAY - timedelta(days=2)
    left = stay(ends_on=gone)
    for arrival, is_asked in ((TODAY, True), (TODAY - timedelta(days=1), False)):
        plan = plan_turnovers((left, stay("ito", starts_on=arrival)), (), TODAY)
        assert bool(plan.added) is is_asked


def test_what_is_first_written_on_the_day_of_the_departure_asks_for_a_cleaning() -> None:
    left = stay(ends_on=TODAY, is_as_first_written=True)
    assert plan_turnovers((left,), (), TODAY).added == (Turnover("sato", TODAY, None),)


def test_the_latest_writing_of_a_unit_tells_the_day_whichever_stay_it_is_of() -> None:
    left_on = TODAY - RECORDED_LATE - timedelta(days=1)
    left = stay(ends_on=left_on, written_on=left_on)
    written_today, elsewhere = stay("ito"), stay("kato", unit_id="102")
    assert plan_turnovers([left, elsewhere], ()).added == (Turnover("sato", left_on, None),)
    assert not plan_turnovers([left, written_today], ())
    assert not plan_turnovers([written_today, left], ())
