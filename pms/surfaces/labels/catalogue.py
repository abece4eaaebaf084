"""The labels of what the office offers: units, availability, blocks, viewings."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from flask_babel import LazyString
from flask_babel import lazy_pgettext as worded

from pms.arrivals.sheet_imports import Verdict
from pms.rules.enumerations import (
    AvailabilityState,
    BlockSource,
    HandbookReader,
    HandbookTopic,
    UnitSort,
    UnitType,
    ViewingStatus,
    WaitlistState,
)

CATALOGUE_LABELS: Final[Mapping[type[StrEnum], Mapping[str, LazyString]]] = {
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
    Verdict: {
        Verdict.ACCEPTED: worded("row of a sheet", "New"),
        Verdict.CHANGED: worded("row of a sheet", "Changed"),
        Verdict.UNCHANGED: worded("row of a sheet", "Unchanged"),
        Verdict.REFUSED: worded("row of a sheet", "Not importable"),
        Verdict.PASSED_OVER: worded("row of a sheet", "Skipped"),
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
}
