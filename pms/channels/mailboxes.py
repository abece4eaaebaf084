"""The workspace's mailbox: its settings, and when it is read."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.catalogue.checks import check_email, needed_text
from pms.channels.models import Mailbox
from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.outside_reading import Unreachable, check_url
from pms.foundation.sealing import sealed_text
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent

EVERY: Final = timedelta(minutes=1)
LONGEST_WAIT: Final = timedelta(hours=1)
MAILED_AFTER: Final = timedelta(hours=1)
"""How long a mailbox cannot be read before its operators are told by mail."""
IMAPS_PORT: Final = 993
_LEASE: Final = timedelta(minutes=10)
_MOST_DOUBLINGS: Final = 6
_LONGEST: Final = 200
_HIGHEST_PORT: Final = 65_535


def mailbox(session: Session) -> Mailbox | None:
    """Return the mailbox of the session's workspace."""
    return session.scalar(select(Mailbox))


def set_mailbox(
    work: Work,
    *,
    address: str | None,
    host: str | None,
    port: int | None,
    username: str | None,
    password: str | None,
    folder: str | None,
    has_plus: bool,
    expected_version: int | None,
    allowed_networks: Sequence[str] = (),
) -> Mailbox:
    """Store the mailbox, its password sealed, due at once; without a new password the old one stays.

    Another server or user name needs the password again, so that the old one is never sent
    elsewhere. Of another folder only mails from now on are read. Raises `Refused` naming the field,
    and `Collision` for an outdated version. `allowed_networks` are for tests only.
    """
    row = work.session.scalar(select(Mailbox).with_for_update())
    if (row.version if row else None) != expected_version:
        raise _changed_meanwhile()
    sound_address = check_email("address", address)
    if sound_address is None:
        raise Refused("address: enter the email address of the mailbox.")
    place = (
        (host or "") if allowed_networks else _check_host(host),
        _check_port(port),
        needed_text("username", username, _LONGEST),
        needed_text("folder", folder or "INBOX", _LONGEST),
    )
    given = (password or "").strip()
    if not given and (row is None or (row.host, row.port, row.username) != place[:3]):
        raise Refused("password: enter the password of this mailbox.")
    if len(given) > _LONGEST or not given.isprintable():
        raise Refused("password: at most {most} letters, digits and signs.", most=_LONGEST)
    if row is None:
        row = Mailbox(version=0)
        work.session.add(row)
    if (row.host, row.port, row.username, row.folder) != place:
        row.uid_validity = row.last_uid = row.last_read_at = None
    row.host, row.port, row.username, row.folder = place
    row.address, row.has_plus = sound_address, has_plus
    if given:
        row.sealed_password = sealed_text(work.session, given) or ""
    row.due_at, row.failures = work.clock.now(), 0
    row.failure, row.failing_since, row.is_failure_mailed = None, None, False
    row.set_at, row.set_by, row.version = work.clock.now(), work.actor, row.version + 1
    facts = {
        "address": sound_address,
        "host": row.host,
        "port": row.port,
        "username": row.username,
        "folder": row.folder,
        "has_plus": has_plus,
    }
    note_audit_event(work, AuditEvent.MAILBOX_SET, of_workspace(work.session), after=facts)
    try:
        work.session.flush()
    except IntegrityError as meeting:
        raise _changed_meanwhile() from meeting
    return row


def remove_mailbox(work: Work) -> None:
    """Delete the mailbox's settings; mails that came in stay. Repeating it changes nothing."""
    row = work.session.scalar(select(Mailbox).with_for_update())
    if row is not None:
        facts = {"address": row.address, "host": row.host}
        note_audit_event(work, AuditEvent.MAILBOX_REMOVED, of_workspace(work.session), before=facts)
        work.session.delete(row)
        work.session.flush()


def ask_for_mailbox_reading(session: Session, clock: Clock) -> None:
    """Make the mailbox due now; without one, nothing is."""
    row = session.scalar(select(Mailbox).with_for_update())
    if row is not None:
        row.due_at = clock.now()


class LeasedMailbox(NamedTuple):
    """A mailbox to read now; `version` is that of its settings."""

    workspace_id: str
    version: int
    host: str
    port: int
    username: str
    sealed_password: str
    folder: str
    uid_validity: int | None
    last_uid: int | None
    last_read_at: datetime | None


def lease_mailboxes(session: Session, clock: Clock) -> list[LeasedMailbox]:
    """Lease the due mailboxes of all workspaces, the longest waiting first.

    One whose worker died is leased again when the lease ends.
    """
    due = (
        select(Mailbox)
        .where(Mailbox.due_at <= clock.now())
        .order_by(Mailbox.due_at, Mailbox.workspace_id)
        .with_for_update(skip_locked=True)
    )
    rows = list(session.scalars(due))
    for row in rows:
        row.due_at = clock.now() + _LEASE
    return [
        LeasedMailbox(
            row.workspace_id,
            row.version,
            row.host,
            row.port,
            row.username,
            row.sealed_password,
            row.folder,
            row.uid_validity,
            row.last_uid,
            row.last_read_at,
        )
        for row in rows
    ]


def note_mails_read(
    session: Session, leased: LeasedMailbox, uid_validity: int, last_uid: int
) -> None:
    """Record up to which mail the folder was read; settings that changed meanwhile win."""
    row = _lock_leased(session, leased)
    if row is not None:
        row.uid_validity, row.last_uid = uid_validity, last_uid


def note_reading_done(session: Session, clock: Clock, leased: LeasedMailbox) -> None:
    """Record that nothing new is left to read."""
    row = _lock_leased(session, leased)
    if row is not None:
        row.last_read_at, row.due_at = clock.now(), clock.now() + EVERY
        row.failures, row.failure, row.failing_since = 0, None, None
        row.is_failure_mailed = False


def note_reading_failed(
    session: Session, clock: Clock, leased: LeasedMailbox, failure: str
) -> Mailbox | None:
    """Record why a mailbox was not read; return it when its operators are to be told, once."""
    row = _lock_leased(session, leased)
    if row is None:
        return None
    now = clock.now()
    row.failures, row.failure = row.failures + 1, failure[:500]
    row.failing_since = row.failing_since or now
    row.due_at = now + min(EVERY * 2 ** min(row.failures, _MOST_DOUBLINGS), LONGEST_WAIT)
    if row.is_failure_mailed or now - row.failing_since < MAILED_AFTER:
        return None
    row.is_failure_mailed = True
    return row


def _lock_leased(session: Session, leased: LeasedMailbox) -> Mailbox | None:
    asked = select(Mailbox).where(Mailbox.version == leased.version).with_for_update()
    return session.scalar(asked)


def _changed_meanwhile() -> Collision:
    return Collision("version: a colleague changed the mailbox in the meantime. Check it again.")


def _check_host(host: str | None) -> str:
    name = (host or "").strip().casefold()
    try:
        check_url(f"https://{name}")
    except Unreachable as failure:
        if failure.code == "inside":
            raise Refused(
                "host: '{host}' is in a private network. Enter a server on the internet.",
                host=name[:80],
            ) from failure
        raise Refused(
            "host: '{host}' is not the name of a server, such as imap.example.jp.", host=name[:80]
        ) from failure
    if any(mark in name for mark in "/:?#@"):
        raise Refused(
            "host: '{host}' is not the name of a server, such as imap.example.jp.", host=name[:80]
        )
    return name


def _check_port(port: int | None) -> int:
    if port is None or not 1 <= port <= _HIGHEST_PORT:
        raise Refused("port: enter a number from 1 to {highest}.", highest=_HIGHEST_PORT)
    return port
