"""Hands a planned visit to somebody else, who goes there on the same day."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.audit import note_change, note_deed
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.rules.deeds import Deed
from pms.rules.enumerations import TaskState
from pms.upkeep.assignees import known_assignee
from pms.upkeep.models import Task, Visit
from pms.upkeep.reach import Reach
from pms.upkeep.visit_in_hand import visit_in_hand
from pms.upkeep.visit_tasks import lock_plans_of, tasks_in_order

_BEGUN = frozenset({TaskState.DOING, TaskState.DONE})


def hand_visit(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    visit_id: str,
    person_id: str | None,
    version: int | None,
    reach: Reach,
) -> None:
    """Give the visit and those of its tasks that were its visitor's to another person.

    A task of it that was given to somebody else stays theirs; residents hear nothing, the day is
    the same. Handing it to who has it changes nothing. Raises `Refused` to whoever is not of the
    office, for a person of nobody here or who goes there that day already, and for a visit that
    is past or begun; `Collision` when it is not as it was seen, `NotFound` out of reach.
    """
    if not reach.is_everything:
        raise Refused("personId: the office hands visits on; ask there.")
    lock_plans_of(session, visit_id)
    visit = visit_in_hand(session, visit_id, reach)
    visitor = _visitor(session, person_id)
    if visitor == visit.person_id:
        return
    if version != visit.version:
        raise Collision("version: somebody else changed this visit meanwhile; look at it again.")
    tasks = tasks_in_order(session, visit_id)
    _refuse_late(clock, visit, tasks)
    _refuse_second(session, visit, visitor)
    was = visit.person_id
    visit.version += 1
    try:
        with session.begin_nested():
            visit.person_id = visitor
    except IntegrityError:
        # Somebody planned theirs at the same moment.
        raise _goes_already() from None
    for task in tasks:
        if task.assignee_id == was:
            task.assignee_id = visitor
            task.version += 1
            note_change(session, clock, actor, Deed.TASK_ASSIGNED, task)
    note_deed(
        session,
        clock,
        actor,
        Deed.VISIT_CHANGED,
        ("visit", visit_id),
        before={"person_id": was},
        after={"person_id": visitor},
    )
    session.flush()


def _visitor(session: Session, person_id: str | None) -> str:
    try:
        visitor = known_assignee(session, person_id)
    except Refused as problem:
        raise problem.beside("personId") from None
    if visitor is None:
        raise Refused("personId: say who makes the visit.")
    return visitor


def _refuse_late(clock: Clock, visit: Visit, tasks: Sequence[Task]) -> None:
    if visit.on_day < clock.today():
        raise Refused("personId: the day of this visit is past; move it to another day first.")
    if any(task.state in _BEGUN for task in tasks):
        raise Refused(
            "personId: work of this visit has begun; plan what is left as a visit of its own."
        )


def _refuse_second(session: Session, visit: Visit, person_id: str) -> None:
    theirs = select(Visit.id).where(
        Visit.person_id == person_id,
        Visit.building_id == visit.building_id,
        Visit.on_day == visit.on_day,
    )
    if session.scalar(theirs) is not None:
        raise _goes_already()


def _goes_already() -> Refused:
    return Refused("personId: this person goes there on that day already.")
