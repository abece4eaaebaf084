"""A statement that was read in, a transfer and a remembered payer, for the walk through all addresses."""

from collections.abc import Mapping
from datetime import timedelta
from typing import TypeVar

from sqlalchemy import select

from pms.bank.imports import import_file
from pms.bank.models import BankPayer, BankTransfer, DebitFile, PayoutFile
from pms.bank.payers import learn_payer
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from tests.bank.statement_files import Moved, statement_file
from tests.cast import House

Order = TypeVar("Order", DebitFile, PayoutFile)


def bank_records(database: Database, clock: FixedClock, house: House) -> Mapping[str, str]:
    """Return the ids of an import, a transfer and a payer, by the parameter of their address."""
    data = statement_file([Moved("モガミ テルミ", 10_000, clock.today() - timedelta(days=1))])
    with database.writing(house.workspace_id) as session:
        (done,) = import_file(Work(session, clock, "staff"), data, file_name="statement.txt")
        transfer_id = session.scalars(select(BankTransfer.id)).one()
        learn_payer(
            Work(session, clock, "staff"), payer="カ）アオバ", reservation_id=house.resident_id
        )
        payer_id = session.scalars(select(BankPayer.id)).one()
        debits, payouts = _order(DebitFile, clock), _order(PayoutFile, clock)
        payouts.needs_second_person = False
        session.add_all([debits, payouts])
    return {
        "debit_file_id": debits.id,
        "payout_file_id": payouts.id,
        "import_id": done.import_id or "",
        "transfer_id": transfer_id,
        "payer_id": payer_id,
    }


_OFFICE = {
    "bank_code": "9801",
    "bank_name": "ミドリノ",
    "branch_code": "012",
    "branch_name": "ワカバチョウ",
    "kind": "1",
    "number": "0021788",
    "holder": "カ）ミドリリビング",
    "client": "9000012345",
}


def _order(model: type[Order], clock: FixedClock) -> Order:
    """A file that was made and holds no record."""
    return model(
        id=new_id(),
        due_on=clock.today() + timedelta(days=7),
        office=_OFFICE,
        count=1,
        total_yen=1,
        made_at=clock.now(),
        made_by="staff",
    )
