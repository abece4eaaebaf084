"""The offer that a link opens."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.foundation.tokens import NamedLink
from pms.offers.frozen_terms import (
    FrozenTerms,
    StatedDetails,
    stated_details,
    thaw_terms,
)
from pms.offers.models import ReservationLink
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle, ReservationLinkState
from pms.rules.links import reservation_link_state

_APPLYING: Final = (Lifecycle.BOOKED, Lifecycle.CONFIRMED)


class OpenedOffer(NamedTuple):
    """An offer as its link shows it now: unit, days, terms and state."""

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
    kept_terms: Any
    kept_details: Any
    template_id: str | None
    screening_id: str | None
    people_id: str | None
    expires_at: datetime
    last_opened_at: datetime | None
    accepted_at: datetime | None
    reservation_id: str | None
    state: ReservationLinkState

    @property
    def terms(self) -> FrozenTerms:
        """The terms as they were offered; raise `StoredUnreadable`."""
        return thaw_terms(self.kept_terms)

    @property
    def details(self) -> StatedDetails | None:
        """What the applicant entered, `None` before that; raise `StoredUnreadable`."""
        return stated_details(self.kept_details)


OFFERS: Final = (
    select(ReservationLink, Unit.name, Building.id, Building.name, Building.name_en)
    .join(Unit, refers_to(ReservationLink.unit_id, Unit))
    .join(Unit.building)
)


def opened_offer(session: Session, now: datetime, named: NamedLink) -> OpenedOffer | None:
    """Return the offer in the session's workspace, or `None` if its nonce has changed."""
    asked = OFFERS.where(ReservationLink.id == named.link_id, ReservationLink.nonce == named.nonce)
    found = session.execute(asked).first()
    return offer_of(found, now) if found else None


def offer_of(found: Sequence[Any], now: datetime) -> OpenedOffer:
    """Return a selected row as an offer."""
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
        kept_terms=row.terms,
        kept_details=row.details,
        template_id=row.template_id,
        screening_id=row.screening_id,
        people_id=row.people_id,
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
    """Whether an accepted offer's booking has begun or was cancelled, so that its link ends."""
    if offer.reservation_id is None:
        return False
    asked = select(Reservation.lifecycle).where(Reservation.id == offer.reservation_id)
    return session.scalar(asked) not in _APPLYING
