"""Hands finished mails over: to an SMTP server, or to a folder on one's own machine."""

import smtplib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from typing import Protocol
from urllib.parse import SplitResult, unquote, urlsplit

from pms.foundation.files import Files
from pms.foundation.outbox import Attachment, OutboxMail
from pms.foundation.settings import Settings
from pms.jobs.letterhead import Letterhead

PATIENCE_SECONDS = 20


class Postbox(Protocol):
    """Takes one mail, or raises `OSError` when it cannot."""

    def post(self, message: EmailMessage) -> None:
        """Hand the mail over."""


@dataclass(frozen=True)
class FolderPostbox:
    """Writes each mail as a file that any mail program opens."""

    folder: Path

    def post(self, message: EmailMessage) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        name = str(message["Message-ID"]).strip("<>").partition("@")[0]
        (self.folder / f"{name}.eml").write_bytes(message.as_bytes())


@dataclass(frozen=True)
class SmtpPostbox:
    """Sends each mail by SMTP: `smtp://user:password@host:587`, or `smtps://` for port 465."""

    url: str

    def post(self, message: EmailMessage) -> None:
        with _conversation(urlsplit(self.url)) as server:
            server.send_message(message)


def choose_postbox(settings: Settings) -> Postbox:
    """Return the way mail leaves with these settings."""
    if settings.smtp_url:
        return SmtpPostbox(settings.smtp_url)
    return FolderPostbox(settings.mail_dir)


def compose(mail: OutboxMail, head: Letterhead, mail_from: str, files: Files) -> EmailMessage:
    """Return the mail as a message; the id is the row's, so a repeat is recognised as one.

    `mail_from` is the installation's sender. Raises `FileNotFoundError` when an attached file is
    not in the store, and `ValueError` for an address that is none.
    """
    sender = head.sender(mail_from)
    message = EmailMessage()
    message["Message-ID"] = f"<{mail.id}@{sender.domain or 'localhost'}>"
    message["Date"] = format_datetime(mail.written_at)
    message["From"], message["To"], message["Subject"] = sender, mail.recipient, mail.subject
    if head.reply_to:
        message["Reply-To"] = head.reply_to
    message.set_content(mail.text)
    if mail.html is not None:
        message.add_alternative(mail.html, subtype="html")
    for attachment in mail.attachments:
        _attach(message, attachment, files)
    return message


def failure_of(error: Exception) -> str:
    """Return why a mail did not leave: "550: …" in the words of the server that refused it."""
    words: bytes | str
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, words = next(iter(error.recipients.values()))
    elif isinstance(error, smtplib.SMTPResponseException):
        code, words = error.smtp_code, error.smtp_error
    elif isinstance(error, OSError):
        return f"{type(error).__name__}: {error}"
    else:
        return type(error).__name__
    said = words.decode(errors="replace") if isinstance(words, bytes) else words
    return f"{code}: {' '.join(said.split()) or 'no reason given'}"


def _attach(message: EmailMessage, attachment: Attachment, files: Files) -> None:
    content = files.get(attachment["file_key"])
    if content is None:
        raise FileNotFoundError(f"attachment {attachment['name']}: no file in the store")
    kind, _, subtype = attachment["media_type"].partition("/")
    message.add_attachment(content, maintype=kind, subtype=subtype, filename=attachment["name"])


@contextmanager
def _conversation(url: SplitResult) -> Iterator[smtplib.SMTP]:
    kind = smtplib.SMTP_SSL if url.scheme == "smtps" else smtplib.SMTP
    with kind(url.hostname or "localhost", url.port or 0, timeout=PATIENCE_SECONDS) as server:
        server.ehlo()
        if url.scheme == "smtp" and server.has_extn("starttls"):
            server.starttls()
            server.ehlo()
        if url.username:
            server.login(unquote(url.username), unquote(url.password or ""))
        yield server
