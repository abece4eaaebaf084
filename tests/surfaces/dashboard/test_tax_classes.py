"""The office sees the classes of consumption tax with their sources, and decides otherwise."""

import re

from tests.staff import Browser


def test_each_item_has_its_default_and_its_source(operator: Browser) -> None:
    shown = operator.get("/tax-classes?lang=en").text
    assert "Order for Enforcement, Article 16-2" in shown
    assert "This is not tax advice." in shown
    assert "税務の助言ではありません" in operator.get("/tax-classes?lang=ja").text


def test_a_class_from_a_later_day_can_be_taken_back_but_no_past_day_chosen(
    operator: Browser,
) -> None:
    asked = {"item": "utilities", "taxTreatment": "exempt", "fromOn": "2099-04-01"}
    assert operator.post("/tax-classes", asked).status_code == 303
    shown = operator.get("/tax-classes?lang=en").text
    assert "2099" in shown
    removal = re.search(r'action="[^"]*(/tax-classes/[0-9a-f]{32}/removal)"', shown)
    assert removal
    assert operator.post(removal[1], {}).status_code == 303
    assert "2099" not in operator.get("/tax-classes?lang=en").text
    past = operator.post("/tax-classes?lang=en", asked | {"fromOn": "2001-04-01"})
    assert past.status_code == 422
    assert "in the past" in past.text


def test_no_invoice_differs_where_none_was_issued(operator: Browser) -> None:
    assert "No invoice would differ." in operator.get("/tax-classes/invoices?lang=en").text
