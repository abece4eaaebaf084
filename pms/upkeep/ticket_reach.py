"""Says which tickets somebody meets: all, those of their own projects, or a resident's."""

from dataclasses import dataclass
from typing import Self, TypeVarTuple

from sqlalchemy import Select, and_, or_, select

from pms.rules.enumerations import StaffRole
from pms.upkeep.models import MaintenanceRequest, Task, Ticket

Columns = TypeVarTuple("Columns")
_ALL = (StaffRole.OPERATOR, StaffRole.OFFICE)


@dataclass(frozen=True, slots=True)
class TicketReach:
    """Which tickets somebody meets; one outside counts as none."""

    person_id: str | None = None
    """Those about projects in which the person has a task, done or not."""
    reservation_id: str | None = None
    """Those of one resident."""

    @classmethod
    def everything(cls) -> Self:
        """Return the reach of the office and of the program."""
        return cls()

    @classmethod
    def of_staff(cls, role: StaffRole, person_id: str) -> Self:
        """Return the reach of a member of staff (specification, Surfaces)."""
        return cls() if role in _ALL else cls(person_id=person_id)

    @classmethod
    def of_reservation(cls, reservation_id: str) -> Self:
        """Return the reach of a resident: what was said about their own reservation."""
        return cls(reservation_id=reservation_id)

    def narrow(self, question: Select[*Columns]) -> Select[*Columns]:
        """Return a question about tickets that meets only those within reach."""
        if self.reservation_id is not None:
            question = question.where(Ticket.reservation_id == self.reservation_id)
        if self.person_id is not None:
            own = _own_projects(self.person_id)
            folded = select(MaintenanceRequest.id).where(MaintenanceRequest.project_id.in_(own))
            question = question.where(
                or_(Ticket.project_id.in_(own), Ticket.request_id.in_(folded))
            )
        return question


def _own_projects(person_id: str) -> Select[str | None]:
    is_own = and_(Task.assignee_id == person_id, Task.project_id.is_not(None))
    return select(Task.project_id).where(is_own)
