"""An office that offers cards and stores, a resident with a bill, and the provider at hand."""

from dataclasses import dataclass
from datetime import date, timedelta

import pytest
from sqlalchemy import select

from pms.checkouts.lookups import METHOD
from pms.collections import choices, collected_bills
from pms.collections.collections_read import CollectionRecord, collection_record
from pms.collections.models import Collection
from pms.foundation.outbox import OutboxMail
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger.charges import post_charge
from pms.ledger.models import Payment
from pms.ledger.payment_plan import record_payment
from pms.rules.bill_collection import CollectionTerms
from pms.rules.enumerations import IntegrationKind
from tests.arrivals.office import Office
from tests.checkouts.conftest import Worker, booking, office, provider, worker
from tests.servers.provider import Provider

__all__ = ["booking", "office", "provider", "worker"]

CARD = {
    "status": "complete",
    "customer": "cus_1",
    "setup_intent": {
        "payment_method": {
            "id": "pm_1",
            "card": {"brand": "visa", "last4": "4242", "exp_month": 8, "exp_year": 2030},
        }
    },
}


@dataclass(frozen=True)
class Till:
    """What the resident and the office do, and what came of it."""

    office: Office
    reservation_id: str
    worker: Worker
    provider: Provider

    def bills(self, yen: int = 86_000, due_on: date | None = None) -> str:
        """Charge something; without a day it is due ten days from now."""
        return str(
            self.office.do(
                post_charge,
                reservation_id=self.reservation_id,
                amount_yen=yen,
                label=Bilingual("12月分の賃料", "Rent for December"),
                due_on=due_on or self.office.clock.today() + timedelta(days=10),
            )
        )

    def keeps_a_card(self) -> str:
        """Enter a card on the provider's page."""
        choice_id = str(
            self.office.do(
                choices.choose_card, reservation_id=self.reservation_id, return_path="/back"
            )
        )
        self.worker.works()
        self.provider.stands[f"cs_{len(self.provider.sessions)}"] = CARD
        self.worker.works(timedelta(seconds=20))
        return choice_id

    def day_passes(self, days: int = 1) -> None:
        """Do the work of the day so many days on, and the calls it made."""
        self.office.clock.advance(timedelta(days=days))
        self.plans()
        self.worker.works()

    def plans(self) -> None:
        """Do the work of this day."""
        with self.office.database.writing(self.office.home.workspace_id) as session:
            collected_bills.plan_collections(
                Work(session, self.office.clock, "worker"), None, most=50
            )

    def collections(self) -> list[CollectionRecord]:
        """Every collection, the first one first."""
        with self.office.database.reading(self.office.home.workspace_id) as session:
            ids = session.scalars(select(Collection.id).order_by(Collection.planned_at))
            return [collection_record(session, one) for one in ids]

    def payments(self) -> list[tuple[str | None, int]]:
        """The money on the ledger, with the provider's name of it."""
        with self.office.database.reading(self.office.home.workspace_id) as session:
            online = select(Payment).where(Payment.method == METHOD).order_by(Payment.id)
            return [(one.reference, one.amount_yen) for one in session.scalars(online)]

    def mails(self) -> list[str]:
        """The subjects of what was mailed."""
        with self.office.database.reading(self.office.home.workspace_id) as session:
            asked = select(OutboxMail.subject).order_by(OutboxMail.id)
            return list(session.scalars(asked))


@pytest.fixture
def unpaid_till(office: Office, booking: str, worker: Worker, provider: Provider) -> Till:
    """Cards and stores are offered; the move-in invoice of the booking is open."""
    worker.set_up(IntegrationKind.PAYMENTS, provider.address)
    terms = CollectionTerms(offers_cards=True, offers_stores=True, attempts=2)
    office.do(choices.write_terms, terms=terms, expected_version=0)
    return Till(office, booking, worker, provider)


@pytest.fixture
def till(unpaid_till: Till) -> Till:
    """Cards and stores are offered; the move-in invoice of the booking is paid."""
    unpaid_till.office.do(
        record_payment, reservation_id=unpaid_till.reservation_id, amount_yen=216_000
    )
    return unpaid_till
