"""A payment typed by hand: a day years off is asked about, a reference is recorded once."""

from datetime import date
from typing import Any

import pytest

from pms.foundation.errors import Collision, Refused
from pms.ledger.payment_plan import check_typed_day, check_typed_reference, record_payment
from pms.statements.receipts import reverse_payment
from tests.bank.conftest import TODAY, Bank, bank, books

__all__ = ["bank", "books"]


@pytest.mark.parametrize("day", [date(2016, 11, 20), date(2025, 11, 18)])
def test_a_payment_of_a_day_years_ago_is_asked_about(day: date) -> None:
    with pytest.raises(Refused, match=f"{day} is more than a year before today"):
        check_typed_day(TODAY, day, is_meant=False)
    check_typed_day(TODAY, day, is_meant=True)


@pytest.mark.parametrize("day", [None, TODAY, date(2025, 12, 1), date(2062, 11, 20)])
def test_a_day_of_the_last_year_is_not_asked_about(day: date | None) -> None:
    check_typed_day(TODAY, day, is_meant=False)


def typed(bank: Bank, reference: str, method: str = "bank_transfer") -> Any:
    def act(work: Any) -> str:
        plain = check_typed_reference(work.session, method, reference)
        return record_payment(
            work, reservation_id=bank.hanako, amount_yen=10, method=method, reference=plain
        )

    return bank.books.do(act)


def test_a_reference_is_one_without_case_blanks_and_full_width(bank: Bank) -> None:
    first = typed(bank, "AB 12-x")
    for again in ("ab12-x", " ＡＢ１２－Ｘ ", "A B 1 2 - X", "AB 12-x"):
        with pytest.raises(Collision, match="already been recorded"):
            typed(bank, again)
    typed(bank, "ab12-x", method="cash")
    bank.books.do(reverse_payment, payment_id=first, reason="twin")
    assert typed(bank, "ab12-X")
    assert typed(bank, "  ") != first


@pytest.mark.differs("a filter by a regular expression")
def test_a_reference_stored_in_full_width_is_the_same_one(bank: Bank) -> None:
    stored = bank.books.do(
        record_payment,
        reservation_id=bank.hanako,
        amount_yen=10,
        method="bank_transfer",
        reference="ＡＢ\u3000１２",
    )
    for again in ("AB12", "ab 12", "ＡＢ１２"):
        with pytest.raises(Collision, match="already been recorded"):
            typed(bank, again)
    assert typed(bank, "AB13")
    bank.books.do(reverse_payment, payment_id=stored, reason="twin")
    assert typed(bank, "ab12")
    with pytest.raises(Collision, match="already been recorded"):
        typed(bank, "Ab12")
