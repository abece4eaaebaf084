"""Says which tasks somebody meets: all of them, their own and unassigned ones, or a project's."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple, Self, TypeVarTuple

from sqlalchemy import ColumnElement, Select, or_, select
from sqlalchemy.orm import Session

from pms.access.models import Member, Person
from pms.foundation.audit import note_change
from pms.foundation.errors import Collision, NotFound, Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.phrases import Actor
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import StaffRole
from pms.upkeep.models import Task

Columns = TypeVarTuple("Columns")
_ALL = (StaffRole.OPERATOR, StaffRole.OFFICE)


@dataclass(frozen=True, slots=True)
class Reach:
    """Which tasks somebody meets; a task outside counts as none."""

    person_id: str | None = None
    """Their own tasks and those of nobody."""
    project_id: str | None = None
    """The tasks of one project."""

    @classmethod
    def everything(cls) -> Self:
        """Return the reach of the office and of the program: every task of the workspace."""
        return cls()

    @classmethod
    def of_staff(cls, role: StaffRole, person_id: str) -> Self:
        """Return the reach of a member of staff (specification, Surfaces)."""
        return cls() if role in _ALL else cls(person_id=person_id)

    @classmethod
    def of_project(cls, project_id: str) -> Self:
        """Return the reach of a contractor: one project."""
        return cls(project_id=project_id)

    @property
    def is_everything(self) -> bool:
        """Whether no task of the workspace is outside."""
        return self.person_id is None and self.project_id is None

    def narrow(self, question: Select[*Columns]) -> Select[*Columns]:
        """Return a question about tasks that meets only those within reach."""
        if self.project_id is not None:
            question = question.where(Task.project_id == self.project_id)
        if self.person_id is not None:
            is_own = Task.assignee_id == self.person_id
            question = question.where(or_(is_own, Task.assignee_id.is_(None)))
        return question

    def holds(self, *, assignee_id: str | None, project_id: str | None) -> bool:
        """Tell whether a task of these is within reach."""
        if self.project_id is not None and project_id != self.project_id:
            return False
        return self.person_id is None or assignee_id in (None, self.person_id)


# It is done as well: whatever counts open work finds none, and a list of what was done asks besides
# for tasks that stand. A fifth state would have to be known by everything that counts: boards,
# offline pages on phones that are out of reach, contractors' links. `cancelled_at` tells it and not
# two equal instants: instants are whole seconds, and two audit events may share one.
#
# What somebody logged hours, purchases or pictures about is finished, not cancelled: it cost
# something. The cleaning of a departure to come is not cancelled either; the next change would make
# it again.
STANDS: Final[ColumnElement[bool]] = Task.cancelled_at.is_(None)
"""Whether a task was not cancelled."""


class CancelledMeanwhileError(Collision):
    """Somebody cancelled the task since it was seen: who, and when."""

    def __init__(self, by: str, at: datetime) -> None:
        super().__init__(
            "state: {by} cancelled this task on {at}; nothing is left to do.", by=Actor(by), at=at
        )
        self.by, self.at = by, at


def refuse_if_cancelled(task: Task) -> None:
    """Raise `Collision` for a task that was cancelled."""
    if task.cancelled_at is not None:
        raise CancelledMeanwhileError(task.state_by, task.cancelled_at)


def task_to_change(session: Session, task_id: str, reach: Reach) -> Task:
    """Return the task, locked, as `locked_task` does; raise `Collision` for a cancelled one."""
    task = locked_task(session, task_id, reach)
    refuse_if_cancelled(task)
    return task


def locked_task(session: Session, task_id: str, reach: Reach) -> Task:
    """Return the task, locked; raise `NotFound` for one that is nobody's here or out of reach."""
    found = None
    if is_id(task_id):
        session.flush()
        question = reach.narrow(select(Task).where(Task.id == task_id))
        found = session.scalar(question.with_for_update().execution_options(populate_existing=True))
    if found is None:
        raise no_task(task_id)
    return found


def no_task(task_id: str) -> NotFound:
    """Return the refusal of a task that is not here."""
    return no_such("task", task_id)


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


def known_assignee(session: Session, person_id: str | None) -> str | None:
    """Return the person, nobody for none; raise `Refused` for one who does not work here."""
    if not person_id:
        return None
    is_it = _STAFF.where(Member.person_id == person_id)
    if not is_id(person_id) or session.execute(is_it).first() is None:
        raise Refused("assigneeId: no member of staff has this id.")
    return person_id


def assign_task(work: Work, *, task_id: str, assignee_id: str | None, reach: Reach) -> str | None:
    """Write whose task it is and return whose it was.

    Who meets only their own tasks takes one for themselves or gives it back; anything else, and
    a person who does not work here, is `Refused`.
    """
    if reach.person_id is not None and assignee_id not in (None, reach.person_id):
        raise Refused("assigneeId: you can take a task yourself or give it back.")
    task = task_to_change(work.session, task_id, reach)
    was = task.assignee_id
    task.assignee_id = known_assignee(work.session, assignee_id)
    if task.assignee_id != was:
        task.version += 1
        note_change(work, AuditEvent.TASK_ASSIGNED, task)
    work.session.flush()
    return was
