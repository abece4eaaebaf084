"""Finds the units of a building for the nights asked for: free ones, and others staff may book."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.followed_residents import FollowedResident, followed_residents
from pms.availability.vacancies import vacancies
from pms.catalogue.models import Unit
from pms.foundation.ids import is_id
from pms.rules.stays import Stay


class BookableUnit(NamedTuple):
    """A unit whose nights nobody holds; whole yen a month.

    It is free only when its state says so. Otherwise `followed` live there or come before without
    a notice, or a block takes some of the nights outside the service.
    """

    id: str
    name: str
    layout: str | None
    rent_yen: int | None
    is_free: bool = True
    is_blocked: bool = False
    followed: Sequence[FollowedResident] = ()


def bookable_units(
    session: Session,
    building_id: str,
    first_on: date,
    last_on: date | None,
    today: date,
    *,
    beside: Collection[str] = (),
) -> Sequence[BookableUnit]:
    """Return the units by name, in five questions; the stays `beside` end before.

    Only reservations hold a unit (specification, Availability, Rules): a block does not, but a
    unit it takes is not free.
    """
    if not is_id(building_id):
        return ()
    rows = session.execute(
        select(Unit.id, Unit.name, Unit.layout, Unit.rent_yen)
        .where(Unit.building_id == building_id)
        .order_by(Unit.name, Unit.id)
    ).all()
    wanted = Stay("", first_on, last_on)
    found = vacancies(session, [row.id for row in rows], wanted, today, beside)
    open_ = {id_: one for id_, one in found.items() if not one.conflicts}
    followed = followed_residents(session, open_, first_on, today)
    return [
        BookableUnit(*row, open_[row.id].is_free, open_[row.id].is_blocked, followed[row.id])
        for row in rows
        if row.id in open_
    ]


def free_units(
    session: Session, building_id: str, first_on: date, last_on: date | None, today: date
) -> Sequence[BookableUnit]:
    """Return the units that a guest's link may book: no resident without a notice is before it.

    A travel channel's own block stays bookable, because the link is made for its guest.
    """
    found = bookable_units(session, building_id, first_on, last_on, today)
    return [unit for unit in found if not unit.followed]
