"""A delivery counts only with a signature that one of the workspace's secrets makes."""

import hashlib
import hmac
from base64 import b64encode
from datetime import UTC, datetime

import pytest

from pms.providers.authentication import Delivery
from pms.rules.message_words import WebhookSource
from pms.surfaces.webhooks import PROVIDERS

BODY = b'{"id": "1"}'
AT = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)
SECOND = int(AT.timestamp())
SECRETS = ("old", "new")


def made(secret: str, signed: bytes = BODY) -> bytes:
    return hmac.new(secret.encode(), signed, hashlib.sha256).digest()


def holds(source: WebhookSource, *secrets: str, **headers: str) -> bool:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return PROVIDERS[source].is_signed(Delivery(named, BODY, AT), secrets or SECRETS)


def pays(header: str) -> bool:
    return holds(WebhookSource.PAYMENTS, stripe_signature=header)


def paid(secret: str = "new", instant: object = SECOND) -> str:
    return f"v1={made(secret, f'{instant}.'.encode() + BODY).hex()}"


@pytest.mark.parametrize("secret", SECRETS)
def test_any_secret_of_the_workspace_may_sign(secret: str) -> None:
    base64 = b64encode(made(secret)).decode()
    assert holds(WebhookSource.LINE, x_line_signature=base64)
    whatsapp = f"sha256={made(secret).hex()}"
    assert holds(WebhookSource.WHATSAPP, x_hub_signature_256=whatsapp)
    assert pays(f"t={SECOND},{paid(secret)}")
    assert holds(WebhookSource.ESIGN, x_docusign_signature_1=base64)


def test_a_stranger_or_nobody_signs_nothing() -> None:
    strange = made("strange")
    base64 = b64encode(strange).decode()
    assert not holds(WebhookSource.LINE, x_line_signature=base64)
    assert not holds(WebhookSource.WHATSAPP, x_hub_signature_256=f"sha256={strange.hex()}")
    assert not holds(WebhookSource.WHATSAPP, x_hub_signature_256=made("new").hex())
    assert not holds(WebhookSource.ESIGN, x_docusign_signature_1=base64)
    for source in (WebhookSource.LINE, WebhookSource.WHATSAPP, WebhookSource.ESIGN):
        assert not holds(source)
    assert not pays("")


def test_a_payments_signature_is_one_of_several_and_of_one_instant() -> None:
    at = f"t={SECOND}"
    assert pays(f"{at}, {paid('strange')}, {paid()}, v0=1")
    assert not pays(f"{at},{paid('strange')}")
    assert not pays(paid())
    assert not pays(f"{at},{at},{paid()}")
    assert not pays(f"{at},{paid().replace('v1', 'v0')}")


def test_of_many_payments_signatures_twenty_are_tried() -> None:
    others = [paid("strange")] * 20
    assert pays(",".join([f"t={SECOND}", *others[1:], paid()]))
    assert not pays(",".join([f"t={SECOND}", *others, paid()]))


@pytest.mark.parametrize(("apart", "is_near"), [(300, True), (301, False)])
def test_a_payments_signature_holds_five_minutes_before_and_after(
    apart: int, is_near: bool
) -> None:
    for instant in (SECOND - apart, SECOND + apart):
        assert pays(f"t={instant},{paid(instant=instant)}") is is_near


@pytest.mark.parametrize("text", ["", "now", "１", f"-{SECOND}", "0" * 3 + str(SECOND)])
def test_what_is_no_instant_in_seconds_signs_no_payment(text: str) -> None:
    assert not pays(f"t={text},{paid(instant=text)}")


def test_an_instant_may_have_twelve_digits() -> None:
    found = str(SECOND).rjust(12, "0")
    assert pays(f"t={found},{paid(instant=found)}")


@pytest.mark.parametrize(("number", "is_looked_at"), [(0, False), (20, True), (21, False)])
def test_a_document_is_signed_under_any_of_twenty_numbers(number: int, is_looked_at: bool) -> None:
    base64 = b64encode(made("new")).decode()
    found = holds(WebhookSource.ESIGN, **{f"x_docusign_signature_{number}": base64})
    assert found is is_looked_at


def test_a_part_of_a_payments_signature_is_named_up_to_its_first_sign() -> None:
    at = f"t={SECOND}"
    assert pays(f"{at},x=v1=1,{paid()}")
    assert not pays(f"{at},t=1=2,{paid()}")
    assert not pays(f"{at},x={paid()}")
    assert not pays(f"t=x={SECOND},{paid()}")
    assert not pays(f"{at} {paid()}")
