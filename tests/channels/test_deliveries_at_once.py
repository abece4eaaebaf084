"""Deliveries that come thousands of times at once, and workers that are killed: one effect each.

PMS_DUPLICATES=50000 and PMS_KILLS=50 try harder.
"""

import hashlib
import hmac
import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import func, select

from pms.channels.kept_events import keep_events
from pms.channels.models import InboundEvent
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.ledger.models import Payment
from pms.providers.payment_news import split_payment
from pms.rules.message_words import InboundState, WebhookSource
from tests.channels.webhook_samples import about, raw, world
from tests.channels.webhook_world import Providers, open_providers
from tests.surfaces.dashboard.webhook_records import payment_body
from tests.tiers import examples

pytestmark = pytest.mark.differs("locks")

DUPLICATES = int(os.environ.get("PMS_DUPLICATES", examples(1_000, 10_000)))
KILLS = int(os.environ.get("PMS_KILLS", examples(2, 8)))
THREADS = 8
EVENTS = 80
LONGEST_LIFE_SECONDS = 0.4
LEASE_IS_OVER = timedelta(minutes=3)
SIXTH = "0193e0c0-0000-7000-8000-000000000206"


@pytest.fixture
def providers(app: Flask, database: Database, clock: FixedClock) -> Providers:
    return open_providers(app, database, clock)


def test_one_delivery_thousands_of_times_at_once_is_one_event_and_one_payment(
    providers: Providers, capsys: pytest.CaptureFixture[str]
) -> None:
    found, body = about("payments", "01"), raw("payments", "01")
    providers.clock.advance(timedelta(hours=1, seconds=2))
    each = DUPLICATES // THREADS

    def deliver(_: int) -> Counter[int]:
        client = providers.app.test_client()
        answers: Counter[int] = Counter()
        for _number in range(each):
            answer = client.post(found["path"], data=body, headers=found["headers"])
            answers[answer.status_code] += 1
        return answers

    with ThreadPoolExecutor(THREADS) as threads:
        answers = sum(threads.map(deliver, range(THREADS)), Counter[int]())
    capsys.readouterr()  # a line of the log for each
    assert answers == {200: each * THREADS}
    [event] = providers.events()
    providers.works()
    assert providers.standing(1).paid_yen == 98_000
    assert providers.events()[0].id == event.id


def test_several_workers_at_once_take_each_event_once(providers: Providers) -> None:
    _store(providers, 40)
    with ThreadPoolExecutor(2) as threads:
        for _ in threads.map(lambda _: providers.works(), range(4)):
            pass
    providers.works(LEASE_IS_OVER)
    assert _payments(providers) == 40
    assert {event.state for event in providers.events()} == {InboundState.DONE}


def test_what_a_killed_worker_left_is_taken_up_once(
    providers: Providers, settings: Settings
) -> None:
    _store(providers, EVENTS)
    kills = tries = 0
    while tries < 4 * KILLS and kills < KILLS:
        tries += 1
        providers.clock.advance(LEASE_IS_OVER)
        kills += _is_killed(_started(settings, providers.clock), _life_of(tries))
        if not _waiting(providers):
            _store(providers, EVENTS, since=tries * EVENTS)
    providers.works(LEASE_IS_OVER)
    assert kills >= min(KILLS, 2)
    assert _waiting(providers) == 0
    events = providers.events()
    assert {event.state for event in events} == {InboundState.DONE}
    assert _payments(providers) == len(events)


def _store(providers: Providers, count: int, since: int = 0) -> None:
    """Store so many events, each of a payment of its own on the sixth entry."""
    bodies = [
        payment_body(
            f"evt_{number}",
            SIXTH,
            id=f"pi_{number}",
            amount_received=1,
            latest_charge=f"ch_{number}",
        )
        for number in range(since, since + count)
    ]
    events = [event for body in bodies for event in split_payment(body)]
    workspace_id = providers.houses["kawasemi"].workspace_id
    with providers.database.writing(workspace_id) as session:
        keep_events(session, providers.clock, source=WebhookSource.PAYMENTS, events=events)


def _payments(providers: Providers) -> int:
    """How many payments of one yen are on the ledger, and that no name is there twice."""
    with providers.database.reading(providers.houses["kawasemi"].workspace_id) as session:
        asked = select(Payment.reference).where(Payment.amount_yen == 1)
        names = list(session.scalars(asked))
    assert len(names) == len(set(names)) == providers.standing(6).paid_yen
    return len(names)


def _waiting(providers: Providers) -> int:
    with providers.database.reading(providers.houses["kawasemi"].workspace_id) as session:
        asked = select(func.count(InboundEvent.id)).where(InboundEvent.due_at.is_not(None))
        return session.scalar(asked) or 0


def _started(settings: Settings, clock: FixedClock) -> subprocess.Popen[str]:
    outside = {name: text for name, text in os.environ.items() if not name.startswith("PMS_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.channels.take_in_a_process", clock.now().isoformat()],
        env=outside
        | {
            "PMS_ENV": "test",
            "PMS_DATA_DIR": str(settings.data_dir),
            "PMS_SECRET_KEY": settings.secret_key,
            "PMS_DATABASE_URL": settings.database_url,
            "PMS_OWNER_DATABASE_URL": settings.owner_database_url,
        },
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "go\n"
    return process


def _is_killed(process: subprocess.Popen[str], life_seconds: float) -> bool:
    """Kill the process after a while; tell whether it was still at work."""
    try:
        process.wait(life_seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    assert process.stdout is not None
    process.stdout.close()
    return process.returncode != 0


def _life_of(number: int) -> float:
    digest = hashlib.sha256(str(number).encode()).digest()
    return LONGEST_LIFE_SECONDS * digest[0] / 255


def test_a_body_signed_again_with_a_fresh_time_is_known(providers: Providers) -> None:
    secret = world()["workspaces"]["kawasemi"]["payments"]["endpointSecrets"][0]
    found, body = about("payments", "01"), raw("payments", "01")
    for _ in range(3):
        providers.clock.advance(timedelta(hours=7))
        at = int(providers.clock.now().timestamp())
        made = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
        signed = {**found, "headers": {"stripe-signature": f"t={at},v1={made}"}}
        assert json.loads(providers.sends(signed, body).data) == {"ok": True}
        providers.works()
    assert len(providers.events()) == 1
    assert providers.standing(1).paid_yen == 98_000
