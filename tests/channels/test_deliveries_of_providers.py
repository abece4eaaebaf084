"""Every delivery of the samples, in the order in which it arrives: what is answered and kept."""

import hashlib
import hmac
import json
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select, update

from pms.channels.models import InboundEvent
from pms.contracts.models import Contract
from pms.contracts.queries import ENVELOPE
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.outbox import put_call
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.rules.enumerations import MoneyBackState
from pms.rules.message_words import InboundState, SecretPurpose, WebhookSource
from pms.workspaces.webhook_secrets import add_webhook_secret
from tests.channels.webhook_samples import FOLDER, about, body_of, raw, world
from tests.channels.webhook_world import Providers, open_providers

SIGNED = ("line", "whatsapp", "payments", "esign")


def numbers(provider: str) -> list[str]:
    return sorted(path.name[:2] for path in FOLDER.glob(f"{provider}/*.body"))


@pytest.fixture
def providers(app: Flask, database: Database, clock: FixedClock) -> Providers:
    return open_providers(app, database, clock)


def deliver_all(providers: Providers, provider: str) -> None:
    for number in numbers(provider):
        found, before = about(provider, number), providers.count()
        answer = providers.delivers(provider, number)
        assert answer.status_code in {
            found["expect"]["status"],
            *found["expect"].get("alsoFine", ()),
        }
        if answer.status_code != 200:
            assert providers.count() == before, f"{provider} {number} was kept"
            assert list(json.loads(answer.data)) == ["error"]
        elif provider in SIGNED:
            assert json.loads(answer.data) == {"ok": True}
        providers.works()


@pytest.mark.parametrize("provider", [*SIGNED, "ota"])
def test_the_samples_are_the_bytes_they_were(provider: str) -> None:
    for number in numbers(provider):
        assert (
            hashlib.sha256(raw(provider, number)).hexdigest()
            == (about(provider, number)["bodySha256"])
        )


@pytest.mark.differs("one journey through each surface")
@pytest.mark.parametrize("provider", SIGNED)
def test_every_delivery_is_answered_as_the_samples_say(providers: Providers, provider: str) -> None:
    deliver_all(providers, provider)


@pytest.mark.differs("one journey through each surface")
def test_payments_move_the_ledger_once_each(providers: Providers) -> None:
    for number in numbers("payments"):
        providers.delivers("payments", number)
        providers.works()
        if number == "01":
            assert providers.standing(1).paid_yen == 98_000
        elif number == "02":
            failed = providers.payment("pi_3TestK92958a6e641cd9df4e")
            assert providers.standing(2).paid_yen == 0
            assert failed is not None and failed.failure == "Your card has insufficient funds."
        elif number == "05":
            assert providers.standing(1).paid_yen == 88_000
    assert providers.standing(1).paid_yen == 0
    assert providers.standing(2).paid_yen == 164_500
    assert providers.standing(3).paid_yen == 12_100
    assert providers.standing(6).paid_yen == 30_000
    assert providers.standing(6).open_yen == 41_000
    assert providers.standing(5, "hoshimi").paid_yen == 0
    [disputed] = providers.money_back()
    assert (disputed.state, disputed.reason) == (MoneyBackState.OPEN, "fraudulent")
    assert providers.standing(4).paid_yen == 71_000
    states = {event.body["id"][-4:]: event for event in providers.events()}
    unmatched = [event for event in states.values() if event.state is InboundState.UNMATCHED]
    assert [event.failure for event in unmatched] == [
        "The bill named in the payment is not in this workspace.",
        "The payment has no bill in metadata.entryId.",
        "Only yen are booked, and this is another currency.",
    ]
    assert not providers.events("hoshimi")


def test_documents_move_as_the_samples_say(providers: Providers) -> None:
    expected = {
        "01": (1, "sent"),
        "02": (1, "sent"),
        "03": (1, "partially_signed"),
        "04": (1, "signed"),
        "05": (1, "signed"),
        "06": (1, "signed"),
        "07": (2, "declined"),
        "08": (3, "expired"),
        "09": (4, "expired"),
        "10": (2, "declined"),
        "11": (2, "sent"),
        "13": (3, "expired"),
        "14": (3, "expired"),
    }
    for number in numbers("esign"):
        providers.delivers("esign", number)
        providers.works()
        if number in expected:
            which, status = expected[number]
            assert providers.reservation(which).esign_status == status, number
    kinds = [event.state for event in providers.events()]
    assert kinds.count(InboundState.UNUSED) == 2  # the reminder, and an envelope of nobody
    assert len(kinds) == 11, "the retry of 04 is nothing new"


def test_what_a_relay_passes_on_is_kept_once(providers: Providers) -> None:
    ids: dict[str, str] = {}
    for number in numbers("ota"):
        found, before = about("ota", number), providers.count()
        answer = providers.delivers("ota", number)
        body = json.loads(answer.data)
        assert answer.status_code == found["expect"]["status"], (number, body)
        if answer.status_code != 200:
            assert providers.count() == before
            continue
        assert body["ok"] is True and body["duplicate"] is found["expect"]["answer"]["duplicate"]
        ids[number] = body["id"]
        if not body["duplicate"]:
            assert providers.count() == before + 1
    assert ids["04"] == ids["01"]
    assert len(providers.events("hoshimi")) == 1


def test_a_relay_is_told_which_field_is_wrong(providers: Providers) -> None:
    for number, field in (("09", "text"), ("10", "sentAt")):
        assert field in json.loads(providers.delivers("ota", number).data)["error"]


def test_whatsapp_is_greeted_only_with_the_token_it_was_given(providers: Providers) -> None:
    for name, is_right in (("00_handshake", True), ("00_handshake_wrong_token", False)):
        body = json.loads(Path(FOLDER / "whatsapp" / f"{name}.json").read_text(encoding="utf-8"))
        answer = providers.client.get(f"{body['path']}?{body['query']}")
        assert answer.status_code == (200 if is_right else 403)
        assert (answer.text == "1158201444") is is_right
    stranger = "/api/webhooks/whatsapp/hoshimi?hub.mode=subscribe&hub.challenge=1"
    assert (
        providers.client.get(f"{stranger}&hub.verify_token=verify-kawasemi-0001").status_code == 403
    )


@pytest.mark.parametrize("provider", SIGNED)
def test_one_byte_more_less_or_other_is_refused(providers: Providers, provider: str) -> None:
    """Each delivery whose signature fits is spoilt at its begin, its middle and its end."""
    for number in numbers(provider):
        body = raw(provider, number)
        if about(provider, number)["expect"]["status"] == 401:
            continue
        places = (0, len(body) // 2, len(body) - 1)
        spoilt = [body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :] for at in places]
        for one in (*spoilt, body + b" ", body[:-1]):
            assert providers.delivers(provider, number, one).status_code == 401
    assert providers.count() == 0


@pytest.mark.parametrize("provider", SIGNED)
def test_a_signature_of_another_workspace_is_refused(providers: Providers, provider: str) -> None:
    found = about(provider, "01")
    for path in ("hoshimi", "nobody-here"):
        moved = {**found, "path": found["path"].replace("kawasemi", path)}
        answer = providers.sends(moved, raw(provider, "01"))
        assert answer.status_code == 401
        assert json.loads(answer.data) == {"error": "The signature does not match."}
    assert providers.count() == 0


@pytest.mark.parametrize("slug", ["a%00b", "kawasemi%00", "%00", "%ED%A0%80", "a" * 3_000])
def test_an_address_that_no_workspace_could_have_is_one_that_nobody_has(
    providers: Providers, slug: str
) -> None:
    for provider in SIGNED:
        path = f"/api/webhooks/{provider}/{slug}"
        answer = providers.client.post(path, data=raw(provider, "01"))
        assert (answer.status_code, answer.get_json()) == (
            401,
            {"error": "The signature does not match."},
        )
    answer = providers.client.get(f"/api/webhooks/whatsapp/{slug}?hub.mode=subscribe")
    assert answer.status_code == 403


def test_without_any_proof_no_address_answers(providers: Providers) -> None:
    for rule in providers.app.url_map.iter_rules():
        if rule.endpoint.startswith("webhooks."):
            path = rule.rule.replace("<workspace>", "kawasemi")
            method = "GET" if "GET" in (rule.methods or ()) else "POST"
            answer = providers.client.open(path, method=method, data=b"{}")
            assert answer.status_code == (403 if method == "GET" else 401), rule
    assert providers.count() == 0


def test_what_is_logged_of_a_delivery_is_neither_its_body_nor_its_signature(
    providers: Providers, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    providers.delivers("payments", "01")
    providers.delivers("line", "01")
    providers.works()
    output = capsys.readouterr().out
    assert "/api/webhooks/payments/kawasemi" in output
    for secret in ("29afec2ecfa60d0f", "pi_3TestK24da33f530b1c7474d", "client_secret", "v1="):
        assert secret not in output


def test_a_secret_that_is_replaced_is_good_for_another_day(providers: Providers) -> None:
    house = providers.houses["kawasemi"]
    with providers.database.writing(house.workspace_id) as session:
        add_webhook_secret(
            Work(session, providers.clock, "person/nobody"),
            Signer(providers.database.settings.secret_key),
            source=WebhookSource.LINE,
            purpose=SecretPurpose.SIGNATURE,
            secret="the-secret-of-tomorrow",
        )
    found, body = about("line", "01"), raw("line", "01")
    for hours, status in ((23, 200), (2, 401)):
        providers.clock.advance(timedelta(hours=hours))
        assert providers.sends(found, body).status_code == status
    made = hmac.new(b"the-secret-of-tomorrow", body, hashlib.sha256).digest()
    signed = {**found, "headers": {"x-line-signature": b64encode(made).decode()}}
    assert providers.sends(signed, body).status_code == 200


def test_a_refund_that_comes_before_its_payment_waits_for_it(providers: Providers) -> None:
    providers.delivers("payments", "05")
    providers.works()
    assert [event.state for event in providers.events()] == [InboundState.UNMATCHED]
    providers.delivers("payments", "08")  # the payment itself, with a later signature
    providers.works()
    assert {event.state for event in providers.events()} == {InboundState.DONE}
    assert providers.standing(1).paid_yen == 88_000


def _refund_that_came(number: int, intent: str, amount: object) -> InboundEvent:
    found = body_of("payments", "05")
    found["data"]["object"] |= {"payment_intent": intent, "amount_refunded": amount}
    at = datetime(2026, 11, 1, tzinfo=UTC) + timedelta(minutes=number)
    return InboundEvent(
        id=new_id(),
        source=WebhookSource.PAYMENTS,
        event_key=f"evt_{number}",
        kind="charge.refunded",
        body=found,
        received_at=at,
        ended_at=at,
        state=InboundState.UNMATCHED,
        attempts=1,
    )


def test_refunds_that_nobody_can_read_or_place_stop_no_money(providers: Providers) -> None:
    """Two hundred that nobody placed, the one that waits for this payment, and a broken one."""
    with providers.database.writing(providers.houses["kawasemi"].workspace_id) as session:
        session.add_all(_refund_that_came(number, "pi_of_nobody", 1) for number in range(200))
        intent = body_of("payments", "05")["data"]["object"]["payment_intent"]
        session.add(_refund_that_came(300, intent, 20_000))
        session.add(_refund_that_came(301, intent, "a lot"))
    providers.delivers("payments", "08")
    providers.works()
    providers.works()
    states = {event.event_key: event.state for event in providers.events()}
    assert states[body_of("payments", "08")["id"]] is InboundState.DONE
    assert states["evt_300"] is InboundState.DONE
    assert (states["evt_301"], states["evt_0"]) == (InboundState.UNMATCHED,) * 2
    assert providers.standing(1).paid_yen == 98_000 - 20_000


def test_totals_of_a_refund_in_the_wrong_order_are_not_added_up(providers: Providers) -> None:
    for number in ("08", "06", "05"):
        found = about("payments", number)
        sealed = _signed_now(providers, found, raw("payments", number))
        assert providers.sends(sealed, raw("payments", number)).status_code == 200
        providers.works()
    assert providers.standing(1).paid_yen == 0


def test_a_document_that_was_declined_stays_so_when_its_sending_comes_late(
    providers: Providers,
) -> None:
    sent = body_of("esign", "11") | {"generatedDateTime": "2026-11-20T03:59:00.0000000Z"}
    providers.delivers("esign", "07")
    providers.works()
    body = json.dumps(sent).encode()
    key = world()["workspaces"]["kawasemi"]["esign"]["hmacKeys"][0]
    made = b64encode(hmac.new(key.encode(), body, hashlib.sha256).digest()).decode()
    facts = {**about("esign", "11"), "headers": {"x-docusign-signature-1": made}}
    assert providers.sends(facts, body).status_code == 200
    providers.works()
    assert providers.reservation(2).esign_status == "declined"
    assert providers.contract(3).expired_at is None


@pytest.mark.parametrize(("is_awaited", "state"), [(False, "unused"), (True, "waiting")])
def test_an_event_of_an_unknown_document_is_unused_unless_one_is_on_its_way(
    providers: Providers, clock: FixedClock, is_awaited: bool, state: str
) -> None:
    with providers.database.writing(providers.houses["kawasemi"].workspace_id) as session:
        session.execute(update(Contract).values(envelope=None))
        if is_awaited:
            put_call(session, clock, kind=ENVELOPE, subject_id="0" * 32)
    providers.delivers("esign", "08")
    providers.works()
    [event] = providers.events()
    assert event.state == state


def test_why_a_document_was_voided_is_kept(providers: Providers) -> None:
    providers.delivers("esign", "08")
    providers.works()
    lines = [event.body["data"]["envelopeSummary"]["voidedReason"] for event in providers.events()]
    assert lines == ["条件変更のため再送します"]
    with providers.database.reading(providers.houses["kawasemi"].workspace_id) as session:
        asked = select(AuditRecord.after).where(AuditRecord.audit_event == "contract.expired")
        [after] = session.scalars(asked)
    assert after is not None and after["reason"] == "条件変更のため再送します"


def test_an_event_that_always_breaks_is_given_up_visibly(
    providers: Providers,
) -> None:
    providers.delivers("esign", "01")
    workspace_id = providers.houses["kawasemi"].workspace_id
    with providers.database.writing(workspace_id) as session:
        event = session.scalars(select(InboundEvent)).one()
        event.body = {**event.body, "data": "broken"}
        event.source = WebhookSource.OTA  # its reader finds no message in this
    for _ in range(9):
        providers.works(timedelta(hours=2))
    [event] = providers.events()
    assert (event.state, event.due_at, event.attempts) == (InboundState.FAILED, None, 8)
    assert event.failure


def _signed_now(providers: Providers, given: dict[str, Any], body: bytes) -> dict[str, Any]:
    providers.clock.advance(timedelta(minutes=1))
    secret = world()["workspaces"]["kawasemi"]["payments"]["endpointSecrets"][0]
    at = int(providers.clock.now().timestamp())
    made = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return {**given, "headers": {"stripe-signature": f"t={at},v1={made}"}}


def test_a_body_of_more_than_a_mebibyte_is_not_read(providers: Providers) -> None:
    assert providers.delivers("payments", "01", b" " * 1_048_577).status_code == 413
