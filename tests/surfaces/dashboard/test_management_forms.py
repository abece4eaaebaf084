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


def test_a_master_lease_is_asked_for_its_rent_until_it_is_entered(operator: Browser) -> None:
    form = _open_form(operator)
    address = form.replace("management-form", "master-lease")

    def find_version(page: str) -> str:
        version = re.search(r'name="version"[^>]*value="(\d+)"', operator.get(page).text)
        assert version
        return version[1]

    asked = {"kind": "master_lease", "fromOn": "2026-11-01", "version": find_version(form)}
    assert operator.post(form, asked).headers["Location"].endswith(address)
    assert address in operator.get("/?lang=en").text
    lease = {
        "firstOn": "2026-11-01",
        "taxTreatment": "exempt",
        "stepKind1": "due",
        "stepPercent1": "85",
        "version": find_version(address),
    }
    refused = operator.post(f"{address}?lang=en", lease)
    assert (refused.status_code, "hoose what the percentage is of" in refused.text) == (422, True)
    steps = {"stepFrom2": "2026-12-20", "stepKind2": "fixed", "stepRent2": "280,000"}
    assert operator.post(address, lease | steps | {"categories": "rent"}).status_code == 303
    today = operator.get("/?lang=en").text
    assert "the rent to the owner is missing" not in today
    assert "the rent changes on" in today
    shown = operator.get(f"{address}?lang=en").text
    assert "The rent changes on" in shown
    removal = re.search(r'action="[^"]*(/buildings/[^"]*/removal)"', shown)
    assert removal
    assert operator.post(removal[1], {}).status_code == 303
    assert "the rent to the owner is missing" in operator.get("/?lang=en").text
