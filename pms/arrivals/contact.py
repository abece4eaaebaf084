"""Who a reservation is with and how they are reached, as it may be stated."""

from dataclasses import dataclass, replace
from typing import Final

from pms.arrivals.sheets.cells import email
from pms.arrivals.sheets.reasons import Unreadable
from pms.foundation.errors import Refused
from pms.reservations.name_co_occupants import LONGEST_NAME
from pms.rules.enumerations import Locale

_LONGEST_PHONE: Final = 50
_LONGEST_NOTE: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """The contract holder's name with its reading, addresses, language, and the office's note."""

    name: str
    name_kana: str | None = None
    email: str | None = None
    phone: str | None = None
    locale: Locale = Locale.JA
    note: str | None = None


def checked_contact(contact: Contact) -> Contact:
    """Return the contact with its texts trimmed, or raise `Refused` naming what is wrong."""
    return replace(
        contact,
        name=_name(contact.name),
        name_kana=_text("nameKana", contact.name_kana, LONGEST_NAME),
        email=_email(contact.email),
        phone=_text("phone", contact.phone, _LONGEST_PHONE),
        locale=Locale(contact.locale),
        note=_text("note", contact.note, _LONGEST_NOTE),
    )


def _name(name: str) -> str:
    name = name.strip()
    if not 0 < len(name) <= LONGEST_NAME:
        raise Refused(
            "name: a reservation is in a name of 1 to {most_characters} characters.",
            most_characters=LONGEST_NAME,
        )
    return name


def _text(field: str, text: str | None, longest: int) -> str | None:
    text = (text or "").strip()
    if len(text) > longest:
        raise Refused(
            "{field}: {found_characters} characters are more than {most_characters}.",
            field=field,
            found_characters=len(text),
            most_characters=longest,
        )
    return text or None


def _email(address: str | None) -> str | None:
    try:
        return email(address) if address and address.strip() else None
    except Unreadable as refusal:
        raise Refused("email: '{address}' is not an e-mail address.", address=address) from refusal
