"""Payments say what they pay before they are recorded; charges are typed as the law wants them."""

from pms.arrivals.key_handovers import HandedKeys, hand_over_keys
from pms.foundation.work import Work
from pms.ledger.queries import entries_of
from pms.ledger.statement import statement
from pms.rules.enumerations import FeeCategory
from tests.cast import fee
from tests.staff import Browser
from tests.surfaces.dashboard.money.conftest import Books
from tests.surfaces.dashboard.reservations.forms import fields_of


def _payment_form(office: Browser, books: Books) -> dict[str, str]:
    shown = office.get(f"/reservations/{books.resident_id}/payments/new")
    return fields_of(shown.text, f"/reservations/{books.resident_id}/payments")


def _charge_form(office: Browser, books: Books) -> dict[str, str]:
    shown = office.get(f"/reservations/{books.resident_id}/charges/new")
    return fields_of(shown.text, f"/reservations/{books.resident_id}/charges")


def test_the_form_offers_everything_that_is_open(office: Browser, books: Books) -> None:
    assert _payment_form(office, books)["amountYen"] == "186000"


def test_the_suggestion_fills_the_oldest_bill_first_and_is_what_is_written(
    office: Browser, books: Books
) -> None:
    asked = f"/reservations/{books.resident_id}/payments/new?amountYen=100000&entryId="
    plan = office.block(asked).text
    assert "<html" not in plan
    assert plan.index("¥93,000") < plan.index("¥7,000")
    fields = _payment_form(office, books) | {"amountYen": "100,000"}
    assert office.post(f"/reservations/{books.resident_id}/payments", fields).status_code == 303
    assert books.standing("Rent for October 2026").paid_yen == 93_000
    assert books.standing("Rent for November 2026").paid_yen == 7_000


def test_any_bill_can_be_chosen(office: Browser, books: Books) -> None:
    november = books.entry("Rent for November 2026").id
    fields = _payment_form(office, books) | {"amountYen": "93000", "entryId": november}
    office.post(f"/reservations/{books.resident_id}/payments", fields)
    assert books.standing("Rent for November 2026").open_yen == 0
    assert books.standing("Rent for October 2026").open_yen == 93_000


def test_an_overpayment_is_said_before_and_after(office: Browser, books: Books) -> None:
    asked = f"/reservations/{books.resident_id}/payments/new?amountYen=200000&entryId="
    assert "¥14,000" in office.block(asked).text
    fields = _payment_form(office, books) | {"amountYen": "200000"}
    office.post(f"/reservations/{books.resident_id}/payments", fields)
    assert "¥14,000" in office.get(f"/reservations/{books.resident_id}/ledger").text


def test_three_clicks_record_one_payment(office: Browser, books: Books) -> None:
    fields = _payment_form(office, books) | {"amountYen": "1000"}
    answers = [
        office.post(f"/reservations/{books.resident_id}/payments", fields).status_code
        for _ in range(3)
    ]
    assert answers == [303, 422, 422]
    account = books.ask(statement, books.resident_id, books.clock.today())
    assert len(account.payments) == 3  # two of the fixture


def test_what_was_typed_stays_when_it_is_refused(office: Browser, books: Books) -> None:
    for typed in ("1.5", "¥1,000", "-5", "86,00"):
        fields = _payment_form(office, books) | {"amountYen": typed, "note": "窓口で"}
        shown = office.post(f"/reservations/{books.resident_id}/payments", fields)
        assert shown.status_code == 422
        assert f'value="{typed}"' in shown.text
        assert 'value="窓口で"' in shown.text
        assert 'aria-invalid="true"' in shown.text


def test_full_width_digits_are_taken(office: Browser, books: Books) -> None:
    fields = _payment_form(office, books) | {"amountYen": "９３，０００"}
    assert office.post(f"/reservations/{books.resident_id}/payments", fields).status_code == 303
    assert books.standing("Rent for October 2026").open_yen == 0


def test_a_fee_of_the_catalogue_fills_the_form_and_can_be_changed(
    office: Browser, books: Books
) -> None:
    with books.database.writing(books.house.workspace_id) as session:
        session.add(
            fee(
                code="key",
                label_ja="鍵交換",
                label_en="New key",
                is_monthly=False,
                amount_yen=16_500,
            )
        )
    filled = office.block(f"/reservations/{books.resident_id}/charges/new?feeCode=key").text
    assert 'value="16500"' in filled
    assert 'value="鍵交換"' in filled
    fields = _charge_form(office, books) | {
        "feeCode": "key",
        "amountYen": "15,000",
        "labelJa": "鍵交換",
        "labelEn": "New key",
    }
    assert office.post(f"/reservations/{books.resident_id}/charges", fields).status_code == 303
    entry = books.entry("New key")
    assert entry.total_yen == 15_000
    assert entry.lines[0].item == "key"


def test_three_clicks_post_one_charge(office: Browser, books: Books) -> None:
    before = len(books.ask(entries_of, books.resident_id))
    fields = _charge_form(office, books) | {"amountYen": "5500", "labelJa": "清掃"}
    for _ in range(3):
        office.post(f"/reservations/{books.resident_id}/charges", fields)
    assert len(books.ask(entries_of, books.resident_id)) == before + 1


def test_an_arrears_charge_takes_the_shortfall_over(office: Browser, books: Books) -> None:
    october = books.entry("Rent for October 2026").id
    shown = office.get(f"/ledger-entries/{october}/arrears-charge").text
    fields = fields_of(shown, f"/ledger-entries/{october}/arrears-charge")
    assert fields["amountYen"] == "93000"
    answer = office.post(f"/ledger-entries/{october}/arrears-charge", fields)
    assert answer.status_code == 303
    assert books.standing("Rent for October 2026").unpaid_yen == 0
    assert books.standing("Arrears: Rent for October 2026").unpaid_yen == 93_000
    assert "¥186,000" in office.get(f"/reservations/{books.resident_id}/ledger").text


def test_a_bill_is_voided_after_a_page_that_names_the_effect(office: Browser, books: Books) -> None:
    november = books.entry("Rent for November 2026").id
    check = office.get(f"/ledger-entries/{november}/voiding").text
    assert "−¥93,000" in check
    assert office.post(f"/ledger-entries/{november}/voiding").status_code == 303
    assert books.standing("Rent for November 2026").is_voided
    assert office.post(f"/ledger-entries/{november}/voiding").status_code == 422


def test_a_paid_bill_is_locked_and_says_why(office: Browser, books: Books) -> None:
    paid = books.entry("Move-in invoice").id
    shown = office.get(f"/ledger-entries/{paid}").text
    assert "/voiding" not in shown
    assert "¥216,000" in shown
    refused = office.post(f"/ledger-entries/{paid}/voiding")
    assert refused.status_code == 422
    assert not books.standing("Move-in invoice").is_voided


def test_housekeeping_sees_no_money(housekeeper: Browser, books: Books) -> None:
    for path in (
        f"/reservations/{books.resident_id}/ledger",
        f"/reservations/{books.resident_id}/deposit",
        "/arrears",
        "/reports/deposits",
        "/reports/profit-and-loss",
        "/owner-statements",
    ):
        assert housekeeper.get(path).status_code == 403


def test_a_due_day_that_is_over_is_refused_in_words(office: Browser, books: Books) -> None:
    page = f"/reservations/{books.resident_id}/charges"
    typed = {"labelJa": "鍵", "amountYen": "5000", "dueOn": "2026-01-05"}
    refused = office.post(page, _charge_form(office, books) | typed)
    assert refused.status_code == 422
    assert 'value="2026-01-05"' in refused.text
    assert "at the earliest" in refused.text
    october = books.entry("Rent for October 2026").id
    page = f"/ledger-entries/{october}/arrears-charge"
    form = fields_of(office.get(page).text, "/arrears-charge")
    answer = office.post(page, form | {"dueOn": "2026-01-05"})
    assert answer.status_code == 422


def test_a_charge_takes_its_category_from_its_fee(office: Browser, books: Books) -> None:
    at = f"/reservations/{books.resident_id}/charges"
    once = {"is_monthly": False, "amount_yen": 30_000}
    with books.database.writing(books.house.workspace_id) as session:
        session.add(fee(code="pet", category=FeeCategory.DEPOSIT, **once))
    shown = office.get(f"{at}/new?feeCode=pet&lang=en").text
    asked = fields_of(shown, at)
    assert (asked["category"], asked["amountYen"]) == ("deposit", "30000")
    assert "It is kept and settled with the deposit" in shown
    sent = asked | {"category": "rent", "dueOn": "2026-11-20"}
    assert office.post(at, sent).status_code == 303
    account = books.ask(statement, books.resident_id, books.clock.today())
    charge = next(one for one in account.entries if one.kind == "charge")
    assert [line.is_deposit for line in charge.lines] == [True]
    books.do_pay(186_000)
    books.on("2026-11-26")  # banks are closed from the 21st to the 23rd
    with books.database.writing(books.house.workspace_id) as session:
        hand_over_keys(
            Work(session, books.clock, "staff"),
            reservation_id=books.resident_id,
            keys=HandedKeys(books.clock.today(), 1),
        )
    overview = office.get(f"/reservations/{books.resident_id}?lang=en").text
    assert "The deposit has been overdue since" in overview


def test_a_charge_of_its_own_may_be_a_deposit_or_a_reservation_fee(
    office: Browser, books: Books
) -> None:
    at = f"/reservations/{books.resident_id}/charges"
    shown = office.get(f"{at}/new").text
    assert fields_of(shown, at)["category"] == "other"
    for category in ("deposit", "reservation_fee"):
        assert f'value="{category}"' in shown
