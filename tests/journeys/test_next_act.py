"""The next act of a reservation: contract and invoice sent in two presses, a payment in three."""

import pytest
from playwright.sync_api import expect

from tests.journeys.hands import MOUSE, Hand, walked_by
from tests.surfaces.dashboard.reservations.conftest import booked_id

__all__ = ["booked_id"]
MOST_TO_SEND, MOST_TO_PAY = 2, 3


@walked_by(MOUSE)
@pytest.mark.usefixtures("booked_id")
def test_contract_and_invoice_leave_in_two_presses_and_a_payment_takes_three(
    office: Hand,
) -> None:
    office.opens("/reservations?search=高橋")
    office.page.locator("main tbody a").first.click()
    office.presses = 0
    office.presses_on(office.link("Send contract and invoice"))
    office.presses_on(office.button("Send contract and invoice"))
    expect(office.page.locator(".way")).to_contain_text(
        "Waiting for 高橋 翔 to read the explanation"
    )
    office.takes_at_most(MOST_TO_SEND)
    office.presses = 0
    office.presses_on(office.link("Record payment"))
    office.types(office.page.locator("[name=amountYen]"), "1000")
    office.presses_on(office.button("Record payment"))
    expect(office.page.locator("main")).to_contain_text("¥1,000")
    office.takes_at_most(MOST_TO_PAY)
