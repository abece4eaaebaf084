"""Offers a unit to somebody by a link: the terms are frozen, the unit is not held."""

from datetime import date, datetime
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from pms.arrivals.contact import Contact, checked_contact
from pms.arrivals.offered_terms import offered_terms
from pms.arrivals.preview_booking import preview_booking
from pms.catalogue.checked_texts import checked_number
from pms.contracts.merge_contract import refuse_without_end
from pms.foundation.audit import note_deed, subject_of
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.external_ids import known_once, refuse_known
from pms.foundation.ids import new_id
from pms.foundation.named_links import LinkKind
from pms.foundation.tokens import Sealer, new_token
from pms.offers.frozen_terms import FrozenTerms, frozen, usual_terms
from pms.offers.models import ReservationLink
from pms.offers.offered_unit import refuse_unofferable
from pms.offers.origin import check_origin, note_offered
from pms.offers.stated_booking import booking_of
from pms.pricing.agreed_price import AgreedDiscount
from pms.rules.deeds import Deed
from pms.rules.enumerations import Locale
from pms.rules.reservation_links import link_expires_at

RESERVATION_LINK: Final = LinkKind("reservation-link", ReservationLink.nonce)
"""What the token of a reservation link is signed for."""
USUAL_VALID_DAYS: Final = 7
MOST_VALID_DAYS: Final = 60
NOBODY: Final = "–"


class CreatedLink(NamedTuple):
    """A new link, the token that opens it, and until when it does."""

    id: str
    token: str
    expires_at: datetime


def create_reservation_link(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    unit_id: str,
    move_in_on: date,
    contract_end_on: date | None = None,
    name: str | None = None,
    email: str | None = None,
    locale: str = Locale.JA,
    discount: AgreedDiscount | None = None,
    template_id: str | None = None,
    enquiry_id: str | None = None,
    place_id: str | None = None,
    valid_days: int = USUAL_VALID_DAYS,
    external_id: str | None = None,
    sealer: Sealer,
) -> CreatedLink:
    """Return a link that offers a unit from a day on for what it is let for today.

    Raises `NotFound` for an unknown unit, `Refused` when the unit cannot be offered from that day,
    for days that are no contract, a fixed term without its last day, and a discount that the stay
    does not earn, and `Collision`
    for an `external_id` that came before.
    """
    offered = usual_terms(offered_terms(session, unit_id), discount)
    refuse_known(session, ReservationLink.external_id, external_id)
    refuse_unofferable(session, unit_id, move_in_on, clock.today())
    refuse_without_end(session, template_id or None, contract_end_on)
    days = checked_number("validDays", valid_days, 1, MOST_VALID_DAYS) or USUAL_VALID_DAYS
    contact = checked_contact(Contact(name=name or NOBODY, email=email))
    row = ReservationLink(
        id=new_id(),
        nonce=new_token(),
        unit_id=unit_id,
        move_in_on=move_in_on,
        contract_end_on=contract_end_on,
        name=contact.name if name else None,
        email=contact.email,
        locale=_locale(locale),
        terms=frozen(offered),
        details={},
        template_id=template_id or None,
        enquiry_id=enquiry_id or None,
        place_id=place_id or None,
        expires_at=link_expires_at(clock.now(), days, move_in_on),
        created_at=clock.now(),
        created_by=actor,
        external_id=external_id,
    )
    _check_booking(session, clock, row, offered)
    check_origin(session, row)
    with known_once(session, ReservationLink.external_id, external_id):
        session.add(row)
        _note(session, clock, actor, row, offered)
        note_offered(session, clock, actor, row)
        session.flush()
    token = token_of(sealer, row.nonce)
    return CreatedLink(row.id, token, row.expires_at)


def token_of(sealer: Sealer, nonce: str) -> str:
    """Return the text that opens a link, which the office may copy again."""
    return sealer.short(RESERVATION_LINK.purpose, nonce)


def _check_booking(
    session: Session, clock: Clock, row: ReservationLink, offered: FrozenTerms
) -> None:
    """Whatever booking would refuse is refused now."""
    if not offered.amounts.base_rent_yen:
        raise Refused("unitId: the unit has no rent yet; state it before offering the unit.")
    preview_booking(session, clock, **booking_of(row, None))


def _note(
    session: Session, clock: Clock, actor: str, row: ReservationLink, offered: FrozenTerms
) -> None:
    """What opens the link is not told, nor how to reach the person."""
    told = {
        "unit_id": row.unit_id,
        "move_in_on": row.move_in_on,
        "contract_end_on": row.contract_end_on,
        "name": row.name,
        "base_rent_yen": offered.amounts.base_rent_yen,
        "expires_at": row.expires_at,
    }
    about = subject_of(row)
    note_deed(session, clock, actor, Deed.RESERVATION_LINK_CREATED, about, after=told)


def _locale(locale: str) -> str:
    if locale not in set(Locale):
        raise Refused("locale: '{locale}' is not one of ja, en.", locale=locale[:20])
    return Locale(locale).value
