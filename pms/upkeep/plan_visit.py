"""Plans a visit: one trip by one person to one building on one day, bundling tasks."""

from collections.abc import Sequence
from datetime import date

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_TEXT, checked_text
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.rules.deeds import Deed
from pms.upkeep.assignees import known_assignee
from pms.upkeep.checked_place import checked_place
from pms.upkeep.models import Visit
from pms.upkeep.reach import Reach
from pms.upkeep.visit_facts import note_visit
from pms.upkeep.visit_tasks import (
    lock_plans,
    lock_visits,
    put_tasks,
    tasks_in_order,
    tasks_to_visit,
)


def plan_visit(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    person_id: str | None,
    building_id: str | None,
    on_day: date,
    task_ids: Sequence[str],
    note: str | None = None,
    reach: Reach | None = None,
    may_take_over: bool = False,
) -> str:
    """Return the id of the visit that holds the tasks now (Resource overview, Visit).

    There is one visit of a person to a building on a day: planning it again adds to it. Its
    tasks are given to the person. Raises `Refused` for a day that is past, for a person or a
    building of nobody here, for somebody else's visit outside `reach` and for tasks that do not
    fit, `Collision` for a task that another visit holds, unless `may_take_over`.
    """
    within = reach or Reach.everything()
    visitor = _visitor(session, person_id, within)
    place, _ = checked_place(session, building_id, None)
    if on_day < clock.today():
        raise Refused("onDay: {day} is past; today is {today}.", day=on_day, today=clock.today())
    words = checked_text("note", note, LONGEST_TEXT)
    lock_plans(session, building_id=place)
    visit, is_new = _visit(session, clock, actor, (visitor, place, on_day), task_ids)
    standing = tasks_in_order(session, visit.id)
    tasks = tasks_to_visit(session, visit, task_ids, within, may_take_over=may_take_over)
    has_new_note = bool(words) and words != visit.note
    visit.note = words or visit.note
    put_tasks(session, clock, actor, visit=visit, tasks=tasks, standing=standing)
    if is_new:
        note_visit(session, clock, actor, Deed.VISIT_PLANNED, visit, count=len(tasks))
    elif tasks or has_new_note:
        visit.version += 1
        count = len(standing) + len(tasks)
        note_visit(session, clock, actor, Deed.VISIT_CHANGED, visit, count=count)
    session.flush()
    return visit.id


def _visitor(session: Session, person_id: str | None, reach: Reach) -> str:
    if reach.project_id is not None or (reach.person_id and person_id != reach.person_id):
        raise Refused("personId: you can plan visits of your own.")
    try:
        visitor = known_assignee(session, person_id)
    except Refused as problem:
        raise problem.beside("personId") from None
    if visitor is None:
        raise Refused("personId: say who makes the visit.")
    return visitor


def visit_of_day(session: Session, person_id: str, building_id: str, on_day: date) -> str | None:
    """Return the id of the one visit of a person to a building on a day, not locked."""
    return session.scalar(
        select(Visit.id).where(
            Visit.person_id == person_id, Visit.building_id == building_id, Visit.on_day == on_day
        )
    )


def _visit(
    session: Session,
    clock: Clock,
    actor: str,
    of: tuple[str, str, date],
    task_ids: Sequence[str],
) -> tuple[Visit, bool]:
    """The visit, locked, and whether it is made now; two who plan it at once make one.

    The visits that hold the tasks now are locked with it.
    """
    session.flush()
    standing = visit_of_day(session, *of)
    if standing is not None:
        lock_visits(session, task_ids, also=[standing])
        asked = select(Visit).where(Visit.id == standing)
        found = session.scalar(asked.execution_options(populate_existing=True))
        if found is not None:
            return found, False
    made = _made(session, clock, actor, of)
    lock_visits(session, task_ids)
    return made


def _made(
    session: Session, clock: Clock, actor: str, of: tuple[str, str, date]
) -> tuple[Visit, bool]:
    person_id, building_id, on_day = of
    row = Visit(
        id=new_id(),
        person_id=person_id,
        building_id=building_id,
        on_day=on_day,
        planned_at=clock.now(),
        planned_by=actor,
    )
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError:
        meanwhile = select(Visit).where(Visit.id == visit_of_day(session, *of))
        return session.scalars(meanwhile.with_for_update()).one(), False
    return row, True
