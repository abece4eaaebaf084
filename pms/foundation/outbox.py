"""The outbox: mails and calls to providers, written in the transaction that causes them; the worker sends them."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple, TypedDict

from sqlalchemy import Index, String, Text, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from pms.foundation.building_paths import shared
from pms.foundation.clock import Clock
from pms.foundation.db import Base, Id, Instant, Json, only_where
from pms.foundation.errors import Refused
from pms.foundation.files import HAS_FILES
from pms.foundation.tenancy import OfWorkspace
from pms.foundation.work import lease_due, locked

LEASE = timedelta(minutes=5)
MOST_ATTEMPTS = 8
AT_ONCE = 20


class Attachment(TypedDict):
    """A stored file attached to a mail, with the file name its recipient sees."""

    name: str
    media_type: str
    file_key: str


class OutboxMail(OfWorkspace, Base):
    """One mail; `sent_at` or `given_up_at` ends it, and a lease reserves it for one worker."""

    __tablename__ = "outbox_mail"
    building_path = shared(
        "found from what it was written for; no list of a member of some buildings has it"
    )
    __table_args__ = (
        Index("ix_outbox_mail_due_at", "is_urgent", "due_at"),
        Index("ix_outbox_mail_recipient", "workspace_id", "recipient", "written_at"),
        Index(
            "ix_outbox_mail_given_up_at",
            "workspace_id",
            "given_up_at",
            **only_where("given_up_at IS NOT NULL"),
        ),
    )

    recipient: Mapped[str] = mapped_column(String)
    subject: Mapped[str] = mapped_column(String)
    text: Mapped[str] = mapped_column(Text)
    html: Mapped[str | None] = mapped_column(Text)
    attachments: Mapped[list[Attachment]] = mapped_column(Json, default=list, info=HAS_FILES)
    written_at: Mapped[datetime] = mapped_column(Instant)
    due_at: Mapped[datetime | None] = mapped_column(Instant)
    attempts: Mapped[int] = mapped_column(default=0)
    is_urgent: Mapped[bool] = mapped_column(default=False)
    """Whether somebody is waiting for it at a screen, as for a code."""
    sender_name: Mapped[str | None] = mapped_column(String)
    """The name it is sent in, if not the workspace's; replies then go to the sender alone."""
    in_reply_to: Mapped[str | None] = mapped_column(String)
    """The Message-ID of the mail that it answers."""
    failure: Mapped[str | None] = mapped_column(Text)
    sent_at: Mapped[datetime | None] = mapped_column(Instant)
    given_up_at: Mapped[datetime | None] = mapped_column(Instant)
    withdrawn_at: Mapped[datetime | None] = mapped_column(Instant)
    """When it was found, before it was sent, that nobody needs it any more."""


def put_mail(
    session: Session,
    clock: Clock,
    *,
    recipient: str,
    subject: str,
    text: str,
    html: str | None = None,
    attachments: Sequence[Attachment] = (),
    is_urgent: bool = False,
    due_at: datetime | None = None,
    in_reply_to: str | None = None,
) -> OutboxMail:
    """Put a mail into the outbox of this transaction; its id becomes its Message-ID.

    Urgent mails are sent before all others. With `due_at` the mail waits until then; `in_reply_to` is
    the Message-ID of what it answers.

    The attachments must be stored before: a mail may only name files that exist.
    """
    mail = OutboxMail(
        recipient=recipient,
        subject=subject,
        text=text,
        html=html,
        attachments=list(attachments),
        written_at=clock.now(),
        due_at=due_at or clock.now(),
        is_urgent=is_urgent,
        in_reply_to=in_reply_to,
    )
    session.add(mail)
    return mail


def send_mail_again(session: Session, clock: Clock, mail_id: str | None, *, recipient: str) -> None:
    """Send a mail that was given up again, to the recipient as recorded now.

    It keeps its id, so that a server that did accept an earlier try can recognise it. Raises
    `Refused` for a mail that was not given up.
    """
    asked = select(OutboxMail).where(OutboxMail.id == mail_id).with_for_update()
    mail = session.scalar(asked) if mail_id is not None else None
    if mail is None or mail.given_up_at is None:
        raise Refused("message: this message did not fail, so it cannot be sent again.")
    mail.recipient, mail.due_at, mail.attempts = recipient, clock.now(), 0
    mail.failure = mail.given_up_at = None


def lease_mails(
    session: Session, clock: Clock, most: int = AT_ONCE, *, only_urgent: bool = False
) -> list[OutboxMail]:
    """Lease up to `most` due mails for this worker, urgent ones first.

    Mails that are neither tried nor released become due again when the lease ends.
    """
    urgencies = (True,) if only_urgent else (True, False)
    due = (
        select(OutboxMail)
        .where(OutboxMail.is_urgent.in_(urgencies), OutboxMail.due_at <= clock.now())
        .order_by(OutboxMail.is_urgent.desc(), OutboxMail.due_at, OutboxMail.id)
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    mails = list(session.scalars(due))
    for mail in mails:
        mail.due_at = clock.now() + LEASE
        mail.attempts += 1
    return mails


def release(mail: OutboxMail, clock: Clock) -> None:
    """Return a leased mail that was not tried to the queue; the attempt is not counted."""
    mail.attempts, mail.due_at = mail.attempts - 1, clock.now()


def mark_sent(mail: OutboxMail, clock: Clock) -> None:
    """Record that the mail was sent."""
    mail.sent_at, mail.due_at, mail.failure = clock.now(), None, None


def mark_failed(mail: OutboxMail, clock: Clock, failure: str) -> None:
    """Record a failed attempt; each retry waits longer, and the last failure gives the mail up."""
    mail.failure = failure
    if mail.attempts >= MOST_ATTEMPTS:
        mail.due_at, mail.given_up_at = None, clock.now()
    else:
        mail.due_at = clock.now() + timedelta(minutes=2**mail.attempts)


def withdraw_mail(mail: OutboxMail, clock: Clock) -> None:
    """Record that the mail is not sent: what it was about is over."""
    mail.withdrawn_at, mail.due_at = clock.now(), None


def mark_returned(mail: OutboxMail, clock: Clock, failure: str) -> None:
    """Record that a sent mail came back: it was not delivered."""
    mail.sent_at, mail.due_at = None, None
    mail.given_up_at, mail.failure = clock.now(), failure


class WrittenMail(NamedTuple):
    """One mail and its state: sent, withdrawn, given up with its last failure, or still waiting."""

    id: str
    recipient: str
    subject: str
    text: str
    attachments: tuple[str, ...]
    written_at: datetime
    sent_at: datetime | None
    given_up_at: datetime | None
    withdrawn_at: datetime | None
    failure: str | None


def mails_to(session: Session, addresses: Collection[str], most: int = 50) -> Sequence[WrittenMail]:
    """Return the newest mails to any of the addresses."""
    found = session.scalars(
        select(OutboxMail)
        .where(OutboxMail.recipient.in_(sorted(addresses)))
        .order_by(OutboxMail.written_at.desc(), OutboxMail.id.desc())
        .limit(most)
    )
    return [
        WrittenMail(
            mail.id,
            mail.recipient,
            mail.subject,
            mail.text,
            tuple(attached["name"] for attached in mail.attachments),
            mail.written_at,
            mail.sent_at,
            mail.given_up_at,
            mail.withdrawn_at,
            mail.failure,
        )
        for mail in found
    ]


# As with mail: under a lease, at least once, each with an idempotency key for the provider, so that
# a call made twice has its effect once.
CALL_LEASE: Final = timedelta(minutes=5)
MOST_CALL_ATTEMPTS: Final = 8


class ProviderCall(OfWorkspace, Base):
    """One call; `done_at` or `given_up_at` ends it, and a lease reserves it for one worker.

    `kind` names the function that makes it, `subject_id` the row it is about; its own id is sent to
    the provider as the idempotency key.
    """

    __tablename__ = "provider_call"
    building_path = shared(
        "found from what it is about; no list of a member of some buildings has it"
    )
    noun = "call"
    __table_args__ = (
        Index("ix_provider_call_due_at", "due_at"),
        Index("ix_provider_call_subject_id", "workspace_id", "subject_id"),
        Index(
            "ix_provider_call_given_up_at",
            "workspace_id",
            "given_up_at",
            **only_where("given_up_at IS NOT NULL"),
        ),
    )

    kind: Mapped[str]
    subject_id: Mapped[str] = mapped_column(Id)
    facts: Mapped[dict[str, Any]] = mapped_column(Json, default=dict, info=HAS_FILES)
    written_at: Mapped[datetime] = mapped_column(Instant)
    due_at: Mapped[datetime | None] = mapped_column(Instant)
    attempts: Mapped[int] = mapped_column(default=0)
    failure: Mapped[str | None] = mapped_column(Text)
    done_at: Mapped[datetime | None] = mapped_column(Instant)
    given_up_at: Mapped[datetime | None] = mapped_column(Instant)


def put_call(
    session: Session,
    clock: Clock,
    *,
    kind: str,
    subject_id: str,
    facts: dict[str, Any] | None = None,
    wait: timedelta = timedelta(),
) -> ProviderCall:
    """Queue a call, made once this transaction commits, or after a wait."""
    call = ProviderCall(
        kind=kind,
        subject_id=subject_id,
        facts=facts or {},
        written_at=clock.now(),
        due_at=clock.now() + wait,
    )
    session.add(call)
    return call


def lease_calls(session: Session, clock: Clock, most: int = 1) -> list[ProviderCall]:
    """Lease up to `most` due calls for this worker; unfinished ones are due again after the lease.

    The lease is longer than one call may take, so calls are leased one by one.
    """
    return lease_due(session, clock, ProviderCall, most, CALL_LEASE)


def mark_done(call: ProviderCall, clock: Clock) -> None:
    """Record that the provider accepted the call."""
    call.done_at, call.due_at, call.failure = clock.now(), None, None


def put_off_call(call: ProviderCall, clock: Clock, wait: timedelta, facts: dict[str, Any]) -> None:
    """Repeat a successful call after a wait."""
    call.due_at, call.failure, call.attempts = clock.now() + wait, None, 0
    call.facts = facts


def mark_call_failed(
    call: ProviderCall, clock: Clock, failure: str, *, for_good: bool = False
) -> None:
    """Record a failed attempt; each retry waits longer, and the last failure gives the call up."""
    call.failure = failure
    if for_good or call.attempts >= MOST_CALL_ATTEMPTS:
        call.due_at, call.given_up_at = None, clock.now()
    else:
        call.due_at = clock.now() + timedelta(seconds=15 * 2**call.attempts)


class TroubledCall(NamedTuple):
    """A call that failed: it will be retried, or was given up."""

    id: str
    kind: str
    subject_id: str
    failure: str
    attempts: int
    written_at: datetime
    due_at: datetime | None
    is_given_up: bool


def troubled_calls(session: Session, most: int = 50) -> Sequence[TroubledCall]:
    """Return the workspace's calls that failed and are not done, newest first."""
    asked = (
        select(ProviderCall)
        .where(ProviderCall.failure.is_not(None), ProviderCall.done_at.is_(None))
        .order_by(ProviderCall.written_at.desc(), ProviderCall.id.desc())
        .limit(most)
    )
    return [
        TroubledCall(
            call.id,
            call.kind,
            call.subject_id,
            call.failure or "",
            call.attempts,
            call.written_at,
            call.due_at,
            call.given_up_at is not None,
        )
        for call in session.scalars(asked)
    ]


def make_call_again(session: Session, clock: Clock, call_id: str) -> None:
    """Retry a call that was given up at once; any other call is left unchanged."""
    call = locked(session, ProviderCall, call_id)
    if call.given_up_at is not None:
        # `failure` stays set: it makes the next try check first whether an earlier one arrived.
        call.due_at, call.given_up_at, call.attempts = clock.now(), None, 0
    session.flush()
