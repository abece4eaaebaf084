"""Says a fact as the audit kept it the way pages say it: yen, days, words, names instead of ids."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final

from flask_babel import gettext as _

from pms.foundation.audit import Subject
from pms.rules.channel_words import (
    Channel,
    ConversationState,
    InboundState,
    LeadState,
    SecretPurpose,
    WebhookSource,
)
from pms.rules.enumerations import (
    BlockSource,
    EnquirySource,
    EnquiryState,
    EsignStatus,
    FeeCategory,
    HandbookTopic,
    HoldReason,
    Lifecycle,
    Locale,
    PaymentStatus,
    ProjectState,
    RequestState,
    ReservationKind,
    RunKind,
    SheetKind,
    StaffRole,
    TaskKind,
    TaskState,
    TaxTreatment,
    TicketSide,
    TicketState,
    UnitType,
    ViewingStatus,
    WaitlistState,
)
from pms.surfaces.dashboard.audit.fact_words import fact_word
from pms.surfaces.dashboard.who import who
from pms.surfaces.enumeration_words import word
from pms.surfaces.page_words import day, instant, month, yen
from pms.surfaces.payment_methods import method_words

NOTHING: Final = "–"
SUBJECTS: Final[Mapping[str, str]] = {
    "unit_id": "unit",
    "building_id": "building",
    "owner_id": "owner",
    "reservation_id": "reservation",
    "new_reservation_id": "reservation",
}
"""The facts that are ids of something with a name."""
_WORDS: Final[Mapping[str, tuple[type[StrEnum], ...]]] = {
    "lifecycle": (Lifecycle,),
    "payment_status": (PaymentStatus,),
    "esign_status": (EsignStatus,),
    "role": (StaffRole,),
    "category": (FeeCategory,),
    "tax_treatment": (TaxTreatment,),
    "locale": (Locale,),
    "default_locale": (Locale,),
    "kind": (ReservationKind, RunKind, TaskKind, SheetKind),
    "sheet": (SheetKind,),
    "channel": (Channel,),
    "state": (
        TaskState,
        ProjectState,
        RequestState,
        TicketState,
        EnquiryState,
        WaitlistState,
        LeadState,
        ConversationState,
        InboundState,
    ),
    "hold_reason": (HoldReason,),
    "awaits": (TicketSide,),
    "type": (UnitType,),
    "source": (BlockSource, EnquirySource, WebhookSource),
    "purpose": (SecretPurpose,),
    "status": (ViewingStatus,),
    "visitor_locale": (Locale,),
    "topic": (HandbookTopic,),
}
Names = Mapping[Subject, str]


def fact_value(name: str, value: Any, names: Names) -> str:
    """Return a value as it is read; what carries a day is marked up for machines too."""
    if value is None or value in ("", []):
        return NOTHING
    if isinstance(value, bool):
        return str(_("Yes") if value else _("No"))
    if isinstance(value, Mapping):
        return ", ".join(_said_in(key, told, names) for key, told in value.items())
    if isinstance(value, list):
        return ", ".join(fact_value(name, one, names) for one in value)
    return _plain(name, value, names)


def _said_in(name: str, value: Any, names: Names) -> str:
    return f"{fact_word(name)} {fact_value(name, value, names)}"


def _plain(name: str, value: str | int, names: Names) -> str:
    if isinstance(value, int):
        return _figure(name, value)
    if name in SUBJECTS:
        return names.get((SUBJECTS[name], value), NOTHING)
    if name in ("person_id", "assignee_id", "host_id"):
        return who(f"person/{value}")
    if name.endswith("_by"):
        return who(value)
    return method_words(value) if name == "method" else _read(name, value)


def _figure(name: str, value: int) -> str:
    if name == "size_centi_sqm":
        return f"{value / 100:.2f}"
    return yen(value) if name.endswith("_yen") else f"{value:,}"


def _read(name: str, value: str) -> str:
    """A day, an instant or the word of a list; what cannot be read stands as it was kept."""
    if name == "month_on":
        return _or_as_kept(value, lambda text: month(date.fromisoformat(text)))
    if name == "sheet":
        value = value.replace("-", "_")
    if name.endswith(("_on", "_date")):
        return _or_as_kept(value, lambda text: day(date.fromisoformat(text)))
    if name.endswith("_at"):
        return _or_as_kept(value, lambda text: instant(datetime.fromisoformat(text)))
    words = next((words for words in _WORDS.get(name, ()) if value in list(words)), None)
    return word(words(value)) if words else value


def _or_as_kept(value: str, said: Callable[[str], str]) -> str:
    try:
        return said(value)
    except ValueError:
        return value
