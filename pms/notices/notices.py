"""Notices: telling people what happened, each once, and what a person has read."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import ScalarSelect, and_, bindparam, delete, func, select, update
from sqlalchemy.orm import Session

from pms.access.models import Member, Person
from pms.foundation.clock import Clock
from pms.foundation.db import as_indexed, insert_new
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id, new_id
from pms.foundation.lists import Paging
from pms.foundation.tenancy import OfWorkspace, workspace_of
from pms.foundation.work import Work
from pms.notices.models import Notice, NoticeChoice, NoticeSending
from pms.rules.enumerations import StaffRole
from pms.rules.notices_to_people import (
    KINDS_OF_NOTICES,
    NoticeKind,
    NoticeReaderKind,
    SendingWay,
    UnsentBecause,
    is_mailed_by_default,
    leaves_at,
)
from pms.workspaces.queries import policy

KEPT: Final = timedelta(days=180)
"""How long a notice is kept: what it was about has its own record."""


class NoticeEvent(NamedTuple):
    """What happened to one row, the page that shows it, and the persons it is told to by name.

    Without an `occasion` each time is an event of its own. `model` is the table of the row: members
    who work for some buildings are told by their role only of rows of these buildings.
    """

    subject_id: str
    path: str
    facts: dict[str, Any]
    person_ids: tuple[str | None, ...] = ()
    occasion: str | None = None
    model: type[OfWorkspace] | None = None


def notify_staff(
    work: Work,
    kind: NoticeKind,
    *events: NoticeEvent,
    roles: Collection[StaffRole] = (),
    is_urgent: bool = False,
) -> None:
    """Tell the staff of these roles, and the persons of each event, what happened.

    Who did it is not told, and a repeated event is told nobody twice. Persons are mailed unless they
    chose otherwise, roles by the rule of the kind.
    """
    staff = work.session.execute(
        select(Member.person_id, Member.role, Member.building_ids, NoticeChoice.is_wanted)
        .join(Person, Person.id == Member.person_id)
        .outerjoin(
            NoticeChoice,
            and_(
                NoticeChoice.workspace_id == Member.workspace_id,
                NoticeChoice.person_id == Member.person_id,
                NoticeChoice.notice_group == KINDS_OF_NOTICES[kind].group,
                NoticeChoice.way == SendingWay.MAIL,
            ),
        )
        .where(Member.removed_at.is_(None), Person.deactivated_at.is_(None))
    ).all()
    colleagues = [row.role for row in staff]
    now, own = work.clock.now(), work.actor.removeprefix("person/")
    notices, unsent = [], {}
    for event in events:
        for row in staff:
            is_named = row.person_id in event.person_ids
            if row.person_id == own or not (is_named or row.role in roles):
                continue
            is_bound = row.building_ids is not None and not is_named
            if is_bound and not _is_of_buildings(work.session, event, row.building_ids):
                continue
            id_, is_mailed = new_id(), row.is_wanted
            if is_mailed is None:
                is_mailed = is_named or is_mailed_by_default(
                    kind, row.role, colleagues, is_urgent=is_urgent
                )
            because = UnsentBecause.ROLE if row.is_wanted is None else UnsentBecause.CHOICE
            unsent[id_] = None if is_mailed else because
            notices.append(
                {
                    "id": id_,
                    "kind": kind,
                    "subject_id": event.subject_id,
                    "occasion": event.occasion or now.isoformat(),
                    "reader_kind": NoticeReaderKind.STAFF,
                    "reader_id": row.person_id,
                    "path": event.path,
                    "facts": event.facts,
                    "is_urgent": is_urgent,
                    "caused_at": now,
                    "caused_by": work.actor,
                }
            )
    if not notices:
        return
    work.session.flush()
    insert_new(work.session, Notice, notices)
    # One that was there before keeps its own mail.
    made = work.session.scalars(select(Notice.id).where(Notice.id.in_(unsent))).all()
    due_at = time_to_leave(work.session, work.clock, kind, is_urgent=is_urgent)
    insert_new(
        work.session,
        NoticeSending,
        [
            {
                "id": new_id(),
                "notice_id": notice_id,
                "way": SendingWay.MAIL,
                "due_at": due_at if unsent[notice_id] is None else None,
                "ended_at": None if unsent[notice_id] is None else now,
                "unsent_because": unsent[notice_id],
            }
            for notice_id in made
        ],
    )


def _is_of_buildings(session: Session, event: NoticeEvent, building_ids: Sequence[str]) -> bool:
    if event.model is None:
        return False
    is_seen = event.model.is_of_buildings(workspace_of(session), building_ids)
    asked = select(event.model.id).where(event.model.id == event.subject_id, is_seen)
    return session.scalar(asked) is not None


def time_to_leave(
    session: Session, clock: Clock, kind: NoticeKind, *, is_urgent: bool = False
) -> datetime:
    """Return when a notice of now may leave by a way that reaches people outside the page."""
    figures = policy(session)
    quiet = (figures.quiet_from_hour, figures.quiet_until_hour)
    return leaves_at(clock.now(), KINDS_OF_NOTICES[kind].gathers, quiet, is_urgent=is_urgent)


_UNREAD: Final = "opened_at IS NULL AND over_at IS NULL"


def own_notices(session: Session, person_id: str, paging: Paging) -> "OwnNotices":
    """Return one page of a person's notices, newest first, without those whose matter is over."""
    own = and_(Notice.reader_id == person_id, Notice.over_at.is_(None))
    newest = select(Notice).where(own).order_by(Notice.caused_at.desc(), Notice.id.desc())
    return OwnNotices(
        session.scalars(newest.offset(paging.offset).limit(paging.limit)).all(),
        session.scalar(select(func.count()).select_from(Notice).where(own)) or 0,
    )


class OwnNotices(NamedTuple):
    """Some of a person's notices, and how many there are."""

    notices: Sequence[Notice]
    total: int


def select_unread(most: int) -> ScalarSelect[int]:
    """Return the question how many notices `reader_id` has not read, `most` at most."""
    is_own = Notice.reader_id == bindparam("reader_id")
    unread = select(Notice.id).where(is_own, as_indexed(_UNREAD)).limit(most).subquery()
    return select(func.count()).select_from(unread).scalar_subquery()


def find_own_notice(session: Session, notice_id: str, person_id: str) -> Notice:
    """Return a notice of a person; raise `NotFound` for another person's."""
    is_own = and_(Notice.id == notice_id, Notice.reader_id == person_id)
    notice = session.scalar(select(Notice).where(is_own)) if is_id(notice_id) else None
    if notice is None:
        raise no_such("notice", notice_id)
    return notice


def note_opened(
    session: Session, clock: Clock, person_id: str, notice_ids: Collection[str] | None = None
) -> None:
    """Note that a person has read some of their notices, or all."""
    unread = [Notice.reader_id == person_id, Notice.opened_at.is_(None)]
    if notice_ids is not None:
        unread.append(Notice.id.in_(notice_ids))
    session.execute(update(Notice).where(*unread).values(opened_at=clock.now()))


def forget_notices(session: Session, clock: Clock) -> None:
    """Delete old notices; the session writes across workspaces."""
    session.execute(delete(Notice).where(Notice.caused_at < clock.now() - KEPT))
