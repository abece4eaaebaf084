"""A workspace as a sheet, and what its tenancies are billed next, for the tests of the round trip."""

from collections.abc import Mapping
from datetime import date

from sqlalchemy import select

from pms.arrivals.takeover.exported_contracts import HEADS, contract_rows
from pms.arrivals.takeover.reading import read_takeover
from pms.arrivals.takeover.running import TakeOverRun, run_take_over
from pms.catalogue.models import Building, Unit
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.spreadsheet import csv_file
from pms.foundation.work import Work
from pms.ledger.billing import plan_month, reservations_to_bill
from pms.reservations.models import Reservation
from pms.workspaces.new_workspaces import open_workspace

Bills = Mapping[tuple[str, ...], int]


def next_bills(database: Database, workspace_id: str, on: date, through_on: date) -> Bills:
    """What a run would bill each tenancy: by building, room, name and start."""
    with database.reading(workspace_id) as session:
        wanted = reservations_to_bill(session, through_on)
        plan = plan_month(session, wanted, on, through_on)
        asked = (
            select(
                Reservation.id, Building.name, Unit.name, Reservation.name, Reservation.starts_on
            )
            .join(Reservation.unit)
            .join(Unit.building)
        )
        who = {id_: tuple(map(str, names)) for id_, *names in session.execute(asked)}
        sums: dict[tuple[str, ...], int] = {}
        for entry in plan.entries:
            key = who[entry.reservation_id]
            sums[key] = sums.get(key, 0) + entry.total_yen
        return sums


def exported(database: Database, workspace_id: str, on: date) -> bytes:
    """The contracts of a workspace as CSV."""
    with database.reading(workspace_id) as session:
        return csv_file([HEADS, *contract_rows(session, on)])


def taken_back(
    database: Database, clock: Clock, data: bytes, slug: str = "empty"
) -> tuple[str, TakeOverRun]:
    """Take an export over into a workspace of its own; return its id and what was written."""
    read = read_takeover(data, "contracts.csv", clock.today())
    with database.across_workspaces_writing() as session:
        workspace_id = open_workspace(session, clock, slug=slug, name="空のワークスペース")
    with database.writing(workspace_id) as session:
        run = run_take_over(Work(session, clock, "staff"), read)
    return workspace_id, run
