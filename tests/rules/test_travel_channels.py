"""What a relay of travel channels passes on is read field by field, each within its bounds."""

from datetime import UTC, datetime
from typing import Any

import pytest

from pms.providers.ota import (
    OtaAddress,
    OtaMessage,
    UnreadableMessage,
    kept_ota_message,
    ota_address,
    read_ota_message,
)

NOW = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)
SAMPLE: dict[str, Any] = {
    "channel": "airbnb",
    "messageId": "m1",
    "conversationId": "c1",
    "bookingReference": "b1",
    "guestName": "Tess",
    "text": "Hello",
    "sentAt": "2026-11-20T03:00:00Z",
    "listing": "Kawasemi House 102",
}
A_CHANNEL = "a name of 1 to 40 letters, digits, '_', '.' and '-', such as airbnb"
AN_ID = "a text of 1 to 200 characters"
AN_INSTANT = "an instant with a zone, such as 2026-11-20T02:58:41Z"


def problems(**given: Any) -> list[str]:
    """What is wrong with a message in which some fields are other ones."""
    with pytest.raises(UnreadableMessage) as refused:
        read_ota_message({**SAMPLE, **given})
    assert str(refused.value) == " ".join(refused.value.problems)
    return refused.value.problems


def test_every_field_of_a_message_is_read_from_its_own_name() -> None:
    message = read_ota_message(SAMPLE)
    assert message == OtaMessage(
        "airbnb", "m1", "c1", "b1", "Tess", "Hello", NOW, "Kawasemi House 102"
    )
    event = message.event()
    assert event.body["sent_at"] == "2026-11-20T03:00:00+00:00"
    assert kept_ota_message(event.body) == message


@pytest.mark.parametrize("missing", [None, "", " \n"])
def test_a_message_may_lack_its_conversation_its_booking_and_its_listing(
    missing: str | None,
) -> None:
    lacking = dict.fromkeys(("conversationId", "bookingReference", "listing"), missing)
    message = read_ota_message({**SAMPLE, **lacking})
    assert (message.conversation_id, message.booking_reference, message.listing) == (
        *(None, None, None),
    )
    assert kept_ota_message(message.event().body) == message


@pytest.mark.parametrize("name", ["messageId", "guestName", "text"])
def test_what_is_needed_is_no_blank(name: str) -> None:
    wanted = "a text of 1 to 10000 characters" if name == "text" else AN_ID
    assert problems(**{name: None}) == [f"{name}: is missing; it is {wanted}."]
    assert problems(**{name: " "}) == [f"{name}: ' ' is not {wanted}, without NUL."]
    assert problems(**{name: 7}) == [f"{name}: 'int' is not {wanted}."]


@pytest.mark.parametrize(
    "name", ["messageId", "conversationId", "bookingReference", "guestName", "listing"]
)
def test_a_name_or_an_id_is_a_text_of_200_characters_at_most(name: str) -> None:
    longest = {**SAMPLE, name: f" {'x' * 200} "}
    assert "x" * 200 in read_ota_message(longest)
    assert problems(**{name: "x" * 201}) == [f"{name}: '{'x' * 60}' is not {AN_ID}, without NUL."]
    assert problems(**{name: []}) == [f"{name}: 'list' is not {AN_ID}."]


@pytest.mark.parametrize("mark", ["\0", "\ud800", "\udbff", "\udc00", "\udfff"])
def test_what_no_database_keeps_is_refused_wherever_it_stands(mark: str) -> None:
    for text in (mark, f"a{mark}", f"{mark}a"):
        shown = text.replace(mark, "\ufffd")
        wanted = "a text of 1 to 10000 characters, without NUL"
        assert problems(text=text) == [f"text: '{shown}' is not {wanted}."]


@pytest.mark.parametrize("mark", ["\x01", "\ud7ff", "\ue000", "\uffff", "\U00010000"])
def test_what_stands_beside_it_is_kept(mark: str) -> None:
    assert read_ota_message({**SAMPLE, "text": f"a{mark}"}).text == f"a{mark}"


def test_letters_are_put_together_before_they_are_counted() -> None:
    assert read_ota_message({**SAMPLE, "guestName": "e\u0301" * 200}).guest_name == "é" * 200
    assert read_ota_message({**SAMPLE, "text": "e\u0301 "}).text == "é "


@pytest.mark.parametrize(
    ("text", "channel"),
    [
        ("a", "a"),
        ("7", "7"),
        (" Booking.com ", "booking.com"),
        ("a_b-c.d", "a_b-c.d"),
        ("x" * 40, "x" * 40),
    ],
)
def test_a_channel_is_a_short_name(text: str, channel: str) -> None:
    assert read_ota_message({**SAMPLE, "channel": text}).channel == channel


@pytest.mark.parametrize("text", ["", "x" * 41, "_a", "a/b", "a#b", "a!b", "a b", "é"])
def test_what_is_no_channel_is_refused_as_it_was_written(text: str) -> None:
    assert problems(channel=text) == [f"channel: '{text}' is not {A_CHANNEL}."]


def test_a_channel_or_an_instant_that_is_missing_or_no_text_is_named() -> None:
    assert problems(channel=None, sentAt=None) == [
        f"channel: is missing; it is {A_CHANNEL}.",
        f"sentAt: is missing; it is {AN_INSTANT}.",
    ]
    assert problems(channel=7, sentAt=7) == [
        f"channel: 'int' is not {A_CHANNEL}.",
        f"sentAt: 'int' is not {AN_INSTANT}.",
    ]
    assert problems(sentAt="soon") == [f"sentAt: 'soon' is not {AN_INSTANT}."]


def test_a_refusal_repeats_sixty_printable_characters() -> None:
    assert problems(sentAt="a\nb\u202e" + "x" * 60) == [
        f"sentAt: 'a\ufffdb\ufffd{'x' * 56}' is not {AN_INSTANT}."
    ]


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("airbnb/c/d", OtaAddress("airbnb", "conversationId", "c/d")),
        ("airbnb#b#d", OtaAddress("airbnb", "bookingReference", "b#d")),
        ("airbnb!m!d", OtaAddress("airbnb", "messageId", "m!d")),
        ("airbnb!m#b/c", OtaAddress("airbnb", "messageId", "m#b/c")),
        ("airbnb#b/c!m", OtaAddress("airbnb", "bookingReference", "b/c!m")),
        ("a/", OtaAddress("a", "conversationId", "")),
        ("", None),
    ],
)
def test_the_first_mark_of_a_name_parts_it_also_when_it_comes_twice(
    name: str, address: OtaAddress | None
) -> None:
    assert ota_address(name) == address
