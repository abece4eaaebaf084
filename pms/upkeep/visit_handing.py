"""Giving a visit to another person."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.audit import note_audit_event, note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TaskState
from pms.upkeep.models import Task, Visit
from pms.upkeep.task_visibility import TaskVisibility, known_assignee
from pms.upkeep.visits import lock_plans_of, lock_visit, tasks_in_order

_BEGUN = frozenset({TaskState.DOING, TaskState.DONE})


def hand_visit(
    work: Work,
    *,
    visit_id: str,
    person_id: str | None,
    version: int | None,
    visibility: TaskVisibility,
) -> None:
    """Hand the visit and its visitor's tasks over to another person.

    Tasks assigned to somebody else stay theirs; residents are not informed, as the day is the same.
    Handing it to the same person changes nothing. Raises `Refused` for an actor who is not office
    staff, for a person who is unknown or has a visit there that day already, and for a visit that
    is past or begun; `Collision` for an outdated version, `NotFound` for an invisible visit.
    """
    if not visibility.is_everything:
        raise Refused("personId: only the office can reassign visits. Please ask there.")
    lock_plans_of(work.session, visit_id)
    visit = lock_visit(work.session, visit_id, visibility)
    visitor = _require_visitor(work.session, person_id)
    if visitor == visit.person_id:
        return
    if version != visit.version:
        raise Collision("version: a colleague changed this visit in the meantime. Check it again.")
    tasks = tasks_in_order(work.session, visit_id)
    _refuse_late(work.clock, visit, tasks)
    _refuse_second(work.session, visit, visitor)
    was = visit.person_id
    _set_visitor(work.session, visit, visitor)
    for task in tasks:
        if task.assignee_id == was:
            task.assignee_id = visitor
            task.version += 1
            note_change(work, AuditEvent.TASK_ASSIGNED, task)
    note_audit_event(
        work,
        AuditEvent.VISIT_CHANGED,
        ("visit", visit_id),
        before={"person_id": was},
        after={"person_id": visitor},
    )
    work.session.flush()


def _set_visitor(session: Session, visit: Visit, visitor: str) -> None:
    visit.version += 1
    try:
        with session.begin_nested():
            visit.person_id = visitor
    except IntegrityError:
        # A concurrent transaction planned the person's own visit.
        raise _refusal_of_second_visit() from None


def _require_visitor(session: Session, person_id: str | None) -> str:
    try:
        visitor = known_assignee(session, person_id)
    except Refused as problem:
        raise problem.beside("personId") from None
    if visitor is None:
        raise Refused("personId: choose who makes the visit.")
    return visitor


def _refuse_late(clock: Clock, visit: Visit, tasks: Sequence[Task]) -> None:
    if visit.on_day < clock.today():
        raise Refused("personId: this visit is in the past. Reschedule it first.")
    if any(task.state in _BEGUN for task in tasks):
        raise Refused(
            "personId: work on this visit has started. Plan the rest as a separate visit."
        )


def _refuse_second(session: Session, visit: Visit, person_id: str) -> None:
    theirs = select(Visit.id).where(
        Visit.person_id == person_id,
        Visit.building_id == visit.building_id,
        Visit.on_day == visit.on_day,
    )
    if session.scalar(theirs) is not None:
        raise _refusal_of_second_visit()


def _refusal_of_second_visit() -> Refused:
    return Refused("personId: this person already goes there on that day.")
