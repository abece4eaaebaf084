"""Departures make, move and take back their cleanings, whoever records them."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import Any

import pytest
from sqlalchemy import event, insert, select, update
from sqlalchemy.engine import Engine

from pms.arrivals.amendments import amend
from pms.arrivals.bookings import book
from pms.arrivals.dates import correct_dates
from pms.arrivals.lifecycles import cancel_booking
from pms.departures.notices import file_notice, reschedule_move_out, withdraw_notice
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.pricing.agreed_price import MonthlyAmounts
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import ReservationKind, TaskKind, TaskState
from pms.upkeep.checklists import FIRST_CHECKLISTS
from pms.upkeep.models import ChecklistTemplate, Task, TaskItem
from pms.upkeep.turnovers import heal_turnovers, tend_turnovers
from tests.cast import reservation, unit
from tests.departures.desk import STAFF, Desk, day, open_desk
from tests.departures.racing import race

LEAVING = "2027-01-15"


@pytest.fixture
def desk(database: Database, clock: FixedClock) -> Desk:
    """A desk over an empty house, on 20 November 2026."""
    return open_desk(database, clock)


@pytest.fixture
def sato(desk: Desk) -> str:
    """A resident who has lived there since April."""
    return desk.resident("2026-04-01", "2027-03-31")


def turnovers(desk: Desk) -> Sequence[Task]:
    """Every turnover of the workspace, the first to open first."""
    with desk.database.reading(desk.workspace_id) as session:
        wanted = select(Task).where(Task.kind == TaskKind.TURNOVER)
        return session.scalars(wanted.order_by(Task.opens_on, Task.id)).all()


def span(task: Task) -> tuple[date | None, date | None]:
    """The day a cleaning may begin, and the day it has to be done by."""
    return task.opens_on, task.due_on


def audit_events(desk: Desk) -> list[tuple[str, str]]:
    """The audit events about tasks as the audit tells them, with who did them."""
    with desk.database.reading(desk.workspace_id) as session:
        rows = session.execute(
            select(AuditRecord.audit_event, AuditRecord.actor)
            .where(AuditRecord.subject_kind == "task")
            .order_by(AuditRecord.id)
        )
        return [(row.audit_event, row.actor) for row in rows]


def leave(desk: Desk, reservation_id: str, on: str = LEAVING) -> None:
    desk.do(file_notice, reservation_id=reservation_id, move_out_on=day(on))


def booked(desk: Desk, unit_id: str, start: str, end: str | None = None, **given: Any) -> str:
    usual = {"kind": ReservationKind.RESIDENT, "name": "田中 一郎"}
    usual["amounts"] = MonthlyAmounts(base_rent_yen=93_000)  # type: ignore[assignment]
    days = {"move_in_date": day(start), "contract_end_date": day(end) if end else None}
    return desk.do(book, unit_id=unit_id, **days, **usual | given).reservation_id


def touch(desk: Desk, task_id: str, **facts: Any) -> None:
    """Have somebody begin a task."""
    with desk.database.writing(desk.workspace_id) as session:
        session.execute(update(Task).where(Task.id == task_id).values(**facts))


def test_a_filed_notice_makes_a_cleaning_with_its_checklist(desk: Desk, sato: str) -> None:
    leave(desk, sato)
    (task,) = turnovers(desk)
    assert (task.leaving_id, span(task)) == (sato, (day(LEAVING), None))
    assert (task.building_id, task.unit_id) == (desk.building_id, desk.row(sato).unit_id)
    assert (task.state, task.moves, task.created_by) == (TaskState.TODO, 0, "program")
    with desk.database.reading(desk.workspace_id) as session:
        items = session.scalars(select(TaskItem).order_by(TaskItem.position)).all()
    points = [(item.text_ja, item.text_en) for item in items]
    assert points == list(map(tuple, FIRST_CHECKLISTS[TaskKind.TURNOVER]))
    assert audit_events(desk) == [(AuditEvent.TURNOVER_PLANNED, STAFF)]


def test_the_buildings_own_checklist_is_used(desk: Desk, sato: str) -> None:
    stamps = {"updated_at": desk.clock.now(), "updated_by": STAFF, "kind": TaskKind.TURNOVER}
    points = [{"ja": "窓", "en": "Windows"}]
    desk.add(ChecklistTemplate(building_id=desk.building_id, points=points, **stamps))
    leave(desk, sato)
    with desk.database.reading(desk.workspace_id) as session:
        assert session.scalars(select(TaskItem.text_en)).all() == ["Windows"]


def test_a_rescheduled_departure_moves_its_cleaning(desk: Desk, sato: str) -> None:
    leave(desk, sato)
    desk.do(reschedule_move_out, reservation_id=sato, move_out_on=day("2027-01-20"))
    (task,) = turnovers(desk)
    assert span(task) == (day("2027-01-20"), None)
    assert [audit_event for audit_event, _ in audit_events(desk)] == [
        AuditEvent.TURNOVER_PLANNED,
        AuditEvent.TURNOVER_MOVED,
    ]


def test_a_withdrawn_notice_takes_an_untouched_cleaning_along(desk: Desk, sato: str) -> None:
    leave(desk, sato)
    desk.do(withdraw_notice, reservation_id=sato)
    assert not turnovers(desk)
    assert audit_events(desk)[-1] == (AuditEvent.TURNOVER_DROPPED, STAFF)


def test_a_begun_cleaning_is_kept_and_released_and_comes_back_with_another_notice(
    desk: Desk, sato: str
) -> None:
    leave(desk, sato)
    touch(desk, turnovers(desk)[0].id, state=TaskState.DOING, moves=1)
    desk.do(withdraw_notice, reservation_id=sato)
    (kept,) = turnovers(desk)
    assert kept.released_at == desk.clock.now()
    leave(desk, sato, "2027-02-10")
    (task,) = turnovers(desk)
    assert (task.id, task.released_at, task.state) == (kept.id, None, TaskState.DOING)
    assert span(task) == (day("2027-02-10"), None)


def test_a_ticked_point_is_a_beginning(desk: Desk, sato: str) -> None:
    leave(desk, sato)
    with desk.database.writing(desk.workspace_id) as session:
        first = update(TaskItem).where(TaskItem.position == 1)
        session.execute(first.values(ticked_at=desk.clock.now(), ticked_by=STAFF))
    desk.do(withdraw_notice, reservation_id=sato)
    assert turnovers(desk)[0].released_at is not None


def test_a_done_cleaning_is_history_and_another_notice_makes_a_new_one(
    desk: Desk, sato: str
) -> None:
    leave(desk, sato)
    touch(desk, turnovers(desk)[0].id, state=TaskState.DONE, moves=1)
    desk.do(withdraw_notice, reservation_id=sato)
    leave(desk, sato, "2027-02-10")
    done, new = turnovers(desk)
    assert (done.state, done.leaving_id) == (TaskState.DONE, None)
    assert (new.state, new.leaving_id, new.opens_on) == (TaskState.TODO, sato, day("2027-02-10"))


def test_a_successor_sets_moves_and_takes_back_the_day_a_cleaning_is_due(
    desk: Desk, sato: str
) -> None:
    leave(desk, sato)
    next_ = booked(desk, desk.row(sato).unit_id, "2027-02-01", "2027-12-31")
    assert span(turnovers(desk)[0]) == (day(LEAVING), day("2027-02-01"))
    desk.do(correct_dates, reservation_id=next_, override_move_in_date=day("2027-01-20"))
    assert span(turnovers(desk)[0]) == (day(LEAVING), day("2027-01-20"))
    desk.do(cancel_booking, reservation_id=next_)
    assert span(turnovers(desk)[0]) == (day(LEAVING), None)
    assert len(turnovers(desk)) == 1


def test_a_guests_check_out_makes_a_cleaning_and_a_cancelled_booking_none(desk: Desk) -> None:
    guest = {"kind": ReservationKind.GUEST, "amounts": None, "name": "Emma Wilson"}
    first = booked(desk, desk.room(), "2026-12-01", "2026-12-05", **guest)
    assert [span(task) for task in turnovers(desk)] == [(day("2026-12-05"), None)]
    desk.do(cancel_booking, reservation_id=first)
    assert not turnovers(desk)


def test_guests_in_a_row_each_have_a_cleaning_due_at_the_next_check_in(desk: Desk) -> None:
    guest = {"kind": ReservationKind.GUEST, "amounts": None, "name": "Emma Wilson"}
    room = desk.room()
    for start, end in (("2026-12-01", "2026-12-05"), ("2026-12-05", "2026-12-09")):
        booked(desk, room, start, end, **guest)
    expected = [(day("2026-12-05"), day("2026-12-05")), (day("2026-12-09"), None)]
    assert [span(task) for task in turnovers(desk)] == expected


def test_a_room_change_has_the_old_room_cleaned(desk: Desk, sato: str) -> None:
    desk.invoice(sato)
    into = desk.room()
    amended = {"reservation_id": sato, "last_on": day("2026-11-30"), "unit_id": into}
    desk.do(amend, **amended, amounts=MonthlyAmounts(base_rent_yen=80_000))
    (task,) = turnovers(desk)
    assert (task.leaving_id, task.unit_id) == (sato, desk.row(sato).unit_id)
    assert span(task) == (day("2026-11-30"), None)


def test_an_owner_resident_who_leaves_has_a_cleaning_too(desk: Desk) -> None:
    owner = desk.resident("2026-04-01", None, kind=ReservationKind.OWNER_RESIDENT)
    leave(desk, owner, "2026-12-10")
    assert [span(task) for task in turnovers(desk)] == [(day("2026-12-10"), None)]


def test_what_is_rolled_back_plans_nothing(desk: Desk, sato: str) -> None:
    with pytest.raises(ZeroDivisionError), desk.database.writing(desk.workspace_id) as session:
        facts = {"reservation_id": sato, "move_out_on": day(LEAVING)}
        file_notice(Work(session, desk.clock, STAFF), **facts)  # type: ignore[arg-type]
        raise ZeroDivisionError
    assert not turnovers(desk)


def test_history_that_is_brought_in_asks_for_no_cleaning(desk: Desk) -> None:
    for left_on in ("2026-11-10", "2026-11-25"):
        given: dict[str, Any] = {"move_out_date": day(left_on), "updated_at": desk.clock.now()}
        desk.resident("2026-04-01", None, **given)
    with desk.database.writing(desk.workspace_id) as session:
        tend_turnovers(session)
    assert [task.opens_on for task in turnovers(desk)] == [day("2026-11-25")]


def test_the_daily_work_heals_what_was_missed_and_then_changes_nothing(
    desk: Desk, sato: str
) -> None:
    leave(desk, sato)
    with desk.database.writing(desk.workspace_id) as session:
        session.execute(update(Task).values(opens_on=None))
        assert len(tend_turnovers(session, None, desk.clock).moved) == 1
    assert turnovers(desk)[0].opens_on == day(LEAVING)
    assert desk.do(lambda work: heal_turnovers(work.session, work.clock)) == (0, None)


def test_the_daily_work_goes_through_the_units_part_by_part(
    desk: Desk, sato: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pms.upkeep.turnovers.UNITS_AT_ONCE", 1)
    first = desk.do(lambda work: heal_turnovers(work.session, work.clock))
    assert first.after_unit_id == desk.row(sato).unit_id
    last = desk.do(lambda work: heal_turnovers(work.session, work.clock, first[1]))
    assert last == (0, None)


def test_bookings_at_the_same_moment_leave_one_cleaning(desk: Desk, sato: str) -> None:
    leave(desk, sato)
    with desk.database.writing(desk.workspace_id) as session:
        session.execute(update(Task).values(leaving_id=None))
    room = desk.row(sato).unit_id
    starts = [f"2027-02-{number:02}" for number in range(1, 9)]

    def take(number: int) -> str:
        end = starts[number].replace("2027", "2028")
        return booked(desk, room, starts[number], end)

    won, _ = race(8, take)
    assert len(won) == 1
    assert [task.leaving_id for task in turnovers(desk)].count(sato) == 1


def bulk(desk: Desk, count: int) -> list[dict[str, Any]]:
    """So many guests, each in a room of their own, whose rooms are stored."""
    rooms = [new_id() for _ in range(count)]
    desk.add(
        *(unit(id=id_, building_id=desk.building_id, name=id_, slug=f"r-{id_}") for id_ in rooms)
    )
    usual = {
        column.key: getattr(reservation(), column.key)
        for column in Reservation.__mapper__.column_attrs
        if column.key not in {"id", "workspace_id"}
    }
    usual |= {"kind": ReservationKind.GUEST, "locale": "ja", "version": 1}
    usual |= {"contract_end_date": day("2026-12-24"), "updated_at": desk.clock.now()}
    usual |= {"reservation_fee_yen": 0, "deposit_yen": 0}
    return [{**usual, "id": new_id(), "unit_id": room} for room in rooms]


def import_all(desk: Desk, rows: list[dict[str, Any]]) -> None:
    with desk.database.writing(desk.workspace_id) as session:
        session.execute(insert(Reservation), rows)
        tend_turnovers(session, [row["unit_id"] for row in rows])


@contextmanager
def statements(desk: Desk) -> Iterator[list[str]]:
    """The statements sent meanwhile; one for many rows counts once."""
    sent: list[str] = []

    def note(_: Any, __: Any, statement: str, *more: Any) -> None:
        sent.append(statement)

    engine: Engine = desk.database.engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(engine, "before_cursor_execute", note)


def test_many_departures_take_as_many_statements_as_few(desk: Desk) -> None:
    counted = []
    for count in (2, 40):
        rows = bulk(desk, count)
        with statements(desk) as sent:
            import_all(desk, rows)
        counted.append(len(sent))
    assert counted[0] == counted[1]
    assert len(turnovers(desk)) == 42


def test_past_stays_of_an_import_get_no_cleaning(desk: Desk) -> None:
    rows = bulk(desk, 5)
    past = {"contract_end_date": day("2026-03-02"), "move_in_date": day("2026-03-01")}
    history = [{**row, **past, "id": new_id()} for row in rows]
    import_all(desk, [*rows, *history])
    assert len(turnovers(desk)) == 5


def test_a_process_that_only_files_notices_knows_every_table_of_cleanings() -> None:
    alone = (
        "from pms.departures.notices import reschedule_move_out\n"
        "from pms.foundation.db import Base\n"
        "keys = [key for table in Base.metadata.tables.values() for key in table.foreign_keys]\n"
        "assert [key.column for key in keys]\n"
    )
    subprocess.run([sys.executable, "-c", alone], check=True)
