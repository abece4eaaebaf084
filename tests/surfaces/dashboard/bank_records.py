"""A statement that was read in, a transfer and a remembered payer, for the walk through all addresses."""

from collections.abc import Mapping
from datetime import timedelta
from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.bank.imports import import_file
from pms.bank.models import BankAccountRow, BankPayer, BankTransfer, DebitFile, PayoutFile
from pms.bank.payers import learn_payer
from pms.collections.models import Collection, PaymentChoice
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.rules.enumerations import ChoiceState, CollectionState, PaymentWay
from tests.bank.statement_files import Moved, statement_file
from tests.cast import House

Order = TypeVar("Order", DebitFile, PayoutFile)


def bank_records(
    database: Database, clock: FixedClock, house: House, entry_id: str
) -> Mapping[str, str]:
    """Return the ids of an import, a transfer, a payer and more, by the parameter of their address."""
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
        collection_id = failed_collection(session, clock, house.resident_id, entry_id)
        account_id = session.scalars(select(BankAccountRow.id)).one()
    return {
        "account_id": account_id,
        "debit_file_id": debits.id,
        "payout_file_id": payouts.id,
        "import_id": done.import_id or "",
        "transfer_id": transfer_id,
        "payer_id": payer_id,
        "collection_id": collection_id,
    }


def failed_collection(
    session: Session, clock: FixedClock, reservation_id: str, entry_id: str
) -> str:
    """A card in force that was declined for a bill; return the id of the collection."""
    choice_id, failed_id = new_id(), new_id()
    session.add(
        PaymentChoice(
            id=choice_id,
            reservation_id=reservation_id,
            way=PaymentWay.CARD,
            state=ChoiceState.ACTIVE,
            consent="cards",
            consented_at=clock.now(),
            consented_by="resident",
        )
    )
    session.flush()
    session.add(
        Collection(
            id=failed_id,
            choice_id=choice_id,
            reservation_id=reservation_id,
            entry_id=entry_id,
            way=PaymentWay.CARD,
            attempt=1,
            amount_yen=1_000,
            due_on=clock.today(),
            state=CollectionState.FAILED,
            failure="Your card was declined.",
            planned_at=clock.now(),
            ended_at=clock.now(),
        )
    )
    return failed_id


_OFFICE = {
    "bank_code": "9801",
    "bank_name": "ミドリノ",
    "branch_code": "012",
    "branch_name": "ワカバチョウ",
    "kind": "1",
    "holder": "カ）ミドリリビング",
    "client": "9000012345",
}


def _order(model: type[Order], clock: FixedClock) -> Order:
    """A file that was made and holds no record."""
    return model(
        id=new_id(),
        due_on=clock.today() + timedelta(days=7),
        office=_OFFICE,
        office_number="0021788",
        count=1,
        total_yen=1,
        made_at=clock.now(),
        made_by="staff",
    )
