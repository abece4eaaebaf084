"""Notices that leave the page: what is due, joined into one mail a person and group."""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, TypeAlias

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from pms.access.models import Member, Person
from pms.foundation.clock import Clock
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import OutboxMail, put_mail
from pms.foundation.translations import deferred_texts, translate
from pms.notices.models import Notice, NoticeSending
from pms.notices.wordings import notice_text
from pms.rules.enumerations import UserKind
from pms.rules.notices_to_people import (
    KINDS_OF_NOTICES,
    NoticeGroup,
    NoticeKind,
    UnsentBecause,
)
from pms.workspaces.page_links import page_link
from pms.workspaces.queries import branding

AT_ONCE: Final = 200
"""How many are taken in one transaction, so that on SQLite others write in between."""

MOST_LINES: Final = 20
"""A mail names no more; it says how many others are in the page."""

OverCheck: TypeAlias = Callable[[Session, Sequence[Notice]], set[str]]
"""Returns the ids of those notices of a kind whose matter is over: done, paid, answered, cancelled."""
OverChecks: TypeAlias = Mapping[NoticeKind, OverCheck]

_SUBJECTS: Final = deferred_texts(
    {
        NoticeGroup.TASKS: "{count} notifications about your tasks",
        NoticeGroup.MESSAGES: "{count} new messages and reports",
        NoticeGroup.MONEY: "{count} notifications about money",
        NoticeGroup.CONTRACTS: "{count} notifications about contracts",
        NoticeGroup.RUNS: "{count} activities have ended",
    }
)


def due_workspaces(session: Session, clock: Clock) -> Sequence[str]:
    """Return the workspaces with notices that are due; the session reads across workspaces."""
    due = select(NoticeSending.workspace_id).where(NoticeSending.due_at <= clock.now())
    return session.scalars(due.distinct().order_by(NoticeSending.workspace_id)).all()


def hand_over_due(session: Session, clock: Clock, checks: OverChecks) -> int:
    """Put the mails of due notices into the outbox, and return how many notices were dealt with.

    The mail and the end of the notice are one transaction, and another worker passes over the rows
    meanwhile: whoever is killed here has done all of it or nothing. What the reader has of the same
    group and is not due yet goes with it.
    """
    waiting = select(NoticeSending, Notice).join(
        Notice,
        (Notice.workspace_id == NoticeSending.workspace_id)
        & (Notice.id == NoticeSending.notice_id),
    )
    due = session.execute(
        waiting.where(NoticeSending.due_at <= clock.now())
        .order_by(NoticeSending.due_at, NoticeSending.id)
        .limit(AT_ONCE)
        .with_for_update(of=NoticeSending, skip_locked=True)
    ).all()
    if not due:
        return 0
    groups = {(notice.reader_id, KINDS_OF_NOTICES[notice.kind].group) for _, notice in due}
    with_them = session.execute(
        waiting.where(
            NoticeSending.due_at > clock.now(),
            Notice.reader_id.in_({reader_id for reader_id, _ in groups}),
        )
        .order_by(NoticeSending.due_at, NoticeSending.id)
        .limit(AT_ONCE)
        .with_for_update(of=NoticeSending, skip_locked=True)
    ).all()
    taken = [(sending, notice) for sending, notice in due]
    taken += [
        (sending, notice)
        for sending, notice in with_them
        if (notice.reader_id, KINDS_OF_NOTICES[notice.kind].group) in groups
    ]
    over = find_over(session, checks, [notice for _, notice in taken])
    people = _read_people(session, {reader_id for reader_id, _ in groups})

    def reader_and_group(pair: Any) -> tuple[str, NoticeGroup]:
        return pair[1].reader_id, KINDS_OF_NOTICES[pair[1].kind].group

    for (reader_id, group), pairs in groupby(sorted(taken, key=reader_and_group), reader_and_group):
        person, mailed = people.get(reader_id), []
        for sending, notice in pairs:
            sending.due_at, sending.ended_at = None, clock.now()
            if notice.id in over:
                sending.unsent_because, notice.over_at = UnsentBecause.OVER, clock.now()
            elif notice.opened_at is not None and sending.asked_by is None:
                sending.unsent_because = UnsentBecause.READ
            elif person is None:
                sending.unsent_because = UnsentBecause.GONE
            else:
                mailed.append((sending, notice))
        if person is not None and mailed:
            mailed.sort(key=lambda pair: (pair[1].caused_at, pair[1].id))
            mail = _put_joint_mail(session, clock, person, group, [notice for _, notice in mailed])
            session.flush()
            for sending, _ in mailed:
                sending.mail_id = mail.id
    session.flush()
    return len(taken)


def over_mails(session: Session, mail_ids: Collection[str], checks: OverChecks) -> set[str]:
    """Return those of the mails whose notices are all over, so that they need not be sent.

    A mail that somebody asked for again is sent.
    """
    rows = session.execute(
        select(NoticeSending.mail_id, Notice)
        .join(
            Notice,
            (Notice.workspace_id == NoticeSending.workspace_id)
            & (Notice.id == NoticeSending.notice_id),
        )
        .where(NoticeSending.mail_id.in_(mail_ids), NoticeSending.asked_by.is_(None))
    ).all()
    over = find_over(session, checks, [notice for _, notice in rows])
    needed = {mail_id for mail_id, notice in rows if notice.id not in over}
    return {mail_id for mail_id, _ in rows if mail_id is not None and mail_id not in needed}


def end_notices_of(session: Session, clock: Clock, mail_id: str) -> None:
    """Note that what a mail told is over, and that it was not sent for that."""
    sendings = session.scalars(select(NoticeSending).where(NoticeSending.mail_id == mail_id)).all()
    for sending in sendings:
        sending.unsent_because = UnsentBecause.OVER
    session.execute(
        update(Notice)
        .where(Notice.id.in_({sending.notice_id for sending in sendings}))
        .values(over_at=clock.now())
    )


def find_over(session: Session, checks: OverChecks, notices: Sequence[Notice]) -> set[str]:
    over: set[str] = set()
    for kind in {notice.kind for notice in notices} & checks.keys():
        over |= checks[kind](session, [notice for notice in notices if notice.kind == kind])
    return over


def _read_people(session: Session, person_ids: set[str]) -> Mapping[str, Person]:
    """Return the persons who still work here."""
    asked = (
        select(Person)
        .join(Member, Member.person_id == Person.id)
        .where(Person.id.in_(person_ids), Member.removed_at.is_(None))
        .where(Person.deactivated_at.is_(None))
    )
    return {person.id: person for person in session.scalars(asked)}


def _put_joint_mail(
    session: Session,
    clock: Clock,
    person: Person,
    group: NoticeGroup,
    notices: Sequence[Notice],
) -> OutboxMail:
    brand = branding(session)
    lines = [
        {
            "text": notice_text(notice.kind, notice.facts, person.locale),
            "link": page_link(session, UserKind.STAFF, f"/notices/{notice.id}", person.email),
        }
        for notice in notices[:MOST_LINES]
    ]
    subject = translate(_SUBJECTS[group], person.locale, None, count=len(notices))
    mail = mail_text(
        "staff-notices",
        person.locale,
        hue=brand.hue,
        operator=brand.name.in_language(person.locale),
        name=person.name,
        subject=lines[0]["text"] if len(notices) == 1 else subject,
        notices=lines,
        more=len(notices) - len(lines),
    )
    is_urgent = any(notice.is_urgent for notice in notices)
    return put_mail(
        session, clock, recipient=person.email, **{**mail._asdict(), "is_urgent": is_urgent}
    )
