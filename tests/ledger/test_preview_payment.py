"""Where a payment would go is shown before it is written, and what each fee would cost."""

from datetime import date

import pytest

from pms.foundation.errors import NotFound, Refused
from pms.foundation.phrases import Bilingual
from pms.ledger.charges import ChargeableFee, chargeable_fees
from pms.ledger.payment_plan import PlannedPart, preview_payment
from pms.ledger.posting import void_entry
from pms.pricing.agreed_price import MonthlyAmounts
from pms.rules.enumerations import FeeCategory, TaxTreatment
from tests.cast import fee
from tests.ledger.conftest import Books

TODAY = date(2026, 7, 25)


@pytest.fixture
def owing(books: Books) -> str:
    """Owes the move-in invoice with a deposit, July and August."""
    id_ = books.booked(date(2026, 5, 20), date(2026, 6, 1), None, deposit_yen=68_000)
    books.bill(TODAY)
    return id_


def previewed(
    books: Books, id_: str, yen: int, entry_id: str | None = None
) -> tuple[PlannedPart, ...]:
    with books.reading() as session:
        return preview_payment(
            session, TODAY, reservation_id=id_, amount_yen=yen, entry_id=entry_id
        )


def test_each_entry_is_one_part_and_says_what_of_it_is_too_much(books: Books, owing: str) -> None:
    invoice, july, august = books.entries(owing)
    parts = previewed(books, owing, 3 * 83_000 + 68_000 + 500)
    assert parts == (
        PlannedPart(invoice.id, invoice.label, invoice.due_on, 151_000, 0),
        PlannedPart(july.id, july.label, july.due_on, 83_000, 0),
        PlannedPart(august.id, august.label, august.due_on, 83_500, 500),
    )
    written = books.pay(TODAY, owing, 3 * 83_000 + 68_000 + 500)
    assert written
    assert [
        (part.entry_id, part.yen, part.overpaid_yen) for part in previewed(books, owing, 1)
    ] == [(august.id, 1, 1)]


def test_a_payment_that_names_an_entry_goes_there_alone(books: Books, owing: str) -> None:
    _, july, august = books.entries(owing)
    assert previewed(books, owing, 83_001, july.id) == (
        PlannedPart(july.id, july.label, july.due_on, 83_001, 1),
    )
    books.do(void_entry, july.id)
    with pytest.raises(Refused, match="is voided"):
        previewed(books, owing, 1, july.id)
    with pytest.raises(NotFound):
        previewed(books, owing, 1, "july")
    assert july.id not in {part.entry_id for part in previewed(books, owing, 10**6)}
    assert previewed(books, owing, 1, august.id)[0].entry_id == august.id


def test_what_a_fee_would_cost_today_is_told_by_label(books: Books, owing: str) -> None:
    once = {"is_monthly": False, "category": FeeCategory.SERVICE}
    half = {"amount_yen": None, "percent": "50"}
    with books.writing() as session:
        session.add_all(
            [
                fee(code="monthly"),
                fee(code="renewal", label_ja="更新料", label_en="Renewal", **half, **once),
                fee(code="key", label_ja="鍵", label_en="Key", amount_yen=700, **once),
            ]
        )

    def fees_of(id_: str) -> list[ChargeableFee]:
        with books.reading() as session:
            return list(chargeable_fees(session, books.clock, id_))

    kind = (FeeCategory.SERVICE, TaxTreatment.TAXABLE_10)
    assert fees_of(owing) == [
        ChargeableFee("renewal", Bilingual("更新料", "Renewal"), *kind, 34_000),
        ChargeableFee("key", Bilingual("鍵", "Key"), *kind, 700),
    ]
    priceless = books.resident(date(2026, 6, 1), None, amounts=None)
    assert [one.yen for one in fees_of(priceless)] == [None, 700]
    rent_free = books.resident(date(2026, 6, 1), None, amounts=MonthlyAmounts(0))
    assert [one.yen for one in fees_of(rent_free)] == [0, 700]
