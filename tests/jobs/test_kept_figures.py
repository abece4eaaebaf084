"""Figures that take long are made once for all processes, and again after a change."""

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from pms.accounting.months import shown_month
from pms.arrivals.bookings import book
from pms.foundation import kept_figures
from pms.foundation.database import Database
from pms.foundation.kept_figures import (
    SHOWN_OUTDATED,
    KeptFigure,
    SharedAnswers,
    accept_outdated_figures,
    forget_figures,
    hash_modules,
    identify_program,
    keep_figures,
    outdated_figures_of,
)
from pms.foundation.migrating import current_head
from pms.foundation.settings import Settings
from pms.foundation.versions import KeptAnswers
from pms.jobs.kept_figures import FIGURES, renew_kept_figures
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.runs import Tools
from pms.ledger.payment_plan import record_payment
from pms.rules.days import add_months, month_first
from pms.statements.reports import profit_and_loss
from tests.stories.house import House, morning, open_house
from tests.stories.tenancy import booking

pytestmark = pytest.mark.differs("what is written beside another writer")

FEBRUARY = date(2025, 2, 1)


@pytest.fixture(autouse=True)
def everything_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_figures, "LONG_SECONDS", 0)


@pytest.fixture
def house(database: Database) -> House:
    """A resident who moved in in January and paid something."""
    found = open_house(database)
    found.go_to(morning(date(2025, 1, 5)))
    facts = {**booking(found, "101"), "move_in_date": date(2025, 1, 10)}
    found.rooms["who"] = found.do(book, **facts).reservation_id
    found.go_to(morning(date(2025, 2, 10)))
    found.do(record_payment, reservation_id=found.rooms["who"], amount_yen=100_000)
    return found


def _never(*_journals: object) -> Any:
    raise AssertionError("it was made before")


def _ask(house: House, state: int, make: Callable[[], int]) -> int:
    """Ask as a process that has just been started."""
    answers: SharedAnswers[str, int] = SharedAnswers(
        "count", str, int, lambda *_: None, usual=lambda *_: "of all"
    )
    with house.database.reading(house.workspace_id) as session:
        found = answers.answer(session, "of all", state, make)
    keep_figures(house.database, house.clock, session)
    return found


def _show(house: House, state: int, make: Callable[[], int]) -> tuple[int, bool]:
    """Ask as a page that says when its figures are from before a change; return whether it does."""
    answers: SharedAnswers[str, int] = SharedAnswers(
        "count", str, int, lambda *_: None, usual=lambda *_: "of all"
    )
    with house.database.reading(house.workspace_id) as session:
        accept_outdated_figures(session, house.clock.now())
        found = answers.answer(session, "of all", state, make)
        made_at = outdated_figures_of(session)
        assert answers.answer(session, "of all", state, lambda: found) == found
    keep_figures(house.database, house.clock, session)
    return found, made_at is not None


def _count(house: House) -> int:
    with house.database.reading(house.workspace_id) as session:
        return session.scalar(select(func.count()).select_from(KeptFigure)) or 0


def test_what_one_process_made_is_read_by_the_others_while_nothing_changes(house: House) -> None:
    assert _ask(house, 1, lambda: 7) == 7
    assert _ask(house, 1, _never) == 7
    assert _ask(house, 2, lambda: 8) == 8
    assert _ask(house, 2, _never) == 8
    assert _ask(house, 1, lambda: 9) == 9, "a state that has passed is never read"
    assert _count(house) == 1


def test_what_takes_little_time_is_not_stored(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_figures, "LONG_SECONDS", 60)
    assert _ask(house, 1, lambda: 7) == 7
    assert _ask(house, 1, lambda: 8) == 8
    assert not _count(house)


def test_what_another_release_made_is_made_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    _ask(house, 1, lambda: 7)
    with monkeypatch.context() as newer:
        newer.setattr(kept_figures, "identify_program", lambda: "99")
        assert _ask(house, 1, lambda: 8) == 8
        with house.database.writing(house.workspace_id) as session:
            session.scalars(select(KeptFigure)).one().value = '"many"'
        assert _ask(house, 1, lambda: 9) == 9


def test_the_code_that_makes_figures_names_the_program_and_what_shows_them_does_not(
    tmp_path: Path,
) -> None:
    for place in ("ledger", "surfaces"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "sums.py").write_text("total = 1")
    first = hash_modules(tmp_path)
    (tmp_path / "surfaces" / "sums.py").write_text("total = 2")
    assert hash_modules(tmp_path) == first
    (tmp_path / "ledger" / "sums.py").write_text("total = 2")
    assert hash_modules(tmp_path) != first
    assert current_head() in identify_program()


def test_a_page_that_says_so_shows_what_was_before_a_change_until_it_is_made_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _show(house, 1, lambda: 7) == (7, False)
    assert _show(house, 2, lambda: 8) == (8, False), "made quickly, so nobody waits for it"
    monkeypatch.setattr(kept_figures, "LONG_CPU_MS", 0)
    assert _show(house, 3, _never) == (8, True)
    began = house.clock.now()
    house.go_to(began + SHOWN_OUTDATED - timedelta(seconds=1))
    assert _show(house, 3, _never) == (8, True)
    assert _ask(house, 3, lambda: 9) == 9, "whoever does not say so gets the present one"
    assert _show(house, 3, _never) == (9, False)
    assert _show(house, 4, _never) == (9, True)
    house.go_to(house.clock.now() + SHOWN_OUTDATED)
    assert _show(house, 5, lambda: 10) == (10, False), "no job has made it again"
    house.go_to(morning(house.today + timedelta(days=1)))
    assert _show(house, 6, lambda: 11) == (11, False), "it was of another day"
    with monkeypatch.context() as newer:
        newer.setattr(kept_figures, "identify_program", lambda: "99")
        assert _show(house, 7, lambda: 12) == (12, False), "other code made it"


def test_the_job_makes_in_a_new_month_what_a_page_shows_at_first(
    house: House, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with house.database.reading(house.workspace_id) as session:
        shown_month(session, FEBRUARY)
    keep_figures(house.database, house.clock, session)
    asked_on = house.today
    house.go_to(morning(asked_on + timedelta(days=6)))
    renew_kept_figures(Tools(settings, house.database, house.clock, choose_postbox(settings)))
    monkeypatch.setattr("pms.accounting.months.summarise", _never)
    KeptAnswers.forget_all()
    with house.database.reading(house.workspace_id) as session:
        shown_month(session, add_months(month_first(house.today), -1))
        assert set(session.scalars(select(KeptFigure.asked_on))) == {asked_on}


def test_a_session_that_writes_keeps_nothing_and_reads_nothing_kept(house: House) -> None:
    _ask(house, 1, lambda: 7)
    answers: SharedAnswers[str, int] = SharedAnswers(
        "count", str, int, lambda *_: None, usual=lambda *_: "of all"
    )
    with house.database.writing(house.workspace_id) as session:
        assert answers.answer(session, "of all", 1, lambda: 8) == 8
    assert not session.info.keys() & {"figures_made", "figures_read"}


def test_who_reads_does_not_wait_for_who_writes(house: House) -> None:
    with house.database.writing(house.workspace_id) as session:
        session.connection()
        assert _ask(house, 1, lambda: 7) == 7
    # One writer at a time on SQLite, so that it could not be stored; on PostgreSQL it was.
    assert _ask(house, 1, lambda: 8) == (8 if house.database.settings.is_sqlite else 7)


def test_the_job_makes_anew_what_somebody_asked_for_before_it_is_asked_again(
    house: House, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def show() -> tuple[int, int]:
        KeptAnswers.forget_all()
        with house.database.reading(house.workspace_id) as session:
            journals = shown_month(session, FEBRUARY).summary.total_yen
            earned = profit_and_loss(session, FEBRUARY, 2).total_yen
        keep_figures(house.database, house.clock, session)
        return journals, earned

    before = show()
    house.do(record_payment, reservation_id=house.rooms["who"], amount_yen=50_000)
    tools = Tools(settings, house.database, house.clock, choose_postbox(settings))
    KeptAnswers.forget_all()
    renew_kept_figures(tools)
    monkeypatch.setattr("pms.accounting.months.summarise", _never)
    monkeypatch.setattr("pms.statements.reports._read_earned", _never)
    after = show()
    assert after[0] == before[0] + 50_000
    assert after[1] == before[1]


def test_what_nobody_asks_for_is_made_no_more_and_forgotten(
    house: House, settings: Settings
) -> None:
    asked_on = house.today
    with house.database.reading(house.workspace_id) as session:
        profit_and_loss(session, FEBRUARY, 2)
    keep_figures(house.database, house.clock, session)

    def later(days: int) -> str | None:
        """Return the state of the figure after a payment, so many days later."""
        house.go_to(morning(asked_on + timedelta(days=days)))
        house.do(record_payment, reservation_id=house.rooms["who"], amount_yen=1_000)
        renew_kept_figures(Tools(settings, house.database, house.clock, choose_postbox(settings)))
        with house.database.across_workspaces_writing() as session:
            forget_figures(session, house.today)
        with house.database.reading(house.workspace_id) as session:
            return session.scalar(select(KeptFigure.state))

    first, last = later(1), later(7)
    assert first and last and first != last
    assert later(8) is None


def test_a_figure_that_cannot_be_made_does_not_stop_the_others(
    house: House, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with house.database.reading(house.workspace_id) as session:
        shown_month(session, FEBRUARY)
        profit_and_loss(session, FEBRUARY, 2)
    keep_figures(house.database, house.clock, session)
    house.do(record_payment, reservation_id=house.rooms["who"], amount_yen=1_000)
    with house.database.reading(house.workspace_id) as session:
        states = dict(session.execute(select(KeptFigure.name, KeptFigure.state)).all())
    with monkeypatch.context() as broken:
        broken.setattr("pms.accounting.months.summarise", _never)
        renew_kept_figures(Tools(settings, house.database, house.clock, choose_postbox(settings)))
    with house.database.reading(house.workspace_id) as session:
        now = dict(session.execute(select(KeptFigure.name, KeptFigure.state)).all())
    assert {name for name, state in now.items() if state != states[name]} == {"profit_and_loss"}
    assert states.keys() <= FIGURES.keys()
