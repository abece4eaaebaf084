"""What is overpaid pays open bills of the same reservation when staff say so, oldest due first."""

from datetime import date

import pytest

from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import new_id
from pms.ledger.overpayments import usable_overpayment, use_overpayments
from pms.ledger.queries import standings
from pms.workspaces.settings import set_policy
from tests.ledger.conftest import Books

DAY = date(2026, 6, 25)


@pytest.fixture
def ahead(books: Books) -> str:
    """Somebody who paid 100,000 more than June asks before July was billed."""
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), None, deposit_yen=60_000)
    books.pay(date(2026, 5, 21), id_, 243_000)
    books.bill(DAY)
    return id_


def _stand(books: Books, id_: str) -> list[tuple[int, int]]:
    with books.reading() as session:
        found = standings(session, [id_], DAY)[id_]
    return [(one.unpaid_yen, one.overpaid_yen) for one in found]


@pytest.mark.differs("locks")
def test_an_overpayment_pays_the_open_bill_in_one_act(books: Books, ahead: str) -> None:
    before = _stand(books, ahead)
    owed, over = sum(one for one, _ in before), sum(one for _, one in before)
    assert owed and over >= owed
    with books.reading() as session:
        assert usable_overpayment(session, ahead, DAY) == owed
    assert books.do(use_overpayments, ahead) == owed
    after = _stand(books, ahead)
    assert (sum(one for one, _ in after), sum(one for _, one in after)) == (0, over - owed)
    with pytest.raises(Refused):
        books.do(use_overpayments, ahead)


def test_nobody_elses_is_used(books: Books, ahead: str) -> None:
    with pytest.raises(NotFound):
        books.do(use_overpayments, new_id())


@pytest.mark.differs("sums in SQL and locks")
def test_by_policy_a_billing_run_uses_what_was_paid_ahead(books: Books) -> None:
    books.do(set_policy, overpayments_pay_next_bills=True)
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), None, deposit_yen=60_000)
    books.pay(date(2026, 5, 21), id_, 243_000)
    books.bill(DAY)
    after = _stand(books, id_)
    assert (sum(one for one, _ in after), sum(one for _, one in after)) == (
        0,
        17_000,
    )  # of 100,000 paid ahead, less 83,000 of July
    with books.reading() as session:
        assert usable_overpayment(session, id_, DAY) == 0


def test_a_run_that_bills_nobody_uses_nothing(books: Books, ahead: str) -> None:
    before = _stand(books, ahead)
    books.do(set_policy, overpayments_pay_next_bills=True)
    books.bill(DAY)
    assert _stand(books, ahead) == before
