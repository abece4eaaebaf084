"""The labels of people and of their permissions."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from flask_babel import LazyString
from flask_babel import lazy_pgettext as worded

from pms.notices.sent_notices import SendingState
from pms.personal_data.fates import DataSubject
from pms.rules.enumerations import (
    Locale,
    Proof,
    Scope,
    SignInEventKind,
    StaffRole,
    TelemetryAxis,
    TelemetryType,
    UserKind,
)
from pms.rules.notices_to_people import NoticeGroup, UnsentBecause
from pms.rules.retention import KeptBecause
from pms.rules.scopes import Preset

PEOPLE_LABELS: Final[Mapping[type[StrEnum], Mapping[str, LazyString]]] = {
    NoticeGroup: {
        NoticeGroup.TASKS: worded("notification group", "Tasks"),
        NoticeGroup.MESSAGES: worded("notification group", "Messages and reports"),
        NoticeGroup.MONEY: worded("notification group", "Money"),
        NoticeGroup.CONTRACTS: worded("notification group", "Contracts and move-outs"),
        NoticeGroup.RUNS: worded("notification group", "Long-running work"),
    },
    SendingState: {
        SendingState.WAITING: worded("notification", "Email waits"),
        SendingState.HANDED: worded("notification", "Email on its way"),
        SendingState.SENT: worded("notification", "Emailed"),
        SendingState.FAILED: worded("notification", "Email failed"),
        SendingState.UNSENT: worded("notification", "No email"),
    },
    UnsentBecause: {
        UnsentBecause.ROLE: worded("notification", "in the page only, as usual for the role"),
        UnsentBecause.CHOICE: worded("notification", "in the page only, as the person chose"),
        UnsentBecause.NO_ADDRESS: worded("notification", "no email address"),
        UnsentBecause.READ: worded("notification", "read in the page before"),
        UnsentBecause.OVER: worded("notification", "no longer needed: done or over by then"),
        UnsentBecause.GONE: worded("notification", "the person has left the team"),
    },
    DataSubject: {
        DataSubject.CONTACT: worded("personal data", "Contact details and notes"),
        DataSubject.BILLS: worded("personal data", "Bills, payments and the name on them"),
        DataSubject.BANK: worded("personal data", "Bank accounts and payment methods"),
        DataSubject.CONTRACT: worded("personal data", "Contracts and their parties"),
        DataSubject.PAPERS: worded(
            "personal data", "Identity papers, emergency contact, employer or school"
        ),
        DataSubject.MESSAGES: worded("personal data", "Messages"),
        DataSubject.MAILS: worded("personal data", "Notes of sent emails"),
        DataSubject.REPORTS: worded("personal data", "Reports of problems with photos"),
        DataSubject.CONDITION: worded("personal data", "Condition reports with photos"),
        DataSubject.KEYS: worded("personal data", "Keys and move-out notes"),
        DataSubject.REGISTER: worded("personal data", "Guest register entry"),
        DataSubject.ENQUIRY: worded("personal data", "Enquiries"),
        DataSubject.OFFER: worded("personal data", "Offers and applications"),
        DataSubject.VIEWING: worded("personal data", "Viewings"),
        DataSubject.WAITLIST: worded("personal data", "Waitlist entries"),
        DataSubject.APPLICATION: worded("personal data", "Job applications"),
    },
    KeptBecause: {
        KeptBecause.LEDGER: worded(
            "personal data", "books are kept by law (Corporation Tax Act, Regulation 59)"
        ),
        KeptBecause.CONTRACT: worded(
            "personal data", "contracts are kept while claims may arise (Civil Code, Article 166)"
        ),
        KeptBecause.REGISTER: worded(
            "personal data",
            "the guest register is kept by law (Hotel Business Act, Regulation 4-2)",
        ),
    },
    StaffRole: {
        StaffRole.OPERATOR: worded("role", "Operator"),
        StaffRole.OFFICE: worded("role", "Office"),
        StaffRole.HOUSEKEEPING: worded("role", "Housekeeping"),
        StaffRole.MAINTENANCE: worded("role", "Maintenance"),
    },
    Locale: {
        Locale.JA: worded("language", "Japanese"),
        Locale.EN: worded("language", "English"),
    },
    TelemetryType: {
        TelemetryType.PAGE_VIEW: worded("website visit", "Page view"),
        TelemetryType.EVENT: worded("website visit", "Event"),
    },
    TelemetryAxis: {
        TelemetryAxis.DAY: worded("website visit", "Days"),
        TelemetryAxis.PAGE: worded("website visit", "Pages"),
        TelemetryAxis.EVENT: worded("website visit", "Events"),
        TelemetryAxis.CAMPAIGN: worded("website visit", "Campaigns"),
        TelemetryAxis.REFERRER: worded("website visit", "Referrer"),
    },
    Preset: {
        Preset.READ: worded("key", "Reading"),
        Preset.ACTIONS: worded("key", "Actions"),
        Preset.TELEMETRY: worded("key", "Telemetry"),
    },
    Scope: {
        Scope.PROPERTIES_READ: worded("scope", "Read listings"),
        Scope.CONTENT_READ: worded("scope", "Read content"),
        Scope.RESIDENTS_READ: worded("scope", "Read residents"),
        Scope.SHOWINGS_READ: worded("scope", "Read viewings"),
        Scope.INQUIRIES_WRITE: worded("scope", "Send enquiries"),
        Scope.LEADS_WRITE: worded("scope", "Send applications"),
        Scope.ANALYTICS_WRITE: worded("scope", "Report visits"),
        Scope.CHAT_INVOKE: worded("scope", "Use the chat"),
        Scope.CHECK_IN_LINKS_WRITE: worded("scope", "Create check-in links"),
        Scope.RESERVATION_LINKS_WRITE: worded("scope", "Create offer links"),
        Scope.PURCHASES_WRITE: worded("scope", "Record purchases"),
        Scope.OTA_INGEST: worded("scope", "Take bookings from channels"),
    },
    UserKind: {
        UserKind.STAFF: worded("kind of user", "Staff"),
        UserKind.RESIDENT: worded("kind of user", "Resident"),
        UserKind.OWNER: worded("kind of user", "Owner"),
    },
    Proof: {
        Proof.PASSWORD: worded("proof", "Password"),
        Proof.CODE: worded("proof", "Code by email"),
        Proof.INVITATION: worded("proof", "Invitation"),
    },
    SignInEventKind: {
        SignInEventKind.SIGNED_IN: worded("sign-in", "Signed in"),
        SignInEventKind.FACTOR_ASKED: worded("sign-in", "Waiting for the second step"),
        SignInEventKind.FAILED: worded("sign-in", "Sign-in failed"),
        SignInEventKind.FACTOR_FAILED: worded("sign-in", "Two-step sign-in failed"),
        SignInEventKind.LOCKED_OUT: worded("sign-in", "Temporarily locked"),
        SignInEventKind.CODE_ASKED: worded("sign-in", "Code requested"),
        SignInEventKind.PASSWORD_CHANGED: worded("sign-in", "Password changed"),
        SignInEventKind.ADDRESS_CHANGED: worded("sign-in", "Email address changed"),
        SignInEventKind.FACTOR_SET_UP: worded("sign-in", "Two-step sign-in set up"),
        SignInEventKind.FACTOR_REMOVED: worded("sign-in", "Two-step sign-in removed"),
        SignInEventKind.SIGNED_OUT: worded("sign-in", "Signed out"),
        SignInEventKind.SESSION_ENDED: worded("sign-in", "Another device signed out"),
        SignInEventKind.SESSIONS_ENDED: worded("sign-in", "All other devices signed out"),
        SignInEventKind.TIMED_OUT: worded("sign-in", "Signed out after inactivity"),
    },
}
