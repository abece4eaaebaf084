"""The next act of anybody found by name: contract and invoice sent, or a payment recorded, in four presses."""

import pytest
from playwright.sync_api import expect

from tests.journeys.hands import MOUSE, Hand, walked_by
from tests.surfaces.dashboard.reservations.conftest import booked_id

__all__ = ["booked_id"]
MOST_PRESSES = 4


@walked_by(MOUSE)
@pytest.mark.usefixtures("booked_id")
def test_contract_and_invoice_leave_in_four_presses_and_a_payment_takes_four(
    office: Hand,
) -> None:
    office.opens("/")
    office.finds("高橋 翔")
    office.presses_on(office.link("Send contract and invoice"))
    office.presses_on(office.button("Send contract and invoice"))
    expect(office.page.locator(".way")).to_contain_text(
        "Waiting for 高橋 翔 to read the explanation"
    )
    office.takes_at_most(MOST_PRESSES)
    office.presses = 0
    office.opens("/")
    office.finds("高橋 翔")
    office.presses_on(office.link("Record payment"))
    office.types(office.page.locator("[name=amountYen]"), "1000")
    office.presses_on(office.button("Record payment"))
    expect(office.page.locator("main")).to_contain_text("¥1,000")
    office.takes_at_most(MOST_PRESSES)
