"""Notices with a mail of their own words: the notice and its mail, in one transaction."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.mail_texts import MailText
from pms.foundation.outbox import Attachment, OutboxMail, put_mail
from pms.notices.models import Notice, NoticeChoice, NoticeSending
from pms.notices.notices import NoticeEvent, time_to_leave
from pms.rules.notices_to_people import (
    KINDS_OF_NOTICES,
    NoticeKind,
    NoticeReaderKind,
    SendingWay,
    UnsentBecause,
)


class NoticeReader(NamedTuple):
    """Who reads it: one of the staff, a tenancy or an owner, with the address if one is known."""

    kind: NoticeReaderKind
    id: str
    address: str | None


def put_notice_mail(
    session: Session,
    clock: Clock,
    kind: NoticeKind,
    event: NoticeEvent,
    *,
    reader: NoticeReader,
    mail: MailText,
    caused_by: str,
    attachments: Sequence[Attachment] = (),
    is_urgent: bool = False,
) -> OutboxMail | None:
    """Keep the notice, and put its mail into the outbox; `None` where no mail leaves.

    The mail waits for the end of the quiet hours. Before it is sent it is checked that its matter is
    not over.
    """
    now, put = clock.now(), None
    notice = Notice(
        id=new_id(),
        kind=kind,
        subject_id=event.subject_id,
        occasion=event.occasion or now.isoformat(),
        reader_kind=reader.kind,
        reader_id=reader.id,
        path=event.path,
        facts=event.facts,
        is_urgent=is_urgent,
        caused_at=now,
        caused_by=caused_by,
    )
    because = None if reader.address else UnsentBecause.NO_ADDRESS
    if reader.kind is NoticeReaderKind.STAFF:
        chosen = select(NoticeChoice.is_wanted).where(
            NoticeChoice.person_id == reader.id,
            NoticeChoice.notice_group == KINDS_OF_NOTICES[kind].group,
            NoticeChoice.way == SendingWay.MAIL,
        )
        if session.scalar(chosen) is False:
            because = UnsentBecause.CHOICE
    if because is None:
        put = put_mail(
            session,
            clock,
            recipient=reader.address or "",
            attachments=attachments,
            due_at=time_to_leave(session, clock, kind, is_urgent=is_urgent),
            **mail._asdict(),
        )
    session.add(notice)
    session.flush()
    session.add(
        NoticeSending(
            notice_id=notice.id,
            way=SendingWay.MAIL,
            ended_at=now,
            unsent_because=because,
            mail_id=put.id if put else None,
        )
    )
    return put
