"""The office takes a wrong payment back, records money sent back, and posts a credit."""

from pms.ledger.payment_plan import record_payment
from pms.ledger.queries import deposit_balances
from pms.ledger.statement import PaymentRecord, Statement, statement
from pms.rules.enumerations import EntryKind, ReturnKind
from pms.statements.queries import corrections_of
from pms.statements.receipts import issue_receipt
from tests.staff import Browser
from tests.surfaces.dashboard.money.conftest import Books
from tests.surfaces.dashboard.reservations.forms import fields_of


def _paid(books: Books, **given: object) -> str:
    asked = {"reservation_id": books.resident_id, "amount_yen": 93_000, **given}
    payment_id: str = books.do(record_payment, **asked)
    return payment_id


def _payment(books: Books, payment_id: str) -> PaymentRecord:
    account: Statement = books.ask(statement, books.resident_id, books.clock.today())
    return next(one for one in account.payments if one.id == payment_id)


def _form(office: Browser, payment_id: str, verb: str) -> dict[str, str]:
    shown = office.get(f"/payments/{payment_id}")
    return fields_of(shown.text, f"/payments/{payment_id}/{verb}")


def test_a_wrong_payment_is_reversed_and_its_receipt_void(office: Browser, books: Books) -> None:
    payment_id = _paid(books)
    receipt = books.do(issue_receipt, payment_id)
    shown = office.get(f"/payments/{payment_id}?lang=en").text
    assert f"Receipt {receipt.number} becomes void" in shown
    fields = _form(office, payment_id, "reversal")
    assert office.post(f"/payments/{payment_id}/reversal", fields).status_code == 422
    fields["reason"] = "別の入居者の振込"
    assert office.post(f"/payments/{payment_id}/reversal", fields).status_code == 303
    assert books.standing("Rent for October 2026").open_yen == 93_000
    (paper,) = books.ask(corrections_of, books.resident_id)
    shown = office.get(f"/payments/{payment_id}?lang=en").text
    assert "別の入居者の振込" in shown
    assert paper.number in shown
    assert f"/payments/{payment_id}/reversal" not in shown
    assert office.get(f"/receipt-corrections/{paper.id}/paper").data.startswith(b"%PDF")
    assert "reversed on" in office.get(f"/reservations/{books.resident_id}/ledger?lang=en").text
    assert office.post(f"/payments/{payment_id}/reversal", fields).status_code == 422
    assert office.get("/receipt-corrections/nonsense/paper").status_code == 404
    assert office.get("/payments/nonsense").status_code == 404


def test_money_sent_back_is_recorded_with_its_day_and_reason(office: Browser, books: Books) -> None:
    payment_id = _paid(books)
    asked = _form(office, payment_id, "return")
    assert asked["amountYen"] == "93000"
    for wrong in (
        {"amountYen": "93001"},
        {"returnedOn": "2020-01-01"},
        {"returnedOn": "2030-01-01"},
    ):
        fields = asked | {"returnReason": "重複"} | wrong
        assert office.post(f"/payments/{payment_id}/return", fields).status_code == 422
    fields = asked | {"returnReason": "重複", "amountYen": "3,000", "reference": "FB-9"}
    assert office.post(f"/payments/{payment_id}/return", fields).status_code == 303
    assert books.standing("Rent for October 2026").open_yen == 3_000
    (back,) = _payment(books, payment_id).returns
    assert (back.kind, back.yen, back.reason) == (ReturnKind.RETURNED, 3_000, "重複")
    fields |= _form(office, payment_id, "return") | {"returnReason": "再度", "reference": "FB-9"}
    assert office.post(f"/payments/{payment_id}/return", fields).status_code == 422
    assert _payment(books, payment_id).left_yen == 90_000


def test_a_page_opened_before_somebody_else_wrote_takes_nothing_back(
    office: Browser, books: Books
) -> None:
    payment_id = _paid(books)
    fields = _form(office, payment_id, "reversal") | {"reason": "wrong"}
    _paid(books, amount_yen=1)
    assert office.post(f"/payments/{payment_id}/reversal", fields).status_code == 422
    assert _payment(books, payment_id).left_yen == 93_000


def test_a_credit_says_what_it_is_set_off_against_and_is_posted(
    office: Browser, books: Books
) -> None:
    at = f"/reservations/{books.resident_id}/credits"
    plan = office.block(f"{at}/new?amountYen=100000&entryId=").text
    assert "<html" not in plan
    assert plan.index("¥93,000") < plan.index("¥7,000")
    asked = fields_of(office.get(f"{at}/new").text, at)
    for wrong in ({"amountYen": "-5"}, {"amountYen": "5", "category": "deposit"}):
        assert office.post(at, asked | {"labelJa": "暖房"} | wrong).status_code == 422
    fields = asked | {"amountYen": "100,000", "labelJa": "暖房の故障"}
    assert office.post(at, fields).status_code == 303
    assert books.standing("Rent for October 2026").open_yen == 0
    assert books.standing("Rent for November 2026").open_yen == 86_000
    account = books.ask(statement, books.resident_id, books.clock.today())
    credit = next(one for one in account.entries if one.kind is EntryKind.CREDIT)
    shown = office.get(f"/ledger-entries/{credit.id}?lang=en").text
    assert "−¥100,000" in shown
    assert "of this credit has been set off" in shown
    balances = books.ask(deposit_balances, [books.resident_id], books.clock.today())
    assert balances[books.resident_id].unpaid_yen == 86_000
