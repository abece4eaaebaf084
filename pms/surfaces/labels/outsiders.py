"""The labels of what people outside the office do: links, checkouts, enquiries, findings."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from flask_babel import LazyString
from flask_babel import lazy_pgettext as worded

from pms.contracts.contract_states import ContractState
from pms.rules.enumerations import (
    CheckedRoom,
    CheckInLinkState,
    CheckoutState,
    ConditionState,
    EnquirySource,
    EnquiryState,
    IntegrationKind,
    LeaseKind,
    RegisterField,
    ReservationLinkState,
)

OUTSIDER_LABELS: Final[Mapping[type[StrEnum], Mapping[str, LazyString]]] = {
    LeaseKind: {
        LeaseKind.FIXED_TERM: worded("lease kind", "Fixed-term lease"),
        LeaseKind.ORDINARY: worded("lease kind", "Ordinary lease"),
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
        IntegrationKind.OTA: worded("integration kind", "Travel channels"),
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
    EnquirySource: {
        EnquirySource.WEBSITE: worded("enquiry source", "Website"),
        EnquirySource.MAIL: worded("enquiry source", "Mail"),
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
