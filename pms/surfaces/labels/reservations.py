"""The labels of reservations: kind, state, contract, links, payment pages, and the enquiries before."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from flask_babel import LazyString
from flask_babel import lazy_pgettext as worded

from pms.rules.contract_people import (
    AskedFor,
    IdentityKind,
    OccupationKind,
    PeopleKind,
    PeopleLack,
)
from pms.rules.enumerations import (
    CheckedRoom,
    CheckInLinkState,
    CheckoutState,
    ConditionState,
    ContractState,
    EnquirySource,
    EnquiryState,
    EsignStatus,
    IntegrationKind,
    LeaseKind,
    Lifecycle,
    MonthToMonthState,
    PaymentStatus,
    PenaltyKind,
    RegisterField,
    ReservationKind,
    ReservationLinkState,
    RoomVerdict,
    TakeoverState,
)
from pms.rules.explanations import ExplanationWay
from pms.rules.notices import ClassReason, LeavingReason, OwedReason
from pms.rules.rent_proposals import AmountWay, RentAnswer
from pms.rules.screening import ScreeningState
from pms.rules.tenancy_way import Stage, TenancyStep
from pms.rules.term_endings import EndingState, NoticeWay, TermAnswer

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
        Stage.CONTRACT: worded("stage", "Contract"),
        Stage.SIGNATURE: worded("stage", "Signature"),
        Stage.INVOICE: worded("stage", "Invoice"),
        Stage.PAYMENT: worded("stage", "Payment"),
        Stage.KEYS: worded("stage", "Move-in"),
        Stage.LIVING: worded("stage", "Current"),
        Stage.MOVE_OUT: worded("stage", "Move-out"),
        Stage.SETTLEMENT: worded("stage", "Settlement"),
    },
    TenancyStep: {
        TenancyStep.DATES: worded("open step", "Dates"),
        TenancyStep.OPENING: worded("open step", "Opening balances"),
        TenancyStep.AMENDMENT: worded("open step", "Amendment of the contract"),
        TenancyStep.CONTRACT: worded("open step", "Contract"),
        TenancyStep.EXPLANATION: worded("open step", "Prior explanation"),
        TenancyStep.SIGNATURE: worded("open step", "Signature"),
        TenancyStep.INVOICE: worded("open step", "Move-in invoice"),
        TenancyStep.PAYMENT: worded("open step", "Payment"),
        TenancyStep.CONFIRMATION: worded("open step", "Confirmation"),
        TenancyStep.MOVE_IN: worded("open step", "Move-in"),
        TenancyStep.KEYS: worded("open step", "Keys"),
        TenancyStep.BILLS: worded("open step", "Bills"),
        TenancyStep.MOVE_OUT: worded("open step", "Move-out"),
        TenancyStep.SETTLEMENT: worded("open step", "Settlement"),
        TenancyStep.REFUND: worded("open step", "Refund"),
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
    LeaseKind: {
        LeaseKind.FIXED_TERM: worded("lease kind", "Fixed-term lease"),
        LeaseKind.ORDINARY: worded("lease kind", "Ordinary lease"),
    },
    PeopleKind: {
        PeopleKind.GUARANTOR: worded("contract", "Guarantor"),
        PeopleKind.GUARANTEE_COMPANY: worded("contract", "Guarantee company"),
        PeopleKind.EMERGENCY_CONTACT: worded("contract", "Emergency contact"),
        PeopleKind.OCCUPATION: worded("contract", "Employer or school"),
        PeopleKind.IDENTITY_PAPER: worded("contract", "Identity paper"),
    },
    PeopleLack: {
        PeopleLack.GUARANTOR: worded("contract", "Guarantor"),
        PeopleLack.GUARANTOR_AMOUNT: worded("contract", "Highest amount of the guarantee"),
        PeopleLack.GUARANTEE_COMPANY: worded("contract", "Guarantee company"),
        PeopleLack.EMERGENCY_CONTACT: worded("contract", "Emergency contact"),
        PeopleLack.OCCUPATION: worded("contract", "Employer or school"),
        PeopleLack.IDENTITY_PAPER: worded("contract", "Identity paper"),
    },
    AskedFor: {
        AskedFor.NONE: worded("asked for", "Not asked"),
        AskedFor.OPTIONAL: worded("asked for", "Optional"),
        AskedFor.REQUIRED: worded("asked for", "Required"),
    },
    OccupationKind: {
        OccupationKind.EMPLOYER: worded("occupation", "Employer"),
        OccupationKind.SCHOOL: worded("occupation", "School"),
        OccupationKind.OTHER: worded("occupation", "Self-employed or other"),
    },
    IdentityKind: {
        IdentityKind.RESIDENCE_CARD: worded("identity paper", "Residence card"),
        IdentityKind.PASSPORT: worded("identity paper", "Passport"),
        IdentityKind.DRIVING_LICENCE: worded("identity paper", "Driving licence"),
        IdentityKind.MY_NUMBER_CARD: worded("identity paper", "My Number card (front only)"),
        IdentityKind.STUDENT_CARD: worded("identity paper", "Student card"),
        IdentityKind.OTHER: worded("identity paper", "Other identity paper"),
    },
    ScreeningState: {
        ScreeningState.RECEIVED: worded("screening", "Received"),
        ScreeningState.IN_REVIEW: worded("screening", "In review"),
        ScreeningState.APPROVED: worded("screening", "Approved"),
        ScreeningState.DECLINED: worded("screening", "Declined"),
        ScreeningState.WITHDRAWN: worded("screening", "Withdrawn"),
    },
    LeavingReason: {
        LeavingReason.TRANSFER: worded("reason for leaving", "Transfer by the employer"),
        LeavingReason.ILLNESS: worded("reason for leaving", "Illness"),
        LeavingReason.CARE: worded("reason for leaving", "Care of a relative"),
        LeavingReason.OTHER: worded("reason for leaving", "Another reason that cannot be helped"),
    },
    EndingState: {
        EndingState.NONE_NEEDED: worded("notice of the end", "Not needed"),
        EndingState.MISSING: worded("notice of the end", "Not given yet"),
        EndingState.EARLY: worded("notice of the end", "Too early, give it again"),
        EndingState.IN_TIME: worded("notice of the end", "Arrived in time"),
        EndingState.LATE: worded("notice of the end", "Arrived late"),
    },
    NoticeWay: {
        NoticeWay.OPENED: worded("notice of the end", "Opened on the resident page"),
        NoticeWay.HANDED: worded("notice of the end", "Handed over"),
        NoticeWay.POSTED: worded("notice of the end", "Delivered by post"),
        NoticeWay.OTHER: worded("notice of the end", "Other"),
    },
    TermAnswer: {
        TermAnswer.STAY: worded("end of the term", "Wants to stay"),
        TermAnswer.LEAVE: worded("end of the term", "Wants to leave"),
        TermAnswer.TALK: worded("end of the term", "Wants to talk"),
    },
    RentAnswer: {
        RentAnswer.AGREE: worded("proposed rent", "Agreed"),
        RentAnswer.DECLINE: worded("proposed rent", "Declined"),
        RentAnswer.TALK: worded("proposed rent", "Wants to talk"),
    },
    AmountWay: {
        AmountWay.KEEP: worded("proposed amount", "Unchanged"),
        AmountWay.RAISE_YEN: worded("proposed amount", "Raise by yen"),
        AmountWay.RAISE_PERCENT: worded("proposed amount", "Raise by percent"),
        AmountWay.LOWER_YEN: worded("proposed amount", "Lower by yen"),
        AmountWay.LOWER_PERCENT: worded("proposed amount", "Lower by percent"),
        AmountWay.SET_YEN: worded("proposed amount", "Set to yen"),
    },
    ExplanationWay: {
        ExplanationWay.PHONE: worded("way of explaining", "By phone"),
        ExplanationWay.VIDEO: worded("way of explaining", "By video"),
        ExplanationWay.MET: worded("way of explaining", "In person"),
    },
    ContractState: {
        ContractState.ISSUED: worded("contract state", "Issued"),
        ContractState.SENT: worded("contract state", "Sent"),
        ContractState.SIGNED: worded("contract state", "Signed"),
        ContractState.DECLINED: worded("contract state", "Declined"),
        ContractState.EXPIRED: worded("contract state", "Expired"),
        ContractState.OUTDATED: worded("contract state", "Out of date"),
        ContractState.REPLACED: worded("contract state", "Replaced"),
    },
    CheckoutState: {
        CheckoutState.ASKED: worded("checkout state", "Being opened"),
        CheckoutState.OPEN: worded("checkout state", "Open"),
        CheckoutState.PAID: worded("checkout state", "Paid"),
        CheckoutState.FAILED: worded("checkout state", "Failed"),
        CheckoutState.EXPIRED: worded("checkout state", "Expired"),
    },
    IntegrationKind: {
        IntegrationKind.PAYMENTS: worded("integration kind", "Online payments"),
        IntegrationKind.ESIGN: worded("integration kind", "E-signature"),
        IntegrationKind.LINE: worded("integration kind", "LINE"),
        IntegrationKind.WHATSAPP: worded("integration kind", "WhatsApp"),
        IntegrationKind.OTA: worded("integration kind", "Booking sites"),
        IntegrationKind.ASSISTANT: worded("integration kind", "Language model"),
    },
    ConditionState: {
        ConditionState.IN_ORDER: worded("condition state", "In order"),
        ConditionState.MARKED: worded("condition state", "Marks or wear"),
        ConditionState.BROKEN: worded("condition state", "Broken or missing"),
    },
    CheckedRoom: {
        CheckedRoom.ENTRANCE: worded("checked room", "Entrance and hall"),
        CheckedRoom.LIVING: worded("checked room", "Living room"),
        CheckedRoom.BEDROOM: worded("checked room", "Bedroom"),
        CheckedRoom.KITCHEN: worded("checked room", "Kitchen"),
        CheckedRoom.BATH: worded("checked room", "Bath and washroom"),
        CheckedRoom.TOILET: worded("checked room", "Toilet"),
        CheckedRoom.BALCONY: worded("checked room", "Balcony and windows"),
        CheckedRoom.EQUIPMENT: worded("checked room", "Furniture and appliances"),
    },
    RoomVerdict: {
        RoomVerdict.SAME: worded("inspected room", "Same as on arrival"),
        RoomVerdict.WORSE: worded("inspected room", "Worse"),
    },
    EnquirySource: {
        EnquirySource.WEBSITE: worded("enquiry source", "Website"),
        EnquirySource.MAIL: worded("enquiry source", "Email"),
        EnquirySource.PHONE: worded("enquiry source", "Telephone"),
        EnquirySource.VISIT: worded("enquiry source", "Visit"),
        EnquirySource.PORTAL: worded("enquiry source", "Listing site"),
    },
    EnquiryState: {
        EnquiryState.NEW: worded("enquiry state", "New"),
        EnquiryState.ANSWERED: worded("enquiry state", "Answered"),
        EnquiryState.VIEWING: worded("enquiry state", "Viewing booked"),
        EnquiryState.OFFERED: worded("enquiry state", "Offered"),
        EnquiryState.WON: worded("enquiry state", "Booked"),
        EnquiryState.LOST: worded("enquiry state", "Closed"),
    },
    CheckInLinkState: {
        CheckInLinkState.LIVE: worded("check in link state", "Live"),
        CheckInLinkState.REVOKED: worded("check in link state", "Revoked"),
        CheckInLinkState.CANCELLED: worded("check in link state", "Booking cancelled"),
        CheckInLinkState.OVER: worded("check in link state", "Stay ended"),
    },
    ReservationLinkState: {
        ReservationLinkState.LIVE: worded("reservation link state", "Open"),
        ReservationLinkState.ACCEPTED: worded("reservation link state", "Accepted"),
        ReservationLinkState.EXPIRED: worded("reservation link state", "Expired"),
        ReservationLinkState.REVOKED: worded("reservation link state", "Revoked"),
    },
    RegisterField: {
        RegisterField.OCCUPATION: worded("register field", "Occupation"),
        RegisterField.AGE: worded("register field", "Age"),
        RegisterField.PREVIOUS_PLACE: worded("register field", "Previous place"),
        RegisterField.NEXT_PLACE: worded("register field", "Next destination"),
    },
}
