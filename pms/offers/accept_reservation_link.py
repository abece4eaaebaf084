"""Accepts an offer: books the unit with exactly the terms that were offered, once."""

from typing import NamedTuple

from sqlalchemy.orm import Session

from pms.arrivals.book import book
from pms.contracts.explanations import adopt_explanation
from pms.foundation.audit import note_change
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.offers.link_in_hand import link_to_accept
from pms.offers.models import ReservationLink
from pms.offers.offered_unit import UnitGone, is_unit_gone
from pms.offers.origin import note_won
from pms.offers.stated_booking import booking_of
from pms.offers.stated_details import stated_details
from pms.rules.deeds import Deed
from pms.rules.enumerations import ReservationLinkState
from pms.rules.reservation_links import reservation_link_state


class Accepted(NamedTuple):
    """The reservation of an offer; `is_new` is false when it was made by an earlier click."""

    reservation_id: str
    is_new: bool


def accept_reservation_link(
    session: Session, clock: Clock, actor: str, *, link_id: str
) -> Accepted:
    """Return the reservation that the offer became, its move-in invoice issued.

    A second click finds the first one's booking. Raises `UnitGone` when the unit went meanwhile,
    `Refused` for an offer that has ended or whose details are missing.
    """
    row = link_to_accept(session, link_id)
    if row.reservation_id is not None:
        return Accepted(row.reservation_id, is_new=False)
    _refuse_ended(row, clock)
    details = stated_details(row.details)
    if details is None:
        raise Refused("name: who moves in is not stated yet.")
    if is_unit_gone(session, row.unit_id, row.move_in_on, row.contract_end_on, clock.today()):
        # Said of the unit, never of who took it.
        raise UnitGone("unitId: the unit was taken meanwhile.")
    booked = book(session, clock, actor, **booking_of(row, details))
    row.accepted_at, row.reservation_id = clock.now(), booked.reservation_id
    note_change(session, clock, actor, Deed.RESERVATION_LINK_ACCEPTED, row)
    if row.explanation_id is not None:
        adopt_explanation(session, row.explanation_id, booked.reservation_id)
    note_won(session, clock, actor, row)
    session.flush()
    return Accepted(booked.reservation_id, is_new=True)


def _refuse_ended(row: ReservationLink, clock: Clock) -> None:
    state = reservation_link_state(
        now=clock.now(),
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        accepted_at=row.accepted_at,
    )
    if state is not ReservationLinkState.LIVE:
        raise Refused("state: this offer is {state}.", state=state)
