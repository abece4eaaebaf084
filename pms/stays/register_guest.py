"""Writes one guest of a stay into the register that the law asks for."""

from typing import Final

from sqlalchemy.orm import Session

from pms.catalogue.checked_texts import LONGEST_LINE, LONGEST_NAME, checked_text
from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.sealing import sealed_text
from pms.rules.check_in import GuestFacts, missing_entries
from pms.rules.deeds import Deed
from pms.stays.guests_in_hand import begun_stay, guest_in_hand, has_begun, settle_check_in
from pms.stays.links_in_hand import link_in_hand
from pms.stays.models import GuestRegistration
from pms.stays.register import entry_of
from pms.stays.stay_terms import Terms, stay_terms

_LONGEST_ADDRESS: Final = 500


def register_guest(
    session: Session, clock: Clock, actor: str, *, link_id: str, position: int, guest: GuestFacts
) -> str | None:
    """Return the key of a copy of a passport that is not kept any more, to be deleted.

    Who lives in Japan has no passport in the register. Raises `Refused` for an entry that lacks
    something, and, once the stay has begun, for changing one that lacked nothing.
    """
    link = link_in_hand(session, link_id)
    terms = stay_terms(session)
    row = guest_in_hand(session, clock, link, position)
    if has_begun(session, clock, link, terms) and entry_of(session, row, terms).is_complete:
        raise begun_stay()
    freed = _write(session, row, guest, terms)
    _refuse_missing(session, row, terms)
    row.updated_at = clock.now()
    told = {"guest_number": position}
    about = of_reservation(link.reservation_id)
    note_deed(session, clock, actor, Deed.GUEST_REGISTERED, about, after=told)
    settle_check_in(session, clock, actor, link, terms)
    return freed


def _write(session: Session, row: GuestRegistration, guest: GuestFacts, terms: Terms) -> str | None:
    row.name = checked_text("name", guest.name, LONGEST_NAME) or ""
    row.lives_in_japan = guest.lives_in_japan
    row.address = checked_text("address", guest.address, _LONGEST_ADDRESS)
    row.contact = checked_text("contact", guest.contact)
    row.extras = {
        one.value: text
        for one in terms.register_fields
        if (text := checked_text(one.value, guest.extras.get(one.value), LONGEST_LINE))
    }
    if not guest.lives_in_japan:
        row.nationality = checked_text("nationality", guest.nationality, LONGEST_NAME)
        number = checked_text("passportNumber", guest.passport_number, 40)
        row.passport_number = sealed_text(session, number)
        return None
    freed = row.passport_file_key
    row.nationality = row.passport_number = None
    row.passport_file_key = row.passport_sent_at = None
    return freed


def _refuse_missing(session: Session, row: GuestRegistration, terms: Terms) -> None:
    missing = missing_entries(entry_of(session, row, terms).facts, terms.register_fields)
    if missing:
        raise Refused("{field}: the register of guests needs this.", field=missing[0])
