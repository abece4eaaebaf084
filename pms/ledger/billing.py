"""Billing a month: planning the missing rent, and posting it."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import Select, and_, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.db import as_indexed
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work
from pms.ledger.models import BilledRow, LedgerEntry, RowExtent
from pms.ledger.opening import use_opening_credits
from pms.ledger.overpayments import use_overpayments_of
from pms.ledger.planned_entries import PlannedEntry, planned_rent, planned_row
from pms.ledger.posting import post_entries
from pms.ledger.repricing import RentFacts, read_rent_facts
from pms.reservations.locks import lock_reservations
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.contract_dates import billed_through_on
from pms.rules.days import month_first, month_last
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.rent_rows import rows_to_issue
from pms.workspaces.queries import policy

BILLED_STAGES = (
    Lifecycle.BOOKED,
    Lifecycle.CONFIRMED,
    Lifecycle.LIVING,
    Lifecycle.NOTICE_FILED,
    Lifecycle.MOVED_OUT,
    Lifecycle.TRANSFERRED,
)


class Unbillable(StrEnum):
    """Why a reservation cannot be billed."""

    DAMAGED_DATES = "damaged_dates"
    NO_PRICE = "no_price"
    NO_INVOICE = "no_invoice"
    NOT_TAKEN_OVER = "not_taken_over"


class BillingProblem(NamedTuple):
    """A reservation that a run could not bill, and why."""

    reservation_id: str
    reason: Unbillable
    message: str


class MonthPlan(NamedTuple):
    """The missing entries through a month, and the reservations that could not be planned."""

    entries: tuple[PlannedEntry, ...]
    problems: tuple[BillingProblem, ...]

    @property
    def total_yen(self) -> int:
        """The sum of the planned entries."""
        return sum(entry.total_yen for entry in self.entries)


@dataclass(frozen=True, slots=True)
class BilledMonth:
    """What a run posted; the results of its parts are added up."""

    through_on: date
    reservations: int = 0
    entries: int = 0
    total_yen: int = 0
    problems: tuple[BillingProblem, ...] = ()

    def with_plan(self, plan: MonthPlan) -> "BilledMonth":
        """Return the figures with one more part added."""
        return replace(
            self,
            reservations=self.reservations + len({e.reservation_id for e in plan.entries}),
            entries=self.entries + len(plan.entries),
            total_yen=self.total_yen + plan.total_yen,
            problems=self.problems + plan.problems,
        )


def reservations_to_bill(
    session: Session, through_on: date, reservation_ids: Sequence[str] | None = None
) -> tuple[str, ...]:
    """Return the residents who may lack rent through the month of a day, by id.

    Residents who are billed to the month's end, or to a known end before it, and were never
    corrected lack nothing and are left out, so that a second run reads hardly anything. Who is
    billed and who was corrected is asked for all at once, not resident by resident.
    """
    last_on = month_last(through_on)
    # Whether living ends before the last day and the newest billed row reaches that end.
    newest = (
        select(BilledRow.id)
        .where(refers_to(BilledRow.reservation_id, Reservation))
        .order_by(BilledRow.first_on.desc())
        .limit(1)
        .correlate(Reservation)
        .scalar_subquery()
    )
    # A row that was written again has several last days, but its resident was corrected then.
    reached_on = (
        select(func.max(RowExtent.last_on))
        .where(RowExtent.workspace_id == Reservation.workspace_id, RowExtent.row_id == newest)
        .correlate(Reservation)
        .scalar_subquery()
    )
    is_billed_to_end = and_(Reservation.ends_on < last_on, reached_on >= Reservation.ends_on)
    question = (
        select(Reservation.id, is_billed_to_end)
        .where(
            Reservation.kind == ReservationKind.RESIDENT,
            Reservation.lifecycle.in_(BILLED_STAGES),
            Reservation.cancelled_at.is_(None),
            or_(Reservation.starts_on.is_(None), Reservation.starts_on <= last_on),
        )
        .order_by(Reservation.id)
    )
    if reservation_ids is not None:
        question = question.where(one_of(Reservation.id, reservation_ids))
    found = [(id_, is_to_end) for id_, is_to_end in session.execute(question)]
    # The reservations with a row of the month that reaches its last day.
    billed_through = (
        select(BilledRow.reservation_id)
        .join(RowExtent, refers_to(RowExtent.row_id, BilledRow))
        .where(BilledRow.first_on >= month_first(last_on), RowExtent.last_on >= last_on)
    )
    billed = _find_reservation_ids(
        session, billed_through, BilledRow.reservation_id, reservation_ids
    )
    billed |= {id_ for id_, is_to_end in found if is_to_end}
    complete = billed - _corrected_reservations(session, reservation_ids) if billed else billed
    return tuple(id_ for id_, _ in found if id_ not in complete)


def plan_month(
    session: Session, reservation_ids: Sequence[str], on: date, through_on: date
) -> MonthPlan:
    """Return what a run on a day would post for the reservations, without posting it."""
    reading = read_rent_facts(session, reservation_ids, on)
    entries: list[PlannedEntry] = []
    problems = [
        BillingProblem(id_, Unbillable.DAMAGED_DATES, refusal.message)
        for id_, refusal in reading.damaged.items()
    ]
    without_rows = [id_ for id_, facts in reading.facts.items() if not facts.rows]
    with_entries = reservations_with_entries(session, without_rows)
    for facts in reading.facts.values():
        problem = _find_problem(facts, has_entries=facts.reservation_id in with_entries)
        if problem is None:
            if facts.span is None or not (facts.rows or facts.tenancy.billed_through_on):
                missing_rent = []
            else:
                issued = [standing.row for standing in facts.rows]
                rows = rows_to_issue(facts.tenancy, issued, facts.on, through_on, facts.policy)
                start_on = facts.tenancy.term.start_on
                missing_rent = [
                    planned_rent(
                        facts.reservation_id,
                        planned_row(facts.price, row, start_on, facts.taxes),
                        facts.on,
                    )
                    for row in rows
                ]
            entries.extend(missing_rent)
        else:
            problems.append(problem)
    return MonthPlan(tuple(entries), tuple(problems))


def preview_month(
    session: Session,
    clock: Clock,
    *,
    reservation_ids: Sequence[str] | None = None,
    through_on: date | None = None,
) -> MonthPlan:
    """Return what `bill_month` would post now."""
    through_on = through_on or billed_through_on(clock.today(), policy(session))
    wanted = reservations_to_bill(session, through_on, reservation_ids)
    return plan_month(session, wanted, clock.today(), through_on)


def reservations_with_entries(session: Session, reservation_ids: Collection[str]) -> frozenset[str]:
    """Return those of the reservations that have any ledger entry."""
    if not reservation_ids:
        return frozenset()
    asked = select(LedgerEntry.reservation_id).where(
        one_of(LedgerEntry.reservation_id, list(reservation_ids))
    )
    return frozenset(session.scalars(asked.distinct()))


def _find_problem(facts: RentFacts, *, has_entries: bool) -> BillingProblem | None:
    is_begun = bool(facts.rows) or facts.tenancy.billed_through_on is not None
    if (facts.agreed is not None and is_begun) or facts.span is None:
        return None
    id_ = facts.reservation_id
    if facts.agreed is None:
        return BillingProblem(id_, Unbillable.NO_PRICE, f"Reservation {id_} has no price.")
    if not has_entries:
        message = f"Reservation {id_} was brought in without its money; take it over first."
        return BillingProblem(id_, Unbillable.NOT_TAKEN_OVER, message)
    message = f"Reservation {id_} has no move-in invoice; issue it first."
    return BillingProblem(id_, Unbillable.NO_INVOICE, message)


def _corrected_reservations(session: Session, reservation_ids: Sequence[str] | None) -> set[str]:
    """Return the reservations of which an entry was voided, or a row written again.

    Days in between may be unbilled.
    """
    voided = select(LedgerEntry.reservation_id).where(LedgerEntry.opposes_id.is_not(None))
    # A nested query, because a join tempts SQLite to begin with every billed row.
    again = select(RowExtent.row_id).where(as_indexed("row_extent.number > 1"))
    written_again = select(BilledRow.reservation_id).where(BilledRow.id.in_(again))
    return _find_reservation_ids(
        session, voided, LedgerEntry.reservation_id, reservation_ids
    ) | _find_reservation_ids(session, written_again, BilledRow.reservation_id, reservation_ids)


def _find_reservation_ids(
    session: Session,
    question: Select[str],
    column: InstrumentedAttribute[str],
    reservation_ids: Sequence[str] | None,
) -> set[str]:
    if reservation_ids is not None:
        question = question.where(one_of(column, reservation_ids))
    return set(session.scalars(question))


CHUNK = 500


def bill_month(
    work: Work, *, reservation_ids: Sequence[str] | None = None, through_on: date | None = None
) -> BilledMonth:
    """Post every row of rent that is missing through the month of a day, as of today.

    Reservations that cannot be billed are reported and do not stop the run. An overpayment that
    came with a tenancy taken over pays what the run issues; if the policy says so, other
    overpayments pay the open bills of the billed reservations. A long run calls
    `reservations_to_bill` first and commits after each part: a killed run is completed by the next
    one.
    """
    on, figures = work.clock.today(), policy(work.session)
    through_on = through_on or billed_through_on(on, figures)
    wanted = reservations_to_bill(work.session, through_on, reservation_ids)
    billed = BilledMonth(through_on)
    for first in range(0, len(wanted), CHUNK):
        ids = wanted[first : first + CHUNK]
        lock_reservations(work.session, ids)
        plan = plan_month(work.session, ids, on, through_on)
        issued: defaultdict[str, list[str]] = defaultdict(list)
        for id_, entry in zip(post_entries(work, plan.entries), plan.entries, strict=True):
            issued[entry.reservation_id].append(id_)
        use_opening_credits(work.session, work.clock, issued)
        if figures.overpayments_pay_next_bills:
            use_overpayments_of(work, issued)
        billed = billed.with_plan(plan)
    if billed.entries:
        facts = {
            "through_on": through_on,
            "reservations": billed.reservations,
            "entries": billed.entries,
            "total_yen": billed.total_yen,
        }
        note_audit_event(work, AuditEvent.RENT_BILLED, of_workspace(work.session), after=facts)
    return billed
