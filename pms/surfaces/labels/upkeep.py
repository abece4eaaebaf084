"""The labels of upkeep: reports, projects, tasks, and the conversation with a resident."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from flask_babel import LazyString
from flask_babel import lazy_pgettext as worded

from pms.rules.enumerations import (
    HoldReason,
    ProjectState,
    RequestState,
    ShareLinkState,
    TaskKind,
    TaskState,
    TicketSide,
    TicketState,
    TicketStep,
)

UPKEEP_LABELS: Final[Mapping[type[StrEnum], Mapping[str, LazyString]]] = {
    RequestState: {
        RequestState.REPORTED: worded("maintenance request", "Reported"),
        RequestState.FOLDED: worded("maintenance request", "Part of a project"),
        RequestState.CLOSED: worded("maintenance request", "Closed"),
    },
    ProjectState: {
        ProjectState.OPEN: worded("maintenance project", "Open"),
        ProjectState.DONE: worded("maintenance project", "Done"),
        ProjectState.CANCELLED: worded("maintenance project", "Cancelled"),
    },
    TaskState: {
        TaskState.TODO: worded("task", "To do"),
        TaskState.DOING: worded("task", "In progress"),
        TaskState.ON_HOLD: worded("task", "On hold"),
        TaskState.DONE: worded("task", "Done"),
    },
    TaskKind: {
        TaskKind.TURNOVER: worded("task", "Move-out cleaning"),
        TaskKind.CLEANING: worded("task", "Cleaning"),
        TaskKind.REPAIR: worded("task", "Repair"),
        TaskKind.INSPECTION: worded("task", "Inspection"),
        TaskKind.OTHER: worded("task", "Other work"),
    },
    HoldReason: {
        HoldReason.NO_ACCESS: worded("task on hold", "No access"),
        HoldReason.PARTS: worded("task on hold", "Waiting for parts"),
        HoldReason.CONTRACTOR: worded("task on hold", "Waiting for a contractor"),
        HoldReason.RESIDENT: worded("task on hold", "Waiting for the resident"),
        HoldReason.OTHER: worded("task on hold", "Another reason"),
    },
    ShareLinkState: {
        ShareLinkState.LIVE: worded("share link", "Open"),
        ShareLinkState.EXPIRED: worded("share link", "Expired"),
        ShareLinkState.REVOKED: worded("share link", "Revoked"),
        ShareLinkState.PROJECT_ENDED: worded("share link", "Project ended"),
    },
    TicketState: {
        TicketState.OPEN: worded("ticket", "Open"),
        TicketState.CLOSED: worded("ticket", "Closed"),
    },
    TicketSide: {
        TicketSide.RESIDENT: worded("ticket", "Resident"),
        TicketSide.STAFF: worded("ticket", "Staff"),
        TicketSide.NOBODY: worded("ticket", "Unassigned"),
    },
    TicketStep: {
        TicketStep.RECEIVED: worded("ticket", "We have your report."),
        TicketStep.PLANNED: worded("ticket", "We are planning the work."),
        TicketStep.VISIT_PLANNED: worded("ticket", "A visit is planned."),
        TicketStep.STARTED: worded("ticket", "Work has started."),
        TicketStep.WAITING: worded("ticket", "The work is on hold."),
        TicketStep.DONE: worded("ticket", "The work is done."),
        TicketStep.CANCELLED: worded("ticket", "The work was cancelled."),
        TicketStep.REOPENED: worded("ticket", "Work has resumed."),
    },
}
