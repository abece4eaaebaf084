"""What needs the office in the days around today: who comes, who goes, what waits for a hand."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, String, and_, func, select, type_coerce
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
    name: str
    unit: str
    building: Bilingual
    lifecycle: Lifecycle
    payment_status: PaymentStatus
    esign_status: EsignStatus
    on: date


class Due(NamedTuple):
    """The first few that are due, and how many there are."""

    stays: Sequence[DueStay]
    total: int


def arriving(session: Session, today: date, few: int) -> Due:
    """Return who comes within a week, and who should have come already."""
    is_due = and_(
        Reservation.lifecycle.in_(_COMING),
        Reservation.starts_on.between(
            today - timedelta(days=_LATE_DAYS), today + timedelta(days=COMING_DAYS)
        ),
    )
    return _due(session, is_due, Reservation.starts_on, few)


def leaving(session: Session, today: date, few: int) -> Due:
    """Return who leaves within two weeks, guests too."""
    is_due = and_(
        Reservation.lifecycle.in_(_HERE),
        Reservation.ends_on.between(today, today + timedelta(days=LEAVING_DAYS)),
    )
    return _due(session, is_due, Reservation.ends_on, few)


def to_settle(session: Session, few: int) -> Due:
    """Return who moved out and waits for the settlement of the deposit; guests give none."""
    waits = and_(
        Reservation.lifecycle == Lifecycle.MOVED_OUT, Reservation.kind != ReservationKind.GUEST
    )
    return _due(session, waits, Reservation.ends_on, few)


def notices_filed(session: Session, today: date, few: int) -> Due:
    """Return whose notice came in during the past week, the newest first."""
    question = (
        _stays(MoveOutNotice.filed_on)
        .join(
            MoveOutNotice,
            and_(
                MoveOutNotice.workspace_id == Reservation.workspace_id,
                MoveOutNotice.reservation_id == Reservation.id,
            ),
        )
        .where(
            MoveOutNotice.withdrawn_at.is_(None),
            MoveOutNotice.filed_on > today - timedelta(days=FILED_DAYS),
        )
        .order_by(MoveOutNotice.filed_on.desc(), Reservation.id)
    )
    return _first(session, question, few)


def entering_month_to_month(session: Session, today: date, policy: Policy, few: int) -> Due:
    """Return whose month-to-month window opens within two weeks (Move-out penalties 5)."""
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
    return Due(sorted(stays, key=lambda stay: stay.on)[:few], len(stays))


def _opening(row: Sequence[Any], today: date, policy: Policy) -> DueStay | None:
    *facts, override, end = row
    stay = _stay(facts)
    opens_on = window_opens_on(Term(stay.on, readable(override or end)), policy)
    if opens_on is None or not today <= opens_on <= today + timedelta(days=WINDOW_DAYS):
        return None
    return stay._replace(on=opens_on)


def _due(session: Session, is_due: ColumnElement[bool], day: Any, few: int) -> Due:
    return _first(session, _stays(day).where(is_due).order_by(day, Reservation.id), few)


def _stays(day: Any) -> Select[Any]:
    return (
        select(
            Reservation.id,
            Reservation.name,
            Unit.name,
            Building.name,
            Building.name_en,
            Reservation.lifecycle,
            Reservation.payment_status,
            Reservation.esign_status,
            day,
        )
        .join(Reservation.unit)
        .join(Unit.building)
        .where(Reservation.cancelled_at.is_(None))
    )


def _first(session: Session, question: Select[Any], few: int) -> Due:
    # One question tells the first few and how many there are.
    counted = question.add_columns(func.count().over()).limit(few)
    rows = session.execute(counted).all()
    return Due([_stay(row[:-1]) for row in rows], rows[0][-1] if rows else 0)


def _stay(row: Iterable[Any]) -> DueStay:
    id_, name, unit, building, english, lifecycle, payment, signature, on = row
    return DueStay(id_, name, unit, Bilingual(building, english), lifecycle, payment, signature, on)
