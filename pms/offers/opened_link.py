"""Finds what a reservation link opens; on the path of every request of its surface."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import and_, or_, select, update
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.bilingual import Bilingual
from pms.foundation.named_links import NamedLink
from pms.offers.frozen_terms import FrozenTerms, thawed
from pms.offers.models import ReservationLink
from pms.offers.stated_details import StatedDetails, stated_details
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle, ReservationLinkState
from pms.rules.reservation_links import reservation_link_state

EVERY: Final = timedelta(minutes=1)
_APPLYING: Final = (Lifecycle.BOOKED, Lifecycle.CONFIRMED)


class OpenedOffer(NamedTuple):
    """An offer as its link shows it now: the unit, the days, the terms, and how far it is."""

    id: str
    unit_id: str
    unit_name: str
    building_id: str
    building: Bilingual
    move_in_on: date
    contract_end_on: date | None
    name: str | None
    email: str | None
    locale: str
    terms: FrozenTerms
    details: StatedDetails | None
    template_id: str | None
    expires_at: datetime
    last_opened_at: datetime | None
    accepted_at: datetime | None
    reservation_id: str | None
    state: ReservationLinkState


OFFERS: Final = (
    select(ReservationLink, Unit.name, Building.id, Building.name, Building.name_en)
    .join(
        Unit,
        and_(Unit.workspace_id == ReservationLink.workspace_id, Unit.id == ReservationLink.unit_id),
    )
    .join(Unit.building)
)


def opened_offer(session: Session, now: datetime, named: NamedLink) -> OpenedOffer | None:
    """Return the offer of the session's workspace, `None` when its chance is another one."""
    asked = OFFERS.where(ReservationLink.id == named.link_id, ReservationLink.nonce == named.chance)
    found = session.execute(asked).first()
    return offer_of(found, now) if found else None


def offer_of(found: Sequence[Any], now: datetime) -> OpenedOffer:
    """Return what one found row offers."""
    row, unit_name, building_id, ja, en = found
    return OpenedOffer(
        id=row.id,
        unit_id=row.unit_id,
        unit_name=unit_name,
        building_id=building_id,
        building=Bilingual(ja, en),
        move_in_on=row.move_in_on,
        contract_end_on=row.contract_end_on,
        name=row.name,
        email=row.email,
        locale=row.locale,
        terms=thawed(row.terms),
        details=stated_details(row.details),
        template_id=row.template_id,
        expires_at=row.expires_at,
        last_opened_at=row.last_opened_at,
        accepted_at=row.accepted_at,
        reservation_id=row.reservation_id,
        state=reservation_link_state(
            now=now,
            expires_at=row.expires_at,
            revoked_at=row.revoked_at,
            accepted_at=row.accepted_at,
        ),
    )


def is_application_over(session: Session, offer: OpenedOffer) -> bool:
    """Whether the booking of an accepted offer went on or fell away: the link shows it no more."""
    if offer.reservation_id is None:
        return False
    asked = select(Reservation.lifecycle).where(Reservation.id == offer.reservation_id)
    return session.scalar(asked) not in _APPLYING


def is_opening_due(offer: OpenedOffer, now: datetime) -> bool:
    """Whether the opening is worth a write: the last one is a minute ago."""
    return offer.last_opened_at is None or now - offer.last_opened_at >= EVERY


def note_offer_opened(session: Session, link_id: str, at: datetime) -> None:
    """Record the instant a link was opened; an older instant changes nothing."""
    session.execute(
        update(ReservationLink)
        .where(
            ReservationLink.id == link_id,
            or_(ReservationLink.last_opened_at.is_(None), ReservationLink.last_opened_at < at),
        )
        .values(last_opened_at=at)
        .execution_options(synchronize_session=False)
    )
