"""The facts of a reservation's departure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.departures.models import MoveOutNotice, NoticeFiling
from pms.foundation.errors import Refused
from pms.foundation.versions import asked_once
from pms.foundation.work import find_row
from pms.pricing.prices import prices_of
from pms.reservations.models import ForcedMonthToMonth, Reservation
from pms.reservations.month_to_month import refuse_forcing
from pms.reservations.tenancies import tenancy_of
from pms.rules.contract_dates import ContractTerm
from pms.rules.days import RecordedDay, day_of
from pms.rules.enumerations import MonthToMonthState, ReservationKind
from pms.rules.notices import (
    ClassReason,
    FiledNotice,
    ForcedFlag,
    class_reason,
    notice_class_days,
    window_opens_on,
)
from pms.rules.penalties import Departure, earliest_without_penalty
from pms.rules.policy import Policy
from pms.rules.rent_lines import Price
from pms.rules.taking_over import charged_here
from pms.rules.unit_stays import TenancyFacts, month_to_month_state
from pms.workspaces.queries import policy


def notice_in_force(session: Session, reservation_id: str) -> MoveOutNotice | None:
    """Return the notice of a reservation that was filed and not withdrawn."""
    return asked_once(session, _notice_in_force, reservation_id)


def _notice_in_force(session: Session, reservation_id: str) -> MoveOutNotice | None:
    return session.scalar(
        select(MoveOutNotice)
        .where(MoveOutNotice.reservation_id == reservation_id, MoveOutNotice.withdrawn_at.is_(None))
        # Read again: another transaction may have changed it while the lock was awaited.
        .execution_options(populate_existing=True)
    )


def filings_of(session: Session, notice_id: str) -> Sequence[NoticeFiling]:
    """Return every day a notice requested, from the first to the last edit, in their order."""
    of_it = NoticeFiling.notice_id == notice_id
    return session.scalars(select(NoticeFiling).where(of_it).order_by(NoticeFiling.number)).all()


@dataclass(frozen=True, slots=True)
class Departing:
    """A reservation, its present tenancy and price, and the notice in force, if any."""

    row: Reservation
    tenancy: TenancyFacts
    flags: Sequence[ForcedFlag]
    price: Price | None
    policy: Policy
    notice: MoveOutNotice | None

    def forced_on(self, day: date) -> ForcedFlag | None:
        """Return the flag in force on a day, or `None` (Move-out penalties 5)."""
        return next((flag for flag in self.flags if flag.is_set_on(day)), None)

    def departure(self, filed: FiledNotice) -> Departure:
        """Return the departure for a filed notice."""
        return Departure(
            term=self.tenancy.term_on(filed.filed_on),
            filed_on=filed.filed_on,
            move_out_on=filed.move_out_on,
            kind=ReservationKind(self.row.kind),
            forced=self.forced_on(filed.filed_on),
            is_excused=self.notice is not None and self.notice.is_reason_accepted is True,
        )

    def tenancy_after(self, filed: FiledNotice | None) -> TenancyFacts:
        """Return the tenancy with the given notice, or without one."""
        days = (filed.filed_on, filed.move_out_on) if filed else (None, None)
        return replace(self.tenancy, filed_on=days[0], move_out_on=days[1])


def departing(session: Session, row: Reservation, today: date) -> Departing:
    """Return the present facts of a departure; raise `Refused` for a damaged day."""
    return Departing(
        row=row,
        tenancy=tenancy_of(session, row.id, today),
        flags=asked_once(session, _asked_flags, row.id),
        price=prices_of(session, (row.id,)).get(row.id),
        policy=policy(session),
        notice=notice_in_force(session, row.id),
    )


def _asked_flags(session: Session, reservation_id: str) -> list[ForcedFlag]:
    """Return every forced flag of the tenancy, with the Japan days of setting and clearing."""
    rows = session.scalars(
        select(ForcedMonthToMonth).where(ForcedMonthToMonth.reservation_id == reservation_id)
    )
    return [
        ForcedFlag(day_of(row.set_at), row.cleared_at and day_of(row.cleared_at)) for row in rows
    ]


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
    term: ContractTerm
    class_days: int
    class_reason: ClassReason
    window_opens_on: date | None
    forced_on: date | None
    outweighed_by: Outweighing | None
    successor_start_on: date | None
    unforceable: Refused | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DepartureFacts:
    """The facts about a reservation's end; `damaged` says which day cannot be read.

    `charged_yen` is the part of the notice's penalty that is charged here, not before a take-over;
    `free_on` the first day without a penalty for a notice filed today.
    """

    version: int
    expected_departure_on: RecordedDay
    notice: MoveOutNotice | None
    charged_yen: int
    filings: Sequence[NoticeFiling]
    month_to_month: MonthToMonthFacts | None
    free_on: date | None
    damaged: Refused | None


def departure_facts(session: Session, reservation_id: str, today: date) -> DepartureFacts:
    """Return how a reservation ends; raise `NotFound` for an unknown id."""
    return asked_once(session, _departure_facts, reservation_id, today)


def _departure_facts(session: Session, reservation_id: str, today: date) -> DepartureFacts:
    row = find_row(session, Reservation, reservation_id)
    found, damaged = None, None
    try:
        found = departing(session, row, today)
    except Refused as refusal:
        damaged = refusal
    notice = found.notice if found else None
    if found:
        forced = found.forced_on(today)
        if found.tenancy.kind != ReservationKind.RESIDENT:
            free_on = max(today, found.tenancy.term.start_on)
        else:
            free_on = earliest_without_penalty(
                found.tenancy.term_on(today), today, forced, found.policy
            )
    else:
        free_on = None
    return DepartureFacts(
        version=row.version,
        expected_departure_on=row.expected_departure_date,
        notice=notice,
        charged_yen=charged_here(notice.penalty_yen, row.penalty_elsewhere_yen) if notice else 0,
        filings=filings_of(session, notice.id) if notice else (),
        month_to_month=_month_to_month(found, today) if found else None,
        free_on=free_on,
        damaged=damaged,
    )


def _month_to_month(found: Departing, today: date) -> MonthToMonthFacts:
    tenancy, figures = found.tenancy, found.policy
    term = tenancy.term_on(today)
    outweighing_tenancy = found.tenancy
    if outweighing_tenancy.is_cancelled:
        outweighed_by = Outweighing.CANCELLATION
    elif outweighing_tenancy.kind == ReservationKind.GUEST:
        outweighed_by = Outweighing.SHORT_STAY
    elif outweighing_tenancy.move_out_on is not None:
        outweighed_by = Outweighing.NOTICE
    # A forced flag takes precedence over a successor; nothing else does.
    elif outweighing_tenancy.successor_start_on is not None and outweighing_tenancy.forced is None:
        outweighed_by = Outweighing.SUCCESSOR
    else:
        outweighed_by = None
    return MonthToMonthFacts(
        state=month_to_month_state(tenancy, today, figures),
        term=term,
        class_days=notice_class_days(term, figures),
        class_reason=class_reason(term, figures),
        window_opens_on=window_opens_on(term, figures),
        forced_on=found.row.forced_on,
        outweighed_by=outweighed_by,
        successor_start_on=tenancy.successor_start_on,
        unforceable=_refusal_of_forcing(found, today),
    )


def _refusal_of_forcing(found: Departing, today: date) -> Refused | None:
    try:
        refuse_forcing(found.row, today)
    except Refused as refusal:
        return refusal
    return None
