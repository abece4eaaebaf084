"""A credit is a negative charge: it is set off against what is unpaid, the rest is overpaid."""

from datetime import date

import pytest

from pms.foundation.errors import NotFound, Refused
from pms.foundation.phrases import Bilingual
from pms.ledger.charges import post_charge, post_credit
from pms.ledger.debts import EntryState, debts, entry_state
from pms.ledger.payment_plan import preview_credit, record_payment
from pms.ledger.posting import void_entry
from pms.ledger.queries import deposit_balances, standings
from pms.ledger.statement import Movement, statement
from pms.rules.deposit import DepositBalance
from pms.rules.enumerations import EntryKind, FeeCategory
from pms.statements.due_invoices import due_entries
from tests.ledger.conftest import Books

DAY = date(2026, 6, 25)
HEATING = Bilingual("暖房の故障", "Heating out of order")


@pytest.fixture
def owing(books: Books) -> str:
    """Somebody who owes the invoice of June and the rent of July, 83,000 each."""
    given = {"deposit_yen": 60_000, "email": "owing@example.jp"}
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), None, **given)
    books.bill(DAY)
    return id_


def _unpaid(books: Books, id_: str) -> list[int]:
    with books.reading() as session:
        return [one.unpaid_yen for one in standings(session, [id_], DAY)[id_]]


def _balance(books: Books, id_: str) -> DepositBalance:
    with books.reading() as session:
        return deposit_balances(session, [id_], date(2026, 6, 30))[id_]


def test_a_credit_is_set_off_against_the_oldest_bill_first(books: Books, owing: str) -> None:
    with books.reading() as session:
        planned = preview_credit(
            session, DAY, reservation_id=owing, amount_yen=90_000, entry_id=None
        )
    books.do(post_credit, reservation_id=owing, amount_yen=90_000, label=HEATING)
    assert [part.yen for part in planned] == [83_000, 7_000]
    assert _unpaid(books, owing) == [0, 76_000, 0]
    # The deposit of the invoice is not collected by it.
    assert _balance(books, owing) == DepositBalance(0, 76_000, 0)


def test_a_credit_may_name_its_bill(books: Books, owing: str) -> None:
    july = books.entry(owing, "rent")
    asked = {"reservation_id": owing, "amount_yen": 10_000, "label": HEATING}
    books.do(post_credit, **asked, entry_id=july.id)
    assert _unpaid(books, owing) == [83_000, 73_000, 0]
    with pytest.raises(NotFound):
        books.do(post_credit, **asked, entry_id="0" * 32)


def test_what_is_not_set_off_stays_in_the_residents_favour(books: Books, owing: str) -> None:
    books.do(record_payment, reservation_id=owing, amount_yen=226_000)
    books.do(post_credit, reservation_id=owing, amount_yen=10_000, label=HEATING)
    assert _balance(books, owing) == DepositBalance(60_000, 0, 10_000)
    with books.reading() as session:
        credit = standings(session, [owing], DAY)[owing][-1]
        assert debts(session, DAY) == []
    assert entry_state(credit, DAY) is EntryState.CREDIT
    with pytest.raises(Refused, match="has nothing unpaid to set a credit off"):
        named = {"entry_id": books.entry(owing, "rent").id, "label": HEATING}
        books.do(post_credit, reservation_id=owing, amount_yen=1, **named)


def test_the_statement_tells_a_credit_and_what_it_was_set_off_against(
    books: Books, owing: str
) -> None:
    credit_id = books.do(
        post_credit,
        reservation_id=owing,
        amount_yen=10_000,
        label=HEATING,
        category=FeeCategory.RENT,
    )
    with books.reading() as session:
        shown = statement(session, owing, DAY)
    (entry,) = (one for one in shown.entries if one.id == credit_id)
    assert (entry.kind, entry.total_yen) == (EntryKind.CREDIT, -10_000)
    assert (entry.label, entry.lines[0].category) == (HEATING, FeeCategory.RENT)
    assert sorted(
        (row.movement, row.yen) for row in shown.rows if row.yen in (-10_000, 10_000)
    ) == [
        (Movement.BILLED, -10_000),
        (Movement.NETTED, -10_000),
        (Movement.NETTED, 10_000),
    ]
    assert shown.owed_yen == 226_000 - 10_000


def test_a_credit_that_was_not_set_off_can_be_voided_and_another_is_taken_back_by_a_charge(
    books: Books, owing: str
) -> None:
    used = books.do(post_credit, reservation_id=owing, amount_yen=10_000, label=HEATING)
    with pytest.raises(Refused, match="is a credit that was already set off"):
        books.do(void_entry, used)
    books.do(post_charge, reservation_id=owing, amount_yen=10_000, label=HEATING)
    books.do(record_payment, reservation_id=owing, amount_yen=226_000)
    before = _balance(books, owing)
    unused = books.do(post_credit, reservation_id=owing, amount_yen=5_000, label=HEATING)
    books.do(void_entry, unused)
    assert _balance(books, owing) == before


def test_money_goes_to_bills_and_never_onto_a_credit(books: Books, owing: str) -> None:
    books.do(record_payment, reservation_id=owing, amount_yen=226_000)
    credit = books.do(post_credit, reservation_id=owing, amount_yen=5_000, label=HEATING)
    with pytest.raises(Refused, match="is a credit and cannot be paid"):
        books.do(record_payment, reservation_id=owing, amount_yen=1, entry_id=credit)
    books.do(record_payment, reservation_id=owing, amount_yen=1_000)
    with books.reading() as session:
        assert standings(session, [owing], DAY)[owing][-1].paid_yen == 0
    assert _balance(books, owing) == DepositBalance(60_000, 0, 6_000)


def test_no_invoice_is_sent_of_a_credit(books: Books, owing: str) -> None:
    books.do(post_credit, reservation_id=owing, amount_yen=10_000, label=HEATING)
    with books.reading() as session:
        due = due_entries(session, books.clock, after=None, most=20)
    july = books.entry(owing, "rent").id
    assert july in due
    assert books.entry(owing, "credit").id not in due


def test_a_credit_gives_back_no_deposit_and_takes_whole_yen_from_one_on(
    books: Books, owing: str
) -> None:
    asked = {"reservation_id": owing, "label": HEATING}
    with pytest.raises(Refused, match="category"):
        books.do(post_credit, **asked, amount_yen=1, category=FeeCategory.DEPOSIT)
    for yen in (0, -1, True, "5"):
        with pytest.raises(Refused, match="amount"):
            books.do(post_credit, **asked, amount_yen=yen)
    assert len(books.entries(owing)) == 2
