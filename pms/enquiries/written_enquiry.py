"""What somebody asks, as it comes in and as the office writes it, checked field by field."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import (
    LONGEST_NAME,
    LONGEST_TEXT,
    checked_email,
    checked_phone,
    checked_text,
    needed_text,
)
from pms.enquiries.wanted_place import wanted_place
from pms.foundation.errors import Refused
from pms.rules.enumerations import EnquirySource, Locale

LOCALES: Final = tuple(locale.value for locale in Locale)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenEnquiry:
    """Who asks, about which unit or building or about anything, and what they wrote."""

    name: str | None
    source: EnquirySource
    email: str | None = None
    phone: str | None = None
    message: str | None = None
    unit_id: str | None = None
    building_id: str | None = None
    move_in_on: date | None = None
    locale: str = Locale.JA


def checked_enquiry(session: Session, written: WrittenEnquiry) -> dict[str, Any]:
    """Return the columns; raise `Refused` without a way to answer, or for a place of nobody here."""
    unit_id, building_id = wanted_place(session, written.unit_id, written.building_id)
    email, phone = checked_email("email", written.email), checked_phone("phone", written.phone)
    if email is None and phone is None:
        raise Refused("email: state an address or a telephone number; one of them is needed.")
    if written.locale not in LOCALES:
        raise Refused("locale: '{locale}' is not one of ja, en.", locale=written.locale[:20])
    return {
        "source": written.source,
        "name": needed_text("name", written.name, LONGEST_NAME),
        "email": email,
        "phone": phone,
        "message": checked_text("message", written.message, LONGEST_TEXT) or "",
        "unit_id": unit_id,
        "building_id": building_id,
        "move_in_on": written.move_in_on,
        "locale": written.locale,
    }
