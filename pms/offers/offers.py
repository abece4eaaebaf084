"""Offers as the office reads them."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, and_, func, select
from sqlalchemy.orm import Session

from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.stored_forms import readable_stored
from pms.foundation.tokens import Signer
from pms.foundation.work import find_row
from pms.offers.frozen_terms import (
    FrozenTerms,
    StatedDetails,
)
from pms.offers.models import ReservationLink
from pms.offers.offer_links import token_of
from pms.offers.opened_offers import OFFERS, offer_of
from pms.rules.enumerations import ReservationLinkState


class MadeOffer(NamedTuple):
    """An offer as the office sees it; `token` is set only when a single offer is read."""

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
    state: ReservationLinkState
    expires_at: datetime
    created_at: datetime
    created_by: str
    sent_at: datetime | None
    last_opened_at: datetime | None
    accepted_at: datetime | None
    revoked_at: datetime | None
    revoked_by: str | None
    reservation_id: str | None
    template_id: str | None
    screening_id: str | None
    people_id: str | None
    enquiry_id: str | None
    place_id: str | None

    @property
    def terms(self) -> FrozenTerms | None:
        """The terms as they were offered, `None` where they cannot be read."""
        return readable_stored(FrozenTerms, self.kept_terms)

    @property
    def details(self) -> StatedDetails | None:
        """What the applicant entered, `None` before that and where it cannot be read."""
        return readable_stored(StatedDetails, self.kept_details) if self.kept_details else None

    @property
    def is_readable(self) -> bool:
        """Whether this release can read the terms and what the applicant entered."""
        return self.terms is not None and not (self.kept_details and self.details is None)


class OfferPage(NamedTuple):
    """One page of offers, and the total."""

    offers: Sequence[MadeOffer]
    total: int


def offers(
    session: Session, now: datetime, paging: Paging, state: ReservationLinkState | None = None
) -> OfferPage:
    """Return a page of offers, newest first, in two queries."""
    among = _in_state(state, now)
    total = session.scalar(select(func.count(ReservationLink.id)).where(*among)) or 0
    rows = session.execute(
        OFFERS.where(*among)
        .order_by(ReservationLink.created_at.desc(), ReservationLink.id.desc())
        .offset(paging.offset)
        .limit(paging.limit)
    )
    return OfferPage([_read_offer(row, now) for row in rows], total)


_IS_NOT_OVER: Final = and_(
    ReservationLink.accepted_at.is_(None), ReservationLink.revoked_at.is_(None)
)


def offer_record(session: Session, link_id: str, now: datetime) -> MadeOffer:
    """Return one offer; raise `NotFound` for an unknown id."""
    found = None
    if is_id(link_id):
        found = session.execute(OFFERS.where(ReservationLink.id == link_id)).first()
    if found is None:
        raise no_such("reservation link", link_id)
    return _read_offer(found, now)


def token_of_offer(session: Session, link_id: str, signer: Signer) -> str:
    """Return the token of an offer, so that the office can copy its link again."""
    return token_of(signer, find_row(session, ReservationLink, link_id).nonce)


def _in_state(state: ReservationLinkState | None, now: datetime) -> Sequence[ColumnElement[bool]]:
    match state:
        case None:
            return ()
        case ReservationLinkState.ACCEPTED:
            return (ReservationLink.accepted_at.is_not(None),)
        case ReservationLinkState.REVOKED:
            return (
                ReservationLink.accepted_at.is_(None),
                ReservationLink.revoked_at.is_not(None),
            )
        case ReservationLinkState.EXPIRED:
            return (_IS_NOT_OVER, ReservationLink.expires_at <= now)
        case _:
            return (_IS_NOT_OVER, ReservationLink.expires_at > now)


def _read_offer(found: Sequence[Any], now: datetime) -> MadeOffer:
    row, offer = found[0], offer_of(found, now)
    facts = {name: getattr(offer, name) for name in MadeOffer._fields if name in offer._fields}
    rest = (name for name in MadeOffer._fields if name not in facts)
    return MadeOffer(**facts, **{name: getattr(row, name) for name in rest})


def is_from_offer(session: Session, reservation_id: str) -> bool:
    """Whether a reservation comes from an accepted offer."""
    asked = select(ReservationLink.id).where(ReservationLink.reservation_id == reservation_id)
    return session.scalar(asked.limit(1)) is not None
