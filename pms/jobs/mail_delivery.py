"""Mails as messages, and the postboxes that deliver them."""

import smtplib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple, Protocol
from urllib.parse import SplitResult, unquote, urlsplit

from sqlalchemy.orm import Session

from pms.channels.mailboxes import mailbox
from pms.foundation.files import Files
from pms.foundation.outbox import OutboxMail
from pms.foundation.settings import Settings
from pms.rules.addresses import mailed_address
from pms.site import queries
from pms.workspaces.queries import branding

_LONGEST_QUOTED: Final = 40
_LONGEST_LOCAL: Final = 64
_MEANT_OTHERWISE: Final = str.maketrans(dict.fromkeys('()<>@,:;".[]\\', " "))


class Letterhead(NamedTuple):
    """The workspace's name, and its address for replies if it has one."""

    name: str
    reply_to: str | None
    is_sample: bool = False
    """Whether mail is not sent, because the workspace is a sample."""
    has_plus: bool = False
    """Whether mail to an address with a + and more before the @ arrives too."""

    def reply_address(self, mail_id: str) -> str | None:
        """Return the address for replies to a mail; with a + it names the mail.

        The id says which thread a reply belongs to, and admits nobody to anything. A name before
        the @ that would be longer than mail servers take gets none.
        """
        if self.reply_to is None or not self.has_plus:
            return self.reply_to
        local, _, domain = self.reply_to.rpartition("@")
        named = f"{local}+{mail_id}"
        return f"{named}@{domain}" if len(named) <= _LONGEST_LOCAL else self.reply_to

    def sender(self, mail_from: str) -> Address:
        """Return the installation's sender with this name; a name set there is kept."""
        name, address = parseaddr(mail_from)
        return Address(name or _strip_marks(self.name), addr_spec=address)


def _strip_marks(name: str) -> str:
    """Return a long name without marks that need quotes, since a folded header loses the quotes."""
    return name if len(name) <= _LONGEST_QUOTED else name.translate(_MEANT_OTHERWISE)


def letterhead(session: Session) -> Letterhead:
    """Return the letterhead of the session's workspace, its name in the workspace's language."""
    brand = branding(session)
    name = brand.name.in_language(brand.default_locale) or brand.slug
    box = mailbox(session)
    if box is not None:
        return Letterhead(name, box.address, brand.is_sample, box.has_plus)
    return Letterhead(name, queries.contact_of_workspace(session).email, brand.is_sample)


PATIENCE_SECONDS = 10.0
_FIRST_REST: Final = timedelta(seconds=15)
_LONGEST_REST: Final = timedelta(minutes=5)


class Postbox(Protocol):
    """Sends one mail, or raises `OSError`."""

    def post(self, message: EmailMessage) -> None:
        """Send the mail."""


@dataclass(frozen=True)
class FolderPostbox:
    """Writes each mail as a file that mail programs can open."""

    folder: Path

    def post(self, message: EmailMessage) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        name = str(message["Message-ID"]).strip("<>").partition("@")[0]
        (self.folder / f"{name}.eml").write_bytes(message.as_bytes())


@dataclass(frozen=True)
class SmtpPostbox:
    """Sends mails by SMTP: `smtp://user:password@host:587`, or `smtps://` for port 465.

    Each step of the server times out after the given seconds.
    """

    url: str
    patience_seconds: float = PATIENCE_SECONDS

    def post(self, message: EmailMessage) -> None:
        with self.open() as conversation:
            conversation.post(message)

    @contextmanager
    def open(self) -> Iterator[Postbox]:
        """Yield a postbox that sends all its mails over one connection."""
        conversation = _Conversation(urlsplit(self.url), self.patience_seconds)
        try:
            yield conversation
        finally:
            conversation.end()


class _Conversation:
    """One connection to a mail server, opened with the first mail."""

    def __init__(self, url: SplitResult, patience_seconds: float) -> None:
        self._url, self._patience_seconds = url, patience_seconds
        self._server: smtplib.SMTP | None = None

    def post(self, message: EmailMessage) -> None:
        is_reused = self._server is not None
        try:
            self._send_to_server(message)
        except smtplib.SMTPServerDisconnected:
            self.end()
            if not is_reused:
                raise
            # Many servers close a connection after some number of mails.
            self._send_to_server(message)

    def end(self) -> None:
        """Close the connection, with QUIT if the server still answers."""
        server, self._server = self._server, None
        if server is not None:
            with suppress(OSError):
                server.quit()
            server.close()

    def _send_to_server(self, message: EmailMessage) -> None:
        self._server = self._server or self._connect_to_server()
        try:
            # Read from the header, the part before the @ would lose its quotes.
            recipients = [mailed_address(address.addr_spec) for address in message["To"].addresses]
            self._server.send_message(message, to_addrs=recipients)
        except OSError as error:
            if is_of_server(error):
                # A server that does not answer is not sent QUIT either.
                self._server.close()
                self._server = None
            raise

    def _connect_to_server(self) -> smtplib.SMTP:
        kind = smtplib.SMTP_SSL if self._url.scheme == "smtps" else smtplib.SMTP
        host, port = self._url.hostname or "localhost", self._url.port or 0
        server = kind(host, port, timeout=self._patience_seconds)
        try:
            server.ehlo()
            if self._url.scheme == "smtp" and server.has_extn("starttls"):
                server.starttls()
                server.ehlo()
            if self._url.username:
                server.login(unquote(self._url.username), unquote(self._url.password or ""))
        except smtplib.SMTPNotSupportedError as error:
            server.close()
            # Here the error is the server's, which has no way to sign in, not a mail's.
            raise smtplib.SMTPException(str(error)) from error
        except BaseException:
            server.close()
            raise
        return server


class MailLane:
    """Sends mail one batch at a time, with growing pauses while the server fails."""

    def __init__(self) -> None:
        self._at_work = Lock()
        self._failures = 0
        self._rests_until: datetime | None = None

    @contextmanager
    def turn(self, now: datetime) -> Iterator[bool]:
        """Yield whether this caller may send: no other batch is being sent and no pause is due."""
        is_resting = self._rests_until is not None and now < self._rests_until
        if is_resting or not self._at_work.acquire(blocking=False):
            yield False
            return
        try:
            yield True
        finally:
            self._at_work.release()

    def rest(self, now: datetime) -> None:
        """Pause, longer after each failure."""
        self._failures += 1
        self._rests_until = now + min(_FIRST_REST * 2 ** (self._failures - 1), _LONGEST_REST)

    def go_on(self) -> None:
        """End the pauses, because the server works."""
        self._failures, self._rests_until = 0, None


def open_postbox(postbox: Postbox) -> AbstractContextManager[Postbox]:
    """Return the postbox for a batch of mails, over one connection if it uses connections."""
    return postbox.open() if isinstance(postbox, SmtpPostbox) else nullcontext(postbox)


def is_of_server(error: Exception) -> bool:
    """Whether the error is of the server or the connection, not of this mail."""
    of_mail = (
        smtplib.SMTPRecipientsRefused,
        smtplib.SMTPSenderRefused,
        smtplib.SMTPDataError,
        # An address beyond ASCII, which many servers do not accept.
        smtplib.SMTPNotSupportedError,
    )
    return isinstance(error, OSError) and not isinstance(error, of_mail)


def choose_postbox(settings: Settings) -> Postbox:
    """Return the postbox for these settings."""
    if settings.smtp_url:
        return SmtpPostbox(settings.smtp_url)
    return FolderPostbox(settings.mail_dir)


def compose(mail: OutboxMail, head: Letterhead, mail_from: str, files: Files) -> EmailMessage:
    """Return the mail as a message; its Message-ID is the row's id, so that repeats are recognised.

    `mail_from` is the installation's sender. Raises `FileNotFoundError` if an attached file is not
    in the store, and `ValueError` for an invalid address.
    """
    if mail.sender_name is not None:
        head = Letterhead(mail.sender_name, None)
    sender = head.sender(mail_from)
    message = EmailMessage()
    message["Message-ID"] = f"<{mail.id}@{sender.domain or 'localhost'}>"
    message["Date"] = format_datetime(mail.written_at)
    message["From"], message["Subject"] = sender, mail.subject
    message["To"] = mailed_address(mail.recipient)
    if reply_to := head.reply_address(mail.id):
        message["Reply-To"] = mailed_address(reply_to)
    if mail.in_reply_to:
        message["In-Reply-To"] = message["References"] = f"<{mail.in_reply_to}>"
    message.set_content(mail.text)
    if mail.html is not None:
        message.add_alternative(mail.html, subtype="html")
    for attachment in mail.attachments:
        content = files.get(attachment["file_key"])
        if content is None:
            raise FileNotFoundError(f"attachment {attachment['name']}: no file in the store")
        kind, _, subtype = attachment["media_type"].partition("/")
        message.add_attachment(content, maintype=kind, subtype=subtype, filename=attachment["name"])
    return message


def failure_of(error: Exception) -> str:
    """Return why a mail was not sent: "550: …" in the words of the server that refused it."""
    words: bytes | str
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, words = next(iter(error.recipients.values()))
    elif isinstance(error, smtplib.SMTPResponseException):
        code, words = error.smtp_code, error.smtp_error
    elif isinstance(error, OSError):
        return f"{type(error).__name__}: {error}"
    else:
        return type(error).__name__
    reason = words.decode(errors="replace") if isinstance(words, bytes) else words
    return f"{code}: {' '.join(reason.split()) or 'no reason given'}"
