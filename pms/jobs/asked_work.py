"""Which work does a run of each kind that people ask for."""

from collections.abc import Callable, Mapping
from typing import Final

from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.runs import Run
from pms.jobs.billing_run import KIND as BILLING
from pms.jobs.billing_run import billing_run
from pms.jobs.charging_run import KIND as CHARGING
from pms.jobs.charging_run import charging_run
from pms.jobs.import_run import KIND as IMPORT
from pms.jobs.import_run import import_run
from pms.jobs.publishing_run import KIND as PUBLISHING
from pms.jobs.publishing_run import publishing_run
from pms.rules.days import strict_day


def bill(database: Database, clock: Clock, run: Run) -> None:
    """Bill through the month the run is about."""
    through_on = strict_day(f"{run.subject}-01")
    billing_run(database, clock, run.started_by, run.workspace_id, through_on=through_on)


def publish(database: Database, clock: Clock, run: Run) -> None:
    """Publish the owner statements of the month the run is about."""
    month_on = strict_day(f"{run.subject}-01") or clock.today()
    publishing_run(database, clock, run.started_by, run.workspace_id, month_on=month_on)


def charge(database: Database, clock: Clock, run: Run) -> None:
    """Post the charge that the run was asked for."""
    charging_run(database, clock, run.workspace_id, run_id=run.id)


def take_in(database: Database, clock: Clock, run: Run) -> None:
    """Import the sheet the run is about."""
    import_run(database, clock, run.started_by, run.workspace_id, run_id=run.id)


ASKED_WORK: Final[Mapping[str, Callable[[Database, Clock, Run], None]]] = {
    BILLING: bill,
    PUBLISHING: publish,
    CHARGING: charge,
    IMPORT: take_in,
}
