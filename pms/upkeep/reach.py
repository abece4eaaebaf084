"""Says which tasks somebody meets: all of them, their own and unassigned ones, or a project's."""

from dataclasses import dataclass
from typing import Self, TypeVarTuple

from sqlalchemy import Select, or_

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
