"""A deposit is settled after a check page, and its refund is a step of its own."""

import re
from datetime import date

import pytest
from sqlalchemy import select

from pms.bank import payouts
from pms.bank.mandates import set_resident_account
from pms.departures.notices import file_notice
from pms.deposits.deposit_report import balance_on
from pms.deposits.settlement_papers import agree_to_paper
from pms.deposits.settlement_records import settlement_of
from pms.deposits.settlements import AskedDeduction, preview_settlement
from pms.foundation.errors import Refused
from pms.foundation.phrases import Bilingual
from pms.ledger.charges import post_credit
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle
from pms.workspaces.office_bank import set_office_bank
from tests.bank.test_debits import account
from tests.staff import Browser
from tests.surfaces.dashboard.money.conftest import Books
from tests.surfaces.dashboard.reservations.forms import fields_of

pytestmark = pytest.mark.differs("one journey through each surface")

CLEANING = {"deductions-0-label": "退去時清掃", "deductions-0-amountYen": "22,000"}
CREDIT = Bilingual("暖房の故障", "Broken heating")


@pytest.fixture
def left(books: Books) -> Books:
    """The resident filed on 1 October and left on 15 November; October and November are unpaid."""
    books.on("2026-10-26")
    books.do(file_notice, reservation_id=books.resident_id, move_out_on=date(2026, 11, 15))
    books.do_pay(300_000)
    books.on("2026-11-20")
    return books


def _typed(office: Browser, books: Books) -> dict[str, str]:
    shown = office.get(f"/reservations/{books.resident_id}/deposit").text
    return fields_of(shown, "/settlement/draft") | CLEANING


def _lifecycle(books: Books) -> Lifecycle:
    with books.database.reading(books.house.workspace_id) as session:
        asked = select(Reservation.lifecycle).where(Reservation.id == books.resident_id)
        return Lifecycle(session.scalars(asked).one())


def test_the_parts_of_the_balance_are_those_of_the_ledger(office: Browser, books: Books) -> None:
    balance = books.ask(balance_on, books.resident_id, books.clock.today())
    shown = office.get(f"/reservations/{books.resident_id}/deposit").text
    assert balance.balance_yen == 93_000 - 186_000
    for yen in ("¥93,000", "−¥186,000", "−¥93,000"):
        assert yen in shown


def test_the_balance_of_a_past_day_is_shown(office: Browser, books: Books) -> None:
    shown = office.get(f"/reservations/{books.resident_id}/deposit?on=2026-09-30").text
    assert "−¥186,000" not in shown.partition('id="tab"')[2]


def test_whoever_lives_there_is_not_settled_and_the_reason_is_shown(
    office: Browser, books: Books
) -> None:
    shown = office.get(f"/reservations/{books.resident_id}/deposit").text
    assert "/settlement/draft" not in shown
    assert "alert-info" in shown.partition('id="settlement"')[2]


def test_rows_are_added_and_removed_without_scripts(office: Browser, left: Books) -> None:
    draft = f"/reservations/{left.resident_id}/settlement/draft"
    added = office.post(draft, _typed(office, left) | {"add": "1"})
    assert added.status_code == 200
    assert 'name="deductions-1-label"' in added.text
    assert 'value="退去時清掃"' in added.text
    second = {"deductions-1-label": "鍵", "deductions-1-amountYen": "5000"}
    removed = office.post(draft, _typed(office, left) | second | {"remove": "0"})
    assert 'value="鍵"' in removed.text
    assert 'value="退去時清掃"' not in removed.text


def test_the_remainder_follows_what_is_typed(office: Browser, left: Books) -> None:
    plan = left.ask(
        preview_settlement,
        left.clock,
        reservation_id=left.resident_id,
        deductions=(AskedDeduction("退去時清掃", 22_000),),
    )
    shown = office.post(
        f"/reservations/{left.resident_id}/settlement/draft",
        _typed(office, left),
        headers={"HX-Request": "true"},
    )
    assert "<html" not in shown.text
    assert f"¥{plan.settlement.remainder_yen:,}" in shown.text


def test_an_amount_that_is_none_comes_back_with_what_was_typed(
    office: Browser, left: Books
) -> None:
    draft = f"/reservations/{left.resident_id}/settlement/draft"
    shown = office.post(
        draft, _typed(office, left) | {"deductions-0-amountYen": "1.5", "check": "1"}
    )
    assert shown.status_code == 422
    assert 'value="1.5"' in shown.text
    assert "error-summary" in shown.text
    half = office.post(draft, _typed(office, left) | {"deductions-0-label": "", "check": "1"})
    assert half.status_code == 422


def test_settling_takes_a_check_page_and_then_the_refund_is_sent_apart(
    office: Browser, left: Books
) -> None:
    """Journey 11: check, settle, refund sent; two pages, three clicks besides the fields."""
    path = f"/reservations/{left.resident_id}"
    check = office.post(f"{path}/settlement/draft", _typed(office, left) | {"check": "1"})
    assert check.status_code == 200
    assert left.ask(settlement_of, left.resident_id) is None
    settled = office.post(f"{path}/settlement", fields_of(check.text, "/settlement"))
    assert settled.status_code == 303
    found = left.ask(settlement_of, left.resident_id)
    assert found.deductions[0].asked_yen == 22_000
    assert _lifecycle(left) is Lifecycle.SETTLED

    deposit = office.get(f"{path}/deposit").text
    assert f"{path}/refund" not in deposit, "the settlement waits for the resident's answer"
    left.do(agree_to_paper, reservation_id=left.resident_id)
    refund = fields_of(office.get(f"{path}/deposit").text, "/refund")
    assert refund["amountYen"] == str(found.settlement.remainder_yen)
    sent = office.post(f"{path}/refund", refund | {"reference": "振込 0012"})
    assert sent.status_code == 303
    assert _lifecycle(left) is Lifecycle.REFUNDED
    assert "振込 0012" in office.get(f"{path}/deposit").text
    assert office.post(f"{path}/refund", refund).status_code == 422

    left.do(post_credit, reservation_id=left.resident_id, amount_yen=4_000, label=CREDIT)
    later = office.get(f"{path}/deposit").text
    assert fields_of(later, "/refund")["amountYen"] == "4000"
    assert office.post(f"{path}/refund", fields_of(later, "/refund")).status_code == 303
    assert left.ask(balance_on, left.resident_id, left.clock.today()).balance_yen == 0
    assert office.post(f"{path}/refund", fields_of(later, "/refund")).status_code != 303


def test_a_refund_in_a_payout_file_is_not_offered_to_be_sent_again(
    office: Browser, left: Books
) -> None:
    path = f"/reservations/{left.resident_id}"
    check = office.post(f"{path}/settlement/draft", _typed(office, left) | {"check": "1"})
    office.post(f"{path}/settlement", fields_of(check.text, "/settlement"))
    payee = account()
    left.do(
        set_office_bank,
        expected_version=0,
        account=payee,
        debit_client="9000012345",
        payout_client="9000012345",
        needs_second_person=True,
        debit_attempts=2,
    )
    left.do(
        set_resident_account, reservation_id=left.resident_id, account=payee, expected_version=0
    )
    with pytest.raises(Refused):
        left.do(payouts.make_payout_file, pay_on=date(2026, 11, 30))
    left.do(agree_to_paper, reservation_id=left.resident_id)
    file_id = left.do(payouts.make_payout_file, pay_on=date(2026, 11, 30))
    shown = office.get(f"{path}/deposit?lang=en").text
    assert "The refund is in the payout file of Mon 30 Nov 2026." in _seen(shown)
    assert f"/bank/payouts/{file_id}" in shown
    assert f"{path}/refund" not in shown
    left.do(payouts.drop_payouts, file_id)
    assert f"{path}/refund" in office.get(f"{path}/deposit").text


def _seen(text: str) -> str:
    return re.sub("<[^>]+>", "", text)


def test_a_settlement_happens_once(office: Browser, left: Books) -> None:
    path = f"/reservations/{left.resident_id}/settlement"
    fields = _typed(office, left)
    assert [office.post(path, fields).status_code for _ in range(3)] == [303, 422, 422]


def test_a_refund_of_more_than_is_left_is_refused_beside_its_field(
    office: Browser, left: Books
) -> None:
    path = f"/reservations/{left.resident_id}"
    office.post(f"{path}/settlement", _typed(office, left))
    left.do(agree_to_paper, reservation_id=left.resident_id)
    refund = fields_of(office.get(f"{path}/deposit").text, "/refund")
    shown = office.post(f"{path}/refund", refund | {"amountYen": "999999"})
    assert shown.status_code == 422
    assert 'value="999999"' in shown.text
    assert "field-error" in shown.text


def test_a_category_that_is_no_choice_is_refused(office: Browser, left: Books) -> None:
    draft = f"/reservations/{left.resident_id}/settlement/draft"
    shown = office.post(draft, _typed(office, left) | {"deductions-0-category": "x", "check": "1"})
    assert shown.status_code == 422
