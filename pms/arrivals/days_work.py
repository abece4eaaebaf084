"""What needs the office in the days around today: who comes, who goes, what waits for a hand."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, NamedTuple, cast

from sqlalchemy import Select, String, and_, func, literal, select, type_coerce, union_all
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.departures.models import MoveOutNotice
from pms.foundation.phrases import Bilingual
from pms.reservations.models import Reservation
from pms.rules.contract_dates import Term
from pms.rules.days import readable
from pms.rules.enumerations import EsignStatus, Lifecycle, PaymentStatus, ReservationKind
from pms.rules.notices import window_opens_on
from pms.rules.policy import Policy

COMING_DAYS: Final = 7
LEAVING_DAYS: Final = 14
FILED_DAYS: Final = 7
WINDOW_DAYS: Final = 14
_LATE_DAYS: Final = 30
_COMING: Final = (Lifecycle.BOOKED, Lifecycle.CONFIRMED)
_HERE: Final = (Lifecycle.LIVING, Lifecycle.NOTICE_FILED)


class DueStay(NamedTuple):
    """A reservation with the day it is due for."""

    reservation_id: str
    version: int
    name: str
    unit: str
    building: Bilingual
    kind: ReservationKind
    lifecycle: Lifecycle
    payment_status: PaymentStatus
    esign_status: EsignStatus
    on: date


class DueKind(StrEnum):
    """What a reservation is due for."""

    ARRIVAL = "arrival"
    DEPARTURE = "departure"
    SETTLEMENT = "settlement"
    NOTICE = "notice"


def due_stays(
    session: Session, kinds: Sequence[DueKind], today: date, few: int
) -> Mapping[DueKind, Sequence[DueStay]]:
    """Return the first few reservations of each kind in one question, the earliest first.

    Who arrives within a week or should have; who leaves within two weeks, guests too; whose deposit
    is to be settled (guests give none); whose notice came in during the past week, newest first.
    """
    found: dict[DueKind, list[DueStay]] = {kind: [] for kind in kinds}
    for kind, _place, *facts in session.execute(_due(tuple(kinds), today, few)):
        found[DueKind(kind)].append(_stay(facts))
    return found


@lru_cache(maxsize=16)
def _due(kinds: tuple[DueKind, ...], today: date, few: int) -> Select[Any]:
    questions = _questions(today)
    parts = [_first(kind, *questions[kind], few) for kind in kinds]
    found = union_all(*parts).subquery()
    return select(found).order_by(found.c.kind, found.c.place)


def _questions(today: date) -> Mapping[DueKind, tuple[Select[Any], Any]]:
    coming, going = timedelta(days=COMING_DAYS), timedelta(days=LEAVING_DAYS)
    late = timedelta(days=_LATE_DAYS)
    starts, ends, filed = Reservation.starts_on, Reservation.ends_on, MoveOutNotice.filed_on
    return {
        DueKind.ARRIVAL: (
            _stays(starts).where(
                Reservation.lifecycle.in_(_COMING), starts.between(today - late, today + coming)
            ),
            starts.asc(),
        ),
        DueKind.DEPARTURE: (
            _stays(ends).where(
                Reservation.lifecycle.in_(_HERE), ends.between(today, today + going)
            ),
            ends.asc(),
        ),
        DueKind.SETTLEMENT: (
            _stays(ends).where(
                Reservation.lifecycle == Lifecycle.MOVED_OUT,
                Reservation.kind != ReservationKind.GUEST,
            ),
            ends.asc(),
        ),
        DueKind.NOTICE: (
            _stays(filed)
            .join(
                MoveOutNotice,
                and_(
                    MoveOutNotice.workspace_id == Reservation.workspace_id,
                    MoveOutNotice.reservation_id == Reservation.id,
                ),
            )
            .where(
                MoveOutNotice.withdrawn_at.is_(None),
                filed > today - timedelta(days=FILED_DAYS),
            ),
            filed.desc(),
        ),
    }


def _first(kind: DueKind, question: Select[Any], order: Any, few: int) -> Select[Any]:
    place = func.row_number().over(order_by=(order, Reservation.id)).label("place")
    rows = question.add_columns(place).order_by(order, Reservation.id).limit(few).subquery()
    facts = [column for column in rows.c if column.name != "place"]
    return select(literal(kind.value, String).label("kind"), rows.c.place, *facts)


def entering_month_to_month(session: Session, today: date, policy: Policy) -> Sequence[DueStay]:
    """Return everybody whose month-to-month window opens within two weeks (Move-out penalties 5)."""
    farthest = today + timedelta(days=WINDOW_DAYS + policy.long_notice_days)
    end = func.coalesce(
        func.nullif(type_coerce(Reservation.override_contract_end_date, String), ""),
        func.nullif(type_coerce(Reservation.contract_end_date, String), ""),
    )
    found = session.execute(
        _stays(Reservation.starts_on)
        .add_columns(Reservation.override_contract_end_date, Reservation.contract_end_date)
        .where(
            Reservation.lifecycle == Lifecycle.LIVING,
            Reservation.kind == ReservationKind.RESIDENT,
            Reservation.forced_on.is_(None),
            Reservation.starts_on.is_not(None),
            end.between(today.isoformat(), farthest.isoformat()),
        )
    )
    stays = [stay for row in found if (stay := _opening(row, today, policy))]
    return sorted(stays, key=lambda stay: stay.on)


def _opening(row: Sequence[Any], today: date, policy: Policy) -> DueStay | None:
    *facts, override, end = row
    stay = _stay(facts)
    opens_on = window_opens_on(Term(stay.on, readable(override or end)), policy)
    if opens_on is None or not today <= opens_on <= today + timedelta(days=WINDOW_DAYS):
        return None
    return stay._replace(on=opens_on)


def _stays(day: Any) -> Select[Any]:
    asked: Any = (
        select(
            Reservation.id.label("id"),
            Reservation.version,
            Reservation.name,
            Unit.name.label("unit"),
            Building.name.label("building"),
            Building.name_en,
            Reservation.kind.label("stay_kind"),
            Reservation.lifecycle,
            Reservation.payment_status,
            Reservation.esign_status,
            day.label("due_on"),
        )
        .join(Reservation.unit)
        .join(Unit.building)
        .where(Reservation.cancelled_at.is_(None))
    )
    return cast("Select[Any]", asked)


def _stay(row: Iterable[Any]) -> DueStay:
    id_, version, name, unit, building, english, *rest = row
    return DueStay._make((id_, version, name, unit, Bilingual(building, english), *rest))
