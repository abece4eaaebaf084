"""The labels of reservations: kind, state and how they end."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from flask_babel import LazyString
from flask_babel import lazy_pgettext as worded

from pms.rules.enumerations import (
    EsignStatus,
    Lifecycle,
    MonthToMonthState,
    PaymentStatus,
    PenaltyKind,
    ReservationKind,
    TakeoverState,
)
from pms.rules.notices import ClassReason, OwedReason
from pms.rules.tenancy_way import Stage

RESERVATION_LABELS: Final[Mapping[type[StrEnum], Mapping[str, LazyString]]] = {
    ReservationKind: {
        ReservationKind.RESIDENT: worded("reservation", "Resident"),
        ReservationKind.OWNER_RESIDENT: worded("reservation", "Owner resident"),
        ReservationKind.GUEST: worded("reservation", "Guest"),
    },
    Lifecycle: {
        Lifecycle.BOOKED: worded("lifecycle", "Booked"),
        Lifecycle.CONFIRMED: worded("lifecycle", "Confirmed"),
        Lifecycle.LIVING: worded("lifecycle", "Current"),
        Lifecycle.NOTICE_FILED: worded("lifecycle", "Notice filed"),
        Lifecycle.MOVED_OUT: worded("lifecycle", "Moved out"),
        Lifecycle.SETTLED: worded("lifecycle", "Settled"),
        Lifecycle.REFUNDED: worded("lifecycle", "Refunded"),
        Lifecycle.CANCELLED: worded("lifecycle", "Cancelled"),
        Lifecycle.TRANSFERRED: worded("lifecycle", "Transferred"),
    },
    TakeoverState: {
        TakeoverState.OPEN: worded("take-over", "Open"),
        TakeoverState.LIVE: worded("take-over", "Live"),
        TakeoverState.UNDOING: worded("take-over", "Being undone"),
        TakeoverState.DROPPED: worded("take-over", "Discarded"),
    },
    PaymentStatus: {
        PaymentStatus.PENDING: worded("payment status", "Payment pending"),
        PaymentStatus.PAID: worded("payment status", "Paid"),
        PaymentStatus.REFUNDED: worded("payment status", "Refunded"),
        PaymentStatus.CANCELLED: worded("payment status", "Cancelled"),
        PaymentStatus.FAILED: worded("payment status", "Failed"),
    },
    EsignStatus: {
        EsignStatus.PENDING: worded("signature", "Not sent"),
        EsignStatus.SENT: worded("signature", "Sent"),
        EsignStatus.PARTIALLY_SIGNED: worded("signature", "Partly signed"),
        EsignStatus.SIGNED: worded("signature", "Signed"),
        EsignStatus.DECLINED: worded("signature", "Declined"),
        EsignStatus.EXPIRED: worded("signature", "Expired"),
    },
    MonthToMonthState: {
        MonthToMonthState.NONE: worded("month to month", "Fixed term"),
        MonthToMonthState.DERIVED: worded("month to month", "Month to month"),
        MonthToMonthState.FORCED: worded("month to month", "Set to month to month"),
    },
    Stage: {
        Stage.OFFER: worded("stage", "Offer"),
        Stage.CONTRACT: worded("stage", "Contract sent"),
        Stage.SIGNATURE: worded("stage", "Signed"),
        Stage.INVOICE: worded("stage", "Invoice sent"),
        Stage.PAYMENT: worded("stage", "Paid"),
        Stage.KEYS: worded("stage", "Keys, moved in"),
        Stage.LIVING: worded("stage", "Current"),
        Stage.MOVE_OUT: worded("stage", "Moved out"),
        Stage.SETTLEMENT: worded("stage", "Settled"),
    },
    PenaltyKind: {
        PenaltyKind.NONE: worded("move-out penalty", "No penalty"),
        PenaltyKind.EARLY_EXIT: worded("move-out penalty", "Early departure"),
        PenaltyKind.SHORT_NOTICE: worded("move-out penalty", "Short notice"),
    },
    ClassReason: {
        ClassReason.NO_END: worded("notice class", "The contract has no end date"),
        ClassReason.FEW_DAYS: worded("notice class", "Short contract by number of days"),
        ClassReason.MANY_DAYS: worded("notice class", "Long contract by number of days"),
        ClassReason.WHOLE_MONTH: worded(
            "notice class", "The contract covers a whole calendar month"
        ),
    },
    OwedReason: {
        OwedReason.CONTRACT: worded("notice owed", "By the contract"),
        OwedReason.WINDOW_OPEN: worded("notice owed", "The tenancy is month to month"),
        OwedReason.FORCED: worded("notice owed", "Set to month to month"),
    },
}
