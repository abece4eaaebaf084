"""Long runs: bulk charges, imports, and publishing owner statements."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from itertools import chain
from typing import Any, Final, NamedTuple

from sqlalchemy.orm import Session

from pms.arrivals import sheet_answers, sheet_imports
from pms.arrivals.sheet_imports import ImportReport, Lines, RecordOutcome
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.errors import Problem
from pms.foundation.files import Files
from pms.foundation.runs import (
    Run,
    finish,
    heed_stop,
    hold_run,
    list_remaining_ids,
    run_record,
    start_run,
    step,
)
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.ledger import charge_plans, many_charges
from pms.ledger.charge_plans import ManyCharge
from pms.rules.days import month_first
from pms.rules.enumerations import RunKind
from pms.sheets.tables import Table
from pms.statements import owner_months, owner_publishing
from pms.statements.owner_months import ASKED_AT_ONCE

CHARGING: Final = RunKind.CHARGES.value
CHARGING_PART: Final = 200
_Facts = Mapping[str, Any]
_DoPart = Callable[[Session, Run, Sequence[str]], _Facts]
"""Does some ids of a run; returns its counts and facts, which the step adds to it."""


def charging_run(
    database: Database, clock: Clock, workspace_id: str, *, run_id: str, part: int = CHARGING_PART
) -> Run:
    """Charge everyone the run was requested for; return the run, finished or stopped.

    Started again after it was killed, it continues after the last whole part; nobody is charged
    twice.
    """

    def plan(session: Session) -> tuple[ManyCharge, Sequence[str]]:
        run = hold_run(session, run_id)
        charge = ManyCharge.of(run.asked)
        planned = charge_plans.plan_charges(session, clock.today(), charge)
        wanted = sorted(tenancy.reservation_id for tenancy in planned.charged)
        run.total = run.done + len(list_remaining_ids(run, wanted))
        return charge, wanted

    charge, wanted = database.write(workspace_id, plan)

    def charge_part(session: Session, run: Run, ids: Sequence[str]) -> _Facts:
        done = many_charges.charge_many(
            Work(session, clock, run.started_by),
            charge=charge,
            period=run.subject,
            reservation_ids=ids,
        )
        return {
            "reservations": run.result.get("reservations", 0) + done.reservations,
            "total_yen": run.result.get("total_yen", 0) + done.total_yen,
        }

    steps = _Steps(database, clock, workspace_id, run_id)
    return steps.do_all(wanted, part, charge_part)


class _Steps(NamedTuple):
    """A run over ids that are sorted; each step is a transaction of its own."""

    database: Database
    clock: Clock
    workspace_id: str
    run_id: str

    def do_all(self, wanted: Sequence[str], part: int, do: _DoPart) -> Run:
        """Do what the run has left, `part` ids in a step; return it, finished or stopped."""

        def do_part(session: Session) -> Run | None:
            """Do the next part; return the run once it has ended."""
            run = hold_run(session, self.run_id)
            if run.finished_at is not None or heed_stop(run, self.clock):
                return run
            ids = list_remaining_ids(run, wanted)[:part]
            if not ids:
                finish(run, self.clock)
                return run
            step(run, self.clock, done=len(ids), **do(session, run, ids), after=ids[-1])
            return None

        while True:
            ended = self.database.write(self.workspace_id, do_part)
            if ended is not None:
                return ended


PUBLISHING: Final = RunKind.PUBLISHING.value


def publishing_run(
    database: Database, clock: Clock, actor: str, workspace_id: str, *, month_on: date
) -> Run:
    """Publish what is unpublished or was changed since, building by building; return the run.

    Started again after it was stopped or killed, it continues with the remaining buildings.
    """
    month_on = month_first(month_on)

    def start(session: Session) -> tuple[str, Sequence[str]]:
        wanted = owner_months.building_ids(session)
        run = start_run(Work(session, clock, actor), kind=PUBLISHING, subject=f"{month_on:%Y-%m}")
        run.total = run.done + len(list_remaining_ids(run, wanted))
        return run.id, wanted

    run_id, wanted = database.write(workspace_id, start)

    def publish_part(session: Session, run: Run, ids: Sequence[str]) -> _Facts:
        months = owner_months.months_of_buildings(session, ids, month_on, clock.today())
        work = Work(session, clock, run.started_by)
        statement_wanted = [month for month in months if month.is_to_publish]
        for month in statement_wanted:
            owner_publishing.publish_statement(
                work,
                building_id=month.building_id,
                month_on=month.figures.month_on,
                base_url=database.settings.base_url,
            )
        barred = [month for month in months if month.bar is not None]
        barred_buildings: list[dict[str, str]] = []
        for building in barred:
            if building.bar is not None:
                name = building.building.ja or building.building.en or ""
                barred_buildings.append({"row": name, "reason": building.bar.value})
        return {
            "problems": len(barred),
            "published": run.result.get("published", 0) + len(statement_wanted),
            "unpublished": [*run.result.get("unpublished", ()), *barred_buildings],
        }

    steps = _Steps(database, clock, workspace_id, run_id)
    return steps.do_all(wanted, ASKED_AT_ONCE, publish_part)


IMPORT: Final = "import"
IMPORT_PART: Final = 500
MOST_LISTED: Final = 1_000
_THROUGH: Final = "through"
"""The first line of the last group that was written; groups are sorted by their first lines."""


def import_run(
    database: Database,
    clock: Clock,
    actor: str,
    workspace_id: str,
    *,
    run_id: str,
    part: int = IMPORT_PART,
) -> None:
    """Import the sheet of a run, about `part` rows in each transaction, with the progress.

    When it is stopped or killed, what was written stays; started again it continues after the last
    whole part. Rows that the database refuses are reported like other refused rows, and the rest is
    written.
    """
    importing = _Importing(database, clock, actor, workspace_id, run_id)
    report = importing.preview_sheet()
    if not importing.begin(report):
        return
    for groups in sheet_imports.parts_of(importing.list_remaining_groups(report), part):
        if not importing.write(groups):
            return
    importing.end()
    database.refresh_statistics()


class _Importing:
    """One run of an import; every method is one transaction, or several."""

    def __init__(
        self, database: Database, clock: Clock, actor: str, workspace_id: str, run_id: str
    ) -> None:
        self._database, self._clock, self._actor = database, clock, actor
        self._workspace_id, self._run_id = workspace_id, run_id
        self._tables: Sequence[Table] = ()

    def preview_sheet(self) -> ImportReport:
        """Return what the whole sheet would do now, without writing."""
        with self._database.reading(self._workspace_id) as session:
            run = run_record(session, self._run_id)
            files = Files(self._database.settings)
            sheet = sheet_answers.sent_sheet(session, run.subject)
            self._tables = sheet_answers.open_sent_sheet(sheet, files)
            return self._read_sheet(session, run, commit=False)

    def begin(self, report: ImportReport) -> bool:
        """Count the rows that are never written, once; return whether there is work to do."""

        def count(session: WorkspaceSession) -> bool:
            run = hold_run(session, self._run_id)
            if run.finished_at is not None or heed_stop(run, self._clock):
                return False
            run.total = len(report.rows)
            if _THROUGH not in run.result:
                refused, passed = (
                    report.of(RecordOutcome.REFUSED),
                    report.of(RecordOutcome.PASSED_OVER),
                )
                counts = dict.fromkeys(report.counts, 0) | {
                    RecordOutcome.REFUSED.value: len(refused),
                    RecordOutcome.PASSED_OVER.value: len(passed),
                }
                facts = {"counts": counts, "refused": _refused_rows(report), _THROUGH: 0}
                done = len(refused) + len(passed)
                step(run, self._clock, done=done, problems=len(refused), **facts)
            return True

        return self._database.write(self._workspace_id, count)

    def list_remaining_groups(self, report: ImportReport) -> list[Lines]:
        """Return the groups of lines that this run has not written yet."""
        with self._database.reading(self._workspace_id) as session:
            through = run_record(session, self._run_id).result.get(_THROUGH, 0)
        return [group for group in sheet_imports.groups_of_lines(report) if group[0] > through]

    def write(self, groups: Sequence[Lines]) -> bool:
        """Write some groups in one transaction; if that fails, each one by itself.

        Returns whether the run continues.
        """
        try:
            return self._write_groups(groups)
        except Exception as failure:
            if len(groups) > 1:
                return all(self.write([group]) for group in groups)
            if isinstance(failure, Problem):
                return self._record_refused_rows(groups[0], failure)
            self._record_failed_row(groups[0])
            raise

    def end(self) -> None:
        """Finish the run."""
        self._database.write(
            self._workspace_id,
            lambda session: finish(hold_run(session, self._run_id), self._clock),
        )

    def _write_groups(self, groups: Sequence[Lines]) -> bool:
        lines = frozenset(chain.from_iterable(groups))

        def write(session: WorkspaceSession) -> bool:
            run = hold_run(session, self._run_id)
            if run.finished_at is not None or heed_stop(run, self._clock):
                return False
            report = self._read_sheet(session, run, commit=True, lines=lines)
            refused = [*run.result["refused"], *_refused_rows(report)][:MOST_LISTED]
            self._step_run(run, groups, report.counts, refused)
            return True

        return self._database.write(self._workspace_id, write)

    def _record_refused_rows(self, group: Lines, refusal: Problem) -> bool:
        """Record a group that the database refused as refused rows, each with its line."""

        def record(session: WorkspaceSession) -> None:
            run = hold_run(session, self._run_id)
            rows = [{"row": line, "message": refusal.message} for line in group]
            refused = [*run.result["refused"], *rows][:MOST_LISTED]
            self._step_run(run, [group], {RecordOutcome.REFUSED.value: len(group)}, refused)

        self._database.write(self._workspace_id, record)
        return True

    def _record_failed_row(self, group: Lines) -> None:
        """Record the row that failed unexpectedly; the rows before it are written."""

        def record(session: WorkspaceSession) -> None:
            run = hold_run(session, self._run_id)
            run.result = {**run.result, "failed_at": group[0]}

        self._database.write(self._workspace_id, record)

    def _step_run(
        self, run: Run, groups: Sequence[Lines], counts: Mapping[str, int], refused: list[Any]
    ) -> None:
        sums = {
            name: run.result["counts"][name] + counts.get(name, 0) for name in run.result["counts"]
        }
        rows = sum(len(group) for group in groups)
        step(
            run,
            self._clock,
            done=min(rows, run.total - run.done),
            problems=counts.get(RecordOutcome.REFUSED.value, 0),
            counts=sums,
            refused=refused,
            failed_at=None,
            **{_THROUGH: groups[-1][0]},
        )

    def _read_sheet(self, session: Any, run: Run, **how: Any) -> ImportReport:
        sheet = sheet_answers.sent_sheet(session, run.subject)
        work = Work(session, self._clock, self._actor)
        return sheet_answers.read_sent_sheet(work, sheet, self._tables, **how)


def _refused_rows(report: ImportReport) -> list[dict[str, Any]]:
    refused = report.of(RecordOutcome.REFUSED)[:MOST_LISTED]
    return [
        {"row": row.line, "message": "; ".join(sheet_imports.why_in_words(row.problems, "en"))}
        for row in refused
    ]
