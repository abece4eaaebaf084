"""A line takes its class of consumption tax when it is issued, and keeps it."""

from datetime import date

from pms.foundation.phrases import Bilingual
from pms.ledger.charges import post_charge, post_credit
from pms.ledger.repricing import reprice_rows
from pms.pricing.agreed_price import AgreedDiscount, MonthlyAmounts, MonthlyFee
from pms.reservations.models import Reservation
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.rules.tax_classes import TaxedItem
from pms.statements.invoices import issue_invoice
from pms.statements.tax_differences import differing_invoices
from pms.workspaces.fees import WrittenFee, add_fee
from pms.workspaces.tax_classes import decide_class
from tests.ledger.conftest import Books

EXEMPT, TAXABLE = TaxTreatment.EXEMPT, TaxTreatment.TAXABLE_10
OUTSIDE = TaxTreatment.OUT_OF_SCOPE
BOOKED = date(2026, 5, 20)


def classes(books: Books, id_: str, kind: str) -> dict[str, TaxTreatment]:
    return {line.item: line.tax_treatment for line in books.entry(id_, kind).lines}


def test_a_lease_of_two_weeks_is_taxable_and_its_deposit_outside(books: Books) -> None:
    id_ = books.booked(
        BOOKED,
        date(2026, 6, 1),
        date(2026, 6, 14),
        reservation_fee_yen=5_000,
        deposit_yen=30_000,
        discount=AgreedDiscount(Bilingual("割引", "Discount"), monthly_yen=1_000),
    )
    assert classes(books, id_, "move_in") == {
        "base_rent": TAXABLE,
        "building_maintenance": TAXABLE,
        "utilities": TAXABLE,
        "discount": TAXABLE,
        "reservation_fee": TAXABLE,
        "deposit": OUTSIDE,
    }


def test_a_year_is_exempt_but_for_utilities_and_what_the_catalogue_says(books: Books) -> None:
    books.at(BOOKED)
    written = WrittenFee("町会費", None, FeeCategory.OTHER, True, 300, None, OUTSIDE)
    books.do(add_fee, code="association", written=written)
    # The class that was copied into the price is that of an earlier entry.
    fee = MonthlyFee("association", Bilingual("町会費", "Dues"), FeeCategory.OTHER, EXEMPT, 300)
    id_ = books.booked(BOOKED, date(2026, 6, 1), date(2027, 5, 31), fees=(fee,))
    assert classes(books, id_, "move_in") == {
        "base_rent": EXEMPT,
        "building_maintenance": EXEMPT,
        "utilities": TAXABLE,
        "association": OUTSIDE,
    }


def test_a_month_in_which_a_short_term_ends_is_cut_and_sums_to_the_same(books: Books) -> None:
    id_ = books.booked(
        BOOKED,
        date(2026, 6, 10),
        date(2026, 7, 8),
        amounts=MonthlyAmounts(base_rent_yen=71_500),
        discount=AgreedDiscount(Bilingual("割引", "Discount"), monthly_yen=333),
        forced_on=date(2026, 6, 20),
    )
    books.bill(date(2026, 6, 25))
    july = books.entry(id_, "rent", "2026-07-01")
    assert july.total_yen == 71_500 - 333
    assert [
        (line.item, line.first_on, line.last_on, line.tax_treatment, line.amount_yen)
        for line in july.lines
    ] == [
        ("base_rent", date(2026, 7, 1), date(2026, 7, 8), TAXABLE, 18_452),
        ("base_rent", date(2026, 7, 9), date(2026, 7, 31), EXEMPT, 53_048),
        ("discount", date(2026, 7, 1), date(2026, 7, 8), TAXABLE, -86),
        ("discount", date(2026, 7, 9), date(2026, 7, 31), EXEMPT, -247),
    ]


def test_what_was_issued_keeps_its_class_and_what_reverses_it_has_the_same(books: Books) -> None:
    books.at(BOOKED)
    books.do(decide_class, item=TaxedItem.UTILITIES, from_on=BOOKED, treatment=EXEMPT)
    books.do(decide_class, item=TaxedItem.UTILITIES, from_on=date(2026, 7, 1), treatment=None)
    id_ = books.booked(BOOKED, date(2026, 6, 1), date(2027, 5, 31))
    books.bill(date(2026, 6, 25))
    with books.writing() as session:
        session.get_one(Reservation, (books.workspace_id, id_)).move_out_date = date(2026, 7, 20)
    books.at(date(2026, 7, 10))
    books.do(reprice_rows, id_)
    july = books.entry(id_, "rent", "2026-07-01")
    utilities = [line for line in july.lines if line.item == "utilities"]
    assert [(line.amount_yen, line.tax_treatment) for line in utilities] == [
        (12_000, EXEMPT),
        (-12_000, EXEMPT),
        (7_742, TAXABLE),
    ]
    books.do(reprice_rows, id_)
    assert books.entry(id_, "rent", "2026-07-01") == july


def test_invoices_of_the_year_that_would_differ_are_named_and_stay(books: Books) -> None:
    books.at(BOOKED)
    fee = TaxedItem.RESERVATION_FEE
    books.do(decide_class, item=fee, from_on=BOOKED, treatment=TAXABLE)
    books.do(decide_class, item=fee, from_on=date(2026, 7, 1), treatment=None)
    year = date(2026, 6, 1), date(2027, 5, 31)
    id_ = books.booked(BOOKED, *year, reservation_fee_yen=20_000)
    invoice = books.do(issue_invoice, books.entry(id_, "move_in").id)
    same_id = books.booked(date(2026, 7, 2), date(2026, 8, 1), None, reservation_fee_yen=20_000)
    books.do(issue_invoice, books.entry(same_id, "move_in").id)
    with books.reading() as session:
        (found,) = differing_invoices(session, date(2026, 1, 1), date(2026, 7, 2))
        assert not differing_invoices(session, date(2026, 7, 1), date(2026, 7, 2))
        assert not differing_invoices(session, date(2026, 1, 1), BOOKED)
    (line,) = found.lines
    assert (found.number, line.label.en) == (invoice.number, "Reservation fee")
    assert (line.yen, line.issued_as, list(line.would_be)) == (20_000, TAXABLE, [EXEMPT])
    assert classes(books, id_, "move_in")["reservation_fee"] is TAXABLE


def test_a_charge_has_the_class_of_its_category_and_a_credit_that_of_its_bill(books: Books) -> None:
    id_ = books.booked(BOOKED, date(2026, 6, 1), date(2026, 6, 20))
    label = Bilingual("清掃", "Cleaning")
    for category, treatment in (
        (FeeCategory.CLEANING, TAXABLE),
        (FeeCategory.PENALTY, OUTSIDE),
        (FeeCategory.RENT, TAXABLE),
        (FeeCategory.DEPOSIT, OUTSIDE),
    ):
        asked = {"reservation_id": id_, "amount_yen": 1_000, "label": label, "category": category}
        charge_id = books.do(post_charge, **asked)
        (line,) = next(entry for entry in books.entries(id_) if entry.id == charge_id).lines
        assert line.tax_treatment is treatment, category
    chosen = books.do(
        post_charge, **asked | {"category": FeeCategory.CLEANING}, tax_treatment=EXEMPT
    )
    given = {"reservation_id": id_, "amount_yen": 400, "label": label, "entry_id": chosen}
    credit_id = books.do(post_credit, **given, category=FeeCategory.CLEANING)
    (line,) = next(entry for entry in books.entries(id_) if entry.id == credit_id).lines
    assert line.tax_treatment is EXEMPT
