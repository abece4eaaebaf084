"""The label of every enumeration in the reader's language, and the tone of each state."""

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Final, Literal

from flask import Flask
from flask_babel import LazyString

from pms.ledger.debts import EntryState
from pms.notices.sent_notices import SendingState
from pms.rules.enumerations import (
    AvailabilityState,
    BankOrderState,
    CheckInLinkState,
    CheckoutState,
    CollectionState,
    ConditionState,
    ContractState,
    DebitOutcome,
    EnquiryState,
    EsignStatus,
    Lifecycle,
    Locale,
    MandateState,
    MonthToMonthState,
    PaymentStatus,
    ProjectState,
    RequestState,
    ReservationKind,
    ReservationLinkState,
    RoomVerdict,
    RunState,
    SettlementState,
    ShareLinkState,
    TaskState,
    TicketState,
    TransferState,
    ViewingStatus,
    WaitlistState,
)
from pms.rules.message_words import ContentState, InboundState, LeadState, OrderState
from pms.rules.rent_proposals import RentAnswer
from pms.rules.screening import ScreeningState
from pms.rules.settlement_papers import PaperState
from pms.rules.term_endings import EndingState, TermAnswer
from pms.rules.transfer_matching import MatchCertainty
from pms.statements.owner_months import StatementState
from pms.surfaces.labels.bank import BANK_LABELS
from pms.surfaces.labels.catalogue import CATALOGUE_LABELS
from pms.surfaces.labels.channels import CHANNEL_LABELS
from pms.surfaces.labels.money import MONEY_LABELS
from pms.surfaces.labels.people import PEOPLE_LABELS
from pms.surfaces.labels.provider_calls import event_reason_label, failure_text
from pms.surfaces.labels.reservations import RESERVATION_LABELS
from pms.surfaces.page_templates import language_of_page

Tone = Literal["ok", "info", "warn", "bad", "soft", "plain"]

TONES: Final[Mapping[type[StrEnum], Mapping[str, Tone]]] = {
    SendingState: {
        SendingState.WAITING: "soft",
        SendingState.HANDED: "info",
        SendingState.SENT: "ok",
        SendingState.FAILED: "bad",
        SendingState.UNSENT: "plain",
    },
    ScreeningState: {
        ScreeningState.RECEIVED: "warn",
        ScreeningState.IN_REVIEW: "info",
        ScreeningState.APPROVED: "ok",
        ScreeningState.DECLINED: "bad",
        ScreeningState.WITHDRAWN: "soft",
    },
    MatchCertainty: {
        MatchCertainty.CERTAIN: "ok",
        MatchCertainty.LIKELY: "info",
        MatchCertainty.UNKNOWN: "warn",
    },
    TransferState: {
        TransferState.WAITING: "info",
        TransferState.PLACED: "ok",
        TransferState.KEPT: "warn",
    },
    BankOrderState: {
        BankOrderState.MADE: "warn",
        BankOrderState.CONFIRMED: "warn",
        BankOrderState.HANDED_OVER: "info",
        BankOrderState.ANSWERED: "ok",
    },
    MandateState: {MandateState.ASKED: "warn", MandateState.ACTIVE: "ok"},
    CollectionState: {
        CollectionState.PLANNED: "info",
        CollectionState.ASKED: "info",
        CollectionState.WAITING: "warn",
        CollectionState.PAID: "ok",
        CollectionState.FAILED: "bad",
    },
    DebitOutcome: {
        **dict.fromkeys(DebitOutcome, "bad"),
        DebitOutcome.COLLECTED: "ok",
    },
    AvailabilityState: {
        AvailabilityState.AVAILABLE_NOW: "ok",
        AvailabilityState.AVAILABLE_FROM: "ok",
        AvailabilityState.RESERVED: "info",
        AvailabilityState.POSSIBLY_AVAILABLE: "soft",
    },
    Lifecycle: {
        Lifecycle.BOOKED: "info",
        Lifecycle.CONFIRMED: "info",
        Lifecycle.LIVING: "ok",
        Lifecycle.NOTICE_FILED: "warn",
        Lifecycle.MOVED_OUT: "warn",
    },
    ReservationKind: {ReservationKind.OWNER_RESIDENT: "soft", ReservationKind.GUEST: "soft"},
    PaymentStatus: {
        PaymentStatus.PENDING: "warn",
        PaymentStatus.PAID: "ok",
        PaymentStatus.FAILED: "bad",
    },
    EsignStatus: {
        EsignStatus.PENDING: "warn",
        EsignStatus.SENT: "info",
        EsignStatus.PARTIALLY_SIGNED: "info",
        EsignStatus.SIGNED: "ok",
        EsignStatus.DECLINED: "bad",
        EsignStatus.EXPIRED: "bad",
    },
    MonthToMonthState: {MonthToMonthState.DERIVED: "soft", MonthToMonthState.FORCED: "soft"},
    InboundState: {
        InboundState.DONE: "ok",
        InboundState.UNMATCHED: "warn",
        InboundState.FAILED: "bad",
    },
    EntryState: {
        EntryState.CREDIT: "info",
        EntryState.SET_OFF: "ok",
        EntryState.OVERPAID: "warn",
        EntryState.PAID: "ok",
        EntryState.OVERDUE: "bad",
        EntryState.PARTLY_PAID: "info",
        EntryState.OPEN: "info",
    },
    SettlementState: {
        SettlementState.REFUND_PENDING: "warn",
        SettlementState.REFUNDED: "ok",
        SettlementState.RESIDENT_OWES: "bad",
    },
    PaperState: {
        PaperState.UNSENT: "warn",
        PaperState.SENT: "info",
        PaperState.OBJECTED: "bad",
        PaperState.AGREED: "ok",
        PaperState.RELEASED: "ok",
        PaperState.UNANSWERED: "ok",
    },
    ContractState: {
        ContractState.ISSUED: "info",
        ContractState.SENT: "warn",
        ContractState.SIGNED: "ok",
        ContractState.DECLINED: "bad",
        ContractState.EXPIRED: "bad",
        ContractState.OUTDATED: "warn",
    },
    EndingState: {
        EndingState.MISSING: "warn",
        EndingState.EARLY: "warn",
        EndingState.IN_TIME: "ok",
        EndingState.LATE: "info",
    },
    RentAnswer: {RentAnswer.AGREE: "ok", RentAnswer.DECLINE: "bad", RentAnswer.TALK: "warn"},
    TermAnswer: {TermAnswer.STAY: "ok", TermAnswer.LEAVE: "info", TermAnswer.TALK: "warn"},
    CheckoutState: {
        CheckoutState.ASKED: "info",
        CheckoutState.OPEN: "info",
        CheckoutState.PAID: "ok",
        CheckoutState.FAILED: "bad",
    },
    CheckInLinkState: {
        CheckInLinkState.LIVE: "ok",
        CheckInLinkState.REVOKED: "bad",
        CheckInLinkState.CANCELLED: "bad",
    },
    StatementState: {StatementState.PUBLISHED: "ok", StatementState.CHANGED: "warn"},
    RunState: {
        RunState.RUNNING: "info",
        RunState.STOPPED: "bad",
        RunState.FINISHED: "ok",
        RunState.FINISHED_WITH_PROBLEMS: "warn",
    },
    ViewingStatus: {
        ViewingStatus.SCHEDULED: "info",
        ViewingStatus.DONE: "ok",
        ViewingStatus.NO_SHOW: "warn",
    },
    WaitlistState: {WaitlistState.WAITING: "warn", WaitlistState.OFFERED: "info"},
    EnquiryState: {
        EnquiryState.NEW: "warn",
        EnquiryState.ANSWERED: "info",
        EnquiryState.VIEWING: "info",
        EnquiryState.OFFERED: "info",
        EnquiryState.WON: "ok",
    },
    ContentState: {
        ContentState.SCHEDULED: "info",
        ContentState.PUBLIC: "ok",
        ContentState.OVER: "soft",
    },
    LeadState: {
        LeadState.NEW: "warn",
        LeadState.IN_TALKS: "info",
        LeadState.TAKEN_ON: "ok",
    },
    OrderState: {OrderState.NEW: "warn", OrderState.MATCHED: "ok"},
    RequestState: {RequestState.REPORTED: "warn", RequestState.FOLDED: "info"},
    ProjectState: {ProjectState.OPEN: "info", ProjectState.DONE: "ok"},
    TaskState: {TaskState.DOING: "info", TaskState.ON_HOLD: "warn", TaskState.DONE: "ok"},
    ShareLinkState: {ShareLinkState.LIVE: "ok", ShareLinkState.EXPIRED: "warn"},
    ReservationLinkState: {
        ReservationLinkState.LIVE: "info",
        ReservationLinkState.ACCEPTED: "ok",
        ReservationLinkState.EXPIRED: "warn",
    },
    TicketState: {TicketState.OPEN: "info"},
    ConditionState: {
        ConditionState.IN_ORDER: "ok",
        ConditionState.MARKED: "warn",
        ConditionState.BROKEN: "bad",
    },
    RoomVerdict: {RoomVerdict.SAME: "ok", RoomVerdict.WORSE: "warn"},
}


LABELS: Final[Mapping[type[StrEnum], Mapping[str, LazyString]]] = {
    **CATALOGUE_LABELS,
    **BANK_LABELS,
    **RESERVATION_LABELS,
    **MONEY_LABELS,
    **PEOPLE_LABELS,
    **CHANNEL_LABELS,
}


def install(app: Flask) -> None:
    """Give templates the names of states, their tones, reasons, and `locale|language`."""
    app.jinja_env.filters.update(
        label=label_of,
        tone=tone,
        failure_text=failure_text,
        event_reason=event_reason_label,
        language=lambda locale: label_of(Locale(locale)),
    )


def label_of(value: StrEnum) -> str:
    """Return the label of an enumeration's member, for a tag or a choice."""
    return _find_label(type(value), value, language_of_page())


@lru_cache(maxsize=4096)
def _find_label(kind: type[StrEnum], value: StrEnum, _language: str) -> str:
    # The same few labels are used on every card and in every list.
    return str(LABELS[kind][value])


def choices(kind: type[StrEnum]) -> list[tuple[str, str]]:
    """Return the choices of an enumeration for a form: each value with its label."""
    return [(member.value, label_of(member)) for member in kind]


def tone(value: StrEnum) -> Tone:
    """Return the tone of a state's tag; a state that needs no attention is plain."""
    return TONES.get(type(value), {}).get(value, "plain")
