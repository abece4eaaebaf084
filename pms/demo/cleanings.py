"""A working day of the demo's staff, and its cleanings: past ones done, today's under way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from pms.access.models import Member
from pms.catalogue.models import Building, Unit
from pms.demo.rows import Album, instant, read_toml
from pms.foundation.clock import FixedClock
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import workspace_of
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.days import day_of
from pms.rules.enumerations import (
    HoldReason,
    Lifecycle,
    ReservationKind,
    StaffRole,
    TaskKind,
    TaskState,
)
from pms.upkeep.models import Task, TaskItem, TaskMove
from pms.upkeep.moves import inspect_task, move_task, tick_item, write_task_note
from pms.upkeep.photos import add_upkeep_photo
from pms.upkeep.task_visibility import TaskVisibility, assign_task
from pms.upkeep.tasks import WantedTask, add_task, cancel_task

_TEXTS: Final = read_toml("texts")["cleanings"]

Answer = TypeVar("Answer")
DEMO: Final = "demo"
_MOST_HOMES: Final = 8


class ReportedHome(NamedTuple):
    """Somebody who lives somewhere, and tells of what is broken there."""

    reservation_id: str
    unit_id: str
    building_id: str


@dataclass(frozen=True)
class CleaningDay:
    """A session of one workspace at an instant, with its staff and its pictures."""

    session: Session
    now: datetime
    album: Album
    people: dict[StaffRole, str]
    homes: Sequence[ReportedHome]

    @property
    def today(self) -> date:
        return day_of(self.now)

    def person(self, role: StaffRole) -> str | None:
        """The id of who has that role; in production the demo has no staff."""
        return self.people.get(role)

    def actor(self, role: StaffRole) -> str:
        """Who acts, as the audit keeps it."""
        return f"person/{self.people[role]}" if role in self.people else DEMO

    def ago(self, **span: float) -> FixedClock:
        """The clock as it stood so long ago."""
        return FixedClock(self.now - timedelta(**span))

    def on(self, days: int) -> date:
        """The day so many days from today."""
        return self.today + timedelta(days=days)

    def do(
        self, audit_event: Callable[..., Answer], role: StaffRole, clock: FixedClock, **facts: Any
    ) -> Answer:
        """Have somebody of a role do something at an instant."""
        return audit_event(Work(self.session, clock, self.actor(role)), **facts)

    def take_photo(
        self, role: StaffRole, clock: FixedClock, scene: str, kind: str, id_: str
    ) -> None:
        """Have somebody take a picture; which the album does not have is left out."""
        if scene in self.album:
            subject = (kind, id_)
            self.do(add_upkeep_photo, role, clock, subject=subject, sized=self.album[scene])


def open_day(session: Session, now: datetime, album: Album) -> CleaningDay:
    """Return the day of a workspace whose tenancies and staff are stored."""
    members = session.execute(select(Member.role, Member.person_id).order_by(Member.id))
    people: dict[StaffRole, str] = {}
    for role, person_id in members:
        people.setdefault(StaffRole(role), person_id)
    homes = session.execute(
        select(Reservation.id, Reservation.unit_id, Unit.building_id)
        .join(Reservation.unit)
        .where(
            Reservation.lifecycle == Lifecycle.LIVING, Reservation.kind == ReservationKind.RESIDENT
        )
        .order_by(Reservation.id)
        .limit(_MOST_HOMES)
    )
    return CleaningDay(session, now, album, people, [ReportedHome(*row) for row in homes])


_ALL: Final = TaskVisibility.everything()
_CLEANER: Final = StaffRole.HOUSEKEEPING
_TAKES: Final = timedelta(minutes=70)
_AHEAD: Final = 4


def clean(day: CleaningDay) -> None:
    """Have the turnovers of the past done, those of these days given out, shared rooms cleaned."""
    turnovers = day.session.scalars(
        select(Task).where(Task.kind == TaskKind.TURNOVER).order_by(Task.opens_on, Task.id)
    ).all()
    past = [task for task in turnovers if task.opens_on and task.opens_on < day.today]
    if past:
        session, actor = day.session, day.actor(_CLEANER)
        ends = {task.id: _ended_at(day, task) for task in past}
        own = workspace_of(session)
        done: dict[str, Any] = {"state": TaskState.DONE, "moves": 2, "state_by": actor}
        done |= {"assignee_id": day.person(_CLEANER), "workspace_id": own}
        rows = [{"id": id_, "state_since": at, **done} for id_, at in ends.items()]
        session.execute(update(Task), rows)
        session.execute(insert(TaskMove), list(_build_moves(ends.items(), actor)))
        items = session.execute(
            select(TaskItem.id, TaskItem.task_id).where(one_of(TaskItem.task_id, list(ends)))
        ).all()
        own = workspace_of(session)
        rows = [
            {"workspace_id": own, "id": id_, "ticked_at": ends[task_id], "ticked_by": actor}
            for id_, task_id in items
        ]
        if rows:
            session.execute(update(TaskItem), rows)
    near = [task for task in turnovers if task not in past][:_AHEAD]
    for number, task in enumerate(near):
        if number != 1:
            given = {"task_id": task.id, "assignee_id": day.person(_CLEANER), "visibility": _ALL}
            day.do(assign_task, StaffRole.OFFICE, day.ago(days=1), **given)
    due_now = [task.id for task in near if task.opens_on == day.today]
    if due_now:
        _begin_task(day, due_now[0])
    _clean_shared_rooms(day)


def _ended_at(day: CleaningDay, task: Task) -> datetime:
    assert task.opens_on is not None
    return min(instant(task.opens_on, 14), day.now - timedelta(hours=2))


def _build_moves(ends: Iterable[tuple[str, datetime]], actor: str) -> Iterable[dict[str, Any]]:
    steps = (TaskState.TODO, TaskState.DOING, TaskState.DONE)
    for task_id, at in ends:
        for was, state, when in zip(steps, steps[1:], (at - _TAKES, at), strict=False):
            facts = {"from_state": was, "to_state": state, "hold_reason": None}
            yield {"task_id": task_id, **facts, "at": when, "by": actor}


def _begin_task(day: CleaningDay, task_id: str, ticks: int = 4) -> None:
    day.do(
        move_task,
        _CLEANER,
        day.ago(minutes=40),
        task_id=task_id,
        to=TaskState.DOING,
        visibility=_ALL,
    )
    _tick_items(day, task_id, ticks, day.ago(minutes=15))


def _tick_items(day: CleaningDay, task_id: str, most: int, clock: FixedClock) -> None:
    points = select(TaskItem.id).where(TaskItem.task_id == task_id).order_by(TaskItem.position)
    for item_id in day.session.scalars(points.limit(most)).all():
        facts = {"task_id": task_id, "item_id": item_id, "is_ticked": True, "visibility": _ALL}
        day.do(tick_item, _CLEANER, clock, **facts)


def _clean_shared_rooms(day: CleaningDay) -> None:
    """Shared rooms in every state: done, good, sent back, under way, waiting, nobody's, cancelled."""
    buildings = day.session.scalars(select(Building.id).order_by(Building.name)).all()
    done, good, back, doing, held, _, twice = (
        _shared_title(day, buildings[number % len(buildings)], title, is_free=number >= 5)
        for number, title in enumerate(_TEXTS["shared_rooms"])
    )
    for hours, id_ in ((1, done), (5, good), (6, back)):
        clock = day.ago(hours=hours + 1)
        day.do(move_task, _CLEANER, clock, task_id=id_, to=TaskState.DOING, visibility=_ALL)
        _tick_items(day, id_, 20, day.ago(hours=hours, minutes=5))
        clock = day.ago(hours=hours)
        day.do(move_task, _CLEANER, clock, task_id=id_, to=TaskState.DONE, visibility=_ALL)
    look = {"visibility": _ALL, "has_passed": True, "note": None}
    day.do(inspect_task, StaffRole.OFFICE, day.ago(hours=4), task_id=good, **look)
    points = select(TaskItem.id).where(TaskItem.task_id == back).order_by(TaskItem.position)
    failed = day.session.scalars(points.offset(1).limit(2)).all()
    missing = look | {"has_passed": False, "note": _TEXTS["not_clean"], "failed_ids": failed}
    day.do(inspect_task, StaffRole.OFFICE, day.ago(hours=3), task_id=back, **missing)
    _begin_task(day, doing, 2)
    hold = {"to": TaskState.ON_HOLD, "hold_reason": HoldReason.NO_ACCESS, "visibility": _ALL}
    day.do(move_task, _CLEANER, day.ago(hours=2), task_id=held, **hold)
    note = {"task_id": held, "text": _TEXTS["key_number"], "visibility": _ALL}
    day.do(write_task_note, _CLEANER, day.ago(hours=2), **note)
    because = {"task_id": twice, "reason": _TEXTS["twice"], "visibility": _ALL}
    day.do(cancel_task, StaffRole.OFFICE, day.ago(hours=30), **because)
    day.take_photo(_CLEANER, day.ago(minutes=50), "shared-kitchen", "task", done)


def _shared_title(day: CleaningDay, building_id: str, title: str, *, is_free: bool) -> str:
    wanted = WantedTask(
        kind=TaskKind.CLEANING,
        building_id=building_id,
        title=title,
        opens_on=day.today,
        due_on=day.today,
        assignee_id=None if is_free else day.person(_CLEANER),
    )
    return day.do(add_task, StaffRole.OFFICE, day.ago(days=2), wanted=wanted)
