"""The screens ask the database the same number of questions, however much there is."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta

import pytest
from sqlalchemy import Engine, event

from pms.arrivals.dates import correct_dates
from pms.contracts.issuing import issue_contract
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.rules.enumerations import Lifecycle
from tests.cast import Cast, reservation, unit
from tests.staff import Browser

QUESTIONS = ("", "?monthToMonth=y", "?search=客", "?movingOutDays=30", "?excludeRecords=")
TABS = ("", "/dates", "/price", "/documents", "/people", "/messages", "/departure", "/history")
MOST_OF_A_LIST = 22
MOST_OF_A_TAB = 26
QUESTIONS_OF_SETTLEMENTS = 1
QUESTIONS_OF_STEPS = 4


@contextmanager
def asked() -> Iterator[list[str]]:
    """Collect the statements of pages, without the one that names the workspace to PostgreSQL."""
    statements: list[str] = []

    def note(*value: object) -> None:
        if "set_config" not in str(value[2]):
            statements.append(str(value[2]))

    event.listen(Engine, "before_cursor_execute", note)
    yield statements
    event.remove(Engine, "before_cursor_execute", note)


def house(
    database: Database,
    cast: Cast,
    first: int,
    last: int,
    lifecycle: Lifecycle = Lifecycle.LIVING,
) -> None:
    """Let tenancies of the numbers begin beside the cast's, in rooms of their own."""
    with database.writing(cast.sumida.workspace_id) as session:
        rooms = [
            unit(
                id=new_id(), building_id=cast.sumida.building_id, name=f"3{n:03}", slug=f"room-{n}"
            )
            for n in range(first, last)
        ]
        session.add_all(rooms)
        session.flush()
        session.add_all(
            reservation(
                unit_id=room.id,
                name=f"客 {number}",
                name_kana="キャク",
                lifecycle=lifecycle,
                move_in_date=date(2026, 1, 1) + timedelta(days=number),
                contract_end_date=date(2026, 12, 1) if number % 2 else date(2027, 11, 30),
            )
            for number, room in enumerate(rooms, first)
        )


@pytest.fixture
def crowd(database: Database, cast: Cast) -> None:
    """A hundred and twenty tenancies beside the cast's."""
    house(database, cast, 0, 120)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_list_of_few_and_of_many_takes_as_many_questions(
    office: Browser, database: Database, cast: Cast, question: str
) -> None:
    house(database, cast, 0, 4)
    office.get(f"/reservations{question}")
    with asked() as few:
        assert office.get(f"/reservations{question}").status_code == 200
    house(database, cast, 4, 120)
    with asked() as many:
        assert office.get(f"/reservations{question}").status_code == 200
    assert abs(len(many) - len(few)) <= 1
    assert len(many) <= MOST_OF_A_LIST


def test_ended_rows_add_the_questions_of_their_settlements_alone(
    office: Browser, database: Database, cast: Cast
) -> None:
    house(database, cast, 0, 30)
    office.get("/reservations?lifecycle=all")
    with asked() as of_living:
        office.get("/reservations?lifecycle=all")
    house(database, cast, 30, 34, Lifecycle.MOVED_OUT)
    with asked() as of_few:
        office.get("/reservations?lifecycle=all")
    house(database, cast, 34, 90, Lifecycle.MOVED_OUT)
    with asked() as of_many:
        office.get("/reservations?lifecycle=all")
    assert len(of_few) - len(of_living) == QUESTIONS_OF_SETTLEMENTS
    assert len(of_many) == len(of_few) <= MOST_OF_A_LIST


def test_the_next_step_costs_a_list_without_its_column_nothing(
    office: Browser, database: Database, cast: Cast
) -> None:
    house(database, cast, 0, 30, Lifecycle.MOVED_OUT)
    office.get("/reservations?lifecycle=all")
    with asked() as with_steps:
        office.get("/reservations?lifecycle=all&columns=unit,next")
    with asked() as without:
        office.get("/reservations?lifecycle=all&columns=unit,owed")
    assert len(with_steps) - len(without) == QUESTIONS_OF_STEPS
    assert not any("contract" in each.partition("FROM")[2] for each in without)


@pytest.mark.parametrize("tab", TABS)
def test_a_tab_takes_few_questions(office: Browser, booked_id: str, tab: str) -> None:
    office.get(f"/reservations/{booked_id}{tab}")
    with asked() as asked_statements:
        assert office.get(f"/reservations/{booked_id}{tab}").status_code == 200
    assert len(asked_statements) <= MOST_OF_A_TAB


def test_a_tab_with_outdated_papers_takes_few_questions(
    database: Database, cast: Cast, clock: FixedClock, office: Browser, booked_id: str
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        work = Work(session, clock, "staff")
        issue_contract(work, reservation_id=booked_id)
        correct_dates(work, reservation_id=booked_id, override_contract_end_date=date(2027, 10, 31))
    office.get(f"/reservations/{booked_id}/contracts")
    with asked() as asked_statements:
        text = office.get(f"/reservations/{booked_id}/contracts?lang=en").text
    assert "can no longer be signed" in text
    assert len(asked_statements) <= MOST_OF_A_TAB


def test_the_list_is_paged_by_fifty_and_keeps_its_filters(office: Browser, crowd: None) -> None:
    first = office.get("/reservations?search=客").text
    assert first.count('class="row-link"') == 50
    assert "search=%E5%AE%A2" in first
    last = office.get("/reservations?search=客&page=3").text
    assert last.count('class="row-link"') == 20


def test_month_to_month_is_what_the_law_says(office: Browser, crowd: None) -> None:
    shown = office.get("/reservations?monthToMonth=y").text
    # Of the year's contracts every second one ends on 1 December: its window is open.
    assert "60 reservations" in shown
