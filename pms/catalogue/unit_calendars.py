"""Calendars of units for other sites to read, and the channels' calendars read for a unit."""

import hmac
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.orm import Session

from pms.catalogue.calendar_wording import is_window, say
from pms.catalogue.checks import LONGEST_NAME, needed_text
from pms.catalogue.models import CalendarFeed, ExternalBlock, Unit, UnitCalendar
from pms.foundation.audit import note_audit_event
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import new_id
from pms.foundation.outside_reading import Unreachable, check_url, target_of
from pms.foundation.phrases import Bilingual
from pms.foundation.tokens import LinkKind, NamedLink, Signer, new_token
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent


def end_unit_calendar(work: Work, *, unit_id: str) -> None:
    """Delete the calendar's URL; repeating it changes nothing."""
    locked(work.session, Unit, unit_id)
    row = work.session.scalar(select(UnitCalendar).where(UnitCalendar.unit_id == unit_id))
    if row is not None:
        note_audit_event(work, AuditEvent.UNIT_CALENDAR_ENDED, ("unit", unit_id))
        work.session.delete(row)
        work.session.flush()


def make_unit_calendar(work: Work, *, unit_id: str) -> None:
    """Create the calendar's URL, or replace it."""
    locked(work.session, Unit, unit_id)
    row = work.session.scalar(select(UnitCalendar).where(UnitCalendar.unit_id == unit_id))
    facts = {"replaces": row is not None}
    if row is None:
        row = UnitCalendar(id=new_id(), unit_id=unit_id)
        work.session.add(row)
    row.nonce, row.made_at, row.made_by = new_token(), work.clock.now(), work.actor
    row.last_read_at = None
    note_audit_event(work, AuditEvent.UNIT_CALENDAR_MADE, ("unit", unit_id), after=facts)
    work.session.flush()


UNIT_CALENDAR: Final = LinkKind("unit-calendar", UnitCalendar.nonce)
EVERY: Final = timedelta(hours=1)


class GivenCalendar(NamedTuple):
    """The URL of a unit's calendar: since when, by whom, and when it was last read."""

    id: str
    unit_id: str
    nonce: str
    made_at: datetime
    made_by: str
    last_read_at: datetime | None

    def token(self, signer: Signer) -> str:
        """Return the token in the URL."""
        return signer.short(UNIT_CALENDAR.purpose, self.nonce)


_CALENDARS = select(
    UnitCalendar.id,
    UnitCalendar.unit_id,
    UnitCalendar.nonce,
    UnitCalendar.made_at,
    UnitCalendar.made_by,
    UnitCalendar.last_read_at,
)


def given_calendar(session: Session, unit_id: str) -> GivenCalendar | None:
    """Return the calendar URL of a unit, if there is one."""
    row = session.execute(_CALENDARS.where(UnitCalendar.unit_id == unit_id)).first()
    return None if row is None else GivenCalendar._make(row)


def opened_calendar(session: Session, named: NamedLink) -> GivenCalendar | None:
    """Return the calendar of a token of the session's workspace; `None` when it was replaced."""
    row = session.execute(_CALENDARS.where(UnitCalendar.id == named.link_id)).first()
    if row is None or not hmac.compare_digest(row.nonce.encode(), named.nonce.encode()):
        return None
    return GivenCalendar._make(row)


def note_calendar_read(session: Session, calendar_id: str, at: datetime) -> None:
    """Record, about once an hour, that the calendar was read."""
    is_older = or_(UnitCalendar.last_read_at.is_(None), UnitCalendar.last_read_at < at)
    session.execute(
        update(UnitCalendar)
        .where(UnitCalendar.id == calendar_id, is_older)
        .values(last_read_at=at)
        .execution_options(synchronize_session=False)
    )


MOST_OF_A_UNIT: Final = 10


def add_calendar_feed(
    work: Work,
    *,
    unit_id: str,
    name: str | None,
    url: str | None,
    leaves_out_window: bool = False,
) -> str:
    """Store the calendar, due at once, and return its id.

    The URL is a secret of the channel: the audit records only its server.
    """
    locked(work.session, Unit, unit_id)
    typed_url = (url or "").strip()
    try:
        check_url(typed_url)
    except Unreachable as failure:
        reason = Bilingual(say(failure.code, "ja"), say(failure.code, "en"))
        raise Refused("url: {reason}", reason=reason) from failure
    named = needed_text("name", name, LONGEST_NAME)
    names = work.session.scalars(
        select(CalendarFeed.name).where(CalendarFeed.unit_id == unit_id)
    ).all()
    if named in names:
        raise Refused("name: the unit already has a calendar '{name}'.", name=named)
    if len(names) >= MOST_OF_A_UNIT:
        raise Refused("A unit can have at most {most} calendars.", most=MOST_OF_A_UNIT)
    row = CalendarFeed(
        id=new_id(),
        unit_id=unit_id,
        name=named,
        url=typed_url,
        due_at=work.clock.now(),
        leaves_out_window=leaves_out_window,
    )
    work.session.add(row)
    facts: dict[str, str | bool] = {"feed": named, "server": target_of(typed_url).host}
    if leaves_out_window:
        facts["leaves_out_window"] = True
    note_audit_event(work, AuditEvent.CALENDAR_FEED_ADDED, ("unit", unit_id), after=facts)
    work.session.flush()
    return row.id


def ask_for_reading(session: Session, clock: Clock, *, feed_id: str) -> str:
    """Make the calendar due now and return its unit."""
    feed = locked(session, CalendarFeed, feed_id)
    if feed.url is None:
        raise Refused(
            "This calendar was imported from a file, so there is no address to read again."
        )
    feed.due_at = clock.now()
    return feed.unit_id


def set_feed_window(work: Work, *, feed_id: str, leaves_out_window: bool) -> str:
    """Set whether days that the channel does not sell are left out, and return the unit.

    Such days become free at once; they are held again by the next reading, which is due now.
    """
    feed = locked(work.session, CalendarFeed, feed_id)
    if feed.leaves_out_window == leaves_out_window:
        return feed.unit_id
    about = ("unit", feed.unit_id)
    after = {"feed": feed.name, "leaves_out_window": leaves_out_window}
    note_audit_event(work, AuditEvent.CALENDAR_FEED_CHANGED, about, after=after)
    feed.leaves_out_window = leaves_out_window
    if leaves_out_window:
        blocks = select(ExternalBlock).where(ExternalBlock.feed_id == feed.id)
        for block in work.session.scalars(blocks):
            if is_window(block.summary):
                work.session.delete(block)
    if feed.url is not None:
        feed.etag = feed.last_modified = None
        feed.due_at = work.clock.now()
    work.session.flush()
    return feed.unit_id


def feed_of_name(session: Session, unit_id: str, name: str) -> str:
    """Return the id of a unit's calendar of a name; raise `NotFound` when it has none."""
    by_name = CalendarFeed.unit_id == unit_id, CalendarFeed.name == name
    found = session.scalar(select(CalendarFeed.id).where(*by_name))
    if found is None:
        raise no_such("calendar", name)
    return found


def remove_calendar_feed(work: Work, *, feed_id: str) -> str:
    """Delete the calendar and its blocks, and return its unit."""
    feed = locked(work.session, CalendarFeed, feed_id)
    of_feed = ExternalBlock.feed_id == feed.id
    blocks = (
        work.session.scalar(select(func.count()).select_from(ExternalBlock).where(of_feed)) or 0
    )
    facts = {"feed": feed.name, "blocks": blocks}
    note_audit_event(work, AuditEvent.CALENDAR_FEED_REMOVED, ("unit", feed.unit_id), before=facts)
    # Deleted by the session, not by the database's cascade: the versions of listings must be
    # raised.
    work.session.execute(delete(ExternalBlock).where(of_feed))
    work.session.delete(feed)
    work.session.flush()
    return feed.unit_id


LEASE: Final = timedelta(minutes=10)


class LeasedFeed(NamedTuple):
    """A calendar to read, with the validators of its server's last response."""

    workspace_id: str
    id: str
    url: str
    etag: str | None
    last_modified: str | None

    @property
    def conditions(self) -> dict[str, str]:
        """Return the request headers with which a server can answer that nothing changed."""
        facts = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in facts.items() if value}


def lease_calendar_feeds(session: Session, clock: Clock, most: int) -> list[LeasedFeed]:
    """Lease up to `most` due calendars of all workspaces, longest waiting first.

    A calendar whose worker died is leased again when the lease ends.
    """
    due = (
        select(CalendarFeed)
        .where(CalendarFeed.due_at <= clock.now(), CalendarFeed.url.is_not(None))
        .order_by(CalendarFeed.due_at, CalendarFeed.id)
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    feeds = list(session.scalars(due))
    for feed in feeds:
        feed.due_at = clock.now() + LEASE
    return [
        LeasedFeed(feed.workspace_id, feed.id, feed.url or "", feed.etag, feed.last_modified)
        for feed in feeds
    ]
