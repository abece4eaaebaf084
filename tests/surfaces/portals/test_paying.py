"""A resident pays what is open: by transfer with a reference, or on the provider's page."""

from dataclasses import dataclass
from datetime import timedelta

import pytest

from pms.checkouts.checkout_records import checkouts_of
from pms.checkouts.lookups import note_checkout_event
from pms.checkouts.open_bills import LOOKING, next_look, open_bills
from pms.checkouts.payment_pages import note_no_page, note_page
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.outbox import put_call
from pms.foundation.phrases import Bilingual
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.ledger.charges import post_charge
from pms.providers.payments import PaymentPage
from pms.rules.enumerations import CheckoutState, IntegrationKind
from pms.workspaces.integrations import set_integration
from tests.cast import Cast
from tests.staff import Browser

REFERENCE = "714039"
PAGE = PaymentPage("cs_1", "https://pay.example.com/cs_1")


@dataclass
class Till:
    """The office's side of the money of Hanako."""

    database: Database
    clock: FixedClock
    cast: Cast

    def bills(self, yen: int = 8_000) -> str:
        house = self.cast.sumida
        with self.database.writing(house.workspace_id) as session:
            label = Bilingual("鍵の交換", "Key exchange")
            return post_charge(
                Work(session, self.clock, "staff"),
                reservation_id=house.resident_id,
                amount_yen=yen,
                label=label,
            )

    def takes_payments_online(self) -> None:
        with self.database.writing(self.cast.sumida.workspace_id) as session:
            set_integration(
                Work(session, self.clock, "staff"),
                Signer("a key"),
                kind=IntegrationKind.PAYMENTS,
                address="https://api.pay.example.com",
                account=None,
                secret="sk_test_12345678",
            )

    def visit(self) -> str:
        house = self.cast.sumida
        with self.database.reading(house.workspace_id) as session:
            return checkouts_of(session, house.resident_id)[0].id

    def is_to_look(self) -> bool:
        """Whether the next look at the visit is due."""
        with self.database.reading(self.cast.sumida.workspace_id) as session:
            look = session.scalars(next_look(self.visit())).one()
            return look.due_at == self.clock.now()

    def hears(self, outcome: CheckoutState | None) -> None:
        """The page was opened, was not (None), or the visit came to an end."""
        with self.database.writing(self.cast.sumida.workspace_id) as session:
            if outcome is None:
                note_no_page(session, self.clock, self.visit(), "401")
            elif outcome is CheckoutState.OPEN:
                note_page(session, self.clock, self.visit(), PAGE)
                wait = timedelta(hours=1)
                put_call(session, self.clock, kind=LOOKING, subject_id=self.visit(), wait=wait)
            else:
                note_checkout_event(
                    Work(session, self.clock, "provider"),
                    checkout_id=self.visit(),
                    outcome=outcome,
                    amount_yen=8_000,
                )


@pytest.fixture
def till(database: Database, clock: FixedClock, cast: Cast) -> Till:
    return Till(database, clock, cast)


@pytest.fixture
def home(resident: Browser, cast: Cast) -> str:
    """The address of the tenancy; the resident reads English."""
    resident.get("/?lang=en")
    return f"/{cast.sumida.resident_id}"


def test_a_transfer_is_told_with_a_reference_of_its_own(
    resident: Browser, cast: Cast, till: Till, home: str
) -> None:
    assert "Nothing to pay" in resident.get(f"{home}/pay").text
    first, second = till.bills(), till.bills(5_000)
    shown = resident.get(f"{home}/pay").text
    assert f"{REFERENCE} " in shown
    assert "online" not in shown.partition("<main")[2]
    other = resident.get(f"{home}/pay?entries={second}").text
    assert f"{REFERENCE} " in other
    assert amount_to_copy(other) == "5000"
    refused = resident.post(f"{home}/pay", {"entries": first})
    assert (refused.status_code, "pay by bank transfer" in refused.text) == (422, True)


def amount_to_copy(page: str) -> str:
    return page.partition('id="transfer-yen">')[2].partition("<")[0]


def test_all_bills_are_paid_or_what_is_overdue_or_what_one_chooses(
    resident: Browser, till: Till, home: str, clock: FixedClock
) -> None:
    till.bills()
    clock.advance(timedelta(days=1))
    second, third = till.bills(5_000), till.bills(3_000)
    assert amount_to_copy(resident.get(f"{home}/pay").text) == "16000"
    assert amount_to_copy(resident.get(f"{home}/pay?what=overdue").text) == "8000"
    chosen = resident.get(f"{home}/pay?entries={second}&entries={third}").text
    assert amount_to_copy(chosen) == "8000"
    assert "What is overdue: ¥8,000" in chosen


def test_several_bills_are_paid_in_one_visit(
    resident: Browser, till: Till, home: str, database: Database, cast: Cast
) -> None:
    till.takes_payments_online()
    first, second, third = till.bills(5_000), till.bills(3_000), till.bills(1_000)
    answer = resident.post(f"{home}/pay", {"entries": [first, second]})
    assert answer.status_code == 303
    again = resident.post(f"{home}/pay", {"entries": [first, second]})
    assert again.location == answer.location, "a second click finds the visit of the first"
    till.hears(CheckoutState.OPEN)
    till.hears(CheckoutState.PAID)
    with database.reading(cast.sumida.workspace_id) as session:
        left = {
            bill.entry_id
            for bill in open_bills(session, cast.sumida.resident_id, till.clock.today())
        }
    assert left == {third}


def test_the_page_waits_leads_on_and_tells_how_it_went(
    resident: Browser, till: Till, home: str
) -> None:
    till.takes_payments_online()
    entry_id = till.bills()
    gone = resident.post(f"{home}/pay", {"entries": entry_id})
    assert gone.status_code == 303
    here = f"{home}/payment?checkout={till.visit()}"
    assert gone.location.endswith(here)
    assert "data-waits" in resident.get(here).text
    till.hears(CheckoutState.OPEN)
    ready = resident.get(here).text
    assert (f'href="{PAGE.url}"' in ready, "data-waits" in ready) == (True, False)
    back = f"{here}&back=1"
    assert not till.is_to_look()
    assert "You can leave this page; your payment will" in resident.get(back).text
    assert till.is_to_look(), "the payer is back"
    till.hears(CheckoutState.FAILED)
    assert f'href="{PAGE.url}"' in resident.get(back).text
    assert "The payment failed" in resident.get(back).text
    till.hears(CheckoutState.PAID)
    assert "Paid. Thank you!" in resident.get(back).text
    assert "Nothing to pay" in resident.get(f"{home}/pay").text


def test_a_page_that_could_not_be_opened_names_another_way(
    resident: Browser, till: Till, home: str
) -> None:
    till.takes_payments_online()
    resident.post(f"{home}/pay", {"entries": till.bills()})
    till.hears(None)
    text = resident.get(f"{home}/payment?checkout={till.visit()}").text
    assert "The payment page could not be opened" in text
    assert resident.get(f"{home}/payment?checkout={'0' * 32}").status_code == 404
