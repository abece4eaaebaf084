"""Answers leave by their providers, each once, and whatever stops one is told plainly."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import event

from pms.channels.conversation_lists import (
    InboxSearch,
    InboxVisibility,
    close_conversation,
    inbox_counts,
    inbox_list,
)
from pms.channels.outgoing import send_again
from pms.channels.sending import send_words
from pms.foundation.errors import NotFound, Refused
from pms.foundation.lists import Paging
from pms.foundation.outbox import MOST_CALL_ATTEMPTS as MOST_ATTEMPTS
from pms.foundation.outbox import ProviderCall
from pms.foundation.provider_http import CallLimits
from pms.foundation.tenancy import WorkspaceSession
from pms.jobs.outbox import send_outbox
from pms.jobs.provider_calls import make_provider_calls
from pms.rules.enumerations import IntegrationKind, TicketSide
from pms.rules.message_words import Channel, ConversationState, MessageState, WebhookSource
from tests.channels.intake import (
    SECRET,
    STAFF,
    Intake,
    line,
    line_event,
    line_text,
    whatsapp,
    whatsapp_text,
)
from tests.servers.messengers import Messenger, open_messenger

LINE, WHATSAPP, OTA = WebhookSource.LINE, WebhookSource.WHATSAPP, WebhookSource.OTA
NUMBER = "819012345678"
LATER = timedelta(hours=1)


@pytest.fixture
def messenger() -> Iterator[Messenger]:
    """A provider that answers."""
    with open_messenger() as messenger:
        yield messenger


@pytest.fixture
def connected(ours: Intake, messenger: Messenger) -> Intake:
    """A workspace whose three channels are connected, and where somebody wrote on each."""
    ours.connect(IntegrationKind.LINE, messenger.address)
    ours.connect(IntegrationKind.WHATSAPP, messenger.address, "151847497418422")
    ours.connect(IntegrationKind.OTA, messenger.address)
    messenger.names["U1"] = "Hana ☆"
    ours.delivered(LINE, line(line_text("U1", "お湯が出ません")))
    ours.delivered(WHATSAPP, whatsapp([whatsapp_text(NUMBER, "Hello", "wamid.in")]))
    body = {
        **{"channel": "airbnb", "messageId": "am-1", "conversationId": "at-1"},
        **{"guestName": "Marit", "text": "Hi", "sentAt": "2026-11-20T02:58:41Z"},
    }
    ours.delivered(OTA, body)
    ours.works()
    messenger.asked.clear()
    return ours


def answer(intake: Intake, channel: Channel, handle: str, text: str = "承知しました。") -> str:
    """What the office answers; the id of the message."""
    row = intake.conversation_of(handle)
    facts: dict[str, Any] = {"channel": channel, "handle": handle, "text": text}
    found: str = intake.do(send_words, conversation_id=row.id, **facts)
    return found


@pytest.mark.differs("outbox and leases")
def test_an_answer_on_line_is_pushed_once_under_a_key_of_its_own(
    connected: Intake, messenger: Messenger
) -> None:
    id_ = answer(connected, Channel.LINE, "U1")
    sent = connected.message(id_)
    assert (sent.state, sent.side, sent.by) == (MessageState.WAITING, TicketSide.STAFF, STAFF)
    row = connected.conversation_of("U1")
    assert (row.awaits, row.last_words) == (TicketSide.RESIDENT, "承知しました。")
    connected.works()
    connected.works(LATER)
    [asked] = messenger.asked
    assert asked.path == "/v2/bot/message/push"
    assert asked.headers["Authorization"] == f"Bearer {SECRET}"
    assert UUID(asked.headers["X-Line-Retry-Key"])
    assert asked.payload == {
        "to": "U1",
        "messages": [{"type": "text", "text": "承知しました。"}],
    }
    assert (connected.message(id_).state, connected.message(id_).external_id) == (
        MessageState.SENT,
        "line-1",
    )


def test_an_answer_on_whatsapp_is_followed_by_its_statuses(
    connected: Intake, messenger: Messenger
) -> None:
    id_ = answer(connected, Channel.WHATSAPP, NUMBER)
    connected.works()
    [asked] = messenger.asked
    assert asked.path == "/v23.0/151847497418422/messages"
    assert (asked.payload["to"], asked.payload["text"]["body"]) == (NUMBER, "承知しました。")
    for status in ("sent", "delivered", "read"):
        facts = {"id": "wamid.out-1", "status": status, "timestamp": "1795143600"}
        connected.delivered(WHATSAPP, whatsapp(statuses=[facts]))
        assert connected.message(id_).state == status


def test_an_answer_on_a_travel_channel_goes_through_the_relay(
    connected: Intake, messenger: Messenger
) -> None:
    id_ = answer(connected, Channel.OTA, "airbnb/at-1", "You are welcome.")
    connected.works()
    [asked] = messenger.asked
    assert (asked.path, asked.headers["Idempotency-Key"]) == ("/messages", id_)
    assert asked.payload == {
        "id": id_,
        "channel": "airbnb",
        "conversationId": "at-1",
        "inReplyTo": "am-1",
        "text": "You are welcome.",
    }
    assert connected.message(id_).state is MessageState.SENT


@pytest.mark.differs("outbox and leases")
@pytest.mark.parametrize(("channel", "handle"), [("line", "U1"), ("ota", "airbnb/at-1")])
def test_an_answer_whose_arrival_was_not_heard_is_not_said_twice(
    connected: Intake, messenger: Messenger, channel: str, handle: str
) -> None:
    id_ = answer(connected, Channel(channel), handle)
    messenger.loses_answers = 1
    connected.works()
    assert connected.message(id_).state is MessageState.WAITING
    connected.works(LATER)
    assert len(messenger.asked) == 2
    assert len(messenger.taken) == 1
    assert connected.message(id_).state is MessageState.SENT


def test_an_answer_on_whatsapp_that_a_status_tells_of_is_not_sent_again(
    connected: Intake, messenger: Messenger
) -> None:
    id_ = answer(connected, Channel.WHATSAPP, NUMBER)
    messenger.loses_answers = 1
    connected.works()
    status = {
        **{"id": "wamid.out-1", "status": "delivered", "timestamp": "1795143600"},
        "biz_opaque_callback_data": f"{id_}/1",
    }
    connected.delivered(WHATSAPP, whatsapp(statuses=[status]))
    connected.works(LATER)
    assert len(messenger.asked) == 1
    assert connected.message(id_).state is MessageState.DELIVERED
    assert connected.message(id_).external_id == "wamid.out-1"


def test_a_status_that_overtakes_the_answer_counts_when_the_answer_is_there(
    connected: Intake, messenger: Messenger
) -> None:
    id_ = answer(connected, Channel.WHATSAPP, NUMBER)
    status = {"id": "wamid.out-1", "status": "delivered", "timestamp": "1795143600"}
    connected.delivered(WHATSAPP, whatsapp(statuses=[status]))
    connected.works()
    connected.works()
    assert connected.message(id_).state is MessageState.DELIVERED
    assert len(messenger.asked) == 1


@pytest.mark.differs("outbox and leases")
def test_a_provider_in_trouble_is_asked_again(connected: Intake, messenger: Messenger) -> None:
    messenger.next_answers = [(500, b"oops"), (429, b"{}")]
    id_ = answer(connected, Channel.LINE, "U1")
    for _ in range(3):
        connected.works(LATER)
    assert len(messenger.asked) == 3
    assert connected.message(id_).state is MessageState.SENT


def test_a_provider_that_is_too_slow_is_asked_again(
    connected: Intake, messenger: Messenger
) -> None:
    messenger.goes_on.clear()
    id_ = answer(connected, Channel.LINE, "U1")
    limits = CallLimits(patience_seconds=0.2, allow_http=True, allowed_networks=("127.0.0.0/8",))
    make_provider_calls(connected.tools, limits)
    assert connected.message(id_).state is MessageState.WAITING
    assert [one.failure for one in connected.calls if one.failure] == ["too slow"]
    messenger.goes_on.set()
    connected.works(LATER)
    assert connected.message(id_).state is MessageState.SENT


def test_what_is_refused_for_good_fails_at_once_and_a_person_sends_it_again(
    connected: Intake, messenger: Messenger
) -> None:
    messenger.next_answers = [(400, b'{"message": "The property, \'to\', is invalid"}')]
    id_ = answer(connected, Channel.LINE, "U1")
    connected.works()
    failed = connected.message(id_)
    assert failed.state is MessageState.FAILED
    assert failed.failure == "400: The property, 'to', is invalid"
    assert connected.conversation_of("U1").has_failure
    connected.works(LATER)
    assert len(messenger.asked) == 1
    connected.do(send_again, message_id=id_)
    assert not connected.conversation_of("U1").has_failure
    with pytest.raises(Refused, match="did not fail"):
        connected.do(send_again, message_id=id_)
    connected.works()
    assert connected.message(id_).state is MessageState.SENT
    assert connected.message(id_).failure is None
    keys = {one.headers["X-Line-Retry-Key"] for one in messenger.asked}
    assert len(keys) == 1


def test_a_failure_opens_again_what_was_closed_meanwhile(
    connected: Intake, messenger: Messenger
) -> None:
    messenger.next_answers = [(400, b'{"message": "no"}')]
    answer(connected, Channel.LINE, "U1")
    conversation_id = connected.conversation_of("U1").id
    connected.do(close_conversation, conversation_id=conversation_id)
    connected.works()
    row = connected.conversation_of("U1")
    assert (row.state, row.awaits) == (ConversationState.OPEN, TicketSide.RESIDENT)
    with connected.database.reading(connected.house.workspace_id) as session:
        everything, waiting = InboxVisibility.everything(), InboxSearch(awaits=TicketSide.STAFF)
        assert inbox_counts(session, everything) == (3, 1)
        found = inbox_list(session, waiting, Paging(1, 5), everything)
    assert (found.total, found.rows[0].id) == (3, conversation_id), "a person has to see it"
    connected.do(close_conversation, conversation_id=conversation_id)
    connected.works(LATER)
    assert connected.conversation_of("U1").state is ConversationState.DONE, "it was seen"


def test_what_never_gets_through_is_given_up_visibly(
    connected: Intake, messenger: Messenger
) -> None:
    messenger.next_answers = [(503, b"")] * MOST_ATTEMPTS
    id_ = answer(connected, Channel.OTA, "airbnb/at-1")
    for _ in range(MOST_ATTEMPTS + 2):
        connected.works(LATER)
    assert len(messenger.asked) == MOST_ATTEMPTS
    assert connected.message(id_).state is MessageState.FAILED
    assert "503" in (connected.message(id_).failure or "")


@pytest.mark.differs("outbox and leases")
def test_a_worker_that_dies_once_it_gave_up_leaves_no_message_waiting(
    connected: Intake, messenger: Messenger
) -> None:
    messenger.next_answers = [(400, b'{"message": "no"}')]
    id_ = answer(connected, Channel.LINE, "U1")
    given_up: list[str] = []

    def note(session: WorkspaceSession, _: object) -> None:
        given_up.extend(
            one.id for one in session.dirty if isinstance(one, ProviderCall) and one.given_up_at
        )

    def die(_: object) -> None:
        if given_up:
            raise SystemExit("died")

    event.listen(WorkspaceSession, "after_flush", note)
    event.listen(WorkspaceSession, "after_commit", die)
    try:
        with pytest.raises(SystemExit):
            connected.works()
    finally:
        event.remove(WorkspaceSession, "after_flush", note)
        event.remove(WorkspaceSession, "after_commit", die)
    assert [one.id for one in connected.calls if one.given_up_at] == given_up[:1]
    assert connected.message(id_).state is MessageState.FAILED
    assert connected.conversation_of("U1").has_failure


def test_the_window_of_whatsapp_is_told_plainly(connected: Intake, messenger: Messenger) -> None:
    error = '{"error": {"message": "(#131047) Re-engagement message", "code": 131047}}'
    messenger.next_answers = [(400, error.encode())]
    id_ = answer(connected, Channel.WHATSAPP, NUMBER)
    connected.works()
    assert (connected.message(id_).failure or "").startswith("WhatsApp passes on free words only")


def test_who_failed_later_can_be_written_to_again_on_whatsapp(
    connected: Intake, messenger: Messenger
) -> None:
    id_ = answer(connected, Channel.WHATSAPP, NUMBER)
    connected.works()
    status = {"id": "wamid.out-1", "status": "failed", "timestamp": "1795143600"}
    connected.delivered(WHATSAPP, whatsapp(statuses=[status]))
    assert connected.message(id_).state is MessageState.FAILED
    connected.do(send_again, message_id=id_)
    connected.works()
    assert connected.message(id_).external_id == "wamid.out-2"
    # What is told of the first try has nothing to do with the second.
    read = {**status, "status": "read", "biz_opaque_callback_data": f"{id_}/1"}
    connected.delivered(WHATSAPP, whatsapp(statuses=[read]))
    assert connected.message(id_).state is MessageState.SENT


@pytest.mark.parametrize("late", ["sent", "failed"])
def test_a_late_word_of_a_try_that_failed_does_not_stop_the_next_one(
    connected: Intake, messenger: Messenger, late: str
) -> None:
    id_ = answer(connected, Channel.WHATSAPP, NUMBER)
    connected.works()
    status = {"id": "wamid.out-1", "timestamp": "1795143600"}
    connected.delivered(WHATSAPP, whatsapp(statuses=[{**status, "status": "failed"}]))
    connected.do(send_again, message_id=id_)
    facts = {**status, "status": late, "biz_opaque_callback_data": f"{id_}/1", "timestamp": "1"}
    connected.delivered(WHATSAPP, whatsapp(statuses=[facts]))
    assert connected.message(id_).state is MessageState.WAITING
    connected.works()
    assert (connected.message(id_).state, connected.message(id_).external_id) == (
        MessageState.SENT,
        "wamid.out-2",
    )
    marks = [one.payload["biz_opaque_callback_data"] for one in messenger.asked]
    assert marks == [f"{id_}/1", f"{id_}/2"]


@pytest.mark.differs("outbox and leases")
def test_each_try_is_known_by_its_own_mark(connected: Intake, messenger: Messenger) -> None:
    messenger.next_answers = [(400, b"{}"), (400, b"{}")]
    id_ = answer(connected, Channel.WHATSAPP, NUMBER)
    for _ in range(2):
        connected.works()
        connected.do(send_again, message_id=id_)
    messenger.loses_answers = 1
    connected.works()
    assert [one.payload["biz_opaque_callback_data"] for one in messenger.asked] == [
        f"{id_}/{number}" for number in (1, 2, 3)
    ]
    for mark in (id_, f"{id_}/2", f"{id_}/x", "/3", f"{id_}/3/3", f"{id_}/03"):
        facts = {"id": f"wamid.{mark}", "status": "sent", "timestamp": "1795143600"}
        facts["biz_opaque_callback_data"] = mark
        connected.delivered(WHATSAPP, whatsapp(statuses=[facts]))
        assert connected.message(id_).state is MessageState.WAITING
    facts = {"id": "wamid.out-1", "status": "sent", "timestamp": "1795143600"}
    facts["biz_opaque_callback_data"] = f"{id_}/3"
    connected.delivered(WHATSAPP, whatsapp(statuses=[facts]))
    assert connected.message(id_).external_id == "wamid.out-1"
    connected.works(LATER)
    assert len(messenger.asked) == 3


@pytest.mark.parametrize(
    ("channel", "handle", "text", "why"),
    [
        ("line", "U1", " ", "text"),
        ("line", "U1", "あ" * 5_001, "At most 5000"),
        ("line", "U1", "😀" * 2_501, "At most 5000"),
        ("whatsapp", "U1", "x", "person has no contact there"),
        ("line", "U2", "x", "person has no contact there"),
        ("mail", "stranger@example.jp", "x", "person has no contact there"),
        ("mail", "no address", "x", "channel"),
        ("portal", "U1", "x", "portal"),
    ],
)
def test_words_go_only_where_they_can_arrive(
    connected: Intake, channel: str, handle: str, text: str, why: str
) -> None:
    row = connected.conversation_of("U1")
    before = len(connected.messages)
    with pytest.raises(Refused, match=why):
        connected.do(
            send_words,
            conversation_id=row.id,
            channel=Channel(channel),
            handle=handle,
            text=text,
        )
    assert len(connected.messages) == before


def test_whoever_blocked_the_office_is_not_written_to(connected: Intake) -> None:
    connected.delivered(LINE, line(line_event("U1", "gone", "unfollow")))
    with pytest.raises(Refused, match="blocked"):
        answer(connected, Channel.LINE, "U1")


def test_without_a_provider_nothing_pretends_to_leave(ours: Intake) -> None:
    ours.delivered(LINE, line(line_text("U1", "hello")))
    with pytest.raises(Refused, match="no provider"):
        answer(ours, Channel.LINE, "U1")


def test_another_workspace_answers_nobody_here(connected: Intake, theirs: Intake) -> None:
    row = connected.conversation_of("U1")
    facts = {"channel": Channel.LINE, "handle": "U1", "text": "x"}
    with pytest.raises(NotFound):
        theirs.do(send_words, conversation_id=row.id, **facts)
    id_ = answer(connected, Channel.LINE, "U1")
    with pytest.raises(NotFound):
        theirs.do(send_again, message_id=id_)


def test_line_is_asked_once_who_wrote(connected: Intake, messenger: Messenger) -> None:
    assert connected.conversation_of("U1").name == "Hana ☆"
    connected.delivered(LINE, line(line_text("U1", "もう一度", 2)))
    connected.works()
    assert messenger.asked == []


def test_an_answer_by_mail_carries_the_words_and_the_office(ours: Intake) -> None:
    ours.contact(phone="090-1234-5678", email="Hanako@Example.jp")
    ours.delivered(WHATSAPP, whatsapp([whatsapp_text(NUMBER, "こんにちは", "wamid.1")]))
    row = ours.conversation_of(NUMBER)
    facts = {"channel": Channel.MAIL, "handle": "Hanako@Example.jp"}
    id_ = ours.do(send_words, conversation_id=row.id, **facts, text="明日の10時に伺います。\n隅田")
    assert ours.message(id_).state is MessageState.WAITING
    ours.works()
    assert ours.message(id_).state is MessageState.SENT
    [path] = ours.settings.mail_dir.glob("*.eml")
    mail = BytesParser(policy=policy.default).parsebytes(path.read_bytes())
    assert mail["To"] == "hanako@example.jp"
    assert mail["Subject"] == "【隅田シェアハウス】ご連絡"
    plain, html = (mail.get_body((kind,)) for kind in ("plain", "html"))
    assert plain is not None
    assert html is not None
    assert plain.get_content() == (
        "佐藤 花子 様\n\n"
        "いつもお世話になっております。隅田シェアハウスです。\n\n"
        "明日の10時に伺います。\n隅田\n\n"
        "ご不明な点がございましたら、どうぞご連絡ください。\n\n"
        "隅田シェアハウス\n"
    )
    assert "<p>明日の10時に伺います。</p>" in html.get_content()


class ShutPostbox:
    """Takes no mail."""

    def post(self, message: EmailMessage) -> None:
        raise ConnectionRefusedError(f"nobody listens for {message['To']}")


def test_a_mail_in_english_and_one_that_cannot_leave(ours: Intake) -> None:
    ours.contact(phone="090-1234-5678", email="hanako@example.jp", locale="en")
    ours.delivered(WHATSAPP, whatsapp([whatsapp_text(NUMBER, "Hello", "wamid.1")]))
    row = ours.conversation_of(NUMBER)
    facts = {"channel": Channel.MAIL, "handle": "hanako@example.jp"}
    id_ = ours.do(send_words, conversation_id=row.id, **facts, text="We come <tomorrow>.")

    for _ in range(MOST_ATTEMPTS + 1):
        ours.clock.advance(timedelta(days=1))
        send_outbox(replace(ours.tools, postbox=ShutPostbox()))
    assert ours.message(id_).state is MessageState.FAILED
    ours.do(send_again, message_id=id_)
    ours.works()
    assert ours.message(id_).state is MessageState.SENT
    [path] = ours.settings.mail_dir.glob("*.eml")
    mail = BytesParser(policy=policy.default).parsebytes(path.read_bytes())
    assert mail["Subject"] == "隅田シェアハウス: a message for you"
    plain, html = (mail.get_body((kind,)) for kind in ("plain", "html"))
    assert plain is not None
    assert html is not None
    assert plain.get_content() == (
        "Dear 佐藤 花子,\n\nWe come <tomorrow>.\n\n"
        "If anything is unclear, please get in touch with us.\n\n隅田シェアハウス\n"
    )
    assert "We come &lt;tomorrow&gt;." in html.get_content()
