"""The samples of LINE, WhatsApp and the relay in the order they arrive, and what else may come."""

from datetime import UTC, datetime, timedelta

import pytest

from pms.channels.event_effects import take_event
from pms.channels.events import LEASE, lease_events
from pms.channels.kept_events import keep_events
from pms.channels.models import InboundEvent
from pms.channels.outgoing import EventOutcome
from pms.foundation.work import Work
from pms.inbox.models import Conversation, GuestMessage
from pms.providers.line import split_line
from pms.rules.enumerations import TicketSide
from pms.rules.message_words import (
    Channel,
    ConversationState,
    InboundState,
    MessageKind,
    MessageState,
    WebhookSource,
)
from tests.channels.intake import (
    Intake,
    line,
    line_event,
    line_text,
    whatsapp,
    whatsapp_text,
    written,
)
from tests.channels.webhook_samples import world

LINE, WHATSAPP, OTA = WebhookSource.LINE, WebhookSource.WHATSAPP, WebhookSource.OTA
USER_1 = "Ucb2b1c1ebd61d7190dae8c384a280ca3"
USER_2 = "U3e0b74b28f2f0264046e2989850e75ca"
GROUP = "Cad936fcbed631fa67e05c3ea03953905"


def messages_of(intake: Intake) -> list[tuple[MessageKind, str]]:
    return [(one.kind, one.text) for one in intake.messages]


def test_the_samples_of_line_leave_what_they_should(ours: Intake, theirs: Intake) -> None:
    for number in ("01", "02", "03", "04"):
        ours.sample(LINE, number)
    first = ours.conversation_of(USER_1)
    assert [one.kind for one in ours.messages] == [
        *(MessageKind.TEXT, MessageKind.IMAGE, MessageKind.IMAGE),
    ]
    assert [one.media_id for one in ours.messages[1:]] == [
        *("560000000000000101", "560000000000000102"),
    ]
    assert {one.conversation_id for one in ours.messages} == {first.id}
    assert (first.awaits, first.locale) == (TicketSide.STAFF, "ja")
    # Somebody who only follows has said nothing: there is no empty conversation of them.
    assert [one.handle for one in ours.handles] == [USER_1]
    assert [one.state for one in ours.events[3:]] == [InboundState.UNUSED, InboundState.UNUSED]

    ours.sample(LINE, "05")
    texts = [one for one in ours.messages if one.handle == USER_2]
    assert [one.kind for one in texts] == [MessageKind.TEXT, MessageKind.STICKER]
    assert texts[0].taken_back_at == datetime(2026, 11, 20, 3, 10, tzinfo=UTC)
    assert texts[0].text == ""
    assert "退去" not in written([one.body for one in ours.events])
    assert ours.conversation_of(USER_2).last_words == "🙂 thanks"

    before = len(ours.messages)
    for number in ("06", "07", "08", "09"):
        ours.sample(LINE, number)
    assert len(ours.messages) == before
    assert {one.kind for one in ours.events[-2:]} == {"roomTour", "message.poll"}
    assert {one.state for one in ours.events[-2:]} == {InboundState.UNUSED}

    ours.sample(LINE, "10")
    assert ours.conversation_of(GROUP).last_words == "@Kawasemi House ゴミ出しの日を教えて"
    before = len(ours.messages)
    ours.sample(LINE, "15")
    assert len(ours.messages) == before + 1
    assert ours.conversation_of(USER_1).last_words.startswith("先ほどの件、直りました。")
    ours.sample(LINE, "16")
    [file] = [one for one in ours.messages if one.kind is MessageKind.FILE]
    assert (file.media_id, file.media_name) == ("560000000000000401", "在留カード（表・裏）.pdf")
    assert len(ours.conversations) == 4
    assert theirs.messages == []


def test_the_samples_of_whatsapp_leave_what_they_should(ours: Intake, theirs: Intake) -> None:
    sent = {
        name: ours.we_sent(about["id"]) for name, about in world()["whatsappMessagesWeSent"].items()
    }
    ours.sample(WHATSAPP, "01")
    [first] = [one for one in ours.messages if one.side is TicketSide.RESIDENT]
    assert first.text == "Hi! We land at 23:40 — can we check in after midnight? ありがとう 🙏"
    assert ours.conversation_of("12025550143").name == "Tess O'B"
    ours.sample(WHATSAPP, "02")
    [picture] = [one for one in ours.messages if one.kind is MessageKind.IMAGE]
    assert (picture.text, picture.media_id) == (
        "水漏れです。急ぎでお願いします",
        "1479537139650973",
    )
    assert ours.conversation_of("819000010042").last_words == "🖼 水漏れです。急ぎでお願いします"

    for number, state in (
        *(("03", MessageState.SENT), ("04", MessageState.DELIVERED), ("05", MessageState.READ)),
        # Order is not promised: what would lead back changes nothing.
        *(("04", MessageState.READ), ("03", MessageState.READ)),
    ):
        ours.sample(WHATSAPP, number)
        assert ours.message(sent["out1"]).state is state
    ours.sample(WHATSAPP, "06")
    failed = ours.message(sent["out2"])
    assert failed.state is MessageState.FAILED
    assert "24 hours" in (failed.failure or "")
    assert [one.has_failure for one in ours.conversations if one.id == failed.conversation_id] == [
        True
    ]

    before = len(ours.messages)
    ours.sample(WHATSAPP, "07")
    button = ours.messages[-1]
    assert (button.text, button.quoted_id) == ("Yes, please", world_id("out1"))
    ours.sample(WHATSAPP, "08")
    assert [one.text for one in ours.messages[before + 1 :]] == ["one", "two", "👍"]
    assert messages_of(ours)[-1] == (MessageKind.REACTION, "👍")
    assert ours.messages[-1].quoted_id == world_id("out4")
    assert ours.message(sent["out3"]).state is MessageState.DELIVERED
    before = len(ours.messages)
    ours.sample(WHATSAPP, "09")
    ours.sample(WHATSAPP, "10")
    assert len(ours.messages) == before
    ours.sample(WHATSAPP, "11")
    assert ours.messages[-1].kind is MessageKind.UNSUPPORTED
    ours.sample(WHATSAPP, "12")
    assert ours.messages[-1].handle == "NO.37602b534d2e8da47804"
    assert ours.conversation_of("NO.37602b534d2e8da47804").name == "Marit"
    assert theirs.messages == []


def world_id(name: str) -> str:
    found: str = world()["whatsappMessagesWeSent"][name]["id"]
    return found


def test_the_samples_of_the_relay_leave_what_they_should(ours: Intake, theirs: Intake) -> None:
    [first] = ours.sample(OTA, "01")
    assert ours.message(first).external_id == "airbnb:am-77120031"
    assert ours.message(first).listing == "Kawasemi House 203"
    [second] = ours.sample(OTA, "02")
    assert ours.message(second).sent_at == datetime(2026, 11, 20, 3, 3, tzinfo=UTC)
    ours.sample(OTA, "03")
    assert ours.conversation_of("vrbo!v-1").reservation_id is None
    assert ours.sample(OTA, "04") == [first]
    assert len(ours.messages) == 3
    ours.sample(OTA, "05")
    assert len(ours.conversations) == 4
    theirs.sample(OTA, "06")
    assert [one.external_id for one in theirs.messages] == ["airbnb:am-77120031"]
    ours.sample(OTA, "07")
    [marked] = ours.sample(OTA, "08")
    assert ours.message(marked).text == '<img src=x onerror=alert(1)> & "quotes" =1+1'
    ours.sample(OTA, "15")
    assert len(ours.messages) == 7
    assert len(ours.conversations) == 4
    assert ours.conversation_of("airbnb/at-5510022").locale == "en"
    assert ours.conversation_of("booking_com/bdc-771").locale == "ja"


def test_what_is_taken_back_before_it_arrives_is_taken_back_when_it_does(ours: Intake) -> None:
    unsend = line_event("U1", "e2", "unsend") | {"unsend": {"messageId": "m-U1-1"}}
    ours.delivered(LINE, line(unsend))
    assert [one.state for one in ours.events] == [InboundState.UNMATCHED]
    ours.delivered(LINE, line(line_text("U1", "秘密の言葉")))
    ours.works()
    [message] = ours.messages
    assert message.taken_back_at is not None
    assert {one.state for one in ours.events} == {InboundState.DONE}
    assert "秘密" not in written([one.body for one in ours.events])
    [row] = ours.conversations
    assert (row.last_words, row.search_text.count("秘密")) == ("—", 0)


def test_a_status_that_comes_before_its_message_is_known_is_taken_up_later(ours: Intake) -> None:
    status = {"id": "wamid.9", "status": "delivered", "timestamp": "1795143600"}
    ours.delivered(WHATSAPP, whatsapp(statuses=[status]))
    assert [one.state for one in ours.events] == [InboundState.UNUSED]


@pytest.mark.parametrize("late", ["sent", "failed"])
def test_what_arrived_neither_fails_nor_goes_back(ours: Intake, late: str) -> None:
    id_ = ours.we_sent("wamid.9")
    for status in ("delivered", late):
        facts = {"id": "wamid.9", "status": status, "timestamp": "1795143600"}
        ours.delivered(WHATSAPP, whatsapp(statuses=[facts]))
    assert ours.message(id_).state is MessageState.DELIVERED


def test_a_status_never_touches_what_somebody_wrote_to_us(ours: Intake) -> None:
    ours.delivered(WHATSAPP, whatsapp([whatsapp_text("819012345678", "Hello", "wamid.1")]))
    status = {"id": "wamid.1", "status": "failed", "timestamp": "1795143600"}
    ours.delivered(WHATSAPP, whatsapp(statuses=[status]))
    assert [one.state for one in ours.messages] == [MessageState.RECEIVED]


def test_blocking_and_following_again_are_remembered(ours: Intake) -> None:
    ours.delivered(LINE, line(line_text("U1", "hello")))
    for key, kind, is_blocked in (("e8", "unfollow", True), ("e9", "follow", False)):
        ours.delivered(LINE, line(line_event("U1", key, kind)))
        assert [one.is_blocked for one in ours.handles] == [is_blocked]


def test_new_words_open_what_was_done_and_late_ones_do_not_push_newer_ones_aside(
    ours: Intake,
) -> None:
    ours.clock.advance(timedelta(hours=1))
    ours.delivered(LINE, line(line_text("U1", "second", 2)))
    [row] = ours.conversations
    ours.do(lambda work: close(work.session.get(Conversation, (row.workspace_id, row.id))))
    ours.delivered(LINE, line(line_text("U1", "first", 1)))
    [row] = ours.conversations
    assert (row.state, row.awaits) == (ConversationState.OPEN, TicketSide.STAFF)
    assert (row.last_words, row.closed_at) == ("second", None)


def close(row: Conversation | None) -> None:
    assert row is not None
    row.state, row.awaits = ConversationState.DONE, TicketSide.NOBODY


def test_a_clock_that_is_ahead_keeps_nobody_on_top(ours: Intake) -> None:
    body = {
        **{"channel": "airbnb", "messageId": "1", "guestName": "Marit", "text": "Hi"},
        "sentAt": "2199-01-01T00:00:00Z",
    }
    ours.delivered(OTA, body)
    assert [one.last_message_at for one in ours.conversations] == [ours.clock.now()]


def test_a_reaction_asks_nothing(ours: Intake) -> None:
    id_ = ours.we_sent("wamid.9", MessageState.SENT)
    reaction = {
        **{"from": "819012345678", "id": "wamid.10", "timestamp": "1795143600"},
        **{"type": "reaction", "reaction": {"message_id": "wamid.9", "emoji": "👍"}},
    }
    ours.delivered(WHATSAPP, whatsapp([reaction]))
    row = ours.conversation_of("819012345678")
    assert row.awaits is TicketSide.NOBODY
    assert ours.message(id_).state is MessageState.SENT


@pytest.mark.parametrize(
    ("message", "kind", "text"),
    [
        ({"type": "button", "button": {"text": "Yes"}}, MessageKind.TEXT, "Yes"),
        (
            {"type": "location", "location": {"name": "駅", "latitude": 35.7, "longitude": 139.8}},
            MessageKind.LOCATION,
            "駅\n35.7, 139.8",
        ),
        (
            {
                "type": "contacts",
                "contacts": [{"name": {"formatted_name": "Ken"}, "phones": [{"phone": "+81"}]}],
            },
            MessageKind.TEXT,
            "Ken +81",
        ),
        (
            {
                "type": "interactive",
                "interactive": {"type": "list_reply", "list_reply": {"title": "A", "id": "1"}},
            },
            MessageKind.TEXT,
            "A",
        ),
        ({"type": "audio", "audio": {"id": "77"}}, MessageKind.AUDIO, ""),
    ],
)
def test_kinds_of_whatsapp_are_read(
    ours: Intake, message: dict[str, object], kind: MessageKind, text: str
) -> None:
    known = {"from": "819012345678", "id": "wamid.1", "timestamp": "1795143600"}
    ours.delivered(WHATSAPP, whatsapp([{**known, **message}]))
    assert messages_of(ours) == [(kind, text)]


@pytest.mark.parametrize("kind", ["edit", "edited"])
def test_an_edited_message_stands_in_its_thread_with_the_words_before(
    ours: Intake, kind: str
) -> None:
    known = {"from": "819012345678", "timestamp": "1795143700", "id": "wamid.2", "type": kind}
    changed = {"type": "text", "text": {"body": "Leaving on the 31st"}}
    ours.delivered(
        WHATSAPP, whatsapp([whatsapp_text("819012345678", "Leaving on the 30th", "wamid.1")])
    )
    edit = {**known, kind: {"original_message_id": "wamid.1", "message": changed}}
    ours.delivered(WHATSAPP, whatsapp([edit]))
    ours.delivered(WHATSAPP, whatsapp([edit]))
    before, after = ours.messages
    assert (before.text, before.is_edit) == ("Leaving on the 30th", False)
    assert (after.text, after.is_edit) == ("Leaving on the 31st", True)
    assert after.quoted_id == before.external_id


@pytest.mark.parametrize(
    "edit", [{}, {"message": {"type": "edit"}}, {"message": "x"}, {"text": {"body": "B"}}, "x"]
)
def test_an_edit_that_cannot_be_read_is_not_lost(ours: Intake, edit: object) -> None:
    known = {"from": "819012345678", "timestamp": "1795143700", "id": "wamid.2", "type": "edit"}
    ours.delivered(WHATSAPP, whatsapp([{**known, "edit": edit}]))
    assert [one.is_edit for one in ours.messages] == [True]


_WRITER = "819012345678"
_REVOKE = {"from": _WRITER, "timestamp": "1795143900", "id": "wamid.3", "type": "revoke"}
_REVOKED = {**_REVOKE, "revoke": {"original_message_id": "wamid.1"}}
_EDIT = {
    **{"from": _WRITER, "timestamp": "1795143700", "id": "wamid.2", "type": "edit"},
    "edit": {
        "original_message_id": "wamid.1",
        "message": {"type": "text", "text": {"body": "秘密の番号 77"}},
    },
}


def test_a_message_that_its_writer_deletes_on_whatsapp_is_forgotten_with_its_edits(
    ours: Intake,
) -> None:
    first = whatsapp_text(_WRITER, "秘密の番号 42", "wamid.1")
    ours.delivered(WHATSAPP, whatsapp([first]))
    ours.delivered(WHATSAPP, whatsapp([_EDIT]))
    for _ in range(2):
        ours.delivered(WHATSAPP, whatsapp([_REVOKED]))
    assert [(one.text, one.taken_back_at is None) for one in ours.messages] == [("", False)] * 2
    assert {one.state for one in ours.events} == {InboundState.DONE}
    assert "秘密" not in written([one.body for one in ours.events])
    [row] = ours.conversations
    assert row.last_words == "—"


@pytest.mark.parametrize("order", [(2, 0, 1), (0, 2, 1), (1, 2, 0)])
def test_what_comes_after_its_deletion_on_whatsapp_is_forgotten_too(
    ours: Intake, order: tuple[int, ...]
) -> None:
    found = (whatsapp_text(_WRITER, "秘密の番号 42", "wamid.1"), _EDIT, _REVOKED)
    for number in order:
        ours.delivered(WHATSAPP, whatsapp([found[number]]))
        ours.works()
    assert [one.taken_back_at is None for one in ours.messages] == [False, False]
    assert "秘密" not in written([one.body for one in ours.events])


@pytest.mark.parametrize(
    "wrong",
    [
        {**_REVOKED, "from": "819099999999"},
        {**_REVOKE, "revoke": {"original_message_id": "wamid.x"}},
        {**_REVOKE, "revoke": "wamid.1"},
        _REVOKE,
    ],
)
def test_a_deletion_of_something_else_forgets_nothing(
    ours: Intake, wrong: dict[str, object]
) -> None:
    ours.delivered(WHATSAPP, whatsapp([whatsapp_text(_WRITER, "Hello", "wamid.1")]))
    ours.delivered(WHATSAPP, whatsapp([wrong]))
    assert [(one.text, one.taken_back_at) for one in ours.messages] == [("Hello", None)]
    assert [one.state for one in ours.events][1:] == [InboundState.UNMATCHED]


def test_a_place_and_a_file_kept_elsewhere_are_read_of_line(ours: Intake) -> None:
    place = {"type": "location", "id": "9", "address": "墨田区", "latitude": 1, "longitude": 2}
    film = {"type": "video", "id": "8", "contentProvider": {"type": "external"}}
    for number, message in ((1, place), (2, film)):
        event = line_event("U1", f"e{number}", "message", number) | {"message": message}
        ours.delivered(LINE, line(event))
    assert messages_of(ours) == [(MessageKind.LOCATION, "墨田区\n1, 2"), (MessageKind.VIDEO, "")]
    assert "not fetched" in (ours.messages[1].media_failure or "")
    assert ours.messages[1].media_id is None


@pytest.mark.parametrize(
    "event",
    [
        {"type": "message", "message": {"type": "text", "id": "1"}},
        {"type": "message", "source": {"userId": "U1"}, "message": {"type": "text", "text": "x"}},
        {"type": "message", "source": {"userId": "U1"}},
        {"type": "unsend", "source": {"userId": "U1"}},
        {"type": "unsend", "unsend": {"messageId": {"a": 1}}},
        {"type": "follow"},
        {"type": ["follow"], "source": "U1"},
    ],
)
def test_an_event_that_lacks_something_ends_without_a_message(
    ours: Intake, event: dict[str, object]
) -> None:
    ours.delivered(LINE, line({"webhookEventId": "e1", **event}))
    assert ours.messages == []
    assert [one.state in (InboundState.UNUSED, InboundState.UNMATCHED) for one in ours.events] == [
        True
    ]


def test_an_event_that_is_taken_up_twice_leaves_one_message(ours: Intake) -> None:
    [id_] = ours.sample(LINE, "01")

    def once_more(work: Work) -> None:
        event = work.session.get_one(InboundEvent, (ours.house.workspace_id, id_))
        event.state, event.due_at, event.ended_at = InboundState.WAITING, ours.clock.now(), None

    ours.do(once_more)
    ours.works(timedelta(seconds=1))
    assert [one.id for one in ours.messages] == [id_]
    assert [one.state for one in ours.events] == [InboundState.DONE]


def test_an_event_whose_lease_ran_out_is_ended_by_the_worker_that_took_it_over(
    ours: Intake,
) -> None:
    def leased() -> InboundEvent:
        with ours.database.across_workspaces_writing() as session:
            [event] = lease_events(session, ours.clock, 1)
            return event

    def taken(event: InboundEvent) -> EventOutcome | None:
        with ours.database.writing(ours.house.workspace_id) as session:
            return take_event(session, ours.clock, event)

    with ours.database.writing(ours.house.workspace_id) as session:
        events = split_line(line(line_text("U1", "hello")))
        keep_events(session, ours.clock, source=LINE, events=events)
    first = leased()
    ours.clock.advance(LEASE)
    second = leased()
    assert taken(first) is None
    assert ours.messages == []
    assert [one.state for one in ours.events] == [InboundState.WAITING]
    assert taken(second) is not None
    assert messages_of(ours) == [(MessageKind.TEXT, "hello")]
    assert [one.state for one in ours.events] == [InboundState.DONE]


def test_the_same_names_in_two_workspaces_are_two_people(ours: Intake, theirs: Intake) -> None:
    for one in (ours, theirs):
        one.sample(LINE, "01")
        one.sample(WHATSAPP, "01")
        one.sample(OTA, "01")
    assert [len(one.conversations) for one in (ours, theirs)] == [3, 3]
    assert [len(one.messages) for one in (ours, theirs)] == [3, 3]
    mine = {one.id for one in ours.messages} | {one.id for one in ours.conversations}
    yours = {one.id for one in theirs.messages} | {one.id for one in theirs.conversations}
    assert not mine & yours


def test_every_message_of_one_channel_has_its_own_name(ours: Intake) -> None:
    ours.sample(LINE, "01")
    assert [one.channel for one in ours.all_of(GuestMessage)] == [Channel.LINE]
