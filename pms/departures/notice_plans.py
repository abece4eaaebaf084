"""Plans of notices: what a notice costs and why it is refused."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from sqlalchemy.orm import Session

from pms.departures.departures import Departing, departing, filings_of
from pms.departures.models import MoveOutNotice
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.work import find_row
from pms.ledger.planned_entries import PlannedLine, planned_row
from pms.ledger.queries import deposit_moves, standings
from pms.ledger.repricing import RepricedRow, preview_repricing, rent_facts
from pms.reservations.changes import lifecycle_as_staff_say, refuse_conflict, stay_of
from pms.reservations.models import Reservation
from pms.rules.cancellation import lifecycle_after
from pms.rules.contract_dates import ContractTerm, contract_days
from pms.rules.days import FIRST_DAY, LAST_DAY, Days, day_of, split_by_month
from pms.rules.deposit import deposit_balance, settle
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.ledger_entries import EntryBalance
from pms.rules.notices import (
    ClassReason,
    FiledNotice,
    OwedReason,
    class_reason,
    edited_notice,
    notice_class_days,
    owed_reason,
    refusal_of_notice,
    window_opens_on,
)
from pms.rules.penalties import FORFEIT_YEN, Penalty, early_exit_cap_yen, penalty_of
from pms.rules.rent_lines import rent_lines, total_yen
from pms.rules.rent_rows import BillableRow, repriced_rows, rows_to_issue
from pms.rules.taking_over import charged_here, days_billed_ahead


def asked_day(filed_at: datetime | None, clock: Clock) -> date:
    """Return the Japan day of the filing, by default today; staff may give an earlier instant."""
    if filed_at is None:
        return clock.today()
    if filed_at.tzinfo is None or filed_at > clock.now():
        raise Refused(
            "filedAt: {filed_at} is not possible. Enter a date and time with its time zone, not "
            "later than now.",
            filed_at=filed_at,
        )
    return day_of(filed_at)


def refuse_day(found: Departing, move_out_on: date) -> None:
    """Raise `Refused` for a day that cannot be a move-out day (Contract dates)."""
    if not FIRST_DAY <= move_out_on <= LAST_DAY:
        raise Refused(
            "moveOutDate: {move_out_on} is out of range. Choose a day from {earliest_on} "
            "to {latest_on}.",
            move_out_on=move_out_on,
            earliest_on=FIRST_DAY,
            latest_on=LAST_DAY,
        )
    if refusal_of_notice(found.tenancy.term, move_out_on) is not None:
        raise Refused(
            "moveOutDate: {move_out_on} is before the move-in. Choose {start_on} or a later day.",
            move_out_on=move_out_on,
            start_on=found.tenancy.term.start_on,
        )


def refuse_filing(found: Departing, today: date) -> None:
    """Raise `Refused` where no first notice can be filed (States and transitions)."""
    if found.notice is not None:
        raise Refused(
            "notice: notice for {filed_on} has already been given. Reschedule or withdraw it.",
            filed_on=found.notice.move_out_on,
        )
    kind = ReservationKind(found.row.kind)
    if kind is ReservationKind.GUEST:
        raise Refused("notice: a guest's stay ends on the check-out day without a notice.")
    state = lifecycle_as_staff_say(found.row, today)
    if state in {Lifecycle.BOOKED, Lifecycle.CONFIRMED}:
        raise Refused(
            "notice: the tenancy starts on {start_on}. Cancel the booking instead.",
            start_on=found.tenancy.term.start_on,
        )
    if lifecycle_after(state, Lifecycle.NOTICE_FILED, kind) is not Lifecycle.NOTICE_FILED:
        raise Refused(
            "notice: The reservation is {state}. Only a current resident can give notice.",
            state=state,
        )


def refuse_edit(found: Departing, notice: MoveOutNotice, *, today: date, move_out_on: date) -> None:
    """Raise `Refused` for an edit that changes nothing or comes too late."""
    if found.row.lifecycle not in {Lifecycle.NOTICE_FILED, Lifecycle.MOVED_OUT}:
        raise Refused(
            "notice: The move-out day can be changed until the deposit is settled. The "
            "reservation is {lifecycle}.",
            lifecycle=Lifecycle(found.row.lifecycle),
        )
    if move_out_on == notice.move_out_on:
        raise Refused(
            "moveOutDate: the move-out date is already {move_out_on}.", move_out_on=move_out_on
        )
    if found.row.lifecycle == Lifecycle.MOVED_OUT and move_out_on > today:
        raise Refused(
            "moveOutDate: The resident has moved out, so {move_out_on} is not possible. "
            "Choose a day up to today, {today}.",
            move_out_on=move_out_on,
            today=today,
        )


def refuse_order(asked_on: date, last_on: date) -> None:
    """Raise `Refused` for an edit filed before the last filing."""
    if asked_on < last_on:
        raise Refused(
            "filedAt: {asked_on} is before the last filing. Choose {last_on} or later.",
            asked_on=asked_on,
            last_on=last_on,
        )


@dataclass(frozen=True, slots=True)
class NoticePlan:
    """A planned notice, the day it was filed, and its cost."""

    asked_on: date
    filed: FiledNotice
    penalty: Penalty


def plan_filing(
    session: Session, clock: Clock, found: Departing, move_out_on: date, filed_at: datetime | None
) -> NoticePlan:
    """Return a first notice; raise `Refused` where none can be filed."""
    refuse_filing(found, clock.today())
    asked_on = asked_day(filed_at, clock)
    return _plan_filed_notice(session, clock, found, asked_on, FiledNotice(asked_on, move_out_on))


def plan_edit(
    session: Session, clock: Clock, found: Departing, move_out_on: date, filed_at: datetime | None
) -> NoticePlan:
    """Return the notice in force after an edit of its day (Move-out penalties 8)."""
    notice = found.notice
    if notice is None:
        raise Refused("notice: no notice has been given. File one first.")
    asked_on = asked_day(filed_at, clock)
    refuse_edit(found, notice, today=clock.today(), move_out_on=move_out_on)
    refuse_order(asked_on, filings_of(session, notice.id)[-1].filed_on)
    before = FiledNotice(notice.filed_on, notice.move_out_on)
    return _plan_filed_notice(
        session, clock, found, asked_on, edited_notice(before, asked_on, move_out_on)
    )


def plan_standing(session: Session, clock: Clock, found: Departing) -> NoticePlan:
    """Return the notice in force with its penalty computed again."""
    notice = found.notice
    if notice is None:
        raise Refused("notice: no notice has been given.")
    filed = FiledNotice(notice.filed_on, notice.move_out_on)
    return _plan_filed_notice(session, clock, found, notice.filed_on, filed)


def plan_of_notice_given_before(found: Departing, filed: FiledNotice) -> NoticePlan:
    """Return the notice of a tenancy taken over, with the penalty charged elsewhere."""
    refuse_day(found, filed.move_out_on)
    return NoticePlan(filed.filed_on, filed, planned_penalty(found, filed))


def planned_penalty(found: Departing, filed: FiledNotice) -> Penalty:
    """Return the penalty of a notice (Move-out penalties); raise `Refused` without a price."""
    if found.price is None and found.row.kind == ReservationKind.RESIDENT:
        raise Refused("notice: the reservation has no rent. Set one before filing a notice.")
    periods = found.price.periods if found.price else ()
    return penalty_of(found.departure(filed), periods, found.policy)


def _plan_filed_notice(
    session: Session, clock: Clock, found: Departing, asked_on: date, filed: FiledNotice
) -> NoticePlan:
    refuse_day(found, filed.move_out_on)
    stay = stay_of(found.row)._replace(move_out_on=filed.move_out_on)
    refuse_conflict(session, stay, found.row.unit_id, clock.today())
    return NoticePlan(asked_on, filed, planned_penalty(found, filed))


_NEW_PENALTY = "new penalty"


@dataclass(frozen=True, slots=True)
class ExpectedDeposit:
    """Whole yen: held, netted, to be refunded, and still owed by the resident."""

    held_yen: int
    overpaid_yen: int
    netted_yen: int
    remainder_yen: int
    owed_yen: int


def expected_deposit(
    session: Session,
    clock: Clock,
    found: Departing,
    plan: NoticePlan,
    repriced: Iterable[RepricedRow],
) -> ExpectedDeposit:
    """Return a settlement of today that includes the notice's penalty and repriced rent."""
    today, id_ = clock.today(), found.row.id
    changes: dict[str, int] = {}
    for row in repriced:
        changes[row.entry_id] = changes.get(row.entry_id, 0) + row.change_yen
    entries = [
        replace(entry, payable_yen=entry.payable_yen + changes.get(entry.id, 0))
        for entry in standings(session, (id_,), today).get(id_, ())
    ]
    entries = _with_penalty(entries, found, plan, clock)
    moves = deposit_moves(session, (id_,), today).get(id_, ())
    # A transfer of more than was collected is corrected before a settlement, not netted.
    settled = settle(max(deposit_balance(entries, moves, today).held_yen, 0), entries)
    return ExpectedDeposit(
        settled.held_yen,
        settled.overpaid_yen,
        settled.netted_yen,
        settled.remainder_yen,
        settled.owed_yen,
    )


def _with_penalty(
    entries: list[EntryBalance], found: Departing, plan: NoticePlan, clock: Clock
) -> list[EntryBalance]:
    """Return the entries with the penalty's entry at its new amount here, added if missing."""
    yen = charged_here(plan.penalty.yen, found.row.penalty_elsewhere_yen)
    billed_id = found.notice and found.notice.penalty_entry_id
    if billed_id is None:
        return [*entries, EntryBalance(_NEW_PENALTY, clock.today(), yen)] if yen else entries
    return [
        replace(entry, payable_yen=yen) if entry.id == billed_id else entry for entry in entries
    ]


@dataclass(frozen=True, slots=True)
class LastRent:
    """The billed row that contains the move-out day; `is_issued` when it is billed already."""

    first_on: date
    last_on: date
    lines: tuple[PlannedLine, ...]
    is_issued: bool

    @property
    def total_yen(self) -> int:
        """The sum of its lines."""
        return sum(line.yen for line in self.lines)


def last_rent(
    session: Session, clock: Clock, found: Departing, plan: NoticePlan
) -> LastRent | None:
    """Return the last rent (Month to month, Move-out date filed); `None` where none is billed."""
    tenancy, move_out_on = found.tenancy_after(plan.filed), plan.filed.move_out_on
    facts = rent_facts(session, found.row.id, clock.today(), tenancy)
    if facts.span is None or facts.agreed is None:
        return None
    issued = repriced_rows([standing.row for standing in facts.rows], facts.span)
    coming = rows_to_issue(tenancy, issued, clock.today(), move_out_on, found.policy)
    rows = [(row, True) for row in issued] + [(row, False) for row in coming]
    for (kind, first_on, last_on), is_issued in rows:
        if last_on is not None and first_on <= move_out_on <= last_on:
            row = BillableRow(kind, first_on, last_on)
            start_on = tenancy.term.start_on
            lines = planned_row(facts.agreed, row, start_on, facts.taxes).lines
            return LastRent(first_on, last_on, lines, is_issued)
    return None


@dataclass(frozen=True, slots=True)
class NoticeTerms:
    """The notice the contract requires, and why (specification, Move-out penalties 4, 5).

    `window_opens_on` is the day from which a filing owes the long period; `None` without an end.
    """

    term: ContractTerm
    contract_days: int | None
    class_days: int
    class_reason: ClassReason
    window_opens_on: date | None
    owed_reason: OwedReason


@dataclass(frozen=True, slots=True)
class NoticePreview:
    """The full preview of a notice and its effects.

    `penalty` has the days owed, given and missing, both computations with their lines, which of the
    two is billed (`basis`), and the end date of a capped early exit (`runs_until_on`). `cap_yen` is
    the most an early exit costs, `None` where no penalty is owed at all. `replaces` is the day of
    the notice an edit would change, and `notice_version` what the edit sends back; `free_from_on`
    is the day the unit is free again.
    """

    reservation_id: str
    filed_on: date
    move_out_on: date
    terms: NoticeTerms
    penalty: Penalty
    cap_yen: int | None
    forfeit_yen: int
    repriced: tuple[RepricedRow, ...]
    last_rent: LastRent | None
    deposit: ExpectedDeposit
    free_from_on: date
    replaces: date | None
    notice_version: int | None
    billed_ahead: Days | None = None
    """The days after the move-out that were billed before the tenancy was taken over."""
    billed_ahead_yen: int = 0
    """The cost of those days at today's price; only staff credit it."""
    charged_yen: int = 0
    """The part of the penalty charged here: less what was charged elsewhere before a takeover."""


def preview_notice(
    session: Session,
    clock: Clock,
    *,
    reservation_id: str,
    move_out_on: date,
    filed_at: datetime | None = None,
) -> NoticePreview:
    """Return what `file_notice` would write, or `reschedule_move_out` where a notice is filed.

    Raises what they raise.
    """
    found = departing(session, find_row(session, Reservation, reservation_id), clock.today())
    planned = plan_filing if found.notice is None else plan_edit
    plan = planned(session, clock, found, move_out_on, filed_at)
    tenancy = found.tenancy_after(plan.filed)
    repriced = preview_repricing(session, clock, reservation_id, tenancy)
    ahead = days_billed_ahead(plan.filed.move_out_on, tenancy.term, tenancy.billed_through_on)
    if found.price is None or found.row.kind != ReservationKind.RESIDENT:
        cap_yen = None
    else:
        cap_yen = early_exit_cap_yen(plan.filed.move_out_on, found.price.periods, found.policy)
    if ahead is None or found.price is None:
        billed_ahead_yen = 0
    else:
        billed_ahead_yen = sum(
            total_yen(rent_lines(found.price, part)) for part in split_by_month(ahead)
        )
    return NoticePreview(
        reservation_id=reservation_id,
        filed_on=plan.filed.filed_on,
        move_out_on=plan.filed.move_out_on,
        terms=_build_terms(found, plan.filed.filed_on),
        penalty=plan.penalty,
        cap_yen=cap_yen,
        forfeit_yen=FORFEIT_YEN,
        repriced=repriced,
        last_rent=last_rent(session, clock, found, plan),
        deposit=expected_deposit(session, clock, found, plan, repriced),
        free_from_on=plan.filed.move_out_on + timedelta(days=found.policy.turnover_days),
        replaces=found.notice.move_out_on if found.notice else None,
        notice_version=found.notice.version if found.notice else None,
        billed_ahead=ahead,
        billed_ahead_yen=billed_ahead_yen,
        charged_yen=charged_here(plan.penalty.yen, found.row.penalty_elsewhere_yen),
    )


def _build_terms(found: Departing, filed_on: date) -> NoticeTerms:
    term, figures = found.tenancy.term_on(filed_on), found.policy
    return NoticeTerms(
        term=term,
        contract_days=contract_days(term),
        class_days=notice_class_days(term, figures),
        class_reason=class_reason(term, figures),
        window_opens_on=window_opens_on(term, figures),
        owed_reason=owed_reason(term, filed_on, found.forced_on(filed_on), figures),
    )
