"""An amount leads to the bills and payments of exactly so many yen, for those who see money."""

import pytest

from tests.staff import Browser
from tests.surfaces.dashboard.money.conftest import Books

pytestmark = pytest.mark.differs("search")


@pytest.mark.parametrize("typed", ["93000", "93,000", "¥93,000", "￥９３，０００", "93,000円"])
def test_an_amount_finds_the_newest_bills_however_it_is_typed(
    office: Browser, books: Books, typed: str
) -> None:
    found = office.get(f"/search?q={typed}&lang=en").text
    assert "Invoices of ¥93,000" in found
    places = [found.find(f"Rent for {month} 2026") for month in ("November", "October", "June")]
    assert -1 not in places
    assert places == sorted(places)
    assert found.count("/ledger/") <= 6


def test_an_amount_finds_the_payments_of_exactly_that_amount(office: Browser, books: Books) -> None:
    found = office.block("/search?q=216,000&lang=en").text
    assert "Payments of ¥216,000" in found
    assert found.count("/payments/") == 1
    assert "/payments/" not in office.get("/search?q=216,001&lang=en").text


@pytest.mark.parametrize("typed", ["0", "93,00", "93.000", "-93000", "9" * 30])
def test_what_is_no_amount_finds_no_money(office: Browser, books: Books, typed: str) -> None:
    assert "¥" not in office.block(f"/search?q={typed}&lang=en").text


def test_amounts_are_for_those_who_see_money_in_their_own_workspace(
    housekeeper: Browser, maintainer: Browser, stranger: Browser, books: Books
) -> None:
    for reader in (housekeeper, maintainer, stranger):
        found = reader.get("/search?q=93,000&lang=en").text
        assert "Rent for" not in found
        assert "佐藤" not in found


def test_an_amount_takes_few_more_questions_however_many_bills_have_it(
    office: Browser, books: Books
) -> None:
    def count(typed: str) -> int:
        with books.counted() as asked:
            assert office.get(f"/search?q={typed}").status_code == 200
        return len(asked)

    count("93000")  # what a first visit asks besides
    assert count("93000") <= count("93000x") + 6
    assert count("93000") == count("216000")  # six bills, and one
