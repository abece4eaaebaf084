"""A resident copies the account and the amount; the page says beside the value whether it worked."""

from typing import Final

import pytest
from playwright.sync_api import expect

from tests.screens.screens import SCREENS
from tests.screens.visiting import Look, Looker

PHONE: Final = Look("en", "phone", "light")
FORBIDDEN: Final = (
    "navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'))"
)


@pytest.mark.parametrize("is_allowed", [True, False])
def test_a_value_is_copied_or_selected_to_be_copied(looker: Looker, is_allowed: bool) -> None:
    paying = next(one for one in SCREENS if one.endpoint == "resident.pay")
    context = looker.new_context(paying, PHONE)
    page = context.new_page()
    if is_allowed:
        context.grant_permissions(["clipboard-read", "clipboard-write"])
    else:
        page.add_init_script(FORBIDDEN)
    page.goto(looker.world.addresses["resident.pay normal"])
    page.get_by_role("button", name="Copy: Amount").click()
    amount = page.locator("#transfer-yen").inner_text()
    output = page.locator(".copied-note").filter(has_text="cop")
    if is_allowed:
        expect(output).to_have_text("Copied.")
        assert page.evaluate("navigator.clipboard.readText()") == amount
    else:
        expect(output).to_have_text("Could not copy. Select the text instead.")
        assert page.evaluate("getSelection().toString()") == amount
    context.close()
