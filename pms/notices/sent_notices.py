"""What was sent to whom, by which way, whether it was opened, and why it was not sent."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.foundation.audit import note_audit_event
from pms.foundation.errors import Refused
from pms.foundation.lists import Paging
from pms.foundation.outbox import OutboxMail
from pms.foundation.work import Work, locked
from pms.notices.models import Notice, NoticeSending
from pms.rules.audit_events import AuditEvent
from pms.rules.notices_to_people import KINDS_OF_NOTICES, NoticeGroup, NoticeReaderKind, SendingWay


class SendingState(StrEnum):
    """How far a notice is on its way."""

    WAITING = "waiting"
    """It gathers others, or waits for the end of the quiet hours."""
    HANDED = "handed"
    """Its mail is written and not accepted by a mail server yet."""
    SENT = "sent"
    FAILED = "failed"
    UNSENT = "unsent"


class SentWay(NamedTuple):
    """One way of a notice, newest first: its state, its mail, and who asked for it again."""

    sending: NoticeSending
    mail: OutboxMail | None

    @property
    def state(self) -> SendingState:
        """How far it is."""
        if self.sending.unsent_because is not None:
            return SendingState.UNSENT
        if self.sending.due_at is not None:
            return SendingState.WAITING
        if self.mail is None or self.mail.sent_at is not None:
            return SendingState.SENT
        return SendingState.FAILED if self.mail.given_up_at is not None else SendingState.HANDED


class SentNotice(NamedTuple):
    """A notice with the name of its reader, where it is one of the staff, and its ways."""

    notice: Notice
    name: str | None
    ways: Sequence[SentWay]


class SentSearch(NamedTuple):
    """Which notices are wanted: of a group, of one reader, or those that did not leave."""

    group: NoticeGroup | None = None
    reader_id: str | None = None
    is_unsent: bool = False


class SentNotices(NamedTuple):
    """Some of the notices, newest first, and how many there are."""

    notices: Sequence[SentNotice]
    total: int


def list_sent(session: Session, search: SentSearch, paging: Paging) -> SentNotices:
    """Return one page of the notices that were sent, in three questions."""
    conditions: list[ColumnElement[bool]] = []
    if search.group is not None:
        kinds = [kind for kind, rule in KINDS_OF_NOTICES.items() if rule.group is search.group]
        conditions.append(Notice.kind.in_(kinds))
    if search.reader_id is not None:
        conditions.append(Notice.reader_id == search.reader_id)
    if search.is_unsent:
        unsent = (
            select(NoticeSending.notice_id)
            .outerjoin(
                OutboxMail,
                and_(
                    OutboxMail.workspace_id == NoticeSending.workspace_id,
                    OutboxMail.id == NoticeSending.mail_id,
                ),
            )
            .where(
                or_(
                    NoticeSending.unsent_because.is_not(None),
                    OutboxMail.given_up_at.is_not(None),
                )
            )
        )
        conditions.append(Notice.id.in_(unsent))
    asked: Select[Notice, str | None] = (
        select(Notice, Person.name)
        .outerjoin(Person, Person.id == Notice.reader_id)
        .where(*conditions)
        .order_by(Notice.caused_at.desc(), Notice.id.desc())
    )
    rows = session.execute(asked.offset(paging.offset).limit(paging.limit)).all()
    ways = _read_ways(session, [notice.id for notice, _ in rows])
    return SentNotices(
        [SentNotice(notice, name, ways.get(notice.id, ())) for notice, name in rows],
        session.scalar(select(func.count()).select_from(Notice).where(*conditions)) or 0,
    )


def _read_ways(session: Session, notice_ids: Sequence[str]) -> Mapping[str, Sequence[SentWay]]:
    ways: dict[str, list[SentWay]] = {}
    rows = session.execute(
        select(NoticeSending, OutboxMail)
        .outerjoin(
            OutboxMail,
            and_(
                OutboxMail.workspace_id == NoticeSending.workspace_id,
                OutboxMail.id == NoticeSending.mail_id,
            ),
        )
        .where(NoticeSending.notice_id.in_(notice_ids))
        .order_by(NoticeSending.id.desc())
    )
    for sending, mail in rows:
        ways.setdefault(sending.notice_id, []).append(SentWay(sending, mail))
    return ways


def send_notice_again(work: Work, *, notice_id: str) -> None:
    """Send a notice by mail, at once, though it was read, left out or sent before.

    Raises `NotFound` for an unknown one, `Refused` while its mail is still on its way, and for a
    reader who has a paper of their own to be sent again.
    """
    notice = locked(work.session, Notice, notice_id)
    if notice.reader_kind is not NoticeReaderKind.STAFF:
        raise Refused("notice: send this again from the page that it is about.")
    waiting = select(NoticeSending.id).where(
        NoticeSending.notice_id == notice.id, NoticeSending.due_at.is_not(None)
    )
    if work.session.scalars(waiting).first() is not None:
        raise Refused("notice: its email has not been sent yet.")
    work.session.add(
        NoticeSending(
            notice_id=notice.id,
            way=SendingWay.MAIL,
            due_at=work.clock.now(),
            asked_by=work.actor,
        )
    )
    facts = {"kind": notice.kind.value}
    note_audit_event(work, AuditEvent.NOTICE_SENT_AGAIN, ("notice", notice.id), after=facts)
    work.session.flush()
