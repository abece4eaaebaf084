"""A statement that was read in, a transfer and a remembered payer, for the walk through all addresses."""

from collections.abc import Mapping
from datetime import timedelta

from sqlalchemy import select

from pms.bank.imports import import_file
from pms.bank.models import BankPayer, BankTransfer
from pms.bank.payers import learn_payer
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from tests.bank.statement_files import Moved, statement_file
from tests.cast import House


def bank_records(database: Database, clock: FixedClock, house: House) -> Mapping[str, str]:
    """Return the ids of an import, a transfer and a payer, by the parameter of their address."""
    data = statement_file([Moved("モガミ テルミ", 10_000, clock.today() - timedelta(days=1))])
    with database.writing(house.workspace_id) as session:
        (done,) = import_file(session, clock, "staff", data, file_name="statement.txt")
        transfer_id = session.scalars(select(BankTransfer.id)).one()
        learn_payer(session, clock, "staff", payer="カ）アオバ", reservation_id=house.resident_id)
        payer_id = session.scalars(select(BankPayer.id)).one()
    return {
        "import_id": done.import_id or "",
        "transfer_id": transfer_id,
        "payer_id": payer_id,
    }
