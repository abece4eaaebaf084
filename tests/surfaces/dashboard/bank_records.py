"""A statement that was read in and one of its transfers, for the walk through all addresses."""

from collections.abc import Mapping
from datetime import timedelta

from sqlalchemy import select

from pms.bank.imports import import_file
from pms.bank.models import BankTransfer
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from tests.bank.statement_files import Moved, statement_file
from tests.cast import House


def bank_records(database: Database, clock: FixedClock, house: House) -> Mapping[str, str]:
    """Return the ids of an import and of a transfer, by the parameter of their address."""
    data = statement_file([Moved("モガミ テルミ", 10_000, clock.today() - timedelta(days=1))])
    with database.writing(house.workspace_id) as session:
        (done,) = import_file(session, clock, "staff", data, file_name="statement.txt")
        transfer_id = session.scalars(select(BankTransfer.id)).one()
    return {"import_id": done.import_id or "", "transfer_id": transfer_id}
