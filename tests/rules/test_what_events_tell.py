"""What the stored event of a payment or of a document tells."""

from datetime import UTC, datetime
from typing import Any

import pytest

from pms.providers.esign import EnvelopeNews, envelope_news
from pms.providers.payment_news import (
    DisputeNews,
    PaymentEvent,
    PaymentNews,
    read_payment_event,
    split_payment,
)
from pms.rules.enumerations import MoneyBackState
from pms.rules.provider_json import object_within, text_within
from pms.rules.yen import LARGEST_YEN

NAMED = {"entryId": "0193E0C0-0000", "checkoutId": "AB-12", "count": 7}


def news_of(kind: str, **about: object) -> PaymentNews | None:
    return read_payment_event({"type": kind, "data": {"object": {"metadata": NAMED, **about}}})


def test_a_payment_tells_its_names_its_amount_and_what_it_is_for() -> None:
    about: dict[str, object] = {"id": "pi_1", "latest_charge": "ch_1", "currency": "JPY"}
    named: dict[str, Any] = {"entry_id": "0193e0c00000", "checkout_id": "ab12"}
    succeeded = news_of("payment_intent.succeeded", amount_received=98_000, **about)
    assert succeeded == PaymentNews(
        *(PaymentEvent.SUCCEEDED, "pi_1", "ch_1", 98_000, "jpy"), **named, reason=None
    )
    error = {"message": " card \n declined ", "code": "card_declined"}
    failed = news_of("payment_intent.payment_failed", amount=1, last_payment_error=error, **about)
    assert failed == PaymentNews(
        *(PaymentEvent.FAILED, "pi_1", "ch_1", 1, "jpy"), **named, reason="card declined"
    )
    error.pop("message")
    failed = news_of("payment_intent.payment_failed", amount=1, last_payment_error=error, **about)
    assert failed is not None and failed.reason == "card_declined"


def test_money_that_went_back_tells_the_payment_it_belonged_to() -> None:
    named: dict[str, Any] = {"entry_id": "0193e0c00000", "checkout_id": "ab12"}
    refunded = news_of("charge.refunded", id="ch_1", payment_intent="pi_1", amount_refunded=5)
    assert refunded == PaymentNews(
        *(PaymentEvent.REFUNDED, "pi_1", "ch_1", 5, ""), **named, reason=None
    )
    disputed = news_of(
        *("charge.dispute.created",),
        id="dp_1",
        charge="ch_1",
        payment_intent="pi_1",
        amount=5,
        reason="fraud",
    )
    assert disputed == PaymentNews(
        *(PaymentEvent.DISPUTED, "pi_1", "ch_1", 5, ""),
        **named,
        reason="fraud",
        dispute=DisputeNews("dp_1", MoneyBackState.OPEN, None),
    )
    long = news_of("charge.dispute.created", id="dp", charge="ch_1", amount=5, reason="x" * 501)
    assert long is not None and long.reason == "x" * 500


def test_a_name_may_have_255_characters_and_what_is_longer_or_none_is_left_out() -> None:
    def charge(name: object) -> str | None:
        paid = news_of("payment_intent.succeeded", id="pi", latest_charge=name, amount_received=1)
        return paid.charge if paid else ""

    def intent(name: object) -> str:
        back = news_of("charge.refunded", id="ch", payment_intent=name, amount_refunded=1)
        return back.intent if back else "nothing"

    longest = "x" * 255
    assert (charge(longest), intent(longest)) == (longest, longest)
    assert (charge("c"), intent("p")) == ("c", "p")
    for name in (longest + "x", "", 7, None):
        assert (charge(name), intent(name)) == (None, "")
    with pytest.raises(ValueError, match="id"):
        news_of("charge.refunded", id=longest + "x", amount_refunded=1)


def test_a_currency_is_ten_small_letters_at_most() -> None:
    for given, currency in (("JPY", "jpy"), (None, ""), ("ABCDEFGHIJK", "abcdefghij")):
        paid = news_of("payment_intent.succeeded", id="pi", currency=given, amount_received=1)
        assert paid is not None and paid.currency == currency


def test_an_amount_is_a_whole_number_from_nothing_to_the_largest() -> None:
    for amount in (0, LARGEST_YEN):
        paid = news_of("payment_intent.succeeded", id="pi", amount_received=amount)
        assert paid is not None and paid.amount == amount
    for wrong in (-1, LARGEST_YEN + 1, True, "1", None):
        with pytest.raises(ValueError, match="amount_received"):
            news_of("payment_intent.succeeded", id="pi", amount_received=wrong)


def test_a_payment_without_names_is_for_nothing_that_is_known() -> None:
    paid = read_payment_event(
        {
            "type": "payment_intent.succeeded",
            "data": {"object": {"id": "pi", "amount_received": 1, "metadata": "none"}},
        }
    )
    assert paid is not None and (paid.entry_id, paid.checkout_id) == (None, None)


def news(**summary: object) -> EnvelopeNews:
    data = {"envelopeId": "e1", "envelopeSummary": summary}
    return envelope_news({"event": "envelope-completed", "data": data})


def test_a_document_tells_who_signs_and_why_it_was_declined() -> None:
    signers: list[object] = [
        "nobody",
        {"name": "Tess", "declinedReason": ""},
        {"name": "Tom", "declinedReason": " too \n late "},
    ]
    declined = news(recipients={"signers": signers})
    assert declined == EnvelopeNews("e1", "completed", "too late", "Tess")
    voided = news(voidedReason="void", recipients={"signers": signers})
    assert voided == EnvelopeNews("e1", "completed", "void", "Tess")
    assert news(recipients={"signers": [{"name": 7}]}).signer is None
    assert news(voidedReason="x" * 1001).reason == "x" * 1000


@pytest.mark.parametrize("recipients", [None, "none", {}, {"signers": "none"}, {"signers": []}])
def test_a_document_without_signers_tells_of_nobody(recipients: object) -> None:
    assert news(recipients=recipients) == EnvelopeNews("e1", "completed", None, None)
    bare = {"event": "envelope-sent", "data": {"envelopeId": "e1", "envelopeSummary": "none"}}
    assert envelope_news(bare) == EnvelopeNews("e1", "sent", None, None)


def test_what_is_not_there_is_an_empty_object_and_no_text() -> None:
    found = {"a": {"b": {"c": "text"}, "blank": " "}}
    assert object_within(found, "a", "b") == {"c": "text"}
    assert object_within(found, "a", "b", "c") == object_within(found, "x") == {}
    assert text_within(found, "a", "b", "c") == "text"
    assert text_within(found, "a", "blank") is None
    assert text_within(found, "a", "b") is None


def test_a_stored_payment_keeps_all_but_the_secret_and_has_its_instant() -> None:
    about = {"id": "pi_1", "client_secret": "hidden"}
    body = {"id": "x" * 255, "type": "charge.refunded", "created": 1_795_143_600}
    [event] = split_payment({**body, "data": {"object": about, "before": 1}})
    assert event.body == {**body, "data": {"object": {"id": "pi_1"}, "before": 1}}
    assert (event.key, event.kind) == ("x" * 255, "charge.refunded")
    assert event.occurred_at == datetime.fromtimestamp(1_795_143_600, UTC)
