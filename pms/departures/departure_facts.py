"""How a reservation ends, as it stands: notice, month to month and why, expected departure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.departures.departing import Departing, departing
from pms.departures.models import MoveOutNotice, NoticeFiling
from pms.departures.queries import filings_of
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.reservations.force_month_to_month import refuse_forcing
from pms.reservations.models import Reservation
from pms.rules.contract_dates import Term
from pms.rules.days import RecordedDay
from pms.rules.enumerations import MonthToMonthState, ReservationKind
from pms.rules.month_to_month import month_to_month_state
from pms.rules.notice_period import notice_class_days, window_opens_on
from pms.rules.notice_reasons import ClassReason, class_reason
from pms.rules.penalty_free_day import earliest_without_penalty


class Outweighing(StrEnum):
    """What keeps a tenancy from being month to month, or will end it (Month to month)."""

    NOTICE = "notice"
    CANCELLATION = "cancellation"
    SHORT_STAY = "short_stay"
    SUCCESSOR = "successor"


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthToMonthFacts:
    """The state today with its window; `unforceable` says why staff cannot force it."""

    state: MonthToMonthState
    term: Term
    class_days: int
    class_reason: ClassReason
    window_opens_on: date | None
    forced_on: date | None
    outweighed_by: Outweighing | None
    successor_start_on: date | None
    unforceable: Refused | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DepartureFacts:
    """Where the end of a reservation stands; `damaged` says which day cannot be read.

    `free_on` is the first day without a penalty for a notice filed today.
    """

    version: int
    expected_departure_on: RecordedDay
    notice: MoveOutNotice | None
    filings: Sequence[NoticeFiling]
    month_to_month: MonthToMonthFacts | None
    free_on: date | None
    damaged: Refused | None


def departure_facts(session: Session, reservation_id: str, today: date) -> DepartureFacts:
    """Return how a reservation ends; raise `NotFound` for an id of nobody here."""
    row = _found(session, reservation_id)
    found, damaged = None, None
    try:
        found = departing(session, row, today)
    except Refused as refusal:
        damaged = refusal
    notice = found.notice if found else None
    return DepartureFacts(
        version=row.version,
        expected_departure_on=row.expected_departure_date,
        notice=notice,
        filings=filings_of(session, notice.id) if notice else (),
        month_to_month=_month_to_month(found, today) if found else None,
        free_on=_free_on(found, today) if found else None,
        damaged=damaged,
    )


def _found(session: Session, reservation_id: str) -> Reservation:
    row = None
    if is_id(reservation_id):
        row = session.scalar(select(Reservation).where(Reservation.id == reservation_id))
    if row is None:
        raise NotFound(
            "There is no reservation '{reservation_id}'.", reservation_id=reservation_id[:60]
        )
    return row


def _month_to_month(found: Departing, today: date) -> MonthToMonthFacts:
    tenancy, term, figures = found.tenancy, found.tenancy.term, found.policy
    return MonthToMonthFacts(
        state=month_to_month_state(tenancy, today, figures),
        term=term,
        class_days=notice_class_days(term, figures),
        class_reason=class_reason(term, figures),
        window_opens_on=window_opens_on(term, figures),
        forced_on=found.row.forced_on,
        outweighed_by=_outweighing(found),
        successor_start_on=tenancy.successor_start_on,
        unforceable=_unforceable(found, today),
    )


def _outweighing(found: Departing) -> Outweighing | None:
    tenancy = found.tenancy
    if tenancy.is_cancelled:
        return Outweighing.CANCELLATION
    if tenancy.kind == ReservationKind.GUEST:
        return Outweighing.SHORT_STAY
    if tenancy.move_out_on is not None:
        return Outweighing.NOTICE
    # A forced flag outweighs a successor; nothing else does.
    if tenancy.successor_start_on is not None and tenancy.forced is None:
        return Outweighing.SUCCESSOR
    return None


def _unforceable(found: Departing, today: date) -> Refused | None:
    try:
        refuse_forcing(found.row, today)
    except Refused as refusal:
        return refusal
    return None


def _free_on(found: Departing, today: date) -> date:
    forced = found.forced_on(today)
    if found.tenancy.kind != ReservationKind.RESIDENT:
        return max(today, found.tenancy.term.start_on)
    return earliest_without_penalty(found.tenancy.term, today, forced, found.policy)
