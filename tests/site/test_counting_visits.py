"""Visits are counted day by day, each once, and what they were counted from is deleted."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from random import Random
from threading import Barrier

import pytest
from sqlalchemy import event, func, select
from sqlalchemy.orm import Session

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.jobs.daily_jobs import daily_job, do_daily
from pms.rules import telemetry
from pms.rules.enumerations import RunState, TelemetryAxis, TelemetryType
from pms.rules.telemetry import OTHER, Counted, SeenEvent, is_long_path
from pms.site import visits as counting
from pms.site.models import TelemetryDay, TelemetryOpenDay, TelemetryReport
from pms.site.received_visits import take_telemetry
from pms.site.visits import WebsiteVisits, website_visits
from tests.cast import Cast, House

pytestmark = pytest.mark.differs("time")

JOB = daily_job("count-telemetry")


def view(path: str = "/", visitor: str = "", **value: object) -> SeenEvent:
    return SeenEvent(TelemetryType.PAGE_VIEW, path, visitor_id=visitor, **value)  # type: ignore[arg-type]


def happened(name: str, path: str = "/", visitor: str = "") -> SeenEvent:
    return SeenEvent(TelemetryType.EVENT, path, name, visitor_id=visitor)


def took(database: Database, clock: FixedClock, house: House, *events: SeenEvent) -> int:
    with database.writing(house.workspace_id) as session:
        return take_telemetry(session, clock, events=events)


def counted(database: Database, clock: FixedClock, house: House) -> None:
    do_daily(JOB, database, clock, house.workspace_id, again=True)


def visits(database: Database, house: House, first_on: date, last_on: date) -> WebsiteVisits:
    with database.reading(house.workspace_id) as session:
        return website_visits(session, first_on, last_on)


def rows(session: Session, model: type) -> int:
    return session.scalar(select(func.count()).select_from(model)) or 0


def kept(database: Database, house: House) -> tuple[int, int, int]:
    """How many reports, open days and figures there are."""
    with database.reading(house.workspace_id) as session:
        first, second, third = (
            rows(session, model) for model in (TelemetryReport, TelemetryOpenDay, TelemetryDay)
        )
        return first, second, third


@pytest.fixture
def house(cast: Cast) -> House:
    return cast.sumida


def test_the_same_figures_before_and_after_a_day_is_counted_and_its_events_are_gone(
    database: Database, clock: FixedClock, house: House
) -> None:
    day = clock.today()
    took(
        database,
        clock,
        house,
        view("/units/a?utm_campaign=autumn", "hanako", referrer="https://www.google.com/"),
        view("/units/a", "emma"),
        view("/units/a", "emma"),
        view("/units/b"),
        happened("inquiry", "/units/a", "emma"),
    )
    before = visits(database, house, day, day)
    assert before.days == [(day, 4, 2)]
    assert before.seen[TelemetryAxis.PAGE] == [
        Counted("/units/a", "", 3, 2),
        Counted("/units/b", "", 1, 0),
    ]
    assert before.seen[TelemetryAxis.EVENT] == [Counted("inquiry", "/units/a", 1, 1)]
    assert before.seen[TelemetryAxis.CAMPAIGN] == [Counted("autumn", "", 1, 1)]
    assert before.seen[TelemetryAxis.REFERRER] == [Counted("www.google.com", "", 1, 1)]
    for days in (1, 1, 1):
        clock.advance(timedelta(days=days))
        counted(database, clock, house)
        assert visits(database, house, day, day) == before
    assert kept(database, house) == (0, 0, 6)


def test_a_day_stays_open_for_late_events_and_is_counted_again(
    database: Database, clock: FixedClock, house: House
) -> None:
    day, at = clock.today(), clock.now()
    took(database, clock, house, view("/", "hanako"))
    clock.advance(timedelta(days=1))
    counted(database, clock, house)
    clock.advance(timedelta(hours=20))
    took(
        database,
        clock,
        house,
        view("/", "hanako", occurred_at=at),
        view("/", "emma", occurred_at=at),
    )
    assert visits(database, house, day, day).days == [(day, 3, 2)], "seen before it is counted"
    clock.advance(timedelta(hours=1))
    counted(database, clock, house)
    assert visits(database, house, day, day).days == [(day, 3, 2)]
    assert kept(database, house)[0] == 2
    clock.advance(timedelta(days=1))
    counted(database, clock, house)
    assert visits(database, house, day, day).days == [(day, 3, 2)]
    assert kept(database, house) == (0, 0, 2)


def test_counting_twice_changes_nothing(
    database: Database, clock: FixedClock, house: House
) -> None:
    took(database, clock, house, view("/", "hanako"), view("/a", "emma"))
    clock.advance(timedelta(days=1))
    counted(database, clock, house)
    with database.reading(house.workspace_id) as session:
        first = list(session.execute(select(TelemetryDay.id, TelemetryDay.times)).all())
    counted(database, clock, house)
    with database.reading(house.workspace_id) as session:
        assert list(session.execute(select(TelemetryDay.id, TelemetryDay.times)).all()) == first


@pytest.mark.parametrize("steps", range(6))
def test_killed_after_any_step_it_ends_with_the_same_figures(
    database: Database,
    clock: FixedClock,
    house: House,
    monkeypatch: pytest.MonkeyPatch,
    steps: int,
) -> None:
    day = clock.today()
    for n in range(5):
        took(database, clock, house, view(f"/{n}", f"visitor-{n}"))
    before = visits(database, house, day, day)
    clock.advance(timedelta(days=3))
    real, done = counting.count_telemetry, 0

    def killed(session: Session, at: FixedClock, *, after: date) -> counting.Counting:
        nonlocal done
        done += 1
        step = real(session, at, most=2, after=after)
        if done > steps:
            raise KeyboardInterrupt  # what the step did is rolled back, as with a process
        return step

    monkeypatch.setattr("pms.site.visits.count_telemetry", killed)
    try:
        counted(database, clock, house)
    except KeyboardInterrupt:
        assert visits(database, house, day, day) == before
    monkeypatch.setattr("pms.site.visits.count_telemetry", real)
    counted(database, clock, house)
    assert visits(database, house, day, day) == before
    assert kept(database, house)[:2] == (0, 0)


def incompressible(many: int) -> str:
    """So many kanji that no packing makes shorter."""
    rng = Random(1)
    return "".join(chr(rng.randrange(0x4E00, 0x9FA0)) for _ in range(many))


def test_the_longest_that_is_taken_fits_where_figures_are_found(
    database: Database, clock: FixedClock, house: House
) -> None:
    day = clock.today()
    path, name = "/" + incompressible(333), "".join(chr(0x20000 + 7 * n) for n in range(100))
    hidden = "/" + "@/" * 499
    assert not is_long_path(path)
    assert is_long_path(path + "漢")
    assert not is_long_path(hidden)
    took(
        database,
        clock,
        house,
        *(happened(name, each) for each in (path, hidden)),
        view(path, campaign=name, referrer=f"https://{'a' * 253}/"),
    )
    before = visits(database, house, day, day)
    clock.advance(timedelta(days=1))
    run = do_daily(JOB, database, clock, house.workspace_id, again=True)
    assert run is not None
    assert (run.done, run.problems) == (1, 0)
    assert visits(database, house, day, day) == before


def test_a_day_that_cannot_be_counted_is_told_and_the_next_is_counted(
    database: Database, clock: FixedClock, house: House
) -> None:
    """What is longer than an index of PostgreSQL holds; SQLite's holds it."""
    first = clock.today()
    took(database, clock, house, happened("早い", "/" + incompressible(1_500)))
    clock.advance(timedelta(days=1))
    took(database, clock, house, view("/next", "hanako"))
    clock.advance(timedelta(days=3))
    fails = database.engine.dialect.name == "postgresql"
    run = do_daily(JOB, database, clock, house.workspace_id, again=True)
    assert run is not None
    assert (run.done, run.problems) == ((1, 1) if fails else (2, 0))
    assert run.state is (RunState.FINISHED_WITH_PROBLEMS if fails else RunState.FINISHED)
    with database.reading(house.workspace_id) as session:
        open_days = session.scalars(select(TelemetryOpenDay.day_on)).all()
        assert list(open_days) == ([first] if fails else [])
        counted_on = session.scalars(
            select(TelemetryDay.day_on).where(TelemetryDay.axis == TelemetryAxis.PAGE)
        ).all()
        assert list(counted_on) == [first + timedelta(days=1)]
    assert visits(database, house, first, first).events == 1, "seen, as its events are still there"


def test_reports_of_the_same_days_in_any_order_wait_for_each_other_and_end(
    database: Database, clock: FixedClock, house: House
) -> None:
    late, now = view(occurred_at=clock.now() - timedelta(days=1)), view()
    took(database, clock, house, late, now)
    barrier = Barrier(2)

    def run(events: tuple[SeenEvent, ...]) -> int:
        taken = 0
        for _ in range(25):
            barrier.wait(30)
            taken += took(database, clock, house, *events)
        return taken

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(run, [(late, now), (now, late)])) == [50, 50]
    assert kept(database, house)[0] == 102


def test_a_closed_day_takes_no_event_more(
    database: Database, clock: FixedClock, house: House
) -> None:
    at = clock.now()
    took(database, clock, house, view())
    with database.writing(house.workspace_id) as session:
        session.scalars(select(TelemetryOpenDay)).one().closed_at = at
    assert took(database, clock, house, view()) == 0
    assert kept(database, house)[0] == 1


def test_each_workspace_counts_its_own(database: Database, clock: FixedClock, cast: Cast) -> None:
    day = clock.today()
    took(database, clock, cast.sumida, view("/ours", "hanako"))
    took(database, clock, cast.minato, view("/theirs", "hanako"))
    clock.advance(timedelta(days=3))
    counted(database, clock, cast.sumida)
    assert kept(database, cast.minato) == (1, 1, 0)
    (page,) = visits(database, cast.minato, day, day).seen[TelemetryAxis.PAGE]
    assert page.value == "/theirs"


def test_figures_are_kept_for_25_months(
    database: Database, clock: FixedClock, house: House
) -> None:
    first = clock.today()
    took(database, clock, house, view())
    clock.advance(timedelta(days=3))
    counted(database, clock, house)
    clock.advance(datetime(2028, 12, 20, tzinfo=UTC) - clock.now())
    counted(database, clock, house)
    assert kept(database, house)[2] == 2, first
    clock.advance(timedelta(days=1))
    counted(database, clock, house)
    assert kept(database, house)[2] == 0


def test_one_who_comes_from_the_websites_own_pages_came_from_nowhere(
    database: Database, clock: FixedClock, house: House
) -> None:
    from pms.site.models import SiteConfiguration

    with database.writing(house.workspace_id) as session:
        session.scalars(select(SiteConfiguration)).one().base_url = "https://www.kawasemi.example"
    took(
        database,
        clock,
        house,
        view(referrer="https://www.kawasemi.example/units"),
        view(referrer="https://t.co/x"),
    )
    seen = visits(database, house, clock.today(), clock.today()).seen
    assert seen[TelemetryAxis.REFERRER] == [Counted("t.co", "", 1, 0)]


def test_a_flood_of_pages_is_counted_as_others(
    database: Database, clock: FixedClock, house: House
) -> None:
    day = clock.today()
    for part in range(3):
        took(database, clock, house, *(view(f"/{part}/{n}", "x") for n in range(100)))
    took(database, clock, house, *(view("/", "x") for _ in range(5)))
    pages = visits(database, house, day, day).seen[TelemetryAxis.PAGE]
    assert len(pages) == telemetry.MOST_VALUES[TelemetryAxis.PAGE] + 1
    assert Counted("/", "", 5, 1) in pages
    assert Counted(OTHER, "", 101, 101) in pages


def test_an_event_called_as_the_others_is_itself(
    database: Database, clock: FixedClock, house: House
) -> None:
    day, called = clock.today(), OTHER.strip()
    took(database, clock, house, *(happened(called) for _ in range(9)))
    for part in range(2):
        took(database, clock, house, *(happened(f"{part}-{n}") for n in range(100)))
    before = visits(database, house, day, day)
    events = before.seen[TelemetryAxis.EVENT]
    assert Counted(called, "/", 9, 0) in events
    assert [each for each in events if each.value == OTHER] == [Counted(OTHER, "", 1, 0)]
    clock.advance(timedelta(days=1))
    counted(database, clock, house)
    assert visits(database, house, day, day) == before


def test_the_number_of_questions_is_the_same_for_many_days(
    database: Database, clock: FixedClock, house: House
) -> None:
    asked: list[int] = []
    took(database, clock, house, view("/", "a"))
    for days in (1, 90):
        if days == 90:
            for _ in range(4):
                clock.advance(timedelta(days=1))
                counted(database, clock, house)
                took(database, clock, house, *(view(f"/{n}", f"v{n}") for n in range(30)))
        seen: list[str] = []

        def note(*values: Sequence[object], seen: list[str] = seen) -> None:
            seen.append(str(values[2]))

        event.listen(database.engine, "before_cursor_execute", note)
        visits(database, house, clock.today() - timedelta(days=days), clock.today())
        event.remove(database.engine, "before_cursor_execute", note)
        asked.append(len(seen))
    assert asked[0] == asked[1] <= 10
