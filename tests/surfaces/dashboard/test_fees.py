"""The operator keeps the fee catalogue; codes stay, and a stale edit loses nothing."""

import re

from tests.staff import Browser

_FEE = {
    "code": "keys",
    "labelJa": "鍵交換代",
    "labelEn": "Key exchange",
    "category": "service",
    "timing": "one_time",
    "amountYen": "１６，５００",
    "taxTreatment": "taxable_10",
}


def _address_of(browser: Browser, label: str) -> str:
    found = re.search(
        r'href="[^"]*(/fees/[0-9a-f]{32})">' + label, browser.get("/fees?lang=en").text
    )
    assert found
    return found[1]


def test_a_fee_is_added_with_its_code(operator: Browser) -> None:
    assert operator.post("/fees", _FEE).status_code == 303
    shown = operator.get("/fees?lang=en").text
    assert "Key exchange" in shown
    assert "¥16,500" in shown


def test_a_code_is_taken_once(operator: Browser) -> None:
    operator.post("/fees", _FEE)
    answer = operator.post("/fees?lang=en", _FEE)
    assert answer.status_code == 422
    assert "keys" in answer.text


def test_a_fee_has_one_figure(operator: Browser) -> None:
    answer = operator.post("/fees?lang=en", {**_FEE, "percent": "5"})
    assert answer.status_code == 422
    assert "not both" in answer.text


def test_two_who_change_different_fields_both_win(operator: Browser) -> None:
    operator.post("/fees", _FEE)
    address = _address_of(operator, "Key exchange")
    was = {f"was.{name}": value for name, value in _FEE.items() if name != "code"}
    was["was.amountYen"] = "16500"
    seen = {**_FEE, **was, "version": "1"}
    assert operator.post(address, {**seen, "amountYen": "18000"}).status_code == 303
    assert operator.post(address, {**seen, "labelEn": "New keys"}).status_code == 303
    shown = operator.get("/fees?lang=en").text
    assert "New keys" in shown
    assert "¥18,000" in shown


def test_an_unused_fee_is_removed(operator: Browser) -> None:
    operator.post("/fees", _FEE)
    assert operator.post(_address_of(operator, "Key exchange") + "/removal").status_code == 303
    assert "Key exchange" not in operator.get("/fees?lang=en").text


def test_the_office_sees_fees_and_changes_none(office: Browser) -> None:
    assert office.get("/fees").status_code == 200
    assert office.post("/fees", _FEE).status_code == 403
