"""The database itself refuses to change or delete what was written about money."""

from datetime import date

import pytest
from sqlalchemy import delete, update
from sqlalchemy.exc import DBAPIError

from pms.foundation.db import Base
from pms.ledger.models import (
    Allocation,
    BilledRow,
    LedgerEntry,
    LedgerLine,
    Payment,
    PaymentReturn,
    RowExtent,
)
from pms.ledger.payments import return_payment
from pms.pricing.models import PricingSnapshot
from tests.ledger.conftest import Books

pytestmark = pytest.mark.differs("constraints")

COLUMNS: dict[type[Base], str] = {
    LedgerEntry: "due_on",
    BilledRow: "first_on",
    RowExtent: "last_on",
    LedgerLine: "amount_yen",
    Payment: "amount_yen",
    PaymentReturn: "amount_yen",
    Allocation: "amount_yen",
    PricingSnapshot: "base_rent_yen",
}


@pytest.mark.parametrize("model", COLUMNS)
def test_a_row_of_money_is_neither_changed_nor_deleted(books: Books, model: type[Base]) -> None:
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), None)
    payment_id = books.pay(date(2026, 5, 21), id_, 1_000)
    books.do(return_payment, payment_id=payment_id, amount_yen=100, reference="ch_1/100")
    column = COLUMNS[model]
    value = 1 if column.endswith("_yen") else date(2026, 1, 1)
    with pytest.raises(DBAPIError, match="written_once"), books.writing() as session:
        session.execute(update(model).values({column: value}))
    with pytest.raises(DBAPIError, match="written_once"), books.writing() as session:
        session.execute(delete(model))
