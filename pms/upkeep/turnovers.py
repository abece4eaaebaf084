"""Turnover cleanings, which follow a move-out."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, and_, delete, exists, insert, or_, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.catalogue.models import Unit
from pms.foundation.audit import note_audit_event
from pms.foundation.clock import Clock, FixedClock
from pms.foundation.ids import new_id
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import workspace_of
from pms.foundation.work import Work
from pms.reservations.locks import lock_units
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_of
from pms.rules.enumerations import TaskKind, TaskState
from pms.rules.turnovers import KnownTurnover, Turnover, TurnoverPlan, UnitStay, plan_turnovers
from pms.upkeep.checklists import points_of_buildings
from pms.upkeep.models import HoursLog, Purchase, Task, TaskItem, TaskNote, UpkeepPhoto
from pms.upkeep.visit_tasks import drop_empty_visits
from pms.upkeep.visits import lock_visits


@dataclass(frozen=True, slots=True)
class TendedUnit:
    """A unit with its building, and by whom and when its stays were last changed."""

    id: str
    building_id: str
    written_at: datetime
    written_by: str | None


class TendedTask(NamedTuple):
    """The unit of a cleaning, the version that was read, and whether it was cancelled."""

    unit_id: str
    version: int
    is_cancelled: bool


@dataclass(frozen=True, slots=True)
class TurnoverFacts:
    """The stays and cleanings of some units; units and tasks by their ids."""

    stays: Sequence[UnitStay]
    known: Sequence[KnownTurnover]
    units: Mapping[str, TendedUnit]
    tasks: Mapping[str, TendedTask]


def turnover_facts(session: Session, unit_ids: Collection[str]) -> TurnoverFacts:
    """Return the stays and cleanings of these units, with two queries."""
    stays: list[UnitStay] = []
    units: dict[str, TendedUnit] = {}
    for row in session.execute(_STAYS.where(one_of(Reservation.unit_id, unit_ids))):
        stays.append(
            UnitStay(
                id=row.id,
                unit_id=row.unit_id,
                starts_on=row.starts_on,
                ends_on=row.ends_on,
                is_cancelled=row.cancelled_at is not None,
                written_on=day_of(row.updated_at),
                is_as_first_written=row.version == 1,
            )
        )
        latest = units.get(row.unit_id)
        if latest is None or row.updated_at > latest.written_at:
            unit = TendedUnit(row.unit_id, row.building_id, row.updated_at, row.updated_by)
            units[row.unit_id] = unit
    tasks = session.execute(_TURNOVERS.where(one_of(Task.unit_id, unit_ids))).all()
    tended = {
        row.id: TendedTask(row.unit_id, row.version, row.cancelled_at is not None) for row in tasks
    }
    return TurnoverFacts(stays, [_read_known_turnover(row) for row in tasks], units, tended)


def _has_begun() -> ColumnElement[bool]:
    """Whether a task was moved, or has a tick, a note, a picture, hours or a purchase."""
    return or_(
        Task.moves > 0,
        Task.state != TaskState.TODO,
        _is_there(TaskItem.workspace_id, TaskItem.task_id, TaskItem.ticked_at.is_not(None)),
        _is_there(TaskNote.workspace_id, TaskNote.task_id),
        _is_there(UpkeepPhoto.workspace_id, UpkeepPhoto.task_id),
        _is_there(HoursLog.workspace_id, HoursLog.task_id),
        _is_there(Purchase.workspace_id, Purchase.task_id),
    )


def _is_there(
    workspace_id: InstrumentedAttribute[str],
    task_id: InstrumentedAttribute[Any],
    *also: ColumnElement[bool],
) -> ColumnElement[bool]:
    return exists().where(and_(workspace_id == Task.workspace_id, task_id == Task.id, *also))


_STAYS: Final[Any] = select(
    Reservation.id,
    Reservation.unit_id,
    Unit.building_id,
    Reservation.starts_on,
    Reservation.ends_on,
    Reservation.cancelled_at,
    Reservation.version,
    Reservation.updated_at,
    Reservation.updated_by,
).join(Reservation.unit)
_TURNOVERS: Final[Any] = select(
    Task.id,
    Task.unit_id,
    Task.leaving_id,
    Task.opens_on,
    Task.due_on,
    Task.state,
    Task.released_at,
    Task.cancelled_at,
    Task.version,
    _has_begun().label("is_begun"),
).where(Task.leaving_id.is_not(None))


def _read_known_turnover(row: Any) -> KnownTurnover:
    return KnownTurnover(
        id=row.id,
        stay_id=row.leaving_id,
        opens_on=row.opens_on,
        due_on=row.due_on,
        is_begun=row.is_begun,
        is_done=row.state == TaskState.DONE and row.cancelled_at is None,
        # A cancelled one is treated as released, and is wanted again while its departure is to
        # come.
        is_released=row.released_at is not None or row.cancelled_at is not None,
    )


PROGRAM: Final = "program"


def write_turnovers(
    session: Session, facts: TurnoverFacts, plan: TurnoverPlan, at: datetime | None = None
) -> None:
    """Write a plan, in as many statements for a thousand units as for one.

    The audit events have the instant `at`, or that of the unit's latest change, and its actor.
    """
    writing = _Writing(session, facts, at)
    writing.add(plan.added)
    writing.move((moved.known, moved.becomes) for moved in plan.moved)
    writing.drop(plan.dropped)
    writing.release(plan.released)


@dataclass(frozen=True)
class _Writing:
    session: Session
    facts: TurnoverFacts
    at: datetime | None

    def add(self, added: Iterable[Turnover]) -> None:
        """Insert new cleanings with the points of their checklists."""
        unit_of_stay = {stay.id: stay.unit_id for stay in self.facts.stays}
        rows = [
            self._build_row(turnover, self.facts.units[unit_of_stay[turnover.stay_id]])
            for turnover in added
        ]
        if not rows:
            return
        self.session.execute(insert(Task), rows)
        points = points_of_buildings(
            self.session, TaskKind.TURNOVER, [row["building_id"] for row in rows]
        )
        items = [
            {"id": new_id(), "task_id": row["id"], "position": position, "ticked_at": None}
            | {"text_ja": point.ja, "text_en": point.en, "ticked_by": None}
            for row in rows
            for position, point in enumerate(points[row["building_id"]], start=1)
        ]
        if items:
            self.session.execute(insert(TaskItem), items)
        for row in rows:
            facts = {key: row[key] for key in ("unit_id", "opens_on", "due_on")}
            self._note_task_event(
                AuditEvent.TURNOVER_PLANNED, row["id"], row["unit_id"], after=facts
            )

    def move(self, moved: Iterable[tuple[KnownTurnover, Turnover]]) -> None:
        """Change the days of cleanings; a released or cancelled one becomes open again."""
        rows = []
        for known, becomes in moved:
            days = {"opens_on": becomes.opens_on, "due_on": becomes.due_on}
            rows.append(
                {"id": known.id, **days, "released_at": None} | self._reopened_columns(known.id)
            )
            before = {"opens_on": known.opens_on, "due_on": known.due_on}
            self._note_task_event(AuditEvent.TURNOVER_MOVED, known.id, before=before, after=days)
        self._update_tasks(rows)

    def drop(self, dropped: Iterable[KnownTurnover]) -> None:
        """Delete cleanings that were not begun, and the visits that are then empty."""
        ids = [turnover.id for turnover in dropped]
        for task in dropped:
            before = {"opens_on": task.opens_on, "due_on": task.due_on}
            self._note_task_event(AuditEvent.TURNOVER_DROPPED, task.id, before=before)
        if not ids:
            return
        visit_ids = lock_visits(self.session, ids)
        self.session.execute(
            delete(Task).where(one_of(Task.id, ids)),
            execution_options={"synchronize_session": False},
        )
        clock = FixedClock(self._find_writing_instant(self.facts.tasks[ids[0]].unit_id))
        drop_empty_visits(Work(self.session, clock, PROGRAM), visit_ids)

    def release(self, released: Iterable[KnownTurnover]) -> None:
        """Mark begun cleanings as released; a done one loses the link to its departure."""
        rows = []
        for task in released:
            at = self._find_writing_instant(self.facts.tasks[task.id].unit_id)
            rows.append(
                {"id": task.id, "released_at": None, "leaving_id": None}
                if task.is_done
                else {"id": task.id, "released_at": at, "leaving_id": task.stay_id}
            )
            self._note_task_event(AuditEvent.TURNOVER_DROPPED, task.id, after={"released_at": at})
        self._update_tasks(rows)

    def _update_tasks(self, rows: list[dict[str, Any]]) -> None:
        own = workspace_of(self.session)
        for row in rows:
            row["workspace_id"], row["version"] = own, self.facts.tasks[row["id"]].version + 1
        if rows:
            self.session.execute(update(Task), rows)

    def _build_row(self, turnover: Turnover, unit: TendedUnit) -> dict[str, Any]:
        at = self._find_writing_instant(unit.id)
        return {
            "id": new_id(),
            "kind": TaskKind.TURNOVER,
            "state": TaskState.TODO,
            "moves": 0,
            "state_since": at,
            "state_by": PROGRAM,
            "building_id": unit.building_id,
            "unit_id": unit.id,
            "leaving_id": turnover.stay_id,
            "opens_on": turnover.opens_on,
            "due_on": turnover.due_on,
            "created_at": at,
            "created_by": PROGRAM,
            "version": 1,
        }

    def _reopened_columns(self, task_id: str) -> dict[str, Any]:
        task = self.facts.tasks[task_id]
        if not task.is_cancelled:
            return {}
        since = self._find_writing_instant(task.unit_id)
        todo = {"state": TaskState.TODO, "state_since": since, "state_by": PROGRAM}
        return todo | {"cancelled_at": None}

    def _find_writing_instant(self, unit_id: str) -> datetime:
        return self.at or self.facts.units[unit_id].written_at

    def _note_task_event(
        self,
        audit_event: AuditEvent,
        task_id: str,
        unit_id: str | None = None,
        *,
        before: Mapping[str, Any] | None = None,
        after: Mapping[str, Any] | None = None,
    ) -> None:
        unit_id = unit_id or self.facts.tasks[task_id].unit_id
        actor = None if self.at else self.facts.units[unit_id].written_by
        clock = FixedClock(self._find_writing_instant(unit_id))
        about = ("task", task_id)
        note_audit_event(
            Work(self.session, clock, actor or PROGRAM),
            audit_event,
            about,
            before=before,
            after=after,
        )


def tend_turnovers(
    session: Session, unit_ids: Collection[str] | None = None, clock: Clock | None = None
) -> TurnoverPlan:
    """Update the turnovers of units to match their stays; of all units when none are named.

    Called at the end of every use case that changes arrivals or departures: the reservations then
    provide the time and the actor; a daily job passes its clock. Repeating it changes nothing. The
    units are locked, so that concurrent bookings create one cleaning.
    """
    unit_ids = session.scalars(select(Unit.id)).all() if unit_ids is None else unit_ids
    lock_units(session, unit_ids)
    facts = turnover_facts(session, unit_ids)
    plan = plan_turnovers(facts.stays, facts.known, clock.today() if clock else None)
    if plan:
        at: datetime | None = clock.now() if clock else None
        write_turnovers(session, facts, plan, at)
    return plan


UNITS_AT_ONCE: Final = 500


class HealedTurnovers(NamedTuple):
    """The number of corrected cleanings, and the unit to continue after; `None` at the end."""

    done: int
    after_unit_id: str | None


def heal_turnovers(session: Session, clock: Clock, after: str | None = None) -> HealedTurnovers:
    """Update the turnovers of the next units, by id after `after`, to match their stays.

    Changes of reservations do so at once; this finds departures stored before cleanings were
    planned, or by something that bypassed the program.
    """
    wanted = select(Unit.id).order_by(Unit.id).limit(UNITS_AT_ONCE)
    unit_ids = session.scalars(wanted.where(Unit.id > after) if after else wanted).all()
    plan = tend_turnovers(session, unit_ids, clock)
    done = sum(map(len, (plan.added, plan.moved, plan.dropped, plan.released)))
    is_last = len(unit_ids) < UNITS_AT_ONCE
    return HealedTurnovers(done, None if is_last else unit_ids[-1])
