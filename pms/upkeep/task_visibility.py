"""Which tasks a person may see and change."""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, Final, NamedTuple, Self, TypeVarTuple

from sqlalchemy import ColumnElement, Select, and_, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.access.members import refuse_unseen
from pms.access.models import Member, Person
from pms.catalogue.models import Building
from pms.foundation.audit import note_change
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import is_id
from pms.foundation.phrases import Actor
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.days import JAPAN
from pms.rules.enumerations import StaffRole, TaskState
from pms.rules.notices_to_people import NoticeKind
from pms.upkeep.models import Task, Visit
from pms.upkeep.task_notices import tell_assignees

Columns = TypeVarTuple("Columns")
_ALL = (StaffRole.OPERATOR, StaffRole.OFFICE)


@dataclass(frozen=True, slots=True)
class StaffVisibility:
    """Which rows a member of staff may see and change; all others are treated as unknown."""

    person_id: str | None = None
    """Only those that concern this person."""

    @classmethod
    def everything(cls) -> Self:
        """Return the visibility of the office and the program: every row of the workspace."""
        return cls()

    @classmethod
    def of_staff(cls, role: StaffRole, person_id: str) -> Self:
        """Return the visibility of a member of staff (specification, Surfaces)."""
        return cls() if role in _ALL else cls(person_id=person_id)


@dataclass(frozen=True, slots=True)
class TaskVisibility(StaffVisibility):
    """Which tasks a person may see and change: their own and unassigned ones."""

    project_id: str | None = None
    """The tasks of one project."""

    @classmethod
    def of_project(cls, project_id: str) -> Self:
        """Return the visibility of a contractor: one project."""
        return cls(project_id=project_id)

    @property
    def is_everything(self) -> bool:
        """Whether every task of the workspace is visible."""
        return self.person_id is None and self.project_id is None

    def narrow(self, question: Select[*Columns]) -> Select[*Columns]:
        """Return a query of tasks limited to visible ones."""
        if self.project_id is not None:
            question = question.where(Task.project_id == self.project_id)
        if self.person_id is not None:
            is_own = Task.assignee_id == self.person_id
            question = question.where(or_(is_own, Task.assignee_id.is_(None)))
        return question

    def holds(self, *, assignee_id: str | None, project_id: str | None) -> bool:
        """Whether a task with this assignee and project is visible."""
        if self.project_id is not None and project_id != self.project_id:
            return False
        return self.person_id is None or assignee_id in (None, self.person_id)


# A cancelled task is in the done state as well: counts of open work leave it out, and lists of done
# work add the condition below. A fifth state would have to be known by everything that counts:
# boards, offline pages on phones, contractors' links. `cancelled_at` marks it rather than two equal
# instants: instants are whole seconds, and two audit events may share one.
#
# A task with hours, purchases or pictures is finished, not cancelled: it cost something. The
# cleaning of a coming departure cannot be cancelled either; the next change would create it again.
STANDS: Final[ColumnElement[bool]] = Task.cancelled_at.is_(None)
"""The condition that a task was not cancelled."""


class CancelledMeanwhileError(Collision):
    """The task was cancelled meanwhile: by whom, and when."""

    def __init__(self, by: str, at: datetime) -> None:
        super().__init__(
            "state: {by} cancelled this task on {at}; nothing is left to do.", by=Actor(by), at=at
        )
        self.by, self.at = by, at


def refuse_if_cancelled(task: Task) -> None:
    """Raise `Collision` for a cancelled task."""
    if task.cancelled_at is not None:
        raise CancelledMeanwhileError(task.state_by, task.cancelled_at)


def task_to_change(session: Session, task_id: str, visibility: TaskVisibility) -> Task:
    """Return the task, locked.

    Raises `NotFound` for an unknown or invisible one, and `Collision` for a cancelled one.
    """
    task = locked(session, Task, task_id, within=visibility.narrow)
    refuse_if_cancelled(task)
    return task


_STAFF = (
    select(Member.person_id, Person.name, Member.role)
    .join(Person, Person.id == Member.person_id)
    .where(Member.removed_at.is_(None))
)


class Assignee(NamedTuple):
    """A member of staff as a choice."""

    person_id: str
    name: str
    role: StaffRole


def assignees(session: Session) -> Sequence[Assignee]:
    """Return the staff by name."""
    return [Assignee(*row) for row in session.execute(_STAFF.order_by(Person.name, Person.id))]


def known_assignee(session: Session, person_id: str | None, building_id: str) -> str | None:
    """Return the person, `None` for none; raise `Refused` for one who does not work there."""
    if not person_id:
        return None
    is_it = _STAFF.where(Member.person_id == person_id)
    if not is_id(person_id) or session.execute(is_it).first() is None:
        raise Refused("assigneeId: no member of the team has this id.")
    refuse_unseen(session, "assigneeId", person_id, Building, building_id)
    return person_id


def assign_task(
    work: Work, *, task_id: str, assignee_id: str | None, visibility: TaskVisibility
) -> str | None:
    """Set the task's assignee and return the previous one.

    A person who sees only their own tasks may take one or give it back; anything else, and a person
    who does not work here, is `Refused`.
    """
    if visibility.person_id is not None and assignee_id not in (None, visibility.person_id):
        raise Refused("assigneeId: you can take a task yourself or return it.")
    task = task_to_change(work.session, task_id, visibility)
    was = task.assignee_id
    task.assignee_id = known_assignee(work.session, assignee_id, task.building_id)
    if task.assignee_id != was:
        task.version += 1
        note_change(work, AuditEvent.TASK_ASSIGNED, task)
        tell_assignees(work, NoticeKind.TASK_GIVEN, [task])
    work.session.flush()
    return was


_MOST_WORDS: Final = 6


def holds_words(
    text: str, *columns: InstrumentedAttribute[str] | InstrumentedAttribute[str | None]
) -> ColumnElement[bool]:
    """Return the condition that every word occurs in one of the columns, ignoring case."""
    words = text.split()[:_MOST_WORDS]
    return and_(
        *(or_(*(column.icontains(word, autoescape=True) for column in columns)) for word in words)
    )


def todays_buildings(session: Session, person_id: str, today: date) -> Set[str]:
    """Return the buildings of a person's tasks and visits of the day (Surfaces).

    Their tasks are those assigned to them, and unassigned ones that they began. A task counts from
    the day its place is free until it is done, and on the day it was done.
    """
    own = or_(
        Task.assignee_id == person_id,
        and_(Task.assignee_id.is_(None), Task.state_by == f"person/{person_id}"),
    )
    of_tasks: Any = select(Task.building_id).where(own, _is_of(today)).distinct()
    of_visits: Any = select(Visit.building_id).where(
        Visit.person_id == person_id, Visit.on_day == today
    )
    return {*session.scalars(of_tasks), *session.scalars(of_visits)}


def _is_of(today: date) -> ColumnElement[bool]:
    begin = datetime.combine(today, time.min, JAPAN)
    was_done = and_(Task.state == TaskState.DONE, STANDS, Task.state_since >= begin)
    is_begun = Task.state.in_((TaskState.DOING, TaskState.ON_HOLD))
    can_begin = or_(Task.opens_on.is_(None), Task.opens_on <= today)
    return or_(was_done, is_begun, and_(Task.state == TaskState.TODO, can_begin))
