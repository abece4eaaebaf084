"""Lists reservations for the office: who, where, from when, and what they owe."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import Session

from pms.arrivals.reservation_search import (
    ReservationSearch,
    conditions_of,
    month_to_month_ids,
    order_of,
)
from pms.catalogue.models import Building, Unit
from pms.foundation.bilingual import Bilingual
from pms.foundation.paging import Paging
from pms.ledger.queries import deposit_balances
from pms.reservations.models import Reservation
from pms.reservations.tenancy_facts import read_tenancies
from pms.rules.contract_dates import effective_day
from pms.rules.days import RecordedDay
from pms.rules.enumerations import (
    EsignStatus,
    Lifecycle,
    MonthToMonthState,
    PaymentStatus,
    ReservationKind,
)
from pms.rules.month_to_month import month_to_month_state
from pms.rules.policy import Policy
from pms.workspaces.queries import policy


class ListedReservation(NamedTuple):
    """One line of the list; days are effective and as recorded, yen whole and due by today."""

    id: str
    kind: ReservationKind
    lifecycle: Lifecycle
    name: str
    name_kana: str | None
    email: str | None
    building: Bilingual
    unit_name: str
    start_on: RecordedDay
    end_on: RecordedDay
    move_out_on: RecordedDay
    payment_status: PaymentStatus
    esign_status: EsignStatus
    month_to_month: MonthToMonthState
    owed_yen: int


def list_reservations(
    session: Session, search: ReservationSearch, today: date, paging: Paging
) -> tuple[Sequence[ListedReservation], int]:
    """Return one page of the matching reservations, and how many match in all.

    Newest first; those moving in or out, by that day.
    """
    figures = policy(session)
    conditions = list(conditions_of(search, today))
    if search.is_month_to_month:
        conditions.append(
            Reservation.id.in_(month_to_month_ids(session, conditions, today, figures))
        )
    ids, total = _page_of_ids(session, search, conditions, paging)
    return _records(session, ids, today, figures), total


def _page_of_ids(
    session: Session,
    search: ReservationSearch,
    conditions: Sequence[ColumnElement[bool]],
    paging: Paging,
) -> tuple[Sequence[str], int]:
    is_placed = bool(search.residents.building or search.residents.unit)
    asked = _from(select(Reservation.id), is_placed).where(*conditions).order_by(*order_of(search))
    if search.residents.search:
        # Reading every text costs far more than the ids it finds, so it is done once.
        found = session.scalars(asked).all()
        return found[paging.offset : paging.offset + paging.limit], len(found)
    total = session.scalar(_from(select(func.count()), is_placed).where(*conditions)) or 0
    page = asked.offset(min(paging.offset, total)).limit(paging.limit)
    return session.scalars(page).all(), total


def _from(question: Select[*tuple[Any, ...]], is_placed: bool) -> Select[*tuple[Any, ...]]:
    # Places are joined only when they are asked about, so that a deep page stays a walk of ids.
    question = question.select_from(Reservation)
    return question.join(Reservation.unit).join(Unit.building) if is_placed else question


def _records(
    session: Session, ids: Sequence[str], today: date, figures: Policy
) -> list[ListedReservation]:
    rows = session.execute(
        select(Reservation, Unit.name, Building.name, Building.name_en)
        .join(Reservation.unit)
        .join(Unit.building)
        .where(Reservation.id.in_(ids))
    )
    found = {row[0].id: row for row in rows}
    owed = deposit_balances(session, ids, today)
    states = _states(session, ids, today, figures)
    return [_listed(found[id_], states.get(id_), owed[id_].unpaid_yen) for id_ in ids]


def _states(
    session: Session, ids: Sequence[str], today: date, figures: Policy
) -> Mapping[str, MonthToMonthState]:
    tenancies = read_tenancies(session, ids).tenancies
    return {id_: month_to_month_state(one, today, figures) for id_, one in tenancies.items()}


def _listed(found: Any, state: MonthToMonthState | None, owed_yen: int) -> ListedReservation:
    row, unit_name, building, building_en = found
    return ListedReservation(
        id=row.id,
        kind=ReservationKind(row.kind),
        lifecycle=Lifecycle(row.lifecycle),
        name=row.name,
        name_kana=row.name_kana,
        email=row.email,
        building=Bilingual(building, building_en),
        unit_name=unit_name,
        start_on=effective_day(row.move_in_date, row.override_move_in_date),
        end_on=effective_day(row.contract_end_date, row.override_contract_end_date),
        move_out_on=row.move_out_date,
        payment_status=PaymentStatus(row.payment_status),
        esign_status=EsignStatus(row.esign_status),
        month_to_month=state or MonthToMonthState.NONE,
        owed_yen=owed_yen,
    )
