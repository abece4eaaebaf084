"""Units that can be booked, and the resident whom a booking follows."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.availability.vacancies import vacancies, vacancy_of
from pms.catalogue.models import Unit
from pms.foundation.ids import is_id
from pms.foundation.prepared import one_of
from pms.ledger.queries import issued_rows
from pms.reservations.models import Reservation
from pms.rules.contract_dates import ContractTerm, refusal_of_term
from pms.rules.contract_terms import term_of_day
from pms.rules.days import ONE_DAY, readable
from pms.rules.enumerations import (
    ReservationKind,
)
from pms.rules.notices import window_opens_on
from pms.rules.unit_stays import Stay
from pms.rules.vacancy import FollowedStay, Vacancy
from pms.workspaces.queries import policy


def next_start(session: Session, unit_id: str, after: date) -> date | None:
    """Return the first day after `after` on which a reservation of the unit starts."""
    return session.scalar(
        select(func.min(Reservation.starts_on)).where(
            Reservation.unit_id == unit_id,
            Reservation.starts_on > after,
            Reservation.cancelled_at.is_(None),
        )
    )


class FollowedResident(NamedTuple):
    """A resident without a notice, or an owner, in the unit before the requested days.

    A tenancy that follows ends the month-to-month period, which began on `since`. Days after
    `billed_until` are then not billed, unless a notice sets the move-out (Month to month).
    """

    reservation_id: str
    name: str
    kind: ReservationKind
    contract_end_on: date | None
    move_out_on: date | None
    lives_there: bool
    is_month_to_month: bool
    since: date | None
    billed_until: date | None


def followed_residents(
    session: Session, found: Mapping[str, Vacancy], first_on: date, today: date
) -> Mapping[str, Sequence[FollowedResident]]:
    """Return, by unit, the residents that a tenancy from a day on would follow; office use only."""
    ids = [resident.stay.id for vacancy in found.values() for resident in vacancy.followed]
    if not ids:
        return dict.fromkeys(found, ())
    asked = select(Reservation.id, Reservation.name).where(one_of(Reservation.id, ids))
    names = {row.id: row.name for row in session.execute(asked)}
    figures, rows = policy(session), issued_rows(session, ids)
    billed = {
        id_: max((row.last_on for row in issued if row.last_on), default=None)
        for id_, issued in rows.items()
    }

    def resident(stay: FollowedStay) -> FollowedResident:
        start_on, end_on = readable(stay.stay.start_on), readable(stay.stay.end_on)
        since = None
        if start_on is not None:
            term = term_of_day(start_on, stay.stay.later_firsts, end_on, today)
            since = window_opens_on(term, figures)
        untils = [billed.get(stay.stay.id), end_on and min(end_on, first_on - ONE_DAY)]
        return FollowedResident(
            reservation_id=stay.stay.id,
            name=names[stay.stay.id],
            kind=ReservationKind(stay.stay.kind),
            contract_end_on=end_on,
            move_out_on=readable(stay.stay.move_out_on),
            lives_there=start_on is not None and start_on <= today and not stay.stay.is_unconfirmed,
            is_month_to_month=stay.is_month_to_month,
            since=since if stay.is_month_to_month else None,
            billed_until=max((day for day in untils if day), default=None),
        )

    return {unit_id: list(map(resident, vacancy.followed)) for unit_id, vacancy in found.items()}


def list_followed_residents(
    session: Session,
    unit_id: str,
    first_on: date,
    last_on: date | None,
    today: date,
    *,
    beside: Collection[str] = (),
) -> Sequence[FollowedResident]:
    """Return whom a tenancy of a unit would follow; nobody while its nights are taken."""
    if not is_id(unit_id) or refusal_of_term(ContractTerm(first_on, last_on)) is not None:
        return ()
    found = vacancy_of(session, unit_id, Stay("", first_on, last_on), today, beside)
    if found.conflicts:
        return ()
    return followed_residents(session, {unit_id: found}, first_on, today)[unit_id]


class BookableUnit(NamedTuple):
    """A unit whose nights no reservation takes; amounts are whole yen a month.

    It is free only when its state says so. Otherwise residents without a notice (`followed`) come
    before, or a block takes some of the nights outside the service.
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
    """Return the units by name, in five queries; the reservations `beside` are taken to end before.

    Only reservations take a unit (specification, Availability, Rules): a blocked unit can be
    booked, but is not free.
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
    open_ = {id_: vacancy for id_, vacancy in found.items() if not vacancy.conflicts}
    followed = followed_residents(session, open_, first_on, today)
    return [
        BookableUnit(*row, open_[row.id].is_free, open_[row.id].is_blocked, followed[row.id])
        for row in rows
        if row.id in open_
    ]


def free_units(
    session: Session, building_id: str, first_on: date, last_on: date | None, today: date
) -> Sequence[BookableUnit]:
    """Return the units that a guest's link may book: no resident without a notice comes before.

    A unit blocked by a travel channel stays bookable, because the link is made for its guest.
    """
    found = bookable_units(session, building_id, first_on, last_on, today)
    return [unit for unit in found if not unit.followed]
