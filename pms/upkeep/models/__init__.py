"""The tables of upkeep (specification, Resource overview)."""

from pms.upkeep.models.links import ShareLink
from pms.upkeep.models.photos import UpkeepPhoto
from pms.upkeep.models.projects import HoursLog, MaintenanceProject, MaintenanceRequest, Purchase
from pms.upkeep.models.tasks import Inspection, Task, TaskItem, TaskMove, TaskNote
from pms.upkeep.models.tickets import Ticket, TicketMessage
from pms.upkeep.models.visits import ChecklistTemplate, Visit

__all__ = [
    "ChecklistTemplate",
    "HoursLog",
    "Inspection",
    "MaintenanceProject",
    "MaintenanceRequest",
    "Purchase",
    "ShareLink",
    "Task",
    "TaskItem",
    "TaskMove",
    "TaskNote",
    "Ticket",
    "TicketMessage",
    "UpkeepPhoto",
    "Visit",
]
