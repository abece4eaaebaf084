"""The labels of units and buildings: what is offered, viewings, and their upkeep."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from flask_babel import LazyString
from flask_babel import lazy_pgettext as worded

from pms.arrivals.sheet_imports import RecordOutcome
from pms.rules.enumerations import (
    AvailabilityState,
    BlockSource,
    HandbookReader,
    HandbookTopic,
    HoldReason,
    ProjectState,
    RequestState,
    ShareLinkState,
    TaskKind,
    TaskState,
    TicketSide,
    TicketState,
    TicketStep,
    UnitSort,
    UnitType,
    ViewingStatus,
    WaitlistState,
)
from pms.rules.management_forms import ManagementForm
from pms.rules.master_leases import LeaseRentKind

CATALOGUE_LABELS: Final[Mapping[type[StrEnum], Mapping[str, LazyString]]] = {
    ManagementForm: {
        ManagementForm.OWN: worded("management form", "Own or leased: you are the lessor"),
        ManagementForm.AGENCY: worded(
            "management form", "Agency: the owner is the lessor, you sign as agent"
        ),
        ManagementForm.MASTER_LEASE: worded(
            "management form", "Master lease: you are the lessor and pay the owner"
        ),
    },
    LeaseRentKind: {
        LeaseRentKind.FIXED: worded("lease rent", "Fixed rent a month"),
        LeaseRentKind.DUE: worded("lease rent", "Percentage of the rents due"),
        LeaseRentKind.RECEIVED: worded("lease rent", "Percentage of the rents received"),
    },
    UnitType: {
        UnitType.APARTMENT: worded("unit type", "Apartment"),
        UnitType.SHAREHOUSE: worded("unit type", "Share house"),
    },
    UnitSort: {
        UnitSort.PRICE_ASC: worded("order", "Rent, lowest first"),
        UnitSort.PRICE_DESC: worded("order", "Rent, highest first"),
        UnitSort.SIZE_ASC: worded("order", "Size, smallest first"),
        UnitSort.SIZE_DESC: worded("order", "Size, largest first"),
    },
    AvailabilityState: {
        AvailabilityState.AVAILABLE_NOW: worded("availability", "Available now"),
        AvailabilityState.AVAILABLE_FROM: worded("availability", "Available from"),
        AvailabilityState.RESERVED: worded("availability", "Reserved"),
        AvailabilityState.POSSIBLY_AVAILABLE: worded("availability", "Possibly available"),
        AvailabilityState.OCCUPIED: worded("availability", "Occupied"),
    },
    BlockSource: {
        BlockSource.RENT_ROLL: worded("external block", "Rent roll"),
        BlockSource.CHANNEL_CALENDAR: worded("external block", "Channel calendar"),
        BlockSource.OWNER_USE: worded("external block", "Owner's use"),
    },
    ViewingStatus: {
        ViewingStatus.SCHEDULED: worded("viewing", "Scheduled"),
        ViewingStatus.DONE: worded("viewing", "Done"),
        ViewingStatus.CANCELLED: worded("viewing", "Cancelled"),
        ViewingStatus.NO_SHOW: worded("viewing", "No-show"),
    },
    WaitlistState: {
        WaitlistState.WAITING: worded("waitlist", "Waiting"),
        WaitlistState.OFFERED: worded("waitlist", "Offered"),
        WaitlistState.CLOSED: worded("waitlist", "Closed"),
    },
    RecordOutcome: {
        RecordOutcome.ACCEPTED: worded("row of a sheet", "New"),
        RecordOutcome.CHANGED: worded("row of a sheet", "Changed"),
        RecordOutcome.UNCHANGED: worded("row of a sheet", "Unchanged"),
        RecordOutcome.REFUSED: worded("row of a sheet", "Not importable"),
        RecordOutcome.PASSED_OVER: worded("row of a sheet", "Skipped"),
    },
    HandbookReader: {
        HandbookReader.CONTRACTOR: worded("handbook", "Contractors"),
        HandbookReader.RESIDENT: worded("handbook", "Residents"),
        HandbookReader.GUEST: worded("handbook", "Guests"),
    },
    HandbookTopic: {
        HandbookTopic.ENTRANCE: worded("handbook", "Entrance"),
        HandbookTopic.WIFI: worded("handbook", "Wi-Fi"),
        HandbookTopic.RUBBISH: worded("handbook", "Rubbish"),
        HandbookTopic.SHUT_OFF: worded("handbook", "Water and gas shut-off"),
        HandbookTopic.EMERGENCY: worded("handbook", "Emergency"),
        HandbookTopic.OTHER: worded("handbook", "Other"),
    },
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
