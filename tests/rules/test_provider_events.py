"""Deliveries are taken apart into single events, and nothing that is sent trips the reading."""

import json
from datetime import UTC, datetime
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.rules.instants import strict_instant
from pms.rules.line_events import split_line
from pms.rules.ota_messages import (
    OtaMessage,
    UnreadableMessage,
    kept_ota_message,
    read_ota_message,
)
from pms.rules.provider_events import ProviderEvent
from pms.rules.provider_json import storable
from pms.rules.whatsapp_events import split_whatsapp
from tests.channels import webhook_samples as webhooks

WORDS: Final = (
    *("events", "type", "message", "id", "webhookEventId", "timestamp", "source", "entry"),
    *("changes", "field", "messages", "value", "statuses", "contacts", "metadata", "status"),
    *("from", "from_user_id", "wa_id", "user_id", "channel", "messageId", "guestName", "text"),
    *("sentAt", "bookingReference", "conversationId", "listing"),
)
leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(alphabet=st.characters(exclude_categories=[])),
    st.sampled_from(WORDS),
)
anything = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(WORDS) | st.text(), inner, max_size=6)
    ),
    max_leaves=30,
)
bodies = st.dictionaries(st.sampled_from(WORDS) | st.text(), anything, max_size=8)


def is_kept_anywhere(value: object) -> bool:
    """Whether a database takes it: JSON without NUL, halves of pairs and endless numbers."""
    written = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return "\\u0000" not in written and written.encode() is not None


def check(events: list[ProviderEvent]) -> None:
    assert len({event.key for event in events}) == len(events)
    for event in events:
        assert event.key and event.kind and len(event.kind) <= 80
        assert is_kept_anywhere({"key": event.key, "kind": event.kind, "body": event.body})


@given(bodies | st.fixed_dictionaries({"events": st.lists(bodies, max_size=4)}))
def test_no_delivery_of_line_trips_the_reading(body: dict[str, Any]) -> None:
    try:
        check(split_line(body))
    except ValueError as refusal:
        assert str(refusal)


changes = st.fixed_dictionaries(
    {
        "field": st.sampled_from(["messages", "account_update"]),
        "value": st.fixed_dictionaries(
            {"messages": st.lists(bodies, max_size=3), "statuses": st.lists(bodies, max_size=3)},
            optional={"contacts": anything, "metadata": anything},
        ),
    }
)
entries = st.lists(st.fixed_dictionaries({"changes": st.lists(changes, max_size=3)}), max_size=3)


@given(bodies | st.fixed_dictionaries({"entry": entries}))
def test_no_delivery_of_whatsapp_trips_the_reading(body: dict[str, Any]) -> None:
    try:
        check(split_whatsapp(body))
    except ValueError as refusal:
        assert str(refusal)


ota_bodies = st.fixed_dictionaries(
    {},
    optional={
        name: anything | st.sampled_from(["airbnb", "2026-11-20T02:58:41Z", "words"])
        for name in ("channel", "messageId", "guestName", "text", "sentAt", "listing")
    },
)


@given(bodies | ota_bodies)
def test_no_body_of_a_relay_trips_the_reading(body: dict[str, Any]) -> None:
    try:
        message = read_ota_message(body)
    except UnreadableMessage as refusal:
        assert refusal.problems
        assert all(problem.split(":")[0].isalpha() for problem in refusal.problems)
    else:
        check([message.event()])
        assert kept_ota_message(message.event().body) == message


@given(st.text() | st.datetimes().map(lambda at: f"{at.isoformat()}Z"))
def test_no_text_trips_the_reading_of_an_instant(text: str) -> None:
    instant = strict_instant(text)
    assert instant is None or (instant.tzinfo is UTC and instant.microsecond == 0)


@given(anything)
def test_what_is_storable_stays_as_it_is(value: object) -> None:
    try:
        once = storable(value)
    except ValueError:
        return
    assert is_kept_anywhere(once)
    assert storable(once) == once


def test_what_is_nested_too_deeply_is_refused() -> None:
    deep: Any = {}
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises(ValueError, match="deeply"):
        split_line({"events": [{"type": deep}]})
    with pytest.raises(ValueError, match="deeply"):
        split_whatsapp({"entry": [{"changes": deep}]})


def line(number: str) -> list[ProviderEvent]:
    return split_line(webhooks.body_of("line", number))


def whatsapp(number: str) -> list[ProviderEvent]:
    return split_whatsapp(webhooks.body_of("whatsapp", number))


def test_an_event_of_line_is_known_by_its_id_and_the_instant_it_happened() -> None:
    [event] = line("01")
    assert event.key == "01M7VEB1ZRFXEHC677TA6CFFSJ"
    assert event.kind == "message.text"
    assert event.occurred_at == datetime(2026, 11, 20, 3, 0, tzinfo=UTC)


def test_kinds_of_line_are_named_also_those_that_do_not_exist_today() -> None:
    kinds = [event.kind for number in ("03", "04", "05", "09") for event in line(number)]
    assert kinds == [
        *("follow", "postback", "message.text", "message.sticker", "unsend"),
        *("roomTour", "message.poll"),
    ]
    assert line("08") == []


def test_a_redelivered_event_of_line_has_the_key_of_the_first() -> None:
    assert line("06")[0].key == line("01")[0].key
    assert line("15")[0].key == line("01")[0].key


def test_an_event_of_line_without_an_id_is_known_by_what_it_says() -> None:
    event = {"type": "beacon", "timestamp": 1}
    again = {**event, "deliveryContext": {"isRedelivery": True}}
    assert len(split_line({"events": [event, again, {**event, "timestamp": 2}]})) == 2


def test_a_status_of_whatsapp_is_another_event_than_the_next_status_of_the_same_message() -> None:
    [sent], [delivered] = whatsapp("03"), whatsapp("04")
    assert sent.body["status"]["id"] == delivered.body["status"]["id"]
    assert (sent.kind, delivered.kind) == ("status.sent", "status.delivered")
    assert sent.key != delivered.key


def test_a_batch_of_whatsapp_is_taken_apart_with_who_wrote() -> None:
    events = whatsapp("08")
    assert [event.kind for event in events] == [
        *("message.text", "message.text", "status.delivered", "message.reaction"),
    ]
    assert events[0].body["contact"]["wa_id"] == "12025550143"
    assert events[3].body["contact"]["profile"]["name"] == "小鳩 静"
    assert [event.kind for event in whatsapp("10")] == ["message_template_status_update"]
    assert whatsapp("12")[0].body["contact"]["user_id"] == "NO.37602b534d2e8da47804"


def test_a_body_that_is_no_delivery_is_refused() -> None:
    wrong: list[object] = [None, {}, ["text"]]
    for events in wrong:
        with pytest.raises(ValueError, match="events"):
            split_line({"events": events})
        with pytest.raises(ValueError, match="entry"):
            split_whatsapp({"entry": events})


def test_messages_of_a_relay_are_read_with_their_instant_in_utc() -> None:
    message = read_ota_message(webhooks.body_of("ota", "02"))
    assert message.key == "booking_com:6c9e5d60-0001-4000-8000-00000000a001"
    assert message.sent_at == datetime(2026, 11, 20, 3, 3, tzinfo=UTC)
    assert message.listing is None
    assert "\n" in message.text


def test_markup_in_a_relayed_message_stays_as_it_is() -> None:
    message = read_ota_message(webhooks.body_of("ota", "08"))
    assert message.guest_name == "<b>Bobby</b>"
    assert message.text == '<img src=x onerror=alert(1)> & "quotes" =1+1'


@pytest.mark.parametrize(("number", "field"), [("09", "text"), ("10", "sentAt")])
def test_the_refusal_of_a_relayed_message_names_the_field(number: str, field: str) -> None:
    with pytest.raises(UnreadableMessage) as refusal:
        read_ota_message(webhooks.body_of("ota", number))
    [problem] = refusal.value.problems
    assert problem.startswith(f"{field}: ")


def test_every_problem_of_a_relayed_message_is_named_at_once() -> None:
    with pytest.raises(UnreadableMessage) as refusal:
        read_ota_message({"channel": "air bnb", "guestName": 5, "text": "\0", "sentAt": ""})
    named = [problem.split(":")[0] for problem in refusal.value.problems]
    assert named == ["channel", "messageId", "guestName", "text", "sentAt"]


def test_a_channel_is_one_however_it_is_capitalised() -> None:
    body = webhooks.body_of("ota", "01")
    assert read_ota_message({**body, "channel": "Airbnb"}).key == "airbnb:am-77120031"


def test_an_ota_message_is_a_plain_tuple_of_facts() -> None:
    assert OtaMessage._fields[0] == "channel"


@pytest.mark.parametrize(
    "text",
    [
        *("2026-11-20", "2026-11-20T02:58:41", "2026-13-20T02:58:41Z", "1899-12-31T00:00:00Z"),
        *("2026-11-20T24:00:00Z", "2026-11-20 02:58:41Z", "２０２６-11-20T02:58:41Z", "9999"),
        *("2026-11-20T02:58:41+25:00", "0001-01-01T00:00:00+09:00", ""),
    ],
)
def test_a_text_that_is_no_instant_is_none(text: str) -> None:
    assert strict_instant(text) is None
