"""Reads the mailboxes of the workspaces, and stores each new mail as an event."""

import imaplib
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from threading import Lock
from typing import Final

import structlog
from imap_tools import AND, BaseMailBox, MailBox, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError

from pms.access.staff_mails import mail_person, people_with_roles
from pms.channels import mailboxes
from pms.channels.kept_events import keep_events
from pms.channels.mailboxes import LeasedMailbox
from pms.channels.received_mails import event_of_mail
from pms.foundation.bounded_process import ProcessBusyError
from pms.foundation.files import Files, loose_file
from pms.foundation.outside_reading import Target, Unreachable, resolve_target
from pms.foundation.provider_http import plain_reason
from pms.foundation.sealing import UnreadableSecretError, unseal
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import Signer
from pms.jobs.runs import Tools
from pms.providers.received_mail import MOST_BYTES, ReceivedMail, read_mail, read_mail_head
from pms.rules.enumerations import StaffRole
from pms.rules.message_words import UNREADABLE_SECRET, WebhookSource
from pms.workspaces.queries import branding

_PATIENCE_SECONDS: Final = 20.0
_LONGEST_TURN: Final = timedelta(minutes=2)
_RENUMBERED_SINCE: Final = timedelta(days=2)
_log = structlog.get_logger("pms.jobs.mailboxes")
_at_work = Lock()


def read_mailboxes(
    tools: Tools,
    allowed_networks: Sequence[str] = (),
    patience_seconds: float = _PATIENCE_SECONDS,
) -> None:
    """Read the mailboxes that are due; each new mail becomes an event of the inbox.

    The call returns at once while this process is still reading some. `allowed_networks` are for
    tests only, and read without TLS.
    """
    if not _at_work.acquire(blocking=False):
        return
    try:
        for leased in tools.database.write_across_workspaces(
            lambda session: mailboxes.lease_mailboxes(session, tools.clock)
        ):
            _read_mailbox(tools, leased, allowed_networks, patience_seconds)
    finally:
        _at_work.release()


def _read_mailbox(
    tools: Tools, leased: LeasedMailbox, allowed_networks: Sequence[str], patience_seconds: float
) -> None:
    try:
        password = unseal(
            Signer(tools.settings.secret_key), leased.workspace_id, leased.sealed_password
        )
        with _open_mailbox(leased, password, allowed_networks, patience_seconds) as box:
            is_done = _read_new_mails(tools, leased, box)
    except UnreadableSecretError:
        _note_failure(tools, leased, UNREADABLE_SECRET)
        return
    except (ImapToolsError, imaplib.IMAP4.error, Unreachable, OSError, ProcessBusyError) as failure:
        _note_failure(tools, leased, plain_reason(f"{type(failure).__name__}: {failure}"))
        return
    if is_done:
        tools.database.write(
            leased.workspace_id,
            lambda session: mailboxes.note_reading_done(session, tools.clock, leased),
        )


@contextmanager
def _open_mailbox(
    leased: LeasedMailbox, password: str, allowed_networks: Sequence[str], patience_seconds: float
) -> Iterator[BaseMailBox]:
    target = Target("https", leased.host, leased.port, "/")
    resolve_target(target, allowed_networks)
    box: BaseMailBox
    if allowed_networks:
        box = MailBoxUnencrypted(leased.host, leased.port, timeout=patience_seconds)
    else:
        context = ssl.create_default_context()
        box = MailBox(leased.host, leased.port, timeout=patience_seconds, ssl_context=context)
    try:
        box.login(leased.username, password, leased.folder)
    except BaseException:
        box.client.shutdown()
        raise
    with box:
        yield box


def _read_new_mails(tools: Tools, leased: LeasedMailbox, box: BaseMailBox) -> bool:
    """Store the mails that came since the last reading; whether none is left for the next turn.

    When the server numbered its mails anew, those of the last days are read again: a mail that is
    stored already changes nothing. The first reading stores no mail, because what was there before
    was answered elsewhere.
    """
    state = box.folder.status(leased.folder, ("UIDVALIDITY", "UIDNEXT"))
    validity, newest = state["UIDVALIDITY"], state["UIDNEXT"] - 1
    if leased.uid_validity is None or leased.last_uid is None:
        _note_read(tools, leased, validity, newest)
        return True
    last = leased.last_uid
    if validity == leased.uid_validity:
        found = box.uids(f"UID {last + 1}:*") if newest > last else []
    else:
        since = (leased.last_read_at or tools.clock.now()) - _RENUMBERED_SINCE
        last, found = 0, box.uids(AND(date_gte=since.date()))
    until = tools.clock.now() + _LONGEST_TURN
    for uid in sorted(int(text) for text in found):
        if uid <= last:
            continue
        if tools.clock.now() > until:
            return False
        _store_mail(tools, leased, box, str(uid))
        _note_read(tools, leased, validity, uid)
    _note_read(tools, leased, validity, newest)
    return True


def _store_mail(tools: Tools, leased: LeasedMailbox, box: BaseMailBox, uid: str) -> None:
    """Store a mail and its original; of one that is too large or unreadable its head."""
    head = _fetch_part(box, uid, "BODY.PEEK[HEADER]")
    if head is None:
        return  # it was deleted meanwhile
    sizes = [
        message.size_rfc822
        for message in box.fetch(AND(uid=uid), headers_only=True, mark_seen=False)
    ]
    content = None
    mail: ReceivedMail | None = None
    if sizes and sizes[0] <= MOST_BYTES:
        content = _fetch_part(box, uid, "BODY.PEEK[]")
        mail = None if content is None else read_mail(content)
    is_readable = content is None
    mail = mail or read_mail_head(head)
    files = Files(tools.settings)
    with loose_file(files, content or head, "eml") as loose:

        def keep(session: WorkspaceSession) -> bool:
            event = event_of_mail(
                mail, file_key=loose.key, is_readable=is_readable or mail.is_whole
            )
            kept = keep_events(session, tools.clock, source=WebhookSource.MAIL, events=[event])
            return kept[0].is_new

        if tools.database.write(leased.workspace_id, keep):
            loose.name()


def _fetch_part(box: BaseMailBox, uid: str, part: str) -> bytes | None:
    """Return a part of a mail as the server has it; `None` when the mail is gone."""
    state, answer = box.client.uid("FETCH", uid, f"({part})")
    if state != "OK":
        raise imaplib.IMAP4.error(f"FETCH answered {state}")
    for line in answer:
        if isinstance(line, tuple):
            return bytes(line[1])
    return None


def _note_read(tools: Tools, leased: LeasedMailbox, uid_validity: int, last_uid: int) -> None:
    tools.database.write(
        leased.workspace_id,
        lambda session: mailboxes.note_mails_read(session, leased, uid_validity, last_uid),
    )


def _note_failure(tools: Tools, leased: LeasedMailbox, reason: str) -> None:
    _log.info("mailbox not read", workspace=leased.workspace_id, failure=reason)

    def note(session: WorkspaceSession) -> None:
        box = mailboxes.note_reading_failed(session, tools.clock, leased, reason)
        if box is None:
            return
        link = f"{tools.settings.base_url}/dashboard/{branding(session).slug}/mailbox"
        facts = {"address": box.address, "failure": box.failure, "link": link}
        for person in people_with_roles(session, (StaffRole.OPERATOR,)):
            mail_person(session, tools.clock, person, "mailbox-failing", **facts)

    tools.database.write(leased.workspace_id, note)
