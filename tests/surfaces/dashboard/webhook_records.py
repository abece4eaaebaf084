"""A secret of a provider and an event that waits for a person, for the walk through all addresses."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from pms.channels.event_effects import take_event
from pms.channels.events import lease_events
from pms.channels.kept_events import keep_events
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.providers.payment_news import PaymentEvent, split_payment
from pms.rules.message_words import SecretPurpose, WebhookSource
from pms.workspaces.webhook_secrets import add_webhook_secret
from tests.cast import House

SECRET = "whsec_only_of_tests_0001"


def payment_body(key: str = "evt_1", entry_id: str | None = None, **given: Any) -> dict[str, Any]:
    """What a payment provider tells of money that arrived."""
    about = {
        "id": "pi_1",
        "amount": 8_000,
        "amount_received": 8_000,
        "currency": "jpy",
        "latest_charge": "ch_1",
        "metadata": {"entryId": entry_id} if entry_id else {},
    }
    created = int(datetime(2026, 11, 20, 2, 30, tzinfo=UTC).timestamp())
    return {
        "id": key,
        "type": PaymentEvent.SUCCEEDED.value,
        "created": created,
        "data": {"object": about | given},
    }


def webhook_records(database: Database, clock: FixedClock, house: House) -> Mapping[str, str]:
    """Return the ids of a secret and of an event, by the parameter of their address."""
    with database.writing(house.workspace_id) as session:
        secret_id = add_webhook_secret(
            Work(session, clock, "staff"),
            Signer(database.settings.secret_key),
            source=WebhookSource.PAYMENTS,
            purpose=SecretPurpose.SIGNATURE,
            secret=SECRET,
        )
        events = split_payment(payment_body())
        (kept,) = keep_events(session, clock, source=WebhookSource.PAYMENTS, events=events)
        (leased,) = lease_events(session, clock, 1)
        take_event(session, clock, leased)
    return {
        "secret_id": secret_id,
        "event_id": kept.id,
        "webhook_source": WebhookSource.PAYMENTS.value,
    }
