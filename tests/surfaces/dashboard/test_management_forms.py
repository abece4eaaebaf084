"""The office says whose contracts a building's are; until then it is asked, and papers are agency."""

import re

from tests.staff import Browser


def _open_form(browser: Browser) -> str:
    building = re.search(r'href="[^"]*(/buildings/[0-9a-f]{32})"', browser.get("/buildings").text)
    assert building
    return f"{building[1]}/management-form"


def test_a_building_with_an_owner_is_asked_about_until_its_form_is_named(operator: Browser) -> None:
    address = _open_form(operator)
    assert address in operator.get("/?lang=en").text
    assert address in operator.get("/set-up?lang=en").text
    shown = operator.get(f"{address}?lang=en").text
    version = re.search(r'name="version"[^>]*value="(\d+)"', shown)
    assert version
    asked = {"kind": "agency", "fromOn": "2026-12-01", "version": version[1]}
    wrong = operator.post(f"{address}?lang=en", asked | {"qualifiedInvoiceNumber": "T123"})
    assert wrong.status_code == 422
    assert "not a valid registration number" in wrong.text
    assert operator.post(address, asked).status_code == 303
    assert address not in operator.get("/?lang=en").text
    assert address not in operator.get("/set-up?lang=en").text
    assert "Agency: the owner is the lessor" in operator.get(f"{address}?lang=en").text
