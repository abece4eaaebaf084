"""Deliveries are taken apart into single events, and nothing that is sent trips the reading."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pms.providers.line import split_line
from pms.providers.ota import (
    OtaMessage,
    UnreadableMessage,
    kept_ota_message,
    read_ota_message,
)
from pms.providers.whatsapp import split_whatsapp
from pms.rules.contract_dates import strict_instant
from pms.rules.provider_json import (
    ProviderEvent,
    fingerprint,
    instant_of,
    kind_of,
    name_within,
    object_within,
    objects_within,
    storable,
    storable_text,
    text_within,
    within,
)
from tests.channels import webhook_samples as webhooks
from tests.tiers import examples

WORDS: Final = (
    *("events", "type", "message", "id", "webhookEventId", "timestamp", "source", "entry"),
    *("changes", "field", "messages", "value", "statuses", "contacts", "metadata", "status"),
    *("from", "from_user_id", "wa_id", "user_id", "channel", "messageId", "guestName", "text"),
    *("sentAt", "bookingReference", "conversationId", "listing"),
)
AT: Final = "2026-11-20T03:00:00Z"
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


@settings(max_examples=examples(25, 100))
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


@settings(max_examples=examples(25, 100))
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


def test_what_has_no_name_is_known_by_its_parts_in_any_order() -> None:
    known = fingerprint({"a": 1, "b": "é"})
    assert known == fingerprint({"b": "é", "a": 1})
    assert known == sha256(rb'{"a": 1, "b": "\u00e9"}').hexdigest()


def test_a_name_is_one_short_line_or_a_number() -> None:
    for name in ("x" * 200, 7, -(10**39)):
        assert name_within({"name": name}, "name") == str(name)
    for wrong in ("x" * 201, 10**40, True, " ", "a\nb", None, 1.5):
        assert name_within({"name": wrong}, "name") is None


def test_an_instant_is_so_many_seconds_from_1970() -> None:
    last = 7_258_118_399
    for seconds in (0, last, "0", str(last), 1.9):
        assert instant_of(seconds) == datetime.fromtimestamp(int(float(seconds)), UTC)
    for wrong in (-1, last + 1, True, "1.5", "１", "", None, "000000000001"):
        assert instant_of(wrong) is None
    assert instant_of("00000000001") == datetime.fromtimestamp(1, UTC)


def test_a_number_without_end_is_stored_as_nothing() -> None:
    assert storable([float("inf"), float("nan"), 1.5]) == [None, None, 1.5]
    assert storable("a\0b\ud800") == "a\ufffdb\ufffd"


def test_an_event_of_line_may_be_nested_one_level_less_than_what_is_stored() -> None:
    def nested(levels: int) -> dict[str, Any]:
        inner: object = 1
        for _ in range(levels):
            inner = [inner]
        return {"events": [{"type": "follow", "webhookEventId": "1", "deep": inner}]}

    assert split_line(nested(30))[0].key == "1"
    with pytest.raises(ValueError, match="deeply"):
        split_line(nested(31))


def test_an_event_of_whatsapp_is_of_its_instant_and_another_change_is_known_by_all_it_says() -> (
    None
):
    message = {"id": "m", "type": "text", "timestamp": "1795143600"}
    status = {"id": "s", "status": "read", "timestamp": "1795143601"}
    value = {"messages": [message], "statuses": [status], "metadata": {"id": "1"}}
    events = split_whatsapp({"entry": [{"changes": [{"field": "messages", "value": value}]}]})
    assert [(one.key, one.kind) for one in events] == [
        ("m", "message.text"),
        ("s:read", "status.read"),
    ]
    assert [one.occurred_at for one in events] == [
        *(datetime.fromtimestamp(second, UTC) for second in (1_795_143_600, 1_795_143_601)),
    ]
    change = {"field": "calls", "value": 1}
    [other] = split_whatsapp({"entry": [{"id": "1", "time": 1_795_143_600, "changes": [change]}]})
    facts = {"entry": "1", "time": 1_795_143_600, "change": change}
    assert (other.kind, other.body) == ("calls", facts)
    assert other.key == f"calls:{fingerprint(facts)}"
    assert other.occurred_at == datetime.fromtimestamp(1_795_143_600, UTC)


def test_a_relayed_text_keeps_its_lines_and_an_empty_optional_field_is_none() -> None:
    facts = {"channel": "airbnb", "messageId": "m", "guestName": " Tess ", "sentAt": AT}
    message = read_ota_message({**facts, "text": " Hello\n there ", "listing": " "})
    assert (message.text, message.guest_name, message.listing) == (
        *(" Hello\n there ", "Tess", None),
    )
    longest = read_ota_message({**facts, "text": "x" * 10_000})
    assert len(longest.text) == 10_000
    with pytest.raises(UnreadableMessage) as refused:
        read_ota_message({**facts, "text": "x" * 10_001, "guestName": " "})
    assert [one.partition(":")[0] for one in refused.value.problems] == ["guestName", "text"]
    with pytest.raises(UnreadableMessage, match="text: is missing"):
        read_ota_message(facts)


def test_what_is_no_json_is_stored_as_lists_texts_and_names_of_types() -> None:
    facts: dict[Any, Any] = {1: (True, 7, None), None: b"x", "a\0": {"b"}, "c": [False, 0, ""]}
    assert storable(facts) == {
        "1": [True, 7, None],
        "None": "bytes",
        "a\ufffd": "set",
        "c": [False, 0, ""],
    }
    assert storable(AT) == AT
    assert storable(object()) == "object"


@pytest.mark.parametrize("around", [lambda inner: [inner], lambda inner: {"a": inner}])
def test_what_is_stored_has_thirty_two_levels_of_either_kind(
    around: Callable[[object], object],
) -> None:
    deep: object = 1
    for _ in range(32):
        deep = around(deep)
    assert storable(deep) == deep
    with pytest.raises(ValueError, match="nested too deeply"):
        storable(around(deep))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("\ud7ff\ue000", "\ud7ff\ue000"),
        ("a\ud83d\ude00", "a\U0001f600"),
        ("\ude00\ud83d", "\ufffd\ufffd"),
        ("\0\0", "\ufffd\ufffd"),
        ("", ""),
    ],
)
def test_halves_that_belong_together_are_joined_and_others_are_marked(text: str, kept: str) -> None:
    assert storable_text(text) == kept


def test_what_lies_within_is_found_by_its_names_and_nothing_where_the_way_ends() -> None:
    facts = {"a": {"b": {"c": 1}, "l": [{"x": 1}, "y", {"z": 2}], "t": " word ", "s": " ", "0": 0}}
    assert within(facts, "a", "b", "c") == 1
    assert within(facts) is facts
    for names in (("a", "x"), ("a", "l", "x"), ("b",), ("a", "b", "c", "d")):
        assert within(facts, *names) is None
    assert object_within(facts, "a", "b") == {"c": 1}
    assert object_within(facts, "a", "l") == object_within(facts, "x") == {}
    assert objects_within(facts, "a", "l") == [{"x": 1}, {"z": 2}]
    assert objects_within(facts, "a", "b") == objects_within(facts, "a", "t") == []
    assert text_within(facts, "a", "t") == " word "
    assert text_within(facts, "a", "s") is text_within(facts, "a", "0") is None
    assert name_within(facts, "a", "0") == "0"
    assert name_within(facts, "a", "t") == " word "


def test_a_kind_is_its_parts_with_a_word_for_what_is_not_known() -> None:
    assert kind_of("message", "text") == "message.text"
    assert kind_of("message", None) == kind_of("message", "") == "message.unknown"
    assert kind_of(None) == "unknown"
    assert kind_of("x" * 79, "y") == "x" * 79 + "."


def whatsapp_of(**value: object) -> list[ProviderEvent]:
    change = {"field": "messages", "value": value}
    return split_whatsapp({"entry": [{"id": "e", "changes": [change]}]})


def test_a_message_of_whatsapp_comes_with_who_wrote_it_and_to_which_number() -> None:
    metadata = {"phone_number_id": "1"}
    contacts = [
        {"wa_id": "81", "user_id": "JP.1"},
        {"wa_id": "82", "user_id": "JP.2"},
        {"wa_id": "83"},
        {"profile": {}},
    ]
    messages: list[dict[str, object]] = [
        {"id": "1", "from": "82"},
        {"id": "2", "from_user_id": "JP.2"},
        {"id": "3", "from": "83", "from_user_id": "JP.1"},
        {"id": "4", "from": "84", "from_user_id": "JP.3"},
        {"id": "5"},
    ]
    events = whatsapp_of(messages=messages, contacts=contacts, metadata=metadata)
    assert [event.body["contact"] for event in events] == [
        *(contacts[1], contacts[1], contacts[0], None, None),
    ]
    assert [event.body["message"] for event in events] == messages
    assert all(event.body["metadata"] == metadata for event in events)
    assert [event.kind for event in events] == ["message.unknown"] * 5
    assert [event.key for event in events] == ["1", "2", "3", "4", "5"]


def test_a_status_of_whatsapp_comes_with_the_number_it_is_of() -> None:
    statuses = [{"id": "s", "status": "read"}, {"id": "s"}, {"status": "sent"}]
    events = whatsapp_of(statuses=statuses, metadata={"phone_number_id": "1"})
    assert [event.body for event in events] == [
        {"status": status, "metadata": {"phone_number_id": "1"}} for status in statuses
    ]
    assert [event.kind for event in events] == ["status.read", "status.unknown", "status.sent"]
    assert [event.key for event in events] == [
        *("s:read", "s:unknown", f"{fingerprint(statuses[2])}:sent"),
    ]


def test_a_message_of_whatsapp_without_an_id_is_known_by_what_it_says() -> None:
    one, other = {"type": "text", "text": "a"}, {"type": "text", "text": "b"}
    events = whatsapp_of(messages=[one, other, one])
    assert [event.key for event in events] == [fingerprint(one), fingerprint(other)]
    assert all(event.body["metadata"] is None for event in events)


def test_a_change_of_whatsapp_that_holds_no_message_is_kept_whole() -> None:
    empty = {"field": "messages", "value": {"messages": [], "statuses": ["text"]}}
    strange = {"field": "calls", "value": {"messages": [{"id": "1"}]}}
    nameless = {"value": 1}
    events = split_whatsapp({"entry": [{"changes": [empty, strange, nameless, "text"]}]})
    assert [event.kind for event in events] == ["messages", "calls", "unknown"]
    assert [event.body["change"] for event in events] == [empty, strange, nameless]
    assert all(event.occurred_at is event.body["entry"] is None for event in events)


def test_a_list_with_anything_else_than_objects_is_no_delivery() -> None:
    lists: tuple[list[object], ...] = ([{}, "text"], ["text", {}], [{}, None])
    for mixed in lists:
        with pytest.raises(ValueError, match="events: a list of objects is wanted"):
            split_line({"events": mixed})
        with pytest.raises(ValueError, match="entry: a list of objects is wanted"):
            split_whatsapp({"entry": mixed})


@pytest.mark.parametrize(
    ("milliseconds", "second"),
    [(0, 0), (999, 0), (1_000, 1), (1_999, 1), (-1, None), (10**400, None), ("1000", None)],
)
def test_an_event_of_line_happened_in_a_whole_second(
    milliseconds: object, second: int | None
) -> None:
    [event] = split_line({"events": [{"webhookEventId": "1", "timestamp": milliseconds}]})
    expected = None if second is None else datetime.fromtimestamp(second, UTC)
    assert event.occurred_at == expected
