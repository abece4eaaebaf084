"""Planning, moving and cancelling visits, and giving them to another person."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.catalogue.checks import LONGEST_TEXT, check_text
from pms.foundation.audit import note_audit_event, note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import is_id, new_id
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import TaskState
from pms.rules.notices_to_people import NoticeKind
from pms.upkeep.models import Task, Visit
from pms.upkeep.task_notices import tell_assignees
from pms.upkeep.task_visibility import TaskVisibility, known_assignee
from pms.upkeep.tasks import check_place
from pms.upkeep.visit_tasks import note_visit, put_tasks, take_out, tasks_to_visit
from pms.upkeep.visits import lock_plans, lock_plans_of, lock_visit, lock_visits, tasks_in_order


class CancelledVisit(NamedTuple):
    """A visit as it was planned, its tasks in their order."""

    person_id: str
    building_id: str
    on_day: date
    note: str | None
    task_ids: Sequence[str]


def cancel_visit(work: Work, *, visit_id: str, visibility: TaskVisibility) -> CancelledVisit:
    """Delete the visit and return it as it was.

    Raises `NotFound` for an invisible visit.
    """
    visit = lock_visit(work.session, visit_id, visibility)
    tasks = tasks_in_order(work.session, visit_id)
    note_visit(work, AuditEvent.VISIT_CANCELLED, visit, count=len(tasks))
    take_out(work, tasks=tasks)
    work.session.delete(visit)
    work.session.flush()
    was = (visit.person_id, visit.building_id, visit.on_day, visit.note)
    return CancelledVisit(*was, [task.id for task in tasks])


def plan_visit(
    work: Work,
    *,
    person_id: str | None,
    building_id: str | None,
    on_day: date,
    task_ids: Sequence[str],
    note: str | None = None,
    visibility: TaskVisibility | None = None,
    may_take_over: bool = False,
) -> str:
    """Return the id of the visit that has the tasks now (Resource overview, Visit).

    A person has one visit to a building on a day: planning it again adds to it. Its tasks are
    assigned to the person. Raises `Refused` for a past day, for an unknown person or building, for
    somebody else's visit outside `visibility` and for tasks that do not fit, `Collision` for a task
    of another visit, unless `may_take_over`.
    """
    within = visibility or TaskVisibility.everything()
    if within.project_id is not None or (within.person_id and person_id != within.person_id):
        raise Refused("personId: you can only plan visits for yourself.")
    visitor = _require_visitor(work.session, person_id, building_id or "")
    place, _ = check_place(work.session, building_id, None)
    _refuse_past(on_day, work.clock.today())
    words = check_text("note", note, LONGEST_TEXT)
    lock_plans(work.session, building_id=place)
    visit, is_new = _lock_or_make_visit(work, (visitor, place, on_day), task_ids)
    standing = tasks_in_order(work.session, visit.id)
    tasks = tasks_to_visit(work.session, visit, task_ids, within, may_take_over=may_take_over)
    has_new_note = bool(words) and words != visit.note
    visit.note = words or visit.note
    put_tasks(work, visit=visit, tasks=tasks, standing=standing)
    if is_new:
        note_visit(work, AuditEvent.VISIT_PLANNED, visit, count=len(tasks))
    elif tasks or has_new_note:
        visit.version += 1
        count = len(standing) + len(tasks)
        note_visit(work, AuditEvent.VISIT_CHANGED, visit, count=count)
    work.session.flush()
    return visit.id


def _refuse_past(on_day: date, today: date) -> None:
    if on_day < today:
        raise Refused(
            "onDay: {day} is in the past. Choose {today} or later.", day=on_day, today=today
        )


def _require_visitor(session: Session, person_id: str | None, building_id: str) -> str:
    try:
        visitor = known_assignee(session, person_id, building_id)
    except Refused as problem:
        raise problem.beside("personId") from None
    if visitor is None:
        raise Refused("personId: choose who makes the visit.")
    return visitor


def visit_of_day(session: Session, person_id: str, building_id: str, on_day: date) -> str | None:
    """Return the id of the one visit of a person to a building on a day, not locked."""
    return session.scalar(
        select(Visit.id).where(
            Visit.person_id == person_id, Visit.building_id == building_id, Visit.on_day == on_day
        )
    )


def _lock_or_make_visit(
    work: Work, of: tuple[str, str, date], task_ids: Sequence[str]
) -> tuple[Visit, bool]:
    """Return the visit, locked, and whether it is new; concurrent planning makes one.

    The visits that have the tasks now are locked with it.
    """
    work.session.flush()
    standing = visit_of_day(work.session, *of)
    if standing is not None:
        lock_visits(work.session, task_ids, also=[standing])
        asked = select(Visit).where(Visit.id == standing)
        found = work.session.scalar(asked.execution_options(populate_existing=True))
        if found is not None:
            return found, False
    made = _make_visit(work, of)
    lock_visits(work.session, task_ids)
    return made


def _make_visit(work: Work, of: tuple[str, str, date]) -> tuple[Visit, bool]:
    person_id, building_id, on_day = of
    row = Visit(
        id=new_id(),
        person_id=person_id,
        building_id=building_id,
        on_day=on_day,
        planned_at=work.clock.now(),
        planned_by=work.actor,
    )
    try:
        with work.session.begin_nested():
            work.session.add(row)
    except IntegrityError:
        meanwhile = select(Visit).where(Visit.id == visit_of_day(work.session, *of))
        return work.session.scalars(meanwhile.with_for_update()).one(), False
    return row, True


def move_visit(work: Work, *, visit_id: str, on_day: date, visibility: TaskVisibility) -> str:
    """Return the id of the visit that has the tasks now, in the same order.

    If the person has a visit there on that day already, the tasks join it. Raises `Refused` for a
    past day, `NotFound` for an invisible visit.
    """
    _refuse_past(on_day, work.clock.today())
    _lock_both(work.session, visit_id, on_day)
    was = cancel_visit(work, visit_id=visit_id, visibility=visibility)
    return plan_visit(
        work,
        person_id=was.person_id,
        building_id=was.building_id,
        on_day=on_day,
        task_ids=was.task_ids,
        note=was.note,
        visibility=visibility,
    )


def _lock_both(session: Session, visit_id: str, on_day: date) -> None:
    """Lock the visit and the one its tasks may join, in the order of their ids."""
    known = select(Visit.person_id, Visit.building_id).where(Visit.id == visit_id)
    row = session.execute(known).one_or_none() if is_id(visit_id) else None
    if row is not None:
        lock_plans(session, building_id=row.building_id)
        joined = visit_of_day(session, row.person_id, row.building_id, on_day)
        lock_visits(session, [], also=[visit_id, *([joined] if joined else [])])


def add_to_visit(
    work: Work,
    *,
    visit_id: str,
    task_ids: Sequence[str],
    visibility: TaskVisibility,
    may_take_over: bool = False,
) -> int:
    """Append tasks to a visit and return how many were added.

    Raises as `plan_visit` does; `NotFound` for an invisible visit.
    """
    lock_plans_of(work.session, visit_id)
    lock_visits(work.session, task_ids, also=[visit_id] if is_id(visit_id) else [])
    visit = lock_visit(work.session, visit_id, visibility)
    standing = tasks_in_order(work.session, visit_id)
    tasks = tasks_to_visit(work.session, visit, task_ids, visibility, may_take_over=may_take_over)
    if tasks:
        put_tasks(work, visit=visit, tasks=tasks, standing=standing)
        visit.version += 1
        count = len(standing) + len(tasks)
        note_visit(work, AuditEvent.VISIT_CHANGED, visit, count=count)
        work.session.flush()
    return len(tasks)


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
    visitor = _require_visitor(work.session, person_id, visit.building_id)
    if visitor == visit.person_id:
        return
    if version != visit.version:
        raise Collision("version: a colleague changed this visit in the meantime. Check it again.")
    tasks = tasks_in_order(work.session, visit_id)
    _refuse_late(work.clock, visit, tasks)
    _refuse_second(work.session, visit, visitor)
    was = visit.person_id
    _set_visitor(work.session, visit, visitor)
    handed = [task for task in tasks if task.assignee_id == was]
    for task in handed:
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
    tell_assignees(work, NoticeKind.TASK_GIVEN, handed)


def _set_visitor(session: Session, visit: Visit, visitor: str) -> None:
    visit.version += 1
    try:
        with session.begin_nested():
            visit.person_id = visitor
    except IntegrityError:
        # A concurrent transaction planned the person's own visit.
        raise _refusal_of_second_visit() from None


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
