"""Posts one charge to many tenancies in parts, each a transaction with its progress."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from sqlalchemy.orm import Session

from pms.foundation.asked_runs import heed_stop
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.runs import Run, finish, hold_run, step
from pms.ledger.charge_many import charge_many
from pms.ledger.many_charges import ManyCharge
from pms.ledger.plan_charges import plan_charges
from pms.rules.enumerations import RunKind

KIND: Final = RunKind.CHARGES.value
PART: Final = 200
_AFTER: Final = "after"


def charging_run(
    database: Database, clock: Clock, workspace_id: str, *, run_id: str, part: int = PART
) -> Run:
    """Charge everyone the run was asked for; return it, finished or stopped.

    Killed and started again it goes on after the last whole part, and nobody is charged twice.
    """

    def plan(session: Session) -> tuple[ManyCharge, Sequence[str]]:
        run = hold_run(session, run_id)
        charge = ManyCharge.of(run.asked)
        planned = plan_charges(session, clock.today(), charge)
        wanted = sorted(one.reservation_id for one in planned.charged)
        run.total = run.done + len(_left(wanted, run))
        return charge, wanted

    charge, wanted = database.write(workspace_id, plan)

    def charge_part(session: Session) -> Run | None:
        """Charge the next ones; return the run once it ended."""
        run = hold_run(session, run_id)
        if run.finished_at is not None or heed_stop(run, clock):
            return run
        ids = _left(wanted, run)[:part]
        if not ids:
            finish(run, clock)
            return run
        done = charge_many(
            session,
            clock,
            run.started_by,
            charge=charge,
            period=run.subject,
            reservation_ids=ids,
        )
        told = run.result
        step(
            run,
            clock,
            done=len(ids),
            reservations=told.get("reservations", 0) + done.reservations,
            total_yen=told.get("total_yen", 0) + done.total_yen,
            after=ids[-1],
        )
        return None

    while True:
        ended = database.write(workspace_id, charge_part)
        if ended is not None:
            return ended


def _left(wanted: Sequence[str], run: Run) -> Sequence[str]:
    """The ids, which stand in their order, that come after what the run has done."""
    return wanted[bisect_right(wanted, run.result.get(_AFTER, "")) :]
