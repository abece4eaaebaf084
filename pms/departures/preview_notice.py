"""Shows what a notice, or an edit of the one in force, would do, without writing anything."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.departures.departing import Departing, departing
from pms.departures.expected_deposit import ExpectedDeposit, expected_deposit
from pms.departures.last_rent import LastRent, last_rent
from pms.departures.notice_plan import NoticePlan, plan_edit, plan_filing
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.ledger.reprice_rows import preview_repricing
from pms.ledger.repricing_plan import RepricedRow
from pms.reservations.models import Reservation
from pms.rules.contract_dates import Term, contract_days
from pms.rules.day_runs import Days, split_by_month
from pms.rules.enumerations import ReservationKind
from pms.rules.notice_period import notice_class_days, window_opens_on
from pms.rules.notice_reasons import ClassReason, OwedReason, class_reason, owed_reason
from pms.rules.penalties import FORFEIT_YEN, Penalty
from pms.rules.penalty_computations import early_exit_cap_yen
from pms.rules.rent_lines import rent_lines, total_yen
from pms.rules.taking_over import charged_here, days_billed_ahead


@dataclass(frozen=True, slots=True)
class NoticeTerms:
    """How much notice the contract asks for, and why (specification, Move-out penalties 4, 5).

    `window_opens_on` is the day from which a filing owes the long period; None without an end.
    """

    term: Term
    contract_days: int | None
    class_days: int
    class_reason: ClassReason
    window_opens_on: date | None
    owed_reason: OwedReason


@dataclass(frozen=True, slots=True)
class NoticePreview:
    """All that a notice would be and do.

    `penalty` holds the days owed, given and missing, both computations with their lines, which
    of the two is billed (`basis`), and the end a capped early exit names (`runs_until_on`).
    `cap_yen` is the most an early exit costs, None where no penalty is owed at all. `replaces`
    is the day of the notice an edit would change, and `notice_version` what the edit sends back;
    `free_from_on` is the day the unit is free again.
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
    """What those days cost at today's price; only staff give it back."""
    charged_yen: int = 0
    """What is charged here of the penalty: less what a notice that came along had cost elsewhere."""


def preview_notice(
    session: Session,
    clock: Clock,
    *,
    reservation_id: str,
    move_out_on: date,
    filed_at: datetime | None = None,
) -> NoticePreview:
    """Return what `file_notice` would write, or `reschedule_move_out` where a notice is filed.

    Refuses what they refuse.
    """
    found = departing(session, _reservation(session, reservation_id), clock.today())
    planned = plan_filing if found.notice is None else plan_edit
    plan = planned(session, clock, found, move_out_on, filed_at)
    tenancy = found.tenancy_after(plan.filed)
    repriced = preview_repricing(session, clock, reservation_id, tenancy)
    ahead = days_billed_ahead(plan.filed.move_out_on, tenancy.term, tenancy.billed_through_on)
    return NoticePreview(
        reservation_id=reservation_id,
        filed_on=plan.filed.filed_on,
        move_out_on=plan.filed.move_out_on,
        terms=_terms(found, plan.filed.filed_on),
        penalty=plan.penalty,
        cap_yen=_cap_yen(found, plan),
        forfeit_yen=FORFEIT_YEN,
        repriced=repriced,
        last_rent=last_rent(session, clock, found, plan),
        deposit=expected_deposit(session, clock, found, plan, repriced),
        free_from_on=plan.filed.move_out_on + timedelta(days=found.policy.turnover_days),
        replaces=found.notice.move_out_on if found.notice else None,
        notice_version=found.notice.version if found.notice else None,
        billed_ahead=ahead,
        billed_ahead_yen=_priced(found, ahead),
        charged_yen=charged_here(plan.penalty.yen, found.row.penalty_elsewhere_yen),
    )


def _priced(found: Departing, days: Days | None) -> int:
    if days is None or found.price is None:
        return 0
    return sum(total_yen(rent_lines(found.price, part)) for part in split_by_month(days))


def _reservation(session: Session, reservation_id: str) -> Reservation:
    row = None
    if is_id(reservation_id):
        row = session.scalar(select(Reservation).where(Reservation.id == reservation_id))
    if row is None:
        raise NotFound(
            "There is no reservation '{reservation_id}'.", reservation_id=reservation_id[:60]
        )
    return row


def _terms(found: Departing, filed_on: date) -> NoticeTerms:
    term, figures = found.tenancy.term, found.policy
    return NoticeTerms(
        term=term,
        contract_days=contract_days(term),
        class_days=notice_class_days(term, figures),
        class_reason=class_reason(term, figures),
        window_opens_on=window_opens_on(term, figures),
        owed_reason=owed_reason(term, filed_on, found.forced_on(filed_on), figures),
    )


def _cap_yen(found: Departing, plan: NoticePlan) -> int | None:
    if found.price is None or found.row.kind != ReservationKind.RESIDENT:
        return None
    return early_exit_cap_yen(plan.filed.move_out_on, found.price.periods, found.policy)
