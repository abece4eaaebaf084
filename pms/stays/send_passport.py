"""Keeps the copy of a guest's passport: a private file, the only one of its entry."""

from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.rules.deeds import Deed
from pms.stays.guests_in_hand import begun_stay, guest_in_hand, has_begun, settle_check_in
from pms.stays.links_in_hand import link_in_hand
from pms.stays.stay_terms import stay_terms


def send_passport(
    session: Session, clock: Clock, actor: str, *, link_id: str, position: int, file_key: str
) -> str | None:
    """Return the key of the copy that this one replaces, to be deleted; None for a first one.

    A copy may follow later, also during the stay; once it has begun none is replaced. Who sends one
    does not live in Japan.
    """
    link = link_in_hand(session, link_id)
    terms = stay_terms(session)
    row = guest_in_hand(session, clock, link, position)
    freed = row.passport_file_key
    is_written = freed is not None or row.lives_in_japan
    if is_written and has_begun(session, clock, link, terms):
        raise begun_stay()
    row.lives_in_japan = False
    row.passport_file_key, row.passport_sent_at = file_key, clock.now()
    row.updated_at = clock.now()
    told = {"guest_number": position}
    about = of_reservation(link.reservation_id)
    note_deed(session, clock, actor, Deed.PASSPORT_SENT, about, after=told)
    settle_check_in(session, clock, actor, link, terms)
    return freed
