"""What a list of reservations asks for, as conditions the database answers."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.db import Recorded
from pms.reservations.list_residents import ResidentSearch, matching
from pms.reservations.models import Reservation
from pms.reservations.tenancy_facts import read_tenancies
from pms.rules.enumerations import Lifecycle, MonthToMonthState, ReservationKind
from pms.rules.month_to_month import month_to_month_state
from pms.rules.policy import Policy
from pms.rules.search_text import terms

_LIVED_IN = (Lifecycle.BOOKED, Lifecycle.CONFIRMED, Lifecycle.LIVING)
_EVERYBODY = ResidentSearch()


class ReservationSearch(NamedTuple):
    """What a list of reservations asks for; unset filters keep everything.

    `excluded` are the kinds left out; days ahead count from today, both ends inside.
    """

    residents: ResidentSearch = _EVERYBODY
    lifecycle: Lifecycle | None = None
    excluded: frozenset[ReservationKind] = frozenset()
    is_month_to_month: bool = False
    moving_in_days: int | None = None
    moving_out_days: int | None = None


def conditions_of(search: ReservationSearch, today: date) -> Iterator[ColumnElement[bool]]:
    """Give the conditions of a search, month to month apart, which the law decides."""
    yield from matching(search.residents._replace(search=None))
    yield from (_says(term) for term in terms(search.residents.search or ""))
    if search.lifecycle is not None:
        yield Reservation.lifecycle == search.lifecycle
    if search.excluded:
        yield Reservation.kind.in_(sorted(frozenset(ReservationKind) - search.excluded))
    if search.moving_in_days is not None:
        yield Reservation.starts_on.between(today, today + timedelta(days=search.moving_in_days))
        yield Reservation.cancelled_at.is_(None)
    if search.moving_out_days is not None:
        yield Reservation.ends_on.between(today, today + timedelta(days=search.moving_out_days))
        yield Reservation.cancelled_at.is_(None)


def _says(term: str) -> ColumnElement[bool]:
    """Whether a term stands in the person's texts or names the place.

    The places are found once for all records, instead of joined to each.
    """
    named = or_(
        Unit.name_text.contains(term, autoescape=True),
        Building.name_text.contains(term, autoescape=True),
    )
    there = select(Unit.id).join(Unit.building).where(named)
    return or_(
        Reservation.search_text.contains(term, autoescape=True), Reservation.unit_id.in_(there)
    )


def order_of(search: ReservationSearch) -> Iterable[Any]:
    """Return the order of a list: the newest first, or by the day that was asked about."""
    if search.moving_in_days is not None:
        return (Reservation.starts_on, Reservation.id)
    if search.moving_out_days is not None:
        return (Reservation.ends_on, Reservation.id)
    return (Reservation.id.desc(),)


def month_to_month_ids(
    session: Session, conditions: Sequence[ColumnElement[bool]], today: date, figures: Policy
) -> list[str]:
    """The ids the law counts as month to month, of those whose recorded days allow it."""
    end = func.coalesce(
        Reservation.override_contract_end_date, Reservation.contract_end_date, type_=Recorded
    )
    longest = timedelta(days=max(figures.long_notice_days, figures.short_notice_days))
    lived_in = (
        Reservation.lifecycle.in_(_LIVED_IN),
        Reservation.starts_on <= today,
        Reservation.move_out_date.is_(None),
        or_(Reservation.forced_on.is_not(None), end.is_(None), end <= today + longest),
    )
    asked = select(Reservation.id).join(Reservation.unit).join(Unit.building)
    ids = session.scalars(asked.where(*conditions, *lived_in)).all()
    tenancies = read_tenancies(session, ids).tenancies
    return [
        id_
        for id_, tenancy in tenancies.items()
        if month_to_month_state(tenancy, today, figures) is not MonthToMonthState.NONE
    ]
