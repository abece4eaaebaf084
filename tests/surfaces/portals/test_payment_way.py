"""A resident chooses how bills are paid: by transfer, a kept card, or at convenience stores."""

import pytest

from pms.collections import choices
from pms.collections.choices import choice_of
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.providers.collected_payments import KeptCard
from pms.providers.payments import PaymentPage
from pms.rules.bill_collection import CollectionTerms
from pms.rules.enumerations import IntegrationKind, PaymentWay
from pms.workspaces.integrations import set_integration
from tests.cast import Cast
from tests.staff import Browser

CARD = KeptCard("cus_1", "pm_1", "visa", "4242", "08/2030")


@pytest.fixture
def home(resident: Browser, cast: Cast, database: Database, clock: FixedClock) -> str:
    """The address of the tenancy; cards and stores are offered, the resident reads English."""
    with database.writing(cast.sumida.workspace_id) as session:
        work = Work(session, clock, "staff")
        set_integration(
            work,
            Signer("a key"),
            kind=IntegrationKind.PAYMENTS,
            address="https://api.pay.example.com",
            account=None,
            secret="sk_test_12345678",
        )
        choices.write_terms(
            work, CollectionTerms(offers_cards=True, offers_stores=True), expected_version=0
        )
    resident.get("/?lang=en")
    return f"/{cast.sumida.resident_id}"


def test_a_card_is_chosen_with_consent_entered_outside_and_shown(
    resident: Browser, home: str, cast: Cast, database: Database, clock: FixedClock
) -> None:
    assert "How you pay" in resident.get(home).text
    refused = resident.post(f"{home}/payment-way", {"way": "card"})
    assert (refused.status_code, "to agree to this payment method" in refused.text) == (422, True)
    gone = resident.post(f"{home}/payment-way", {"way": "card", "agreed": "y"})
    assert gone.status_code == 303
    choice_id = gone.location.partition("choice=")[2]
    here = f"{home}/payment-way?choice={choice_id}"
    assert "data-waits" in resident.get(here).text
    page = PaymentPage("cs_1", "https://pay.example.com/cs_1")
    with database.writing(cast.sumida.workspace_id) as session:
        choices.note_card_page(session, clock, choice_id, page)
    assert 'href="https://pay.example.com/cs_1"' in resident.get(here).text
    with database.writing(cast.sumida.workspace_id) as session:
        choices.note_card(Work(session, clock, "worker"), choice_id, CARD)
    shown = resident.get(here).text
    assert "Your card is saved" in shown
    assert "Visa ending in 4242, valid until 08/2030" in shown


def test_stores_are_chosen_and_given_up_again(
    resident: Browser, home: str, cast: Cast, database: Database
) -> None:
    def chosen() -> PaymentWay | None:
        with database.reading(cast.sumida.workspace_id) as session:
            choice = choice_of(session, cast.sumida.resident_id)
            return choice.way if choice else None

    saved = resident.post(f"{home}/payment-way", {"way": "store", "agreed": "y"})
    assert (saved.status_code, chosen()) == (303, PaymentWay.STORE)
    assert resident.post(f"{home}/payment-way", {"way": "transfer"}).status_code == 303
    assert chosen() is None


def test_nothing_is_offered_until_the_office_offers_it(
    resident: Browser, home: str, cast: Cast, database: Database, clock: FixedClock
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        choices.write_terms(Work(session, clock, "staff"), CollectionTerms(), expected_version=1)
    assert "How you pay" not in resident.get(home).text
    refused = resident.post(f"{home}/payment-way", {"way": "card", "agreed": "y"})
    assert refused.status_code == 422


def test_a_choice_of_another_tenancy_is_not_shown(resident: Browser, home: str) -> None:
    assert resident.get(f"{home}/payment-way?choice={'0' * 32}").status_code == 404
    assert resident.get(f"{home}/payment-way?choice=nonsense").status_code == 404
