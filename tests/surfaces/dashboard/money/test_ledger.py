"""The ledger of a reservation tells every bill, payment and balance, on any day."""

import re
from datetime import timedelta

from pms.arrivals.dates import correct_dates
from pms.ledger.payments import return_payment
from pms.ledger.statement import statement
from pms.reservations.tenancies import tenancy_of
from pms.statements.invoices import issue_invoice
from pms.statements.receipts import issue_receipt
from tests.staff import Browser
from tests.surfaces.dashboard.money.conftest import Books


def test_the_ledger_shows_each_bill_with_its_days_state_and_balance(
    office: Browser, books: Books
) -> None:
    shown = office.get(f"/reservations/{books.resident_id}/ledger?lang=en").text
    account = books.ask(statement, books.resident_id, books.clock.today())
    for entry in account.entries:
        assert entry.id in shown
    assert account.owed_yen == 186_000
    assert shown.count("¥186,000") >= 2  # the header and the balance
    assert shown.count("tag-bad") == 2  # October and November


def test_the_ledger_of_a_past_day_says_so_and_writes_nothing(office: Browser, books: Books) -> None:
    shown = office.get(f"/reservations/{books.resident_id}/ledger?on=2026-03-31")
    assert shown.status_code == 200
    assert books.entry("Move-in invoice").id in shown.text
    assert books.entry("Rent for October 2026").id not in shown.text
    assert "/payments/new" not in shown.text.partition("Bills")[0].partition('id="tab"')[2]


def test_a_day_that_is_none_is_told_beside_its_field(office: Browser, books: Books) -> None:
    shown = office.get(f"/reservations/{books.resident_id}/ledger?on=soon").text
    assert "field-error" in shown
    assert 'value="soon"' in shown


def test_a_bill_gets_its_invoice_and_shows_it_as_a_pdf(office: Browser, books: Books) -> None:
    entry = books.entry("Rent for October 2026")
    moved = office.post(f"/ledger-entries/{entry.id}/invoice")
    assert moved.status_code == 303
    invoice = books.do(issue_invoice, entry.id)
    assert invoice.number in office.get(f"/ledger-entries/{entry.id}").text
    paper = office.get(f"/invoices/{invoice.id}/paper")
    assert paper.mimetype == "application/pdf"
    assert paper.data.startswith(b"%PDF")
    assert paper.headers["Cache-Control"] == "no-store"


def test_an_invoice_whose_bill_changed_says_so_with_its_due_day(
    office: Browser, books: Books
) -> None:
    entry = books.entry("Move-in invoice")
    books.do(issue_invoice, entry.id)
    of_resident = f"/reservations/{books.resident_id}"
    pages = (f"/ledger-entries/{entry.id}", f"{of_resident}/documents", f"{of_resident}/ledger")
    for path in pages:
        assert "hanged on" not in office.get(f"{path}?lang=en").text
    start = books.ask(tenancy_of, books.resident_id, books.clock.today()).term.start_on
    later = {"override_move_in_date": start + timedelta(days=3)}
    books.do(correct_dates, reservation_id=books.resident_id, **later)
    due = entry.due_on.isoformat()
    for path in pages:
        shown = office.get(f"{path}?lang=en").text
        assert "hanged on" in shown, path
        assert due in shown, path


def test_a_payment_that_went_back_gets_no_receipt(office: Browser, books: Books) -> None:
    payment = books.ask(statement, books.resident_id, books.clock.today()).payments[0]
    papers = f"/reservations/{books.resident_id}/documents"
    assert f'value="payment/{payment.id}"' in office.get(papers).text
    books.do(return_payment, payment_id=payment.id, amount_yen=payment.amount_yen, reference="ch_1")
    assert f'value="payment/{payment.id}"' not in office.get(papers).text
    assert office.post(papers, {"papers": f"payment/{payment.id}"}).status_code == 422
    assert office.post(f"/payments/{payment.id}/receipt").status_code == 422


def test_a_payment_gets_one_receipt_however_often_it_is_asked_for(
    office: Browser, books: Books
) -> None:
    account = books.ask(statement, books.resident_id, books.clock.today())
    payment = account.payments[0]
    for _ in range(3):
        assert office.post(f"/payments/{payment.id}/receipt").status_code == 303
    receipt = books.do(issue_receipt, payment.id)
    shown = office.get(f"/reservations/{books.resident_id}/ledger").text
    assert shown.count(f">{receipt.number}<") == 1
    assert office.get(f"/receipts/{receipt.id}/paper").data.startswith(b"%PDF")


def test_the_lines_of_a_bill_add_up_to_its_total(office: Browser, books: Books) -> None:
    entry = books.entry("Move-in invoice")
    shown = office.get(f"/ledger-entries/{entry.id}").text
    amounts = re.findall(r'<td class="number at-amount"[^>]*>¥([\d,]+)</td>\s*</tr>', shown)
    lines = [int(amount.replace(",", "")) for amount in amounts[: len(entry.lines)]]
    assert sum(lines) == entry.total_yen == 216_000
    assert "¥216,000" in shown


def test_an_entry_of_nobody_is_not_found(office: Browser, books: Books) -> None:
    assert office.get("/ledger-entries/nonsense").status_code == 404
    assert office.get(f"/ledger-entries/{'0' * 32}").status_code == 404
    assert office.get("/invoices/nonsense/paper").status_code == 404
    assert office.get("/receipts/nonsense/paper").status_code == 404
    assert office.post("/ledger-entries/nonsense/invoice").status_code == 404


def test_the_ledger_asks_as_much_of_ten_bills_as_of_two(office: Browser, books: Books) -> None:
    with books.counted() as few:
        office.get(f"/reservations/{books.resident_id}/ledger?on=2026-03-31")
    with books.counted() as many:
        office.get(f"/reservations/{books.resident_id}/ledger")
    assert len(many) <= len(few)
