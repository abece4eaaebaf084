"""A resident, an applicant and an owner of the demo with known addresses, to try portals with."""

from typing import Final, NamedTuple

from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Owner
from pms.demo.houses import MIDORI_LIVING
from pms.ledger.models import LedgerEntry
from pms.reservations.models import Reservation
from pms.rules.enumerations import EntryKind, Lifecycle, ReservationKind
from pms.upkeep.models import Ticket


class PortalPerson(NamedTuple):
    """Somebody of the demo who signs in to a portal; the PIN is in the mail."""

    slug: str
    email: str


RESIDENT: Final = PortalPerson(MIDORI_LIVING.slug, "resident@midori.example")
APPLICANT: Final = PortalPerson(MIDORI_LIVING.slug, "applicant@midori.example")
OWNER: Final = PortalPerson(MIDORI_LIVING.slug, "owner@midori.example")


def name_portal_people(session: Session, slug: str) -> None:
    """Give known addresses to somebody who talks with the office, who applied, and who owns."""
    if slug != RESIDENT.slug:
        return
    talks = exists().where(
        Ticket.workspace_id == Reservation.workspace_id, Ticket.reservation_id == Reservation.id
    )
    is_billed = exists().where(
        LedgerEntry.workspace_id == Reservation.workspace_id,
        LedgerEntry.reservation_id == Reservation.id,
        LedgerEntry.kind == EntryKind.MOVE_IN,
    )
    residents = (
        select(Reservation)
        .where(Reservation.kind == ReservationKind.RESIDENT, is_billed)
        .order_by(Reservation.id)
        .limit(1)
    )
    living = residents.where(Reservation.lifecycle == Lifecycle.LIVING)
    for person, one in (
        (RESIDENT, session.scalar(living.where(talks)) or session.scalar(living)),
        (APPLICANT, session.scalar(residents.where(Reservation.lifecycle == Lifecycle.BOOKED))),
    ):
        if one is not None:
            one.email = person.email
    _name_owner(session)
    session.flush()


def _name_owner(session: Session) -> None:
    """Whoever owns the most buildings."""
    buildings = (
        select(Building.owner_id, func.count().label("owned"))
        .where(Building.owner_id.is_not(None))
        .group_by(Building.owner_id)
        .subquery()
    )
    most = (
        select(Owner)
        .join(buildings, buildings.c.owner_id == Owner.id)
        .order_by(buildings.c.owned.desc(), Owner.id)
    )
    owner = session.scalars(most.limit(1)).first()
    if owner is not None:
        owner.email = OWNER.email
