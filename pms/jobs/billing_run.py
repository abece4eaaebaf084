"""Billing runs and their preview."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import IntEnum
from typing import Final, NamedTuple

import structlog
from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from pms.catalogue.models import Building, Unit
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.kept_figures import SharedAnswers, keep_figures
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.runs import (
    Run,
    fail,
    finish,
    heed_stop,
    hold_run,
    list_remaining_ids,
    start_run,
    step,
)
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import CATALOGUE, LEDGER, OCCUPANCY
from pms.foundation.work import Work
from pms.ledger import billing
from pms.ledger.billing import BilledMonth, BillingProblem, Unbillable
from pms.ledger.models import BilledRow, LedgerEntry, LedgerLine
from pms.ledger.planned_entries import PlannedEntry
from pms.reservations.models import Reservation
from pms.rules.contract_dates import billed_through_on
from pms.rules.days import ONE_DAY, add_months, month_first, month_last
from pms.workspaces import queries
from pms.workspaces.queries import counters

BILLING = "billing"
PART = 500
MOST_LISTED = 1_000
_log = structlog.get_logger("pms.jobs.billing_run")


# The run's row is locked until the part commits, so that two workers take turns, and a worker that
# is killed leaves only whole parts and no lock.
def billing_run(
    database: Database,
    clock: Clock,
    actor: str,
    workspace_id: str,
    *,
    through_on: date | None = None,
    part: int = PART,
) -> Run:
    """Write all missing rent through a month; return the finished run.

    Started again after it was killed, or beside another worker, it continues with what is left.
    """

    def start(session: Session) -> tuple[str, date, Sequence[str]]:
        month_on = billed_month(session, clock, through_on)
        wanted = billing.reservations_to_bill(session, month_on)
        run = start_run(Work(session, clock, actor), kind=BILLING, subject=f"{month_on:%Y-%m}")
        run.total = run.done + len(list_remaining_ids(run, wanted))
        return run.id, month_on, wanted

    run_id, month_on, wanted = database.write(workspace_id, start)
    parts = _Parts(database, clock, actor, workspace_id, run_id, month_on)
    try:
        return parts.bill(wanted, part)
    except Exception as failure:
        parts.note_failure(failure)
        raise


def billed_month(session: Session, clock: Clock, through_on: date | None) -> date:
    """Return the last day a run bills; raise `Refused` for a month after the next one."""
    latest_on = month_last(add_months(month_first(clock.today()), 1))
    if through_on is None:
        return billed_through_on(clock.today(), queries.policy(session))
    if through_on > latest_on:
        raise Refused(
            "through: {through_on:%Y-%m} is too far ahead. The latest month is {latest_on:%Y-%m}.",
            through_on=through_on,
            latest_on=latest_on,
        )
    return month_last(through_on)


@dataclass(frozen=True)
class _Parts:
    """The parts of one run, in the order of the reservations' ids."""

    database: Database
    clock: Clock
    actor: str
    workspace_id: str
    run_id: str
    through_on: date

    def bill(self, wanted: Sequence[str], part: int) -> Run:
        """Bill part after part until none is left; return the finished run."""
        while True:
            run = self.database.write(
                self.workspace_id, lambda session: self._bill_next(session, wanted, part)
            )
            if run.finished_at is not None or run.stop_asked_at is not None:
                return run

    def note_failure(self, failure: Exception) -> None:
        """Write into the run why it stopped."""
        _log.exception("billing stopped", run=self.run_id, failure=str(failure))
        name = type(failure).__name__
        self.database.write(
            self.workspace_id,
            lambda session: fail(hold_run(session, self.run_id), self.clock, name),
        )

    def _bill_next(self, session: Session, wanted: Sequence[str], part: int) -> Run:
        run = hold_run(session, self.run_id)
        if run.finished_at is not None or heed_stop(run, self.clock):
            return run
        ids = list_remaining_ids(run, wanted)[:part]
        if not ids:
            finish(run, self.clock)
            return run
        billed = billing.bill_month(
            Work(session, self.clock, self.actor), reservation_ids=ids, through_on=self.through_on
        )
        result = run.result
        problems = [*result.get("unbilled", ()), *_list_problems(billed)]
        totals = {
            "through": billed.through_on.isoformat(),
            "reservations": result.get("reservations", 0) + billed.reservations,
            "entries": result.get("entries", 0) + billed.entries,
            "total_yen": result.get("total_yen", 0) + billed.total_yen,
            "unbilled": problems[:MOST_LISTED],
        }
        step(
            run,
            self.clock,
            done=len(ids),
            problems=len(billed.problems),
            **totals,
            after=ids[-1],
        )
        return run


def _list_problems(billed: BilledMonth) -> Iterator[dict[str, str]]:
    for problem in billed.problems:
        yield {
            "reservation": problem.reservation_id,
            "reason": problem.reason.value,
            "message": problem.message,
        }


class Look(IntEnum):
    """Why a reservation of the preview is shown, the most urgent first."""

    PROBLEM = 0
    MISSED = 1
    ENDED = 2
    NEW = 3
    CHANGED = 4
    FIRST_HERE = 5
    SAME = 6


@dataclass(frozen=True, slots=True)
class PreviewedReservation:
    """One reservation: what would be issued, and the month beside the month before, in yen."""

    look: Look
    reservation_id: str
    name: str
    building: Bilingual
    room: str
    entries: int
    to_issue_yen: int
    month_yen: int
    month_before_yen: int
    about: str
    reason: Unbillable | None = None

    @property
    def unit(self) -> str:
        """The building and the unit."""
        return f"{self.building.ja} {self.room}"

    @property
    def difference_yen(self) -> int:
        """The month minus the month before, in yen."""
        return self.month_yen - self.month_before_yen


@dataclass(frozen=True, slots=True)
class BillingPreview:
    """All reservations that a run of the month concerns, exceptions first."""

    through_on: date
    rows: Sequence[PreviewedReservation]

    @property
    def to_issue_yen(self) -> int:
        """What a run would issue, in yen."""
        return sum(row.to_issue_yen for row in self.rows)

    @property
    def to_bill(self) -> int:
        """The number of reservations that a run would bill."""
        return sum(row.entries > 0 for row in self.rows)

    @property
    def unbillable(self) -> Mapping[Unbillable, int]:
        """The number that cannot be billed, by reason, the most frequent first."""
        return dict(Counter(row.reason for row in self.rows if row.reason).most_common())

    @property
    def exceptions(self) -> Sequence[PreviewedReservation]:
        """The reservations to mend, or to check before this run bills them."""
        checked = (Look.MISSED, Look.NEW, Look.CHANGED)
        return [row for row in self.rows if row.reason or (row.entries and row.look in checked)]


@dataclass(frozen=True)
class _Month:
    """What was billed for the month and the one before, and what is planned, by reservation."""

    first_on: date
    planned: Mapping[str, Sequence[PlannedEntry]]
    problems: Mapping[str, BillingProblem]
    billed: Mapping[str, int]
    before: Mapping[str, int]


def billing_preview(
    database: Database, clock: Clock, workspace_id: str, *, through_on: date | None = None
) -> BillingPreview:
    """Return what a billing run through a month would write now, without writing.

    The result is cached until the catalogue, a reservation, a price or the ledger changes.
    """
    with database.reading(workspace_id) as session:
        preview = preview_in_session(session, clock, through_on)
    keep_figures(database, clock, session)
    return preview


def preview_in_session(
    session: Session, clock: Clock, through_on: date | None = None
) -> BillingPreview:
    """Return the same in a session for reading, which stores what it made when it is closed."""
    last_on = billed_month(session, clock, through_on)
    state = clock.today(), counters(session, CATALOGUE, OCCUPANCY, LEDGER)
    return PREVIEWS.answer(session, last_on, state, lambda: _preview_month(session, clock, last_on))


PREVIEWS: Final[SharedAnswers[date, BillingPreview]] = SharedAnswers(
    "billing_preview",
    date,
    BillingPreview,
    preview_in_session,
    usual=lambda session, clock: billed_month(session, clock, None),
    most=2,
)


def _preview_month(session: Session, clock: Clock, last_on: date) -> BillingPreview:
    first_on = month_first(last_on)
    plan = billing.preview_month(session, clock, through_on=last_on)
    planned: defaultdict[str, list[PlannedEntry]] = defaultdict(list)
    for entry in plan.entries:
        planned[entry.reservation_id].append(entry)
    month = _Month(
        first_on,
        planned,
        {problem.reservation_id: problem for problem in plan.problems},
        _billed_yen(session, first_on, last_on),
        _billed_yen(session, month_first(first_on - ONE_DAY), first_on - ONE_DAY),
    )
    concerned = {*month.planned, *month.problems, *month.billed, *month.before}
    # Each reservation's name and unit, and the last day it was billed elsewhere.
    in_building = refers_to(Unit.building_id, Building)
    in_unit = refers_to(Reservation.unit_id, Unit)
    found = session.execute(
        select(
            Reservation.id,
            Reservation.name,
            Building.name,
            Building.name_en,
            Unit.name,
            Reservation.billed_through_on,
        )
        .join(Unit, in_unit)
        .join(Building, in_building)
        .where(one_of(Reservation.id, concerned))
    )
    reservations = [
        _Who(id_, name, Bilingual(house, english), room, through_on)
        for id_, name, house, english, room, through_on in found
    ]
    rows = [_preview_reservation(month, who) for who in reservations]
    return BillingPreview(last_on, sorted(rows, key=lambda row: (row.look, row.unit)))


def _billed_yen(session: Session, first_on: date, last_on: date) -> Mapping[str, int]:
    """Return the sum of the rows that begin in a month, without voided entries, by reservation."""
    # A separate query first: ordered by the groups, SQLite would read the rows of all months.
    row = (
        select(BilledRow.workspace_id, BilledRow.id, BilledRow.reservation_id, BilledRow.entry_id)
        .where(BilledRow.first_on.between(first_on, last_on))
        .cte("of_month")
        .prefix_with("MATERIALIZED")
    )
    opposite = aliased(LedgerEntry)
    of_row = (LedgerLine.workspace_id == row.c.workspace_id) & (LedgerLine.row_id == row.c.id)
    voids = (opposite.workspace_id == row.c.workspace_id) & (opposite.opposes_id == row.c.entry_id)
    found = session.execute(
        select(row.c.reservation_id, func.sum(LedgerLine.amount_yen))
        .select_from(row)
        .join(LedgerLine, of_row)
        .outerjoin(opposite, voids)
        .where(opposite.id.is_(None))
        .group_by(row.c.reservation_id)
    )
    return {reservation_id: int(yen) for reservation_id, yen in found if yen}


class _Who(NamedTuple):
    id: str
    name: str
    building: Bilingual
    room: str
    billed_elsewhere_through: date | None


def _preview_reservation(month: _Month, who: _Who) -> PreviewedReservation:
    id_ = who.id
    planned = month.planned.get(id_, ())
    rows = [row for entry in planned for row in entry.rows]
    of_month = sum(
        line.yen for row in rows if row.row.first_on >= month.first_on for line in row.lines
    )
    look, about = _decide_look(month, id_, month.billed.get(id_, 0) + of_month)
    if look is Look.NEW and who.billed_elsewhere_through == month.first_on - ONE_DAY:
        look, about = Look.FIRST_HERE, "billed elsewhere the month before"
    return PreviewedReservation(
        look=look,
        reservation_id=id_,
        name=who.name,
        building=who.building,
        room=who.room,
        entries=len(planned),
        to_issue_yen=sum(entry.total_yen for entry in planned),
        month_yen=month.billed.get(id_, 0) + of_month,
        month_before_yen=month.before.get(id_, 0),
        about=about,
        reason=month.problems[id_].reason if id_ in month.problems else None,
    )


def _decide_look(month: _Month, id_: str, month_yen: int) -> tuple[Look, str]:
    if id_ in month.problems:
        return Look.PROBLEM, month.problems[id_].message
    missed = [
        entry.label.en or ""
        for entry in month.planned.get(id_, ())
        if any(row.row.first_on < month.first_on for row in entry.rows)
    ]
    before_yen = month.before.get(id_, 0)
    if missed:
        return Look.MISSED, ", ".join(missed)
    if not month_yen:
        return Look.ENDED, "billed the month before, not this one"
    if not before_yen:
        return Look.NEW, "not billed the month before"
    return (Look.SAME, "") if month_yen == before_yen else (Look.CHANGED, "")
