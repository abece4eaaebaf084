"""Reads what the rules of turnovers ask about units: their stays, and the cleanings they have."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, and_, exists, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.catalogue.models import Unit
from pms.foundation.prepared import one_of
from pms.reservations.models import Reservation
from pms.rules.days import day_of
from pms.rules.enumerations import TaskState
from pms.rules.turnovers import KnownTurnover, UnitStay
from pms.upkeep.models import HoursLog, Purchase, Task, TaskItem, TaskNote, UpkeepPhoto


@dataclass(frozen=True, slots=True)
class TendedUnit:
    """A unit with its building, and by whom and when its stays were written last."""

    id: str
    building_id: str
    written_at: datetime
    written_by: str | None


class TendedTask(NamedTuple):
    """Where a cleaning is, which version of it was read, and whether somebody cancelled it."""

    unit_id: str
    version: int
    is_cancelled: bool


@dataclass(frozen=True, slots=True)
class TurnoverFacts:
    """What is known of some units; units and tasks by their ids."""

    stays: Sequence[UnitStay]
    known: Sequence[KnownTurnover]
    units: Mapping[str, TendedUnit]
    tasks: Mapping[str, TendedTask]


def turnover_facts(session: Session, unit_ids: Collection[str]) -> TurnoverFacts:
    """Return the stays and cleanings of these units, asked for in two questions."""
    stays: list[UnitStay] = []
    units: dict[str, TendedUnit] = {}
    for row in session.execute(_STAYS.where(one_of(Reservation.unit_id, unit_ids))):
        stays.append(_stay(row))
        latest = units.get(row.unit_id)
        if latest is None or row.updated_at > latest.written_at:
            unit = TendedUnit(row.unit_id, row.building_id, row.updated_at, row.updated_by)
            units[row.unit_id] = unit
    tasks = session.execute(_TURNOVERS.where(one_of(Task.unit_id, unit_ids))).all()
    tended = {
        row.id: TendedTask(row.unit_id, row.version, row.cancelled_at is not None) for row in tasks
    }
    return TurnoverFacts(stays, [_known(row) for row in tasks], units, tended)


def _stay(row: Any) -> UnitStay:
    return UnitStay(
        id=row.id,
        unit_id=row.unit_id,
        starts_on=row.starts_on,
        ends_on=row.ends_on,
        is_cancelled=row.cancelled_at is not None,
        written_on=day_of(row.updated_at),
        is_as_first_written=row.version == 1,
    )


def _begun() -> ColumnElement[bool]:
    """Whether anybody moved the task, ticked a point, or left a word, a picture or a figure."""
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
    _begun().label("is_begun"),
).where(Task.leaving_id.is_not(None))


def _known(row: Any) -> KnownTurnover:
    return KnownTurnover(
        id=row.id,
        stay_id=row.leaving_id,
        opens_on=row.opens_on,
        due_on=row.due_on,
        is_begun=row.is_begun,
        is_done=row.state == TaskState.DONE and row.cancelled_at is None,
        # A cancelled one is let go of likewise, and asked for again while its departure comes.
        is_released=row.released_at is not None or row.cancelled_at is not None,
    )
