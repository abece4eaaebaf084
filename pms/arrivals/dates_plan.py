"""Works out what corrected dates make of a reservation before anything is written."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, TypedDict

from sqlalchemy.orm import Session

from pms.arrivals.booking_checks import check_day, check_nights, check_term
from pms.foundation.errors import Refused
from pms.ledger.override_rows import OverridePlan
from pms.ledger.repricing_plan import RepricedRow
from pms.reservations.models import Reservation
from pms.reservations.unit_conflicts import refuse_conflict
from pms.reservations.unit_stays import stay_of
from pms.rules.contract_dates import Term, effective_day
from pms.rules.days import CorruptDay, RecordedDay
from pms.rules.enumerations import Lifecycle
from pms.rules.notice_edits import refusal_of_notice
from pms.rules.taking_over import may_end_on, may_override_start
from pms.workspaces.queries import policy

_NAMES: Final = {
    "override_move_in_date": "overrideMoveInDate",
    "override_contract_end_date": "overrideContractEndDate",
    "arrival_date": "arrivalDate",
}
_OPEN: Final = frozenset(
    {
        Lifecycle.BOOKED,
        Lifecycle.CONFIRMED,
        Lifecycle.LIVING,
        Lifecycle.NOTICE_FILED,
        Lifecycle.MOVED_OUT,
    }
)


class CorrectedFacts(TypedDict, total=False):
    """The dates that may be corrected: None takes a correction back, a day left out stays."""

    override_move_in_date: date | None
    override_contract_end_date: date | None
    arrival_date: date | None


@dataclass(frozen=True, slots=True)
class TermChange:
    """The contract before and after; `before` is None where it could not be read."""

    before: Term | None
    after: Term

    @property
    def is_start_moved(self) -> bool:
        """Whether the move-in invoice has to follow."""
        return self.before is None or self.before.start_on != self.after.start_on

    @property
    def is_changed(self) -> bool:
        """Whether anything billed can follow; an arrival date drives nothing."""
        return self.before != self.after


def changed_facts(row: Reservation, facts: CorrectedFacts) -> dict[str, date | None]:
    """Return the dates that are not as stated yet; raise `Refused` for one out of range."""
    stated: Mapping[str, Any] = facts
    for column, day in stated.items():
        if day is not None:
            check_day(_NAMES[column], day)
    return {column: day for column, day in stated.items() if getattr(row, column) != day}


def plan_term(
    session: Session, today: date, row: Reservation, changes: Mapping[str, date | None]
) -> TermChange | None:
    """Return the contract before and after, None when only the arrival changes.

    Raises `Refused` for a reservation that is over, for days that are no contract, for a start
    after a filed move-out, and for nights the unit is held by another.
    """
    if Lifecycle(row.lifecycle) not in _OPEN:
        raise Refused(
            "dates: a reservation that is {lifecycle} is corrected no more.",
            lifecycle=Lifecycle(row.lifecycle),
        )
    if not changes.keys() - {"arrival_date"}:
        return None
    days = {column: changes.get(column, getattr(row, column)) for column in _NAMES}
    start = effective_day(row.move_in_date, days["override_move_in_date"])
    end = effective_day(row.contract_end_date, days["override_contract_end_date"])
    after = Term(_readable("moveInDate", start), _readable_or_none("contractEndDate", end))
    check_term(after, row.kind)
    check_nights(row.kind, after, policy(session))
    _refuse_leaving_before(row, after)
    _refuse_days_billed_before(row, after)
    stay = stay_of(row)._replace(start_on=after.start_on, end_on=after.end_on)
    refuse_conflict(session, stay, row.unit_id, today)
    return TermChange(_term_of(row), after)


def only_repriced(rows: tuple[RepricedRow, ...]) -> OverridePlan:
    """Return what a moved end changes: rows keep their first day and their entry."""
    return OverridePlan(invoice_id=None, repriced=rows, invoice=(), voided=(), created=())


def _term_of(row: Reservation) -> Term | None:
    stay = stay_of(row)
    if not isinstance(stay.start_on, date) or isinstance(stay.end_on, CorruptDay):
        return None
    return Term(stay.start_on, stay.end_on)


def _refuse_leaving_before(row: Reservation, after: Term) -> None:
    out_on = row.move_out_date
    if isinstance(out_on, date) and refusal_of_notice(after, out_on) is not None:
        raise Refused(
            "overrideMoveInDate: {start_on} is after the filed move-out on {out_on}.",
            start_on=after.start_on,
            out_on=out_on,
        )


def _refuse_days_billed_before(row: Reservation, after: Term) -> None:
    """Days that were billed before the tenancy was taken over are never touched."""
    before, through_on = _term_of(row), row.billed_through_on
    start_before = before.start_on if before else after.start_on
    is_moved = before is None or before.start_on != after.start_on
    if is_moved and not may_override_start(start_before, after.start_on, through_on):
        raise Refused(
            "overrideMoveInDate: {start_on} is refused; the days up to {through_on} were billed"
            " before the take-over.",
            start_on=after.start_on,
            through_on=through_on,
        )
    is_ended = before is None or before.end_on != after.end_on
    if is_ended and not may_end_on(after.end_on, through_on):
        raise Refused(
            "overrideContractEndDate: {end_on} is refused; the days up to {through_on} were billed"
            " before the take-over.",
            end_on=after.end_on,
            through_on=through_on,
        )


def _readable(field: str, day: RecordedDay) -> date:
    found = _readable_or_none(field, day)
    if found is None:
        raise Refused("{field}: the reservation has none; state the corrected one.", field=field)
    return found


def _readable_or_none(field: str, day: RecordedDay) -> date | None:
    if isinstance(day, CorruptDay):
        raise Refused(
            "{field}: '{text}' is no day; state the corrected one.", field=field, text=day.text[:40]
        )
    return day
