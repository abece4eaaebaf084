"""Check-in links as they are listed, and stays without one."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, func, not_, select, union_all
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.db import as_indexed
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle
from pms.stays.guests import GuestEntry, guests_of_many
from pms.stays.models import CheckInLink
from pms.stays.stay_links import LINKS, StayLink, shaped_link
from pms.stays.stays import GuestTerms

MOST_WITHOUT: int = 20
_STAYING = (Lifecycle.BOOKED, Lifecycle.CONFIRMED, Lifecycle.LIVING)


class ListedLinks(NamedTuple):
    """One page of links, their guests' entries, and the total."""

    links: Sequence[StayLink]
    guests: Mapping[str, Sequence[GuestEntry]]
    total: int


class UnlinkedStay(NamedTuple):
    """A guest's booking without a link."""

    reservation_id: str
    name: str
    check_in_on: date | None
    check_out_on: date | None
    building: Bilingual
    unit_name: str


def listed_links(
    session: Session, terms: GuestTerms, today: date, paging: Paging, *, is_past: bool
) -> ListedLinks:
    """Return current and future stays by check-in, or past ones, newest first."""
    current = _is_current(today)
    wanted = not_(current) if is_past else current
    order = Reservation.starts_on.desc() if is_past else Reservation.starts_on
    rows = session.execute(
        LINKS.where(wanted)
        .order_by(order, CheckInLink.id)
        .limit(paging.limit)
        .offset(paging.offset)
    )
    links = [shaped_link(row, today) for row in rows]
    guests = guests_of_many(session, [link.id for link in links], terms)
    total = session.scalar(
        select(func.count(CheckInLink.id))
        .join(Reservation, refers_to(CheckInLink.reservation_id, Reservation))
        .where(wanted)
    )
    return ListedLinks(links, guests, total or 0)


def unlinked_stays(session: Session, today: date) -> Sequence[UnlinkedStay]:
    """Return the next guests' bookings that have no link yet."""
    linked = select(CheckInLink.id).where(refers_to(CheckInLink.reservation_id, Reservation))
    guests = select(Reservation.id).where(as_indexed("reservation.kind = 'guest'"))
    # Found by their last day: of all reservations few are guests who have not left.
    staying = union_all(
        guests.where(Reservation.ends_on >= today), guests.where(Reservation.ends_on.is_(None))
    )
    rows = session.execute(
        select(
            Reservation.id,
            Reservation.name,
            Reservation.starts_on,
            Reservation.ends_on,
            Building.name.label("building_ja"),
            Building.name_en,
            Unit.name.label("unit_name"),
        )
        .join(Unit, refers_to(Reservation.unit_id, Unit))
        .join(Unit.building)
        .where(
            Reservation.id.in_(staying),
            Reservation.cancelled_at.is_(None),
            Reservation.lifecycle.in_(_STAYING),
            Reservation.starts_on.is_not(None),
            ~linked.exists(),
        )
        .order_by(Reservation.starts_on, Reservation.id)
        .limit(MOST_WITHOUT)
    )
    return [
        UnlinkedStay(id_, name, begins, ends, Bilingual(ja, en), unit)
        for id_, name, begins, ends, ja, en, unit in rows
    ]


def _is_current(today: date) -> ColumnElement[bool]:
    return and_(
        Reservation.cancelled_at.is_(None), func.coalesce(Reservation.ends_on, today) >= today
    )
