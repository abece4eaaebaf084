"""Writes a sheet that somebody sent and looked at, part after part, each a transaction."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Final

from pms.arrivals.import_report import ImportReport, Verdict, why_in_words
from pms.arrivals.parts_of_sheet import Lines, groups_of_lines, parts_of
from pms.arrivals.read_sent_sheet import read_sent_sheet, sent_sheet
from pms.foundation.asked_runs import heed_stop
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.errors import Problem
from pms.foundation.files import Files
from pms.foundation.run_records import run_record
from pms.foundation.runs import Run, finish, hold_run, step
from pms.foundation.tenancy import WorkspaceSession

KIND: Final = "import"
PART: Final = 500
MOST_TOLD: Final = 1_000
_THROUGH: Final = "through"
"""The first line of the last group that was written: groups come in the order of these."""


def import_run(
    database: Database,
    clock: Clock,
    actor: str,
    workspace_id: str,
    *,
    run_id: str,
    part: int = PART,
) -> None:
    """Import the sheet a run is about, about so many rows a transaction with their progress.

    Stopped or killed, what was written stays; started again it goes on after the last whole part.
    Rows that the database refuses are told like any other refused row, and the rest is written.
    """
    importing = _Importing(database, clock, actor, workspace_id, run_id)
    report = importing.looked_at()
    if not importing.begin(report):
        return
    for groups in parts_of(importing.left(report), part):
        if not importing.write(groups):
            return
    importing.end()
    database.refresh_statistics()


class _Importing:
    """One run of an import: every method is one transaction, or several."""

    def __init__(
        self, database: Database, clock: Clock, actor: str, workspace_id: str, run_id: str
    ) -> None:
        self._database, self._clock, self._actor = database, clock, actor
        self._workspace_id, self._run_id = workspace_id, run_id

    def looked_at(self) -> ImportReport:
        """Return what the whole sheet would do now, with nothing written."""
        with self._database.reading(self._workspace_id) as session:
            return self._read(session, run_record(session, self._run_id), commit=False)

    def begin(self, report: ImportReport) -> bool:
        """Count the rows that are not written at all, once; tell whether there is work to do."""

        def count(session: WorkspaceSession) -> bool:
            run = hold_run(session, self._run_id)
            if run.finished_at is not None or heed_stop(run, self._clock):
                return False
            run.total = len(report.rows)
            if _THROUGH not in run.result:
                refused, passed = report.of(Verdict.REFUSED), report.of(Verdict.PASSED_OVER)
                counts = dict.fromkeys(report.counts, 0) | {
                    Verdict.REFUSED.value: len(refused),
                    Verdict.PASSED_OVER.value: len(passed),
                }
                told = {"counts": counts, "refused": _told(report), _THROUGH: 0}
                done = len(refused) + len(passed)
                step(run, self._clock, done=done, problems=len(refused), **told)
            return True

        return self._database.write(self._workspace_id, count)

    def left(self, report: ImportReport) -> list[Lines]:
        """Return the groups of lines after those that this run has written."""
        with self._database.reading(self._workspace_id) as session:
            through = run_record(session, self._run_id).result.get(_THROUGH, 0)
        return [group for group in groups_of_lines(report) if group[0] > through]

    def write(self, groups: Sequence[Lines]) -> bool:
        """Write some groups at once; of groups that cannot be, each for itself.

        Returns whether the run goes on.
        """
        try:
            return self._write(groups)
        except Exception as failure:
            if len(groups) > 1:
                return all(self.write([group]) for group in groups)
            if isinstance(failure, Problem):
                return self._tell_refused(groups[0], failure)
            self._tell_where(groups[0])
            raise

    def end(self) -> None:
        """Say that all is done."""
        self._database.write(
            self._workspace_id,
            lambda session: finish(hold_run(session, self._run_id), self._clock),
        )

    def _write(self, groups: Sequence[Lines]) -> bool:
        lines = frozenset(chain.from_iterable(groups))

        def write(session: WorkspaceSession) -> bool:
            run = hold_run(session, self._run_id)
            if run.finished_at is not None or heed_stop(run, self._clock):
                return False
            report = self._read(session, run, commit=True, lines=lines)
            refused = [*run.result["refused"], *_told(report)][:MOST_TOLD]
            self._step(run, groups, report.counts, refused)
            return True

        return self._database.write(self._workspace_id, write)

    def _tell_refused(self, group: Lines, refusal: Problem) -> bool:
        """Keep a group that the database would not take as refused rows, each with its line."""

        def tell(session: WorkspaceSession) -> None:
            run = hold_run(session, self._run_id)
            told = [{"row": line, "message": refusal.message} for line in group]
            refused = [*run.result["refused"], *told][:MOST_TOLD]
            self._step(run, [group], {Verdict.REFUSED.value: len(group)}, refused)

        self._database.write(self._workspace_id, tell)
        return True

    def _tell_where(self, group: Lines) -> None:
        """Name the row that failed in a way nobody foresaw; those before it are written."""

        def tell(session: WorkspaceSession) -> None:
            run = hold_run(session, self._run_id)
            run.result = {**run.result, "failed_at": group[0]}

        self._database.write(self._workspace_id, tell)

    def _step(
        self, run: Run, groups: Sequence[Lines], counts: Mapping[str, int], refused: list[Any]
    ) -> None:
        sums = {one: run.result["counts"][one] + counts.get(one, 0) for one in run.result["counts"]}
        rows = sum(len(group) for group in groups)
        step(
            run,
            self._clock,
            done=min(rows, run.total - run.done),
            problems=counts.get(Verdict.REFUSED.value, 0),
            counts=sums,
            refused=refused,
            failed_at=None,
            **{_THROUGH: groups[-1][0]},
        )

    def _read(self, session: Any, run: Run, **how: Any) -> ImportReport:
        files, sheet = Files(self._database.settings), sent_sheet(session, run.subject)
        return read_sent_sheet(session, self._clock, self._actor, sheet, files, **how)


def _told(report: ImportReport) -> list[dict[str, Any]]:
    refused = report.of(Verdict.REFUSED)[:MOST_TOLD]
    return [
        {"row": row.line, "message": "; ".join(why_in_words(row.problems, "en"))} for row in refused
    ]
