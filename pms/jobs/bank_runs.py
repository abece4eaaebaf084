"""Long runs of bank day: recording certain transfers, importing a long file, undoing an import."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from sqlalchemy.orm import Session

from pms.bank.import_undoing import undo_import, undo_part
from pms.bank.imports import BegunImport, add_rows, end_import, lock_import, read_for_account
from pms.bank.statement_files import BankFile
from pms.bank.transfers import place_certain
from pms.bank.verdicts import renew_verdicts, waiting_day
from pms.bank.whole_imports import asked_import, begin_imports
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.errors import Problem, Refused
from pms.foundation.files import Files
from pms.foundation.phrases import stored_phrase
from pms.foundation.runs import Run, finish, heed_stop, hold_run, run_record, step
from pms.foundation.work import Work
from pms.rules.bank_statements import BankRow, BankStatement
from pms.rules.enumerations import RunKind

PLACING: Final = RunKind.PLACING.value
STATEMENT: Final = RunKind.STATEMENT.value
UNDOING: Final = RunKind.UNDOING.value
TRANSFERS_A_PART: Final = 100
ROWS_A_PART: Final = 1_000
Result = TypeVar("Result")


def placing_run(
    database: Database,
    clock: Clock,
    workspace_id: str,
    *,
    run_id: str,
    part: int = TRANSFERS_A_PART,
) -> Run:
    """Record the bank's certain transfers part by part; return the run, finished or stopped.

    Started again after it was killed, it continues with the transfers that still wait. A refused
    transfer is a problem of the run, and the others are recorded.
    """

    def plan(session: Session) -> None:
        run = hold_run(session, run_id)
        known = _refused_transfers(run)
        certain = waiting_day(session, clock.today()).certain
        run.total = run.done + sum(waiting.transfer_id not in known for waiting in certain)

    def place_part(session: Session) -> Run | None:
        """Record the next part; return the run once it has ended."""
        run = hold_run(session, run_id)
        if run.finished_at is not None or heed_stop(run, clock):
            return run
        done = place_certain(Work(session, clock, run.started_by), part, _refused_transfers(run))
        is_nothing_left = not done.number and not done.refused
        # Something may have changed since the verdicts were made for this part: then once more.
        if is_nothing_left and not waiting_day(session, clock.today()).pending:
            finish(run, clock)
            return run
        step(run, clock, **done.as_step(run))
        return None

    # Verdicts are made before each part and outside its transaction, which then only reads them.
    renew_verdicts(database, clock, workspace_id)
    database.write(workspace_id, plan)
    while True:
        ended = database.write(workspace_id, place_part)
        renew_verdicts(database, clock, workspace_id)
        if ended is not None:
            return ended


def undoing_run(
    database: Database,
    clock: Clock,
    workspace_id: str,
    *,
    run_id: str,
    part: int = TRANSFERS_A_PART,
) -> Run:
    """Reverse the payments of an import part by part, then delete its rows; return the run.

    A payment that can no longer be reversed is a problem of the run: the other payments are
    reversed, and the rows stay. An import that was undone meanwhile is left as it is.
    """

    def undo_next(session: Session) -> Run | None:
        """Undo the next part; return the run once it has ended."""
        run = hold_run(session, run_id)
        if run.finished_at is not None or heed_stop(run, clock):
            return run
        work, without = Work(session, clock, run.started_by), _refused_transfers(run)
        reason = str(run.asked["reason"])
        try:
            done = undo_part(work, run.subject, part, without, reason=reason)
            if done.number or done.refused:
                step(run, clock, **done.as_step(run))
                return None
            rows = 0 if without else undo_import(work, run.subject)
        except Problem as refusal:
            _end_refused_run(run, clock, refusal)
            return run
        finish(run, clock, rows=rows)
        return run

    while True:
        ended = database.write(workspace_id, undo_next)
        if ended is not None:
            return ended


def _refused_transfers(run: Run) -> set[str]:
    return {refusal["transfer"] for refusal in run.result.get("refused", ())}


def _end_refused_run(run: Run, clock: Clock, refusal: Problem) -> None:
    """End a run whose work was refused as a whole."""
    why = {"row": "", "message": refusal.message, "sentence": stored_phrase(refusal.as_part)}
    step(run, clock, done=0, problems=1, refused=[*run.result.get("refused", ()), why])
    finish(run, clock)


def statement_run(
    database: Database,
    clock: Clock,
    workspace_id: str,
    *,
    run_id: str,
    part: int = ROWS_A_PART,
) -> Run:
    """Import a long bank file part by part; return the run, finished or stopped.

    A faulty file, or one that leaves out rows, is refused before anything is stored. Its rows wait
    for their bills once all rows of their account are stored. Started again after it was stopped or
    killed, it continues after the last whole part.
    """
    importing = _Importing(database, clock, workspace_id, run_id)
    try:
        found = importing.read()
        for place, begun in enumerate(importing.begin(found)):
            importing.add(begun, part)
            importing.end(place, found.statements[place])
        renew_verdicts(database, clock, workspace_id)
        ended = importing.finish()
    except _Stopped:
        with database.reading(workspace_id) as session:
            return run_record(session, run_id)
    except Problem as refusal:
        ended = importing.refuse(refusal)
    Files(database.settings).delete(ended.asked["kept"])
    return ended


class _Stopped(Exception):
    """The run was asked to stop, or another worker has ended it."""


class _Importing:
    """One run that imports a file; every method is one transaction, or several."""

    def __init__(self, database: Database, clock: Clock, workspace_id: str, run_id: str) -> None:
        self._database, self._clock = database, clock
        self._workspace_id, self._run_id = workspace_id, run_id

    def read(self) -> BankFile:
        """Return the whole file; refuse a faulty one."""
        with self._database.reading(self._workspace_id) as session:
            run = run_record(session, self._run_id)
            data = Files(self._database.settings).get(run.asked["kept"])
            if data is None:
                raise Refused("file: the file is no longer stored. Choose it again.")
            asked = asked_import(run.asked)
            today = self._clock.today()
            return read_for_account(session, today, data, asked.chosen or None, asked.head_line)

    def begin(self, found: BankFile) -> Sequence[BegunImport]:
        """Begin the imports of all accounts, and count the rows that are to be added."""

        def begin(work: Work, run: Run) -> Sequence[BegunImport]:
            # The imports that began and did not end, by the place of their account in the file.
            started = run.result.get("started", {})
            begun = begin_imports(work, found, asked_import(run.asked), started)
            ids = {
                str(place): imported.import_id
                for place, imported in enumerate(begun)
                if imported.import_id
            }
            rows = sum(len(statement.rows) for statement in found.statements)
            run.total = run.done + sum(len(imported.new) for imported in begun)
            counts = {"rows": rows, "new_rows": run.result.get("new_rows", 0)}
            step(run, self._clock, done=0, started=ids, **counts)
            return begun

        return self._do_in_run(begin)

    def add(self, begun: BegunImport, part: int) -> None:
        """Add the new rows of an account part by part."""
        for first in range(0, len(begun.new), part):
            some = begun.new[first : first + part]

            def add(work: Work, run: Run, some: Sequence[tuple[str, BankRow]] = some) -> None:
                row = lock_import(work.session, str(begun.import_id))
                add_rows(work.session, row.account_id, row.id, some)
                step(run, self._clock, done=len(some))

            self._do_in_run(add)

    def end(self, place: int, statement: BankStatement) -> None:
        """End the import of an account: its rows wait for their bills."""

        def end(work: Work, run: Run) -> None:
            started = {**run.result["started"]}
            import_id = started.pop(str(place), None)
            if import_id is not None:
                row = end_import(work, import_id, statement)
                new_rows = run.result["new_rows"] + row.new_rows
                step(run, self._clock, done=0, new_rows=new_rows, started=started)

        self._do_in_run(end)

    def finish(self) -> Run:
        """End the run."""

        def finish_(_work: Work, run: Run) -> Run:
            finish(run, self._clock)
            return run

        return self._do_in_run(finish_)

    def refuse(self, refusal: Problem) -> Run:
        """End the run with the reason why the file was refused."""

        def refuse(_work: Work, run: Run) -> Run:
            _end_refused_run(run, self._clock, refusal)
            return run

        return self._do_in_run(refuse)

    def _do_in_run(self, act: Callable[[Work, Run], Result]) -> Result:
        """Call `act` in a transaction that holds the run, unless the run is to stop."""

        def hold(session: Session) -> tuple[Result] | None:
            run = hold_run(session, self._run_id)
            if run.finished_at is not None or heed_stop(run, self._clock):
                return None
            return (act(Work(session, self._clock, run.started_by), run),)

        # The stop itself is committed before it is raised.
        done = self._database.write(self._workspace_id, hold)
        if done is None:
            raise _Stopped
        return done[0]
