"""Mails of a real mailbox: whose thread they join, what is shown, and what is passed over."""

from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import pytest
from sqlalchemy import select

from pms.channels import mailboxes
from pms.channels.answers import answer_conversation
from pms.channels.models import Mailbox
from pms.channels.received_mails import (
    FROM_ITSELF,
    KEPT_ORIGINALS,
    NO_SENDER,
    NOT_FROM_A_PERSON,
    STILL_TRIED,
    original_key,
)
from pms.channels.sending import send_words
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.outbox import OutboxMail, put_mail
from pms.jobs.mailboxes import read_mailboxes
from pms.jobs.worker import forget_old_work
from pms.providers.received_mail import parse_mail
from pms.rules.message_words import Channel, MessageKind
from tests.cast import Cast
from tests.channels.intake import Intake
from tests.sample_uploads import UPLOADS
from tests.servers.imap import FOLDER, PASSWORD, USER, ImapServer, start_imap
from tests.staff import introduce_staff

NETWORKS = ("127.0.0.0/8",)
OFFICE = "office@sumida.example"
HANAKO = "hanako@example.jp"


@pytest.fixture(scope="module")
def server() -> Iterator[ImapServer]:
    server = start_imap()
    yield server
    server.stop()


@pytest.fixture
def box(ours: Intake, server: ImapServer) -> Intake:
    """The workspace with its mailbox set and read once, and the address of its resident."""
    ours.contact(email=HANAKO)
    set_mailbox(ours, server)
    read(ours)
    return ours


def set_mailbox(intake: Intake, server: ImapServer, **changed: object) -> None:
    settings = {
        "address": OFFICE,
        "host": "127.0.0.1",
        "port": server.port,
        "username": USER,
        "password": PASSWORD,
        "folder": FOLDER,
        "has_plus": True,
        "expected_version": None,
        "allowed_networks": NETWORKS,
    }
    intake.do(mailboxes.set_mailbox, **settings | changed)


def read(intake: Intake) -> None:
    """Have the worker read the mailbox, then take up what came."""
    intake.clock.advance(mailboxes.EVERY)
    read_mailboxes(intake.tools, NETWORKS)
    intake.works()


def mail(
    words: str, subject: str = "Re: 請求書", sender: str = HANAKO, **headers: str
) -> EmailMessage:
    found = EmailMessage()
    found["From"], found["To"], found["Subject"] = f"佐藤 花子 <{sender}>", OFFICE, subject
    found["Date"] = "Fri, 20 Nov 2026 11:00:00 +0900"
    for name, value in headers.items():
        del found[name.replace("_", "-")]
        found[name.replace("_", "-")] = value
    if "Message_ID" not in headers:
        found["Message-ID"] = f"<{abs(hash(words + subject + sender))}@mail.example>"
    found.set_content(words)
    return found


def sent(intake: Intake, recipient: str = HANAKO) -> str:
    """A mail of the office to a person, as the worker sent it."""
    with intake.database.writing(intake.house.workspace_id) as session:
        put = put_mail(session, intake.clock, recipient=recipient, subject="請求書", text="…")
        session.flush()
        mail_id = put.id
    intake.works()
    return mail_id


def test_a_reply_joins_the_thread_of_whom_the_mail_went_to_without_what_it_quotes(
    box: Intake, server: ImapServer
) -> None:
    mail_id = sent(box)
    written = message_from_bytes(
        (box.settings.mail_dir / f"{mail_id}.eml").read_bytes(), policy=default
    )
    reply_to = str(written["Reply-To"])
    assert reply_to == f"office+{mail_id}@sumida.example"
    quote = "2026年11月20日(金) 10:00 隅田シェアハウス <no-reply@x.example>:\n> 請求書\n"
    server.receives(
        mail(f"明日払います。\n\n{quote}", To=reply_to, In_Reply_To="<x@y>", Message_ID="<m-1@jp>")
    )
    read(box)
    [message] = box.messages
    assert (message.channel, message.handle) == (Channel.MAIL, HANAKO)
    assert message.text == "明日払います。"
    [conversation] = box.conversations
    assert conversation.reservation_id == box.house.resident_id
    assert "\\Seen" not in server.flags()[-1], "nothing is marked as read in the mailbox"
    original = Files(box.settings).get(original_of(box, message.id) or "")
    assert original is not None
    assert quote.splitlines()[-1].encode() in original

    box.do(
        answer_conversation,
        conversation_id=conversation.id,
        text="承知しました。",
        channel=Channel.MAIL,
        seen_at=box.clock.now(),
    )
    answer = box.all_of(OutboxMail)[-1]
    assert (answer.recipient, answer.in_reply_to) == (HANAKO, "m-1@jp")

    box.clock.advance(KEPT_ORIGINALS + timedelta(days=1))
    forget_old_work(box.tools)
    assert original_of(box, message.id) is None
    assert Files(box.settings).get(box.events[0].body["file_key"] or "") is None


def original_of(intake: Intake, message_id: str) -> str | None:
    with intake.database.reading(intake.house.workspace_id) as session:
        return original_key(session, message_id)


def test_a_reply_from_another_address_stays_in_the_thread_and_is_answered_at_the_recorded_one(
    box: Intake, server: ImapServer
) -> None:
    mail_id = sent(box)
    partner = "partner@example.jp"
    server.receives(mail("妻の代わりに", sender=partner, In_Reply_To=f"<{mail_id}@localhost>"))
    read(box)
    [conversation] = box.conversations
    assert [one.handle for one in box.handles if one.channel is Channel.MAIL] == [HANAKO]
    assert box.messages[0].handle == partner
    with pytest.raises(Refused, match="no contact"):
        box.do(
            send_words,
            conversation_id=conversation.id,
            channel=Channel.MAIL,
            handle=partner,
            text="x",
        )


def test_an_unknown_sender_begins_a_thread_that_can_be_answered(
    box: Intake, server: ImapServer
) -> None:
    server.receives(mail("空室はありますか。", subject="お問い合わせ", sender="new@example.jp"))
    read(box)
    [conversation] = box.conversations
    assert (conversation.name, conversation.reservation_id) == ("佐藤 花子", None)
    assert box.messages[0].text == "お問い合わせ\n\n空室はありますか。"
    box.do(
        answer_conversation,
        conversation_id=conversation.id,
        text="はい。",
        channel=Channel.MAIL,
        seen_at=box.clock.now(),
    )
    assert box.all_of(OutboxMail)[-1].recipient == "new@example.jp"


def test_a_mail_is_stored_once_in_whatever_way_its_copies_arrive(
    box: Intake, server: ImapServer
) -> None:
    same = mail("一度だけ")
    server.receives(same)
    copy = message_from_bytes(same.as_bytes(), policy=default)
    copy["Delivered-To"] = "group@sumida.example"
    server.receives(copy.as_bytes())
    read(box)
    with box.database.writing(box.house.workspace_id) as session:
        session.scalars(select(Mailbox)).one().uid_validity = 1  # the server numbered them anew
    read(box)
    assert [one.text for one in box.messages].count("Re: 請求書\n\n一度だけ") == 1
    assert len(box.events) == len({one.event_key for one in box.events})


def test_pictures_come_without_their_place_and_files_as_downloads(
    box: Intake, server: ImapServer
) -> None:
    sending = mail("写真です。")
    picture = (UPLOADS / "room_rotated_gps.jpg").read_bytes()
    sending.add_attachment(picture, maintype="image", subtype="jpeg", filename="台所.jpg")
    sending.add_attachment(
        b"MZ\x90", maintype="application", subtype="x-msdownload", filename="a.exe"
    )
    server.receives(sending)
    read(box)
    words, shown, file = sorted(box.messages, key=lambda one: one.id)
    assert (words.kind, shown.kind, file.kind) == (
        MessageKind.TEXT,
        MessageKind.IMAGE,
        MessageKind.FILE,
    )
    assert (shown.media_name, shown.media_type) == ("台所.jpg", "image/webp")
    assert file.media_type == "application/octet-stream"
    stored = Files(box.settings).get(shown.media_key or "")
    assert stored is not None
    assert b"GPS" not in stored


def test_what_no_person_wrote_is_listed_with_its_reason_and_is_no_message(
    box: Intake, server: ImapServer
) -> None:
    passed_over = (
        ({"Auto_Submitted": "auto-replied"}, NOT_FROM_A_PERSON),
        ({"Precedence": "bulk"}, NOT_FROM_A_PERSON),
        ({"List_Id": "<news.example.jp>"}, NOT_FROM_A_PERSON),
        ({"From": f"Office <{OFFICE}>"}, FROM_ITSELF),
        ({"From": "nobody"}, NO_SENDER),
    )
    for number, (headers, _) in enumerate(passed_over):
        server.receives(mail(f"不在です。{number}", **headers))
    read(box)
    assert not box.messages
    assert [one.failure for one in box.events] == [reason for _, reason in passed_over]


def test_a_mail_that_comes_back_counts_as_failed_with_the_servers_reason(
    box: Intake, server: ImapServer
) -> None:
    mail_id = sent(box)
    report = (
        "From: MAILER-DAEMON@mx.example\r\nTo: no-reply@localhost\r\nSubject: Undelivered\r\n"
        "Auto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\nMessage-ID: <{0}.{1}@mx.example>\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nIt failed.\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; mx.example\r\n\r\n"
        "Final-Recipient: rfc822; hanako@example.jp\r\nAction: {1}\r\nStatus: 5.1.1\r\n"
        "Diagnostic-Code: smtp; 550 No such user\r\n\r\n"
        "--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <{0}@localhost>\r\n\r\n--b--\r\n"
    )
    for action in ("delayed", "failed"):
        server.receives(report.format(mail_id, action).encode())
    read(box)
    assert {one.failure for one in box.events} == {STILL_TRIED, "5.1.1: 550 No such user"}
    [returned] = box.all_of(OutboxMail)
    assert (returned.sent_at, returned.failure) == (None, "5.1.1: 550 No such user")
    assert returned.given_up_at == box.clock.now()


def test_a_reply_to_another_workspaces_mail_names_nobody_here(
    box: Intake, theirs: Intake, server: ImapServer
) -> None:
    mail_id = sent(theirs, "taro@example.jp")
    server.receives(
        mail("x", sender="x@example.jp", To=f"office+{mail_id}@sumida.example", In_Reply_To="<a@b>")
    )
    read(box)
    assert [one.handle for one in box.handles] == ["x@example.jp"]
    assert not theirs.conversations


def test_a_mailbox_that_cannot_be_read_says_why_and_its_operators_are_told_once(
    box: Intake, server: ImapServer, cast: Cast
) -> None:
    introduce_staff(box.database, cast)
    set_mailbox(box, server, password="another", expected_version=1)
    for _hour in range(4):
        box.clock.advance(mailboxes.LONGEST_WAIT)
        read_mailboxes(box.tools, NETWORKS)
    [row] = box.all_of(Mailbox)
    assert row.failures == 4
    assert "MailboxLoginError" in (row.failure or "")
    mailed = [one for one in box.all_of(OutboxMail) if "メールボックス" in one.subject]
    assert len(mailed) == 1

    set_mailbox(box, server, expected_version=2)
    server.receives(mail("届きました。"))
    read(box)
    [row] = box.all_of(Mailbox)
    assert (row.failure, row.failures, row.last_read_at) == (None, 0, box.clock.now())
    assert len(box.messages) == 1


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"", ""),
        (b"\xff\xfe\x00", "\ufffd\ufffd\ufffd"),
        (b"Content-Type: text/plain; charset=nonsense\r\n\r\n\xe3\x81\x82", "あ"),
        ("Subject: x\r\n\r\nあ\0い".encode(), "あ\ufffdい"),
        (b"Content-Type: text/html\r\n\r\n<style>x</style><p>One<br>Two</p>", "One\nTwo"),
        (b"From: =?utf-8?b?!!!?= <\r\nDate: x\r\nTo: ,,,\r\n\r\nx", "x"),
        (b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" * 400, ""),
    ],
    ids=["empty", "no text", "charset", "nul", "html", "headers", "nested"],
)
def test_any_bytes_are_read_as_a_mail(raw: bytes, text: str) -> None:
    assert parse_mail(raw).text == text


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("host", "127.0.0.1"),
        ("host", "mail.internal"),
        ("host", "imap.example.jp/x"),
        ("port", 0),
        ("address", "no address"),
        ("username", ""),
        ("password", ""),
    ],
)
def test_settings_that_cannot_be_used_are_refused_by_their_field(
    ours: Intake, server: ImapServer, field: str, value: object
) -> None:
    usable = {"host": "imap.example.jp", "allowed_networks": ()}
    with pytest.raises(Refused, match=f"^{field}: "):
        set_mailbox(ours, server, **usable | {field: value})
    assert not ours.all_of(Mailbox)
