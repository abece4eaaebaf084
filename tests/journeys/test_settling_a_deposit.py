"""Journey 11: a deposit is settled and later its refund recorded as sent: nine presses."""

from datetime import date

import pytest
from playwright.sync_api import expect

from pms.arrivals.lifecycles import advance_lifecycles
from pms.departures.notices import file_notice
from pms.deposits.settlement_papers import agree_to_paper
from tests.journeys.hands import MOUSE, Hand, walked_by
from tests.surfaces.dashboard.money.conftest import Books

MOST_PRESSES = 9


@pytest.fixture
def left(books: Books) -> Books:
    """The resident filed in time, paid everything and left on 15 November."""
    books.on("2026-10-01")
    books.do(file_notice, reservation_id=books.resident_id, move_out_on=date(2026, 11, 15))
    books.do_pay(300_000)
    books.on("2026-11-20")
    books.do(advance_lifecycles)
    return books


@walked_by(MOUSE)
@pytest.mark.usefixtures("left")
def test_settled_now_and_sent_later(office: Hand, books: Books) -> None:
    office.opens("/")
    office.finds("佐藤 花子")
    office.presses_on(office.link("Settle deposit"))
    office.presses_on(office.button("Check the settlement"))
    expect(office.page.locator("main")).to_contain_text(
        "This can be done only once and cannot be undone."
    )
    office.presses_on(office.page.get_by_role("button", name="Settle", exact=True))
    expect(office.page.locator("main")).to_contain_text("Settled on")
    # Days later, when the resident has agreed to the paper.
    books.do(agree_to_paper, reservation_id=books.resident_id)
    office.opens("/")
    office.finds("佐藤 花子")
    office.presses_on(office.link("Send refund"))
    office.presses_on(office.button("Refund sent"))
    expect(office.page.locator("main")).to_contain_text("Total sent")
    office.takes_at_most(MOST_PRESSES)
