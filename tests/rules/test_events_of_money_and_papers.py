"""What providers of payments and signatures tell is read within bounds, or refused in words."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.providers.esign import split_envelope
from pms.providers.payment_news import PaymentEvent, read_payment_event, split_payment
from pms.rules.contract_dates import strict_instant
from tests.rules.test_provider_events import anything

AT = "2026-11-20T03:00:00Z"


def envelope(recipient: Any = "1", at: Any = AT) -> dict[str, Any]:
    return {
        "event": "recipient-completed",
        "generatedDateTime": at,
        "data": {"envelopeId": "e-1", "recipientId": recipient},
    }


def payment(kind: str, created: Any = 1_795_144_800, **about: Any) -> dict[str, Any]:
    return {"id": "evt_1", "type": kind, "created": created, "data": {"object": about}}


@pytest.mark.parametrize("recipient", ["1\0", "\0", "a\nb", "x" * 121, 1.5, True, [], {}, 10**200])
def test_a_recipient_that_is_no_short_name_is_refused(recipient: Any) -> None:
    with pytest.raises(ValueError, match="recipientId"):
        split_envelope(envelope(recipient))


@pytest.mark.parametrize(("recipient", "named"), [(None, ""), ("", ""), ("1", "1"), (1, "1")])
def test_an_event_of_a_document_is_known_by_its_recipient(recipient: Any, named: str) -> None:
    [event] = split_envelope(envelope(recipient))
    assert event.key == f"e-1/recipient-completed/{named}/{AT}"


@pytest.mark.parametrize(
    ("at", "instant"),
    [
        ("0001-01-01T00:00:00+14:00", None),
        ("9999-12-31T23:59:59-14:00", None),
        ("1899-12-31T23:59:59Z", None),
        ("2201-01-01T00:00:00Z", None),
        ("yesterday", None),
        ("2026-11-20T12:00:00+09:00", datetime(2026, 11, 20, 3, tzinfo=UTC)),
        ("2026-11-20T03:00:00.0000000", datetime(2026, 11, 20, 3, tzinfo=UTC)),
    ],
)
def test_an_instant_of_a_document_is_in_utc_or_none(at: str, instant: datetime | None) -> None:
    [event] = split_envelope(envelope(at=at))
    assert event.occurred_at == instant
    assert instant is None or event.occurred_at.tzinfo is UTC  # type: ignore[union-attr]


@pytest.mark.parametrize("created", [-1, 253_402_300_799, 10**30, 1.5, True, "1795144800", None])
def test_an_instant_of_a_payment_that_no_calendar_reaches_is_none(created: Any) -> None:
    [event] = split_payment(payment(PaymentEvent.SUCCEEDED, created, id="pi_1"))
    assert event.occurred_at is None


@pytest.mark.parametrize("kind", PaymentEvent)
@pytest.mark.parametrize("amount", [2**63, 2**64, 10**12 + 1, -1, 1.0, True, "1", None])
def test_an_amount_that_no_ledger_holds_is_refused(kind: PaymentEvent, amount: Any) -> None:
    amounts = dict.fromkeys(("amount", "amount_received", "amount_refunded"), amount)
    with pytest.raises(ValueError, match="amount"):
        read_payment_event(payment(kind, id="x_1", charge="ch_1", currency="jpy", **amounts))


@given(anything, anything, anything, anything)
def test_no_delivery_about_a_document_trips_the_reading(
    event: Any, at: Any, envelope_id: Any, recipient: Any
) -> None:
    facts = {"envelopeId": envelope_id, "recipientId": recipient}
    try:
        [one] = split_envelope({"event": event, "generatedDateTime": at, "data": facts})
    except ValueError as refusal:
        assert str(refusal)
    else:
        assert one.key.isprintable() and len(one.key) <= 500


@given(anything, st.sampled_from(PaymentEvent) | anything, anything, anything)
def test_no_delivery_about_a_payment_trips_the_reading(
    key: Any, kind: Any, created: Any, amount: Any
) -> None:
    about = {"id": "x_1", "charge": key, "amount": amount, "amount_received": amount}
    body = {"id": key, "type": kind, "created": created, "data": {"object": about}}
    try:
        [one] = split_payment(body)
        read_payment_event(body)
    except ValueError as refusal:
        assert str(refusal)
    else:
        assert one.key.isprintable() and len(one.key) <= 500


@pytest.mark.parametrize(
    ("at", "instant"),
    [
        ("1899-12-31T00:00:00Z", None),
        ("1900-01-01T00:00:00Z", datetime(1900, 1, 1, tzinfo=UTC)),
        ("2200-12-31T00:00:00Z", datetime(2200, 12, 31, tzinfo=UTC)),
        ("2201-01-01T00:00:00Z", None),
        ("2026-11-20T12:00:00+09:00", datetime(2026, 11, 20, 3, tzinfo=UTC)),
    ],
)
def test_an_instant_lies_in_the_years_of_the_calendar(at: str, instant: datetime | None) -> None:
    assert strict_instant(at) == instant
    [event] = split_envelope(
        {"event": "envelope-sent", "generatedDateTime": at, "data": {"envelopeId": "e"}}
    )
    assert event.occurred_at == instant


def test_an_instant_of_a_document_without_a_zone_is_in_utc_wherever_it_is_read(zone: str) -> None:
    [event] = split_envelope(envelope(at="2026-11-20T03:00:00"))
    assert event.occurred_at == datetime(2026, 11, 20, 3, tzinfo=UTC)


@pytest.mark.parametrize("name", ["event", "generatedDateTime", "envelopeId", "recipientId"])
def test_a_text_of_a_document_has_120_printable_characters_at_most(name: str) -> None:
    def with_text(text: str) -> dict[str, Any]:
        body = envelope()
        within = body if name in body else body["data"]
        return (
            {**body, **{name: text}} if within is body else {**body, "data": {**within, name: text}}
        )

    longest = "x" * 120
    assert longest in split_envelope(with_text(longest))[0].key
    for wrong in ("x" * 121, "a\nb"):
        with pytest.raises(ValueError, match=f"{name}: a text of 1 to 120 characters"):
            split_envelope(with_text(wrong))


@pytest.mark.parametrize("name", ["id", "type"])
def test_a_name_of_a_payment_has_1_to_255_printable_characters(name: str) -> None:
    body = payment(PaymentEvent.SUCCEEDED, id="pi_1")
    [event] = split_payment({**body, name: "x" * 255})
    assert "x" * 255 in (event.key, event.kind)
    for wrong in ("", "x" * 256, "a\nb", 7, None):
        with pytest.raises(ValueError, match=f"{name}: a name of 1 to 255 characters"):
            split_payment({**body, name: wrong})


@pytest.mark.parametrize(
    ("given_name", "named"),
    [("x", "x"), ("x" * 255, "x" * 255), ("x" * 256, None), ("", None), (7, None), (None, None)],
)
def test_the_charge_of_a_payment_and_the_payment_of_a_charge_are_names_or_none(
    given_name: Any, named: str | None
) -> None:
    paid = read_payment_event(
        payment(PaymentEvent.SUCCEEDED, id="pi_1", amount_received=1, latest_charge=given_name)
    )
    assert paid is not None and (paid.intent, paid.charge) == ("pi_1", named)
    sent_back = read_payment_event(
        payment(PaymentEvent.REFUNDED, id="ch_1", amount_refunded=1, payment_intent=given_name)
    )
    assert sent_back is not None and (sent_back.intent, sent_back.charge) == (named or "", "ch_1")
