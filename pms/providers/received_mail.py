"""Reads a mail that came in: its writer, words, attachments, and what it answers.

It is read in a process of its own with bounded memory and time. The result comes back as JSON.
"""

import email
import email.policy
import re
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage, Message
from html.parser import HTMLParser
from typing import Final

import msgspec
from mailparser_reply import EmailReplyParser  # type: ignore[import-untyped]  # it has no types

from pms.foundation.bounded_process import (
    BoundedProcess,
    ProcessEndedError,
    limit_this_process,
)
from pms.rules.provider_json import storable_text

MOST_BYTES: Final = 15 * 1024 * 1024
"""The largest mail that is read whole; of a larger one only the head is."""
MOST_FILES: Final = 20
LONGEST_TEXT: Final = 10_000
_LONGEST_READ: Final = 100_000
_LONGEST_NAME: Final = 200
_MOST_ANSWERED: Final = 20
_MOST_DATA: Final = 400 * 1024 * 1024
_MOST_CPU_SECONDS: Final = 10
_MOST_SECONDS: Final = 30
_PATIENCE_SECONDS: Final = 60
_LANGUAGES: Final = ["ja", "en"]
_AUTOMATIC_PRECEDENCE: Final = frozenset({"bulk", "junk", "list", "auto_reply"})
_RECIPIENTS: Final = ("To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To")
_ADDRESS: Final = re.compile(r"[^\s<>,;:\"'()]+@[^\s<>,;:\"'()]+")
_MESSAGE_ID: Final = re.compile(r"<([^<>\s]{1,250})>")
_SPACES: Final = re.compile(r"\s+")
_MANY_BREAKS: Final = re.compile(r"\n{3,}")

_process = BoundedProcess(
    "pms.providers.received_mail",
    most_seconds=_MOST_SECONDS,
    patience_seconds=_PATIENCE_SECONDS,
)


class MailFile(msgspec.Struct):
    """A file attached to a mail: its place among all parts, name and type as the sender gave them."""

    part: int
    name: str
    media_type: str


class Bounce(msgspec.Struct):
    """What a mail server reports of a mail it could not deliver; `status` is like 5.1.1."""

    message_ids: list[str]
    recipient: str
    action: str
    status: str
    reason: str


class ReceivedMail(msgspec.Struct):
    """A mail as it is stored: the words of its writer, without what they quote."""

    sender: str
    sender_name: str
    recipients: list[str]
    subject: str
    message_id: str
    answers: list[str]
    """The Message-IDs that it answers, the latest first."""
    text: str
    files: list[MailFile]
    sent_at: datetime | None = None
    is_automatic: bool = False
    is_whole: bool = True
    """Whether it was read whole; else only its head was."""
    left_out: int = 0
    """Files beyond `MOST_FILES`; they are in the original."""
    bounce: Bounce | None = None


def read_mail(content: bytes) -> ReceivedMail | None:
    """Return the parts of a mail; `None` for one that takes too much memory or time to read.

    Raises `ProcessBusyError` while others are read.
    """
    try:
        answer = _process.read(content)
    except ProcessEndedError:
        return None
    return msgspec.json.decode(answer.output, type=ReceivedMail)


def read_mail_head(head: bytes) -> ReceivedMail:
    """Return the writer, subject and so on of a mail whose body was not fetched."""
    found = parse_mail(head[:_LONGEST_READ])
    found.text, found.files, found.is_whole = "", [], False
    return found


def read_mail_file(content: bytes, part: int) -> bytes:
    """Return the bytes of an attached file; empty when the mail has no such part."""
    for number, found in enumerate(_parse_message(content).walk()):
        if number == part:
            payload = found.get_payload(decode=True)
            return payload if isinstance(payload, bytes) else b""
    return b""


def parse_mail(content: bytes) -> ReceivedMail:
    """Return the parts of a mail, read in this process."""
    message = _parse_message(content)
    sender_name, sender = _read_sender(message)
    parts = list(message.walk())
    files = [
        MailFile(number, _read_file_name(part), part.get_content_type())
        for number, part in enumerate(parts)
        if not part.is_multipart() and _is_file(part)
    ]
    answered = _MESSAGE_ID.findall(_read_header(message, "References"))
    answered += _MESSAGE_ID.findall(_read_header(message, "In-Reply-To"))
    return ReceivedMail(
        sender=sender,
        sender_name=sender_name,
        recipients=[
            address.casefold()
            for name in _RECIPIENTS
            for header in message.get_all(name, [])
            for address in _ADDRESS.findall(str(header)[:_LONGEST_READ])
        ][:_MOST_ANSWERED],
        subject=" ".join(_read_header(message, "Subject").split())[:_LONGEST_NAME],
        message_id=next(iter(_MESSAGE_ID.findall(_read_header(message, "Message-ID"))), ""),
        answers=list(dict.fromkeys(reversed(answered)))[:_MOST_ANSWERED],
        text=_read_words(message, bool(answered)),
        files=files[:MOST_FILES],
        sent_at=_read_instant(message),
        is_automatic=_is_automatic(message),
        left_out=max(0, len(files) - MOST_FILES),
        bounce=_read_bounce(message, parts),
    )


def _parse_message(content: bytes) -> EmailMessage:
    return email.message_from_bytes(content, policy=email.policy.default)


def _read_header(message: Message, name: str) -> str:
    """Return a header as text; a header that cannot be decoded is empty."""
    try:
        return storable_text(str(message.get(name, "")))
    except (ValueError, IndexError, AttributeError, LookupError):
        return ""


def _read_sender(message: EmailMessage) -> tuple[str, str]:
    header = _read_header(message, "From")
    addresses = _ADDRESS.findall(header)
    address = addresses[-1].casefold()[:_LONGEST_NAME] if addresses else ""
    name = header.rpartition("<")[0] if "<" in header else ""
    return " ".join(name.replace('"', "").split())[:_LONGEST_NAME], address


def _read_instant(message: EmailMessage) -> datetime | None:
    try:
        found: datetime | None = message["Date"].datetime
    except (AttributeError, ValueError, IndexError):
        return None
    if found is None or not 2000 <= found.year < 2200:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)


def _is_automatic(message: EmailMessage) -> bool:
    """Whether a program wrote it: an absence note, a mailing list, a report (RFC 3834)."""
    submitted = _read_header(message, "Auto-Submitted").casefold()
    return (
        (submitted != "" and not submitted.startswith("no"))
        or _read_header(message, "Precedence").casefold().strip() in _AUTOMATIC_PRECEDENCE
        or any(name in message for name in ("X-Autoreply", "X-Autorespond", "List-Id"))
        or _read_header(message, "Return-Path").strip() == "<>"
    )


def _is_file(part: Message) -> bool:
    is_words = part.get_content_type() in ("text/plain", "text/html")
    return part.get_content_disposition() == "attachment" or not (
        is_words or part.get_content_maintype() in ("message", "multipart")
    )


def _read_file_name(part: Message) -> str:
    try:
        name = part.get_filename() or ""
    except (ValueError, LookupError):
        name = ""
    return " ".join(storable_text(name).replace("/", " ").replace("\\", " ").split())[
        :_LONGEST_NAME
    ]


def _read_words(message: EmailMessage, is_answer: bool) -> str:
    """Return what the writer wrote; of an answer neither the quoted mail nor a signature."""
    text = _read_body(message)
    if is_answer:
        cut = EmailReplyParser(languages=_LANGUAGES).read(text=text).latest_reply
        text = cut if cut and cut.strip() else text
    return _MANY_BREAKS.sub("\n\n", text).strip()[:LONGEST_TEXT]


def _read_body(message: EmailMessage) -> str:
    plain = message.get_body(("plain",))
    if plain is not None:
        text = _decode_text(plain)
        if text.strip():
            return text
    html = message.get_body(("html",))
    return "" if html is None else _text_of_html(_decode_text(html))


def _decode_text(part: Message) -> str:
    """Return the text of a part, in whatever charset it is; unknown letters are replaced."""
    payload = part.get_payload(decode=True)
    content = payload[: _LONGEST_READ * 4] if isinstance(payload, bytes) else b""
    try:
        text = content.decode(part.get_content_charset("utf-8"), errors="replace")
    except (LookupError, ValueError):
        text = content.decode("utf-8", errors="replace")
    return storable_text(text.replace("\r\n", "\n"))[:_LONGEST_READ]


class _HtmlWords(HTMLParser):
    """Collects the words of HTML, a line a block; scripts, styles and quotes are left out."""

    _BLOCKS: Final = frozenset({"p", "div", "br", "li", "tr", "h1", "h2", "h3"})
    _SILENT: Final = frozenset({"script", "style", "head", "title", "blockquote"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._silent += tag in self._SILENT
        if tag in self._BLOCKS:
            self.words.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._silent = max(0, self._silent - (tag in self._SILENT))

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.words.append(_SPACES.sub(" ", data))


def _text_of_html(html: str) -> str:
    parser = _HtmlWords()
    parser.feed(html)
    lines = "".join(parser.words).split("\n")
    return "\n".join(line.strip() for line in lines)


def _read_bounce(message: EmailMessage, parts: Sequence[Message]) -> Bounce | None:
    """Return what a delivery report says of its first recipient (RFC 3464)."""
    is_report = message.get_content_type() == "multipart/report"
    if not is_report or message.get_param("report-type") != "delivery-status":
        return None
    facts: dict[str, str] = {}
    originals: list[str] = []
    for part in parts:
        kind = part.get_content_type()
        if kind == "message/delivery-status":
            for block in part.iter_parts() if isinstance(part, EmailMessage) else ():
                facts = {**dict(_list_facts(block)), **facts}
        elif kind in ("message/rfc822", "text/rfc822-headers"):
            originals += _MESSAGE_ID.findall(_list_original_ids(part))
    recipient = facts.get("final-recipient", facts.get("original-recipient", ""))
    return Bounce(
        message_ids=originals[:_MOST_ANSWERED],
        recipient=recipient.rpartition(";")[2].strip().casefold()[:_LONGEST_NAME],
        action=facts.get("action", "").strip().casefold()[:20],
        status=facts.get("status", "").strip()[:20],
        reason=" ".join(facts.get("diagnostic-code", "").rpartition(";")[2].split())[
            :_LONGEST_NAME
        ],
    )


def _list_facts(block: Message) -> Iterator[tuple[str, str]]:
    for name, value in block.items():
        yield name.casefold(), storable_text(str(value))


def _list_original_ids(part: Message) -> str:
    if part.get_content_type() == "text/rfc822-headers":
        return "".join(
            line
            for line in _decode_text(part).splitlines()
            if line.casefold().startswith("message-id")
        )
    inner = part.get_payload()
    first = inner[0] if isinstance(inner, list) and inner else None
    return _read_header(first, "Message-ID") if isinstance(first, Message) else ""


if __name__ == "__main__":
    limit_this_process(_MOST_DATA, _MOST_CPU_SECONDS)
    sys.stdout.buffer.write(msgspec.json.encode(parse_mail(sys.stdin.buffer.read())))
