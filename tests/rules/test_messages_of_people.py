"""What is read of a message somebody wrote on LINE, WhatsApp or a travel channel."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pms.providers.line import line_handle, line_message, place
from pms.providers.ota import (
    KIND,
    OtaAddress,
    booking_name,
    kept_ota_message,
    message_name,
    ota_address,
    read_ota_message,
    thread_name,
)
from pms.providers.whatsapp import (
    failure_of,
    whatsapp_failure,
    whatsapp_handles,
    whatsapp_message,
    whatsapp_name,
    whatsapp_phone,
    whatsapp_step,
)
from pms.rules.message_words import (
    KEPT_ELSEWHERE,
    LONGEST_WORDS,
    NO_REASON,
    WINDOW_CLOSED,
    Channel,
    IncomingMessage,
    MessageKind,
    MessageState,
    answers_end_at,
    goes_on,
    language_of,
    length_of,
    short_words,
)

NOW = datetime(2026, 11, 20, 3, 0, tzinfo=UTC)
LONG = "x" * (LONGEST_WORDS + 1)


def on_line(kind: str, **value: object) -> IncomingMessage | None:
    return line_message({"message": {"type": kind, **value}})


def on_whatsapp(kind: str, **value: object) -> IncomingMessage | None:
    message = {"type": kind, "context": {"id": "before"}, **value}
    return whatsapp_message({"message": message})


def test_a_group_or_a_room_is_answered_before_whoever_spoke_in_it() -> None:
    person, room, group = {"userId": "U"}, {"roomId": "R"}, {"groupId": "C"}
    assert line_handle({"source": person}) == "U"
    assert line_handle({"source": person | room}) == "R"
    assert line_handle({"source": person | room | group}) == "C"
    assert line_handle({}) is None


def test_a_text_on_line_is_kept_up_to_its_longest_with_what_it_answers() -> None:
    text = on_line("text", text="hello", quotedMessageId="1")
    assert text == IncomingMessage(MessageKind.TEXT, "hello", "1")
    assert on_line("text", text=LONG) == IncomingMessage(MessageKind.TEXT, LONG[:-1])
    assert on_line("text") == IncomingMessage(MessageKind.TEXT, "")
    assert on_line("dance", text="hello") is None
    assert line_message({}) is None


@pytest.mark.parametrize("kind", ["image", "video", "audio", "file"])
def test_a_file_on_line_is_fetched_unless_it_is_kept_elsewhere(kind: str) -> None:
    of_kind = MessageKind(kind)
    here = on_line(kind, id="7", fileName="key.pdf", contentProvider={"type": "line"})
    assert here == IncomingMessage(of_kind, media_id="7", media_name="key.pdf")
    there = on_line(kind, id="7", contentProvider={"type": "external"})
    assert there == IncomingMessage(of_kind, media_failure=KEPT_ELSEWHERE)


def test_a_sticker_is_told_by_its_text_or_its_first_keyword() -> None:
    def words(**value: object) -> str:
        message = on_line("sticker", quotedMessageId="1", **value)
        assert message == IncomingMessage(MessageKind.STICKER, message.text if message else "", "1")
        return message.text

    assert words(text="Hi", keywords=["wave"]) == "Hi"
    assert words(keywords=["wave", "hand"]) == "wave"
    assert words(keywords=[7]) == words(keywords=[]) == words(keywords="wave") == words() == ""
    assert words(text=LONG) == LONG[:-1]


def test_a_place_is_its_names_and_then_where_it_is_on_a_map() -> None:
    facts = {"title": "House", "address": "1-2-3", "latitude": 35.7, "longitude": 139}
    assert on_line("location", **facts) == IncomingMessage(
        MessageKind.LOCATION, "House\n1-2-3\n35.7, 139"
    )
    assert place(facts, "address") == "1-2-3\n35.7, 139"
    assert place({"latitude": 35.7}, "title") == ""
    assert place({"latitude": True, "longitude": 139}) == ""
    assert place({"title": LONG}, "title") == LONG[:-1]


def test_a_writer_on_whatsapp_is_known_by_the_number_and_by_the_hidden_id() -> None:
    both = {"message": {"from": "81", "from_user_id": "JP.1"}, "contact": {"user_id": "JP.2"}}
    assert whatsapp_handles(both) == ("81", "JP.1")
    assert whatsapp_handles({"message": {"from": "81"}, "contact": {"user_id": "JP.2"}}) == (
        *("81", "JP.2"),
    )
    assert whatsapp_handles({"message": {"from": "81", "from_user_id": "81"}}) == ("81",)
    assert whatsapp_handles({"contact": {"user_id": "JP.2"}}) == ("JP.2",)
    assert whatsapp_handles({}) == ()


def test_a_number_on_whatsapp_is_dialled_with_a_plus_unless_it_is_hidden() -> None:
    assert whatsapp_phone({"message": {"from": "8190"}}) == "+8190"
    for hidden in ("JP.1", "８１", "", None):
        assert whatsapp_phone({"message": {"from": hidden}}) is None


def test_a_writer_on_whatsapp_is_called_by_the_name_before_the_username() -> None:
    assert whatsapp_name({"contact": {"profile": {"name": "Tess", "username": "t"}}}) == "Tess"
    assert whatsapp_name({"contact": {"profile": {"username": "t"}}}) == "t"
    assert whatsapp_name({}) is None


@pytest.mark.parametrize(
    ("kind", "of_kind"),
    [
        ("image", MessageKind.IMAGE),
        ("video", MessageKind.VIDEO),
        ("audio", MessageKind.AUDIO),
        ("voice", MessageKind.AUDIO),
        ("document", MessageKind.FILE),
        ("sticker", MessageKind.STICKER),
    ],
)
def test_a_file_on_whatsapp_is_kept_with_its_caption_its_type_and_its_name(
    kind: str, of_kind: MessageKind
) -> None:
    file = {"caption": "the key", "id": "7", "mime_type": "image/png", "filename": "key.png"}
    kept = IncomingMessage(of_kind, "the key", "before", "7", "image/png", "key.png")
    assert on_whatsapp(kind, **{kind: file}) == kept
    assert on_whatsapp(kind, **{kind: {"caption": LONG}}) == IncomingMessage(
        of_kind, LONG[:-1], "before"
    )
    assert on_whatsapp(kind) == IncomingMessage(of_kind, "", "before")


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("text", {"body": "hello"}, "hello"),
        ("text", {"body": LONG}, LONG[:-1]),
        ("text", {}, ""),
        ("button", {"text": "Yes"}, "Yes"),
        ("button", {}, ""),
        (
            "interactive",
            {"type": "list_reply", "list_reply": {"title": "Two", "description": "nights"}},
            "Two\nnights",
        ),
        ("interactive", {"type": "nfm_reply", "nfm_reply": {"body": "Sent"}}, "Sent"),
        ("interactive", {}, ""),
        (
            "contacts",
            [
                {"name": {"formatted_name": "Tess"}, "phones": [{"phone": "1"}, {"phone": "2"}]},
                {},
                {"name": {"formatted_name": "Tom"}, "phones": [{}]},
            ],
            "Tess 1 2\nTom",
        ),
    ],
)
def test_words_on_whatsapp_are_read_from_every_kind_that_has_some(
    kind: str, value: object, text: str
) -> None:
    assert on_whatsapp(kind, **{kind: value}) == IncomingMessage(MessageKind.TEXT, text, "before")


def test_a_reaction_answers_the_message_it_is_about() -> None:
    reaction = {"emoji": "👍", "message_id": "7"}
    assert on_whatsapp("reaction", reaction=reaction) == IncomingMessage(
        MessageKind.REACTION, "👍", "7"
    )
    assert on_whatsapp("reaction", reaction={"emoji": LONG}) == IncomingMessage(
        MessageKind.REACTION, LONG[:-1]
    )
    assert on_whatsapp("reaction") == IncomingMessage(MessageKind.REACTION)


def test_what_whatsapp_cannot_pass_on_is_kept_and_an_unknown_kind_is_not() -> None:
    for kind in ("unsupported", "unknown"):
        assert on_whatsapp(kind) == IncomingMessage(MessageKind.UNSUPPORTED, quoted_id="before")
    assert on_whatsapp("dance") is None
    assert whatsapp_message({}) is None
    facts = {"name": "House", "address": "1-2-3", "latitude": 35.7, "longitude": 139.8}
    assert on_whatsapp("location", location=facts) == IncomingMessage(
        MessageKind.LOCATION, "House\n1-2-3\n35.7, 139.8", "before"
    )


@pytest.mark.parametrize("word", ["sent", "delivered", "read", "failed"])
def test_whatsapp_tells_how_a_message_of_ours_stands(word: str) -> None:
    assert whatsapp_step({"status": {"status": word}}) is MessageState(word)
    assert whatsapp_step({"status": {"status": "lost"}}) is None
    assert whatsapp_step({}) is None


def test_a_failure_on_whatsapp_is_told_by_the_plainest_words_there_are() -> None:
    words: dict[str, Any] = {"error_data": {"details": "a"}, "message": "b", "title": "c"}
    assert failure_of({"code": 7, **words}) == "WhatsApp 7: a"
    assert failure_of({"code": 7, "message": "b", "title": "c"}) == "WhatsApp 7: b"
    assert failure_of({"code": "7", "title": "c"}) == "WhatsApp: c"
    assert failure_of({"code": 7}) == "WhatsApp 7: no reason given"
    assert failure_of({"code": 131047, **words}) == WINDOW_CLOSED
    assert len(failure_of({"code": 7, "title": "x" * 400})) == 300
    assert len(failure_of({"title": "x" * 400})) == 300
    assert whatsapp_failure({"status": {"errors": [{"code": 7}, {"code": 8}]}}) == (
        "WhatsApp 7: no reason given"
    )
    assert whatsapp_failure({}) == NO_REASON


def test_free_answers_end_a_day_after_the_last_words_on_whatsapp_alone() -> None:
    assert answers_end_at(Channel.WHATSAPP, NOW) == NOW + timedelta(hours=24)
    assert answers_end_at(Channel.WHATSAPP, None) is None
    assert answers_end_at(Channel.LINE, NOW) is None


def test_an_emoji_is_two_characters_on_line() -> None:
    assert length_of(Channel.LINE, "hi 👍") == 5
    assert length_of(Channel.WHATSAPP, "hi 👍") == 4


@pytest.mark.parametrize(
    ("kind", "text", "name", "shown"),
    [
        (MessageKind.TEXT, " Good\n day ", None, "Good day"),
        (MessageKind.FILE, "", "key.pdf", "📎 key.pdf"),
        (MessageKind.FILE, "the key", "key.pdf", "📎 the key"),
        (MessageKind.IMAGE, "", None, "🖼"),
        (MessageKind.TEXT, "", None, "—"),
        (MessageKind.TEXT, "x" * 201, None, "x" * 200),
    ],
)
def test_a_list_shows_a_sign_and_the_words_of_a_message(
    kind: MessageKind, text: str, name: str | None, shown: str
) -> None:
    assert short_words(kind, text, name) == shown


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Good 朝", "ja"),
        ("おはよう", "ja"),
        ("\u3040", "ja"),
        ("\u30ff", "ja"),
        ("\u4e00", "ja"),
        ("\u9fff", "ja"),
        ("Hello!", "en"),
        ("é", None),
        ("123 👍", None),
    ],
)
def test_kana_and_kanji_are_japanese_and_latin_letters_english(
    text: str, language: str | None
) -> None:
    assert language_of(text) == language


def test_a_message_of_ours_never_goes_back() -> None:
    steps = ("WAITING", "SENT", "FAILED", "DELIVERED", "READ")
    states = [MessageState[step] for step in steps]
    for before, state in enumerate(states):
        assert [goes_on(state, row) for row in states] == [
            after > before for after in range(len(states))
        ]
    assert not goes_on(MessageState.RECEIVED, MessageState.READ)
    assert not goes_on(MessageState.WAITING, MessageState.RECEIVED)


def test_a_guest_of_a_travel_channel_is_found_by_the_first_mark_of_the_name() -> None:
    assert ota_address(thread_name("airbnb", "c#1!")) == OtaAddress(
        "airbnb", "conversationId", "c#1!"
    )
    assert ota_address(booking_name("agoda", "b/1")) == OtaAddress(
        "agoda", "bookingReference", "b/1"
    )
    assert ota_address(message_name("expedia", "m")) == OtaAddress("expedia", "messageId", "m")
    assert ota_address("airbnb") is None


def test_a_message_of_a_travel_channel_is_kept_as_it_was_read() -> None:
    facts = {
        "channel": "airbnb",
        "messageId": "m1",
        "guestName": "Tess",
        "text": "Hello",
        "sentAt": "2026-11-20T03:00:00Z",
    }
    message = read_ota_message(facts)
    event = message.event()
    assert (event.key, event.kind, event.occurred_at) == ("airbnb:m1", KIND, NOW)
    assert kept_ota_message(event.body) == message
