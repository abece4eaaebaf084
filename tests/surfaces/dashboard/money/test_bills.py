"""Bills and payments of the whole workspace are listed, narrowed, and selected invoices are sent."""

import re
from datetime import date, timedelta

from sqlalchemy import func, select

from pms.foundation.lists import Paging
from pms.foundation.outbox import OutboxMail
from pms.ledger.debts import EntryState
from pms.statements.bill_lists import BillFilter, MoneySearch, list_bills, list_payments
from pms.statements.invoices import issue_invoice
from tests.staff import Browser
from tests.surfaces.dashboard.money.conftest import Books

_PAGE = Paging(1, 50)


def test_bills_stand_as_in_the_ledger_of_their_reservation(books: Books) -> None:
    rows, total = books.ask(list_bills, MoneySearch(), books.clock.today(), _PAGE)
    assert total == len(rows) > 2
    for row in rows:
        standing = books.standing(row.label.en)
        assert (row.paid_yen, row.open_yen) == (standing.paid_yen, standing.open_yen)
    late, count = books.ask(
        list_bills, MoneySearch(bills=BillFilter.OVERDUE), books.clock.today(), _PAGE
    )
    assert count == 2
    assert {row.state for row in late} == {EntryState.OVERDUE}


def test_bills_and_payments_are_narrowed_by_name_day_and_house(books: Books) -> None:
    today = books.clock.today()
    every = books.ask(list_bills, MoneySearch(), today, _PAGE)[1]
    assert books.ask(list_bills, MoneySearch(text="さとう"), today, _PAGE)[1] == every
    assert books.ask(list_bills, MoneySearch(text="nobody"), today, _PAGE)[1] == 0
    assert books.ask(list_bills, MoneySearch(building_id="0" * 32), today, _PAGE)[1] == 0
    assert books.ask(list_bills, MoneySearch(first_on=date(2030, 1, 1)), today, _PAGE)[1] == 0
    paid = books.ask(list_payments, MoneySearch(sort="amount", is_descending=True), _PAGE)[0]
    assert [row.amount_yen for row in paid] == sorted(
        (row.amount_yen for row in paid), reverse=True
    )
    assert books.ask(list_payments, MoneySearch(method="cash"), _PAGE)[1] == 0


def test_selected_invoices_are_sent_once(office: Browser, books: Books) -> None:
    entry = books.ask(list_bills, MoneySearch(), books.clock.today(), _PAGE)[0][0]
    books.do(issue_invoice, entry.id)
    shown = office.get("/invoices?lang=en&state=not_sent").text
    ids = re.findall(r'name="invoiceIds" value="([^"]+)"', shown)
    assert ids
    for _ in range(2):
        assert office.post("/invoices/sending", {"invoiceIds": ids}).status_code == 303
    assert books.ask(lambda session: session.scalar(select(func.count(OutboxMail.id)))) == len(ids)
    assert office.post("/invoices/sending?lang=en", {}).status_code == 422


def test_the_lists_take_the_same_few_questions_however_long(office: Browser, books: Books) -> None:
    # The next step of each reservation is read from its bills, its papers and its contract.
    more = {"/reservations": 17}
    for path in ("/invoices", "/payments", "/arrears", "/reservations", "/reports/deposits"):
        most = more.get(path, 14)
        office.get(path)
        with books.counted() as asked:
            assert office.get(path).status_code == 200
        assert len(asked) <= most, f"{path}: {len(asked)}"


def test_all_bills_are_counted_over_the_entries_alone(books: Books) -> None:
    today = books.clock.today()
    with books.counted() as sent:
        rows, total = books.ask(list_bills, MoneySearch(), today, _PAGE)
    (counted,) = (each for each in sent if "count(" in each)
    assert " join " not in counted.lower()
    building_id = books.house.building_id
    named, as_many = books.ask(list_bills, MoneySearch(building_id=building_id), today, _PAGE)
    assert (total, rows) == (as_many, named)
    first = min(row.issued_on for row in rows)
    later = books.ask(list_bills, MoneySearch(first_on=first + timedelta(days=1)), today, _PAGE)
    assert 0 < len(later[0]) == later[1] < total


def test_both_lists_are_narrowed_in_place(office: Browser, books: Books) -> None:
    books.do_pay(50_000)
    for path in ("/invoices", "/payments"):
        part = office.get(f"{path}?search=&lang=en", headers={"HX-Request": "true"})
        assert part.status_code == 200
        assert "<html" not in part.text
        assert "<table" in part.text, path
