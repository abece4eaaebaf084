"""Lists of reservations: all, of a person, of a day, and the search."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, case, func, literal, or_, select
from sqlalchemy.orm import Session

from pms.arrivals.tenancy_ways import ReservationWay, WayRecord, reservation_ways
from pms.catalogue.models import Building, Unit
from pms.foundation.db import Recorded
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.ledger import debts
from pms.ledger.queries import deposit_balances
from pms.reservations.models import Reservation
from pms.reservations.residents import ResidentSearch, matching
from pms.reservations.tenancies import STATED_END, read_tenancies
from pms.rules.contract_dates import effective_day
from pms.rules.days import RecordedDay
from pms.rules.enumerations import (
    EsignStatus,
    Lifecycle,
    MonthToMonthState,
    PaymentStatus,
    ReservationKind,
)
from pms.rules.policy import Policy
from pms.rules.search_text import terms
from pms.rules.unit_stays import month_to_month_state
from pms.workspaces.queries import policy

_MAY_LIVE = (Lifecycle.BOOKED, Lifecycle.CONFIRMED, Lifecycle.LIVING)
_EVERYBODY = ResidentSearch()
CURRENT: Final = frozenset(
    {Lifecycle.BOOKED, Lifecycle.CONFIRMED, Lifecycle.LIVING, Lifecycle.NOTICE_FILED}
)
"""The stages of who lives here or is going to."""


class ReservationSearch(NamedTuple):
    """The filters of a list of reservations; an unset filter excludes nothing.

    `lifecycles` are the stages of which one is wanted; `excluded` are kinds that are left out; days ahead count from today, with both ends included.
    `sort` is a key of `SORTS`; any other value leaves the list its own order.
    """

    residents: ResidentSearch = _EVERYBODY
    lifecycles: frozenset[Lifecycle] = frozenset()
    excluded: frozenset[ReservationKind] = frozenset()
    is_month_to_month: bool = False
    moving_in_days: int | None = None
    moving_out_days: int | None = None
    sort: str = ""
    is_descending: bool = False


def conditions_of(search: ReservationSearch, today: date) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions of a search, except month to month, which the rules decide."""
    yield from matching(search.residents._replace(search=None))
    yield from (_contains_term(term) for term in terms(search.residents.search or ""))
    if search.lifecycles:
        yield Reservation.lifecycle.in_(sorted(search.lifecycles))
    if search.excluded:
        yield Reservation.kind.in_(sorted(frozenset(ReservationKind) - search.excluded))
    if search.moving_in_days is not None:
        yield Reservation.starts_on.between(today, today + timedelta(days=search.moving_in_days))
        yield Reservation.cancelled_at.is_(None)
    if search.moving_out_days is not None:
        yield Reservation.ends_on.between(today, today + timedelta(days=search.moving_out_days))
        yield Reservation.cancelled_at.is_(None)


def _contains_term(term: str) -> ColumnElement[bool]:
    """Return the condition that a term occurs in the person's texts or in the place's name.

    Places are searched once in a subquery, instead of joined to each reservation.
    """
    named = or_(
        Unit.name_text.contains(term, autoescape=True),
        Building.name_text.contains(term, autoescape=True),
    )
    there = select(Unit.id).join(Unit.building).where(named)
    return or_(
        Reservation.search_text.contains(term, autoescape=True), Reservation.unit_id.in_(there)
    )


_OWED: Final = "owed"
SORTS: Final[Mapping[str, tuple[Any, ...]]] = {
    "resident": (func.coalesce(Reservation.name_kana, Reservation.name), Reservation.name),
    "kana": (Reservation.name_kana,),
    "unit": (Building.name, Unit.name),
    "start": (Reservation.starts_on,),
    "end": (STATED_END,),
    "state": (Reservation.lifecycle, Reservation.starts_on),
    "kind": (Reservation.kind,),
    "email": (Reservation.email_key,),
    "phone": (Reservation.phone,),
    _OWED: (),
}
"""What a list can be sorted by; the sum owed is calculated and has no column."""
_PLACED: Final = frozenset({"unit"})


def order_of(session: Session, search: ReservationSearch, today: date) -> Iterable[Any]:
    """Return the order of a list: `sort`, else the day asked about, else the newest first."""
    if search.sort in SORTS:
        by = SORTS[search.sort] or (_sum_owed(session, today),)
        ways = (
            (column.desc() if search.is_descending else column.asc()).nulls_last() for column in by
        )
        return (*ways, Reservation.id.desc())
    if search.moving_in_days is not None:
        return (Reservation.starts_on, Reservation.id)
    if search.moving_out_days is not None:
        return (Reservation.ends_on, Reservation.id)
    return (Reservation.id.desc(),)


def _sum_owed(session: Session, today: date) -> ColumnElement[int]:
    """Return an expression of the yen each reservation owes, with the sums written into it."""
    ids = [debt.reservation_id for debt in debts.debts(session, today)]
    yen = {
        id_: balance.unpaid_yen for id_, balance in deposit_balances(session, ids, today).items()
    }
    return case(yen, value=Reservation.id, else_=0) if yen else literal(0)


def month_to_month_ids(
    session: Session, conditions: Sequence[ColumnElement[bool]], today: date, figures: Policy
) -> list[str]:
    """Return the ids that are month to month by the rules, of those whose dates allow it."""
    end = func.coalesce(
        Reservation.override_contract_end_date, Reservation.contract_end_date, type_=Recorded
    )
    longest = timedelta(days=max(figures.long_notice_days, figures.short_notice_days))
    lived_in = (
        Reservation.lifecycle.in_(_MAY_LIVE),
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


class ListedReservation(NamedTuple):
    """One line of the list; days are effective and as recorded, amounts whole yen due by today.

    `way` is None in lists that name no next step.
    """

    id: str
    kind: ReservationKind
    lifecycle: Lifecycle
    name: str
    name_kana: str | None
    email: str | None
    phone: str | None
    building: Bilingual
    unit_name: str
    start_on: RecordedDay
    end_on: RecordedDay
    move_out_on: RecordedDay
    payment_status: PaymentStatus
    esign_status: EsignStatus
    month_to_month: MonthToMonthState
    owed_yen: int
    way: ReservationWay | None


def list_reservations(
    session: Session,
    search: ReservationSearch,
    today: date,
    paging: Paging,
    *,
    has_ways: bool = False,
) -> tuple[Sequence[ListedReservation], int]:
    """Return one page of the matching reservations, and the number of all matches.

    Newest first; lists of arrivals and departures are ordered by that day.
    """
    figures = policy(session)
    conditions = list(conditions_of(search, today))
    if search.is_month_to_month:
        conditions.append(
            Reservation.id.in_(month_to_month_ids(session, conditions, today, figures))
        )
    ids, total = _page_of_ids(session, search, conditions, order_of(session, search, today), paging)
    return _read_records(session, ids, today, figures, has_ways=has_ways), total


def _page_of_ids(
    session: Session,
    search: ReservationSearch,
    conditions: Sequence[ColumnElement[bool]],
    order: Iterable[Any],
    paging: Paging,
) -> tuple[Sequence[str], int]:
    is_placed = bool(search.residents.building or search.residents.unit)
    asked = (
        _select_from_reservations(select(Reservation.id), is_placed or search.sort in _PLACED)
        .where(*conditions)
        .order_by(*order)
    )
    if search.residents.search:
        # Searching every text costs far more than loading the ids it finds, so it is done once.
        found = session.scalars(asked).all()
        return found[paging.offset : paging.offset + paging.limit], len(found)
    total = (
        session.scalar(
            _select_from_reservations(select(func.count()), is_placed).where(*conditions)
        )
        or 0
    )
    page = asked.offset(min(paging.offset, total)).limit(paging.limit)
    return session.scalars(page).all(), total


def _select_from_reservations(
    question: Select[*tuple[Any, ...]], is_placed: bool
) -> Select[*tuple[Any, ...]]:
    # Places are joined only when needed, so that a deep page reads ids only.
    question = question.select_from(Reservation)
    return question.join(Reservation.unit).join(Unit.building) if is_placed else question


def _read_records(
    session: Session, ids: Sequence[str], today: date, figures: Policy, *, has_ways: bool
) -> list[ListedReservation]:
    rows = session.execute(
        select(Reservation, Unit.name, Building.name, Building.name_en)
        .join(Reservation.unit)
        .join(Unit.building)
        .where(Reservation.id.in_(ids))
    )
    found = {row[0].id: row for row in rows}
    owed = deposit_balances(session, ids, today)
    tenancies = read_tenancies(session, ids).tenancies
    states = {
        id_: month_to_month_state(tenancy, today, figures) for id_, tenancy in tenancies.items()
    }
    records = [WayRecord.of_row(found[id_][0]) for id_ in ids]
    ways = reservation_ways(session, records, today, known=owed) if has_ways else {}
    return [
        _list_reservation(found[id_], states.get(id_), owed[id_].unpaid_yen, ways.get(id_))
        for id_ in ids
    ]


def _list_reservation(
    found: Any, state: MonthToMonthState | None, owed_yen: int, way: ReservationWay | None
) -> ListedReservation:
    row, unit_name, building, building_en = found
    return ListedReservation(
        id=row.id,
        kind=ReservationKind(row.kind),
        lifecycle=Lifecycle(row.lifecycle),
        name=row.name,
        name_kana=row.name_kana,
        email=row.email,
        phone=row.phone,
        building=Bilingual(building, building_en),
        unit_name=unit_name,
        start_on=effective_day(row.move_in_date, row.override_move_in_date),
        end_on=effective_day(row.contract_end_date, row.override_contract_end_date),
        move_out_on=row.move_out_date,
        payment_status=PaymentStatus(row.payment_status),
        esign_status=EsignStatus(row.esign_status),
        month_to_month=state or MonthToMonthState.NONE,
        owed_yen=owed_yen,
        way=way,
    )
