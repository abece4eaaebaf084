"""The operator gives providers an address and secrets, and places what could not be placed."""

import re
from typing import Any, TypeVar

import pytest
from sqlalchemy import select

from pms.channels.event_effects import take_event
from pms.channels.events import lease_events
from pms.channels.kept_events import keep_events
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.db import Base
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger.charges import post_charge
from pms.ledger.models import Payment
from pms.ledger.queries import standing_of
from pms.providers.payment_news import split_payment
from pms.rules.message_words import WebhookSource
from pms.workspaces.models import WebhookSecret
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.dashboard.webhook_records import payment_body

Row = TypeVar("Row", bound=Base)
SECRET = "whsec_0123456789abcdef"
PAYMENTS = "/integrations/webhooks/payments"


def _bill(database: Database, clock: FixedClock, cast: Cast, yen: int = 8_000) -> str:
    with database.writing(cast.sumida.workspace_id) as session:
        return post_charge(
            Work(session, clock, "staff"),
            reservation_id=cast.sumida.resident_id,
            amount_yen=yen,
            label=Bilingual("鍵の交換", "New lock"),
        )


def _comes(database: Database, clock: FixedClock, cast: Cast, **given: Any) -> str:
    """Something comes from the payment provider and is taken up; return its id."""
    with database.writing(cast.sumida.workspace_id) as session:
        events = split_payment(payment_body(**given))
        (kept,) = keep_events(session, clock, source=WebhookSource.PAYMENTS, events=events)
        for leased in lease_events(session, clock, 1):
            take_event(session, clock, leased)
    return kept.id


def _rows(database: Database, cast: Cast, model: type[Row]) -> list[Row]:
    with database.reading(cast.sumida.workspace_id) as session:
        return list(session.scalars(select(model)))


def test_the_address_to_give_a_provider_is_shown(operator: Browser, office: Browser) -> None:
    assert "/api/webhooks/payments/sumida" in operator.get(PAYMENTS).text
    assert "/api/webhooks/ota-messages" in operator.get("/integrations/webhooks/ota").text
    assert operator.get("/integrations/webhooks/fax").status_code == 404
    assert office.get(PAYMENTS).status_code == 403


def test_a_secret_is_kept_and_told_to_nobody(
    operator: Browser, cast: Cast, database: Database
) -> None:
    assert operator.post(f"{PAYMENTS}/secrets", {"secret": "short"}).status_code == 422
    kept = operator.post(f"{PAYMENTS}/secrets", {"secret": SECRET, "purpose": "signature"})
    assert kept.status_code == 303
    again = operator.post(f"{PAYMENTS}/secrets?lang=en", {"secret": SECRET})
    assert (again.status_code, "This secret is already set" in again.text) == (422, True)
    shown = operator.get(f"{PAYMENTS}?lang=en").text
    assert "Ends in cdef" in shown
    assert SECRET not in shown + again.text
    [row] = _rows(database, cast, WebhookSecret)
    events = [f"{one.before}{one.after}" for one in _rows(database, cast, AuditRecord)]
    assert SECRET not in row.sealed_secret
    assert not any(SECRET in one or "cdef" in one for one in events)


def test_an_older_secret_is_good_for_another_day_and_can_be_retired_at_once(
    operator: Browser, cast: Cast, database: Database
) -> None:
    for secret in (SECRET, "whsec_fedcba9876543210"):
        operator.post(f"{PAYMENTS}/secrets", {"secret": secret, "purpose": "signature"})
    older, newer = sorted(_rows(database, cast, WebhookSecret), key=lambda row: row.id)
    assert older.retires_at is not None and newer.retires_at is None
    page = operator.get(f"{PAYMENTS}?lang=en").text
    [path, *_] = re.findall(r"/webhook-secrets/[0-9a-f]{32}/retirement", page)
    assert operator.get(path).status_code == 200
    assert operator.post(path).status_code == 303
    assert page.count("Ends in") - operator.get(f"{PAYMENTS}?lang=en").text.count("Ends in") == 1


def test_money_without_an_entry_is_placed_by_a_person(
    operator: Browser, cast: Cast, database: Database, clock: FixedClock
) -> None:
    bill, event = _bill(database, clock, cast), _comes(database, clock, cast)
    assert event in operator.get("/integrations").text
    assert f"/inbound-events/{event}" in operator.get("/inbox?kind=payments").text
    page = operator.get(f"/inbound-events/{event}?lang=en").text
    assert "The payment has no bill in metadata.entryId" in page
    assert bill in page
    assert bill not in operator.get(f"/inbound-events/{event}?search=nobody").text
    assert bill in operator.get(f"/inbound-events/{event}?search=花子").text
    placed = operator.post(f"/inbound-events/{event}/placement", {"entry": bill})
    assert placed.status_code == 303
    with database.reading(cast.sumida.workspace_id) as session:
        standing = standing_of(session, cast.sumida.resident_id, bill, clock.today())
    assert standing.open_yen == 0
    twice = operator.post(f"/inbound-events/{event}/placement?lang=en", {"entry": bill})
    assert (twice.status_code, "was already decided in the meantime. Check it" in twice.text) == (
        422,
        True,
    )
    assert len(_rows(database, cast, Payment)) == 1


def test_money_is_not_placed_on_a_strangers_bill(
    operator: Browser, cast: Cast, database: Database, clock: FixedClock
) -> None:
    event = _comes(database, clock, cast)
    with database.writing(cast.minato.workspace_id) as session:
        theirs = post_charge(
            Work(session, clock, "staff"),
            reservation_id=cast.minato.resident_id,
            amount_yen=8_000,
            label=Bilingual("鍵", "Key"),
        )
    for entry in (theirs, "nonsense"):
        answer = operator.post(f"/inbound-events/{event}/placement", {"entry": entry})
        assert answer.status_code == 404
    assert not _rows(database, cast, Payment)


def test_dollars_are_not_placed(
    operator: Browser, cast: Cast, database: Database, clock: FixedClock
) -> None:
    bill = _bill(database, clock, cast)
    event = _comes(database, clock, cast, entry_id=bill, currency="usd")
    assert "8,000 USD" in operator.get(f"/inbound-events/{event}").text
    answer = operator.post(f"/inbound-events/{event}/placement?lang=en", {"entry": bill})
    assert (
        answer.status_code,
        "only yen can be recorded; this is another" in answer.text.lower(),
    ) == (422, True)


def test_what_cannot_be_read_is_not_placed_and_says_why(
    operator: Browser, cast: Cast, database: Database, clock: FixedClock
) -> None:
    bill, event = (
        _bill(database, clock, cast),
        _comes(database, clock, cast, amount_received="a lot"),
    )
    answer = operator.post(f"/inbound-events/{event}/placement?lang=en", {"entry": bill})
    assert answer.status_code == 422
    assert "amount_received: a whole number is needed" in answer.text


@pytest.mark.parametrize("audit_event", ["setting-aside", "another-try"])
def test_an_event_is_set_aside_or_tried_again(
    operator: Browser, cast: Cast, database: Database, clock: FixedClock, audit_event: str
) -> None:
    event = _comes(database, clock, cast)
    assert operator.post(f"/inbound-events/{event}/{audit_event}").status_code == 303
    assert operator.post(f"/inbound-events/{event}/{audit_event}").status_code == 422
    assert event not in operator.get("/integrations").text


def test_the_ledger_tells_of_what_went_back_failed_and_is_disputed(
    operator: Browser, cast: Cast, database: Database, clock: FixedClock
) -> None:
    bill = _bill(database, clock, cast)
    _comes(database, clock, cast, entry_id=bill)
    refund = payment_body("evt_2") | {"type": "charge.refunded"}
    refund["data"] = {
        "object": {
            "id": "ch_1",
            "payment_intent": "pi_1",
            "amount_refunded": 3_000,
            "currency": "jpy",
        }
    }
    dispute = refund | {"id": "evt_3", "type": "charge.dispute.created"}
    dispute["data"] = {
        "object": {
            "id": "dp_1",
            "charge": "ch_1",
            "payment_intent": "pi_1",
            "amount": 8_000,
            "currency": "jpy",
            "reason": "fraudulent",
        }
    }
    with database.writing(cast.sumida.workspace_id) as session:
        for text in (refund, dispute):
            events = split_payment(text)
            keep_events(session, clock, source=WebhookSource.PAYMENTS, events=events)
        for leased in lease_events(session, clock, 2):
            take_event(session, clock, leased)
    ledger = operator.get(f"/reservations/{cast.sumida.resident_id}/ledger?lang=en").text
    assert "of which refunded: ¥3,000" in ledger
    assert "The payer disputes a payment of ¥8,000" in ledger
    assert "Returned" in ledger
    entry = operator.get(f"/ledger-entries/{bill}?lang=en").text
    assert "fraudulent" in entry and "Returned" in entry
    assert "See ledger" in operator.get("/?lang=en").text
