"""Imports the events of a read calendar as blocks."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.catalogue.calendar_feeds import CalendarReading, EventVerdict, list_broken_events
from pms.catalogue.calendar_files import Nights
from pms.catalogue.feed_records import write_failure
from pms.catalogue.models import CalendarFeed, ExternalBlock
from pms.foundation.audit import note_audit_event
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision
from pms.foundation.ids import new_id
from pms.foundation.outside_reading import OutsidePage
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.days import readable
from pms.rules.enumerations import BlockSource

_LONGEST_FEED_NAME: Final = 100
_UNNAMED: Final = "calendar"


@dataclass(frozen=True, slots=True)
class BlockChange:
    """A run of nights that is new, moved, released or unchanged, with its previous days."""

    uid: str
    first_on: date
    last_on: date | None
    summary: str | None
    was_first_on: date | None = None
    was_last_on: date | None = None


@dataclass(frozen=True, slots=True)
class CalendarReport:
    """The events of a calendar and their changes; `is_committed` says whether they are stored."""

    feed: str
    calendar_name: str | None
    events: tuple[EventVerdict, ...]
    new: tuple[BlockChange, ...]
    moved: tuple[BlockChange, ...]
    released: tuple[BlockChange, ...]
    unchanged: int
    is_committed: bool

    @property
    def problems(self) -> tuple[EventVerdict, ...]:
        """The events that were read only in part, or not at all."""
        return tuple(event for event in self.events if event.is_problem)


def import_calendar(
    work: Work,
    reading: CalendarReading,
    *,
    unit_id: str,
    commit: bool,
    feed_name: str | None = None,
    leaves_out_window: bool | None = None,
) -> CalendarReport:
    """Report which blocks a unit's calendar adds, moves and releases; store them with `commit`.

    The feed is identified by its unit and name (by default its producer's), so that an event that
    disappeared from it releases its days; other feeds of the unit are not touched. With
    `leaves_out_window`, by default as it is set for the feed, the days that the channel itself does
    not sell hold nothing.
    """
    now, today = work.clock.now(), work.clock.today()
    parts = [part.strip() for part in (reading.product or "").split("//")]
    producer = next((part for part in parts if part not in ("", "-", "+")), _UNNAMED)
    name = (feed_name or producer)[:_LONGEST_FEED_NAME]
    by_name = CalendarFeed.unit_id == unit_id, CalendarFeed.name == name
    feed = work.session.scalar(select(CalendarFeed).where(*by_name))
    if leaves_out_window is None:
        leaves_out_window = feed is not None and feed.leaves_out_window
    if leaves_out_window:
        reading = reading.without_window()
    changes = _Changes(_read_stored_blocks(work.session, feed), reading, today)
    # Built before it is stored: a moved block still has its previous days.
    released: list[BlockChange] = []
    for block in changes.released:
        first_on, last_on = readable(block.first_on), readable(block.last_on)
        released.append(BlockChange(block.uid or "", first_on or date.min, last_on, block.summary))
    report = CalendarReport(
        feed=name,
        calendar_name=reading.name,
        events=reading.events,
        new=tuple(_build_change(run) for run in changes.new),
        moved=tuple(_build_change(run, block) for block, run in changes.moved),
        released=tuple(released),
        unchanged=len(changes.same),
        is_committed=commit,
    )
    if commit:
        feed = feed or CalendarFeed(id=new_id(), unit_id=unit_id, name=name)
        feed.leaves_out_window = leaves_out_window
        _write_changes(work.session, feed, changes, now)
        _note_import(work, unit_id, report)
    return report


def _note_import(work: Work, unit_id: str, report: CalendarReport) -> None:
    """Record the audit event; none for a reading that changes nothing, as there are many a day."""
    facts = {
        "new": len(report.new),
        "moved": len(report.moved),
        "released": len(report.released),
    }
    if any(facts.values()):
        about, after = ("unit", unit_id), {"feed": report.feed, **facts}
        note_audit_event(work, AuditEvent.CALENDAR_IMPORTED, about, after=after)


def _read_stored_blocks(session: Session, feed: CalendarFeed | None) -> Sequence[ExternalBlock]:
    if feed is None:
        return ()
    return session.scalars(select(ExternalBlock).where(ExternalBlock.feed_id == feed.id)).all()


class _Changes:
    """The differences between the stored blocks of a feed and its events now."""

    def __init__(
        self, stored: Iterable[ExternalBlock], reading: CalendarReading, today: date
    ) -> None:
        self.new: list[Nights] = []
        self.moved: list[tuple[ExternalBlock, Nights]] = []
        self.released: list[ExternalBlock] = []
        self.same: list[tuple[ExternalBlock, Nights]] = []
        self._today, self._keeps = today, cache(reading.keeps)
        stated, known = defaultdict(list), defaultdict(list)
        for run in reading.nights:
            stated[run.uid].append(run)
        for block in stored:
            known[block.uid or ""].append(block)
        for uid in dict.fromkeys((*stated, *known)):
            self._match_blocks(known.get(uid, []), stated.get(uid, []))

    def _match_blocks(self, blocks: list[ExternalBlock], runs: list[Nights]) -> None:
        """Match one run of an event with its block wherever it moved; several by first day.

        While an event of the same UID, or of none, is not read, its nights stay held.
        """
        is_kept = any(self._keeps(block.uid) for block in blocks)
        if len(blocks) == len(runs) == 1 and not is_kept:
            self._pair_block(blocks[0], runs[0])
            return
        by_day = {readable(block.first_on): block for block in blocks}
        for run in runs:
            block = by_day.pop(run.first_on, None)
            if block is None:
                self.new.append(run)
            elif is_kept and _ends_by(run, block):
                self.same.append((block, run))
            else:
                self._pair_block(block, run)
        for block in () if is_kept else by_day.values():
            # Release a block, unless it is over: channels drop past events, which block nothing.
            last_on = readable(block.last_on)
            if last_on is None or last_on >= self._today:
                self.released.append(block)

    def _pair_block(self, block: ExternalBlock, run: Nights) -> None:
        before = (block.first_on, block.last_on, block.summary)
        if before == (run.first_on, run.last_on, run.summary):
            self.same.append((block, run))
        else:
            self.moved.append((block, run))


def _ends_by(run: Nights, block: ExternalBlock) -> bool:
    last_on = readable(block.last_on)
    return last_on is not None and run.last_on <= last_on


def _write_changes(session: Session, feed: CalendarFeed, changes: _Changes, now: datetime) -> None:
    try:
        session.add(feed)
        feed.last_read_at = now
        for block in changes.released:
            session.delete(block)
        session.flush()
        for block, run in changes.moved:
            block.first_on, block.last_on, block.summary = run.first_on, run.last_on, run.summary
            block.updated_at = now
        # The booking's code is shown to nobody: learning it does not count as a move.
        for block, run in (*changes.same, *changes.moved):
            block.booking_reference = run.booking_reference
        session.flush()
        if changes.new:
            session.execute(
                insert(ExternalBlock), [_build_block_row(run, feed, now) for run in changes.new]
            )
    except IntegrityError as refusal:
        raise Collision(
            "The same calendar was read by another person at the same time."
        ) from refusal


def _build_block_row(run: Nights, feed: CalendarFeed, now: datetime) -> dict[str, Any]:
    return {
        "unit_id": feed.unit_id,
        "source": BlockSource.CHANNEL_CALENDAR,
        "first_on": run.first_on,
        "last_on": run.last_on,
        "summary": run.summary,
        "booking_reference": run.booking_reference,
        "feed_id": feed.id,
        "uid": run.uid,
        "created_at": now,
        "updated_at": now,
    }


def _build_change(run: Nights, block: ExternalBlock | None = None) -> BlockChange:
    return BlockChange(
        uid=run.uid,
        first_on=run.first_on,
        last_on=run.last_on,
        summary=run.summary,
        was_first_on=None if block is None else readable(block.first_on),
        was_last_on=None if block is None else readable(block.last_on),
    )


EVERY: Final = timedelta(minutes=30)
LONGEST_WAIT: Final = timedelta(hours=24)
_LONGEST_TAG: Final = 200
_MOST_DOUBLINGS: Final = 6


def take_calendar(
    work: Work, *, feed_id: str, page: OutsidePage, reading: CalendarReading | None
) -> None:
    """Import a received calendar that was read before; None where it is the one known already."""
    feed = _lock_feed(work.session, feed_id)
    if feed is None:  # deleted while it was read
        return
    goes_on = False
    if reading is not None:
        report = import_calendar(
            work, reading, unit_id=feed.unit_id, commit=True, feed_name=feed.name
        )
        feed.events = len(report.events)
        feed.broken = list_broken_events(report.events)
        goes_on = any(event.code == "bounded" for event in report.events)
    # A calendar that repeats beyond the horizon is always read in full: the horizon moves with
    # time.
    tags = (None, None) if goes_on else (page.etag, page.last_modified)
    feed.etag, feed.last_modified = map(_kept_tag, tags)
    feed.tried_at = feed.last_read_at = work.clock.now()
    feed.failures, feed.failure = 0, None
    feed.due_at = work.clock.now() + EVERY


def note_calendar_failure(
    session: Session, clock: Clock, *, feed_id: str, code: str, facts: dict[str, str | int]
) -> None:
    """Record that a calendar could not be fetched or read; its stored blocks stay."""
    feed = _lock_feed(session, feed_id)
    if feed is not None:
        now = clock.now()
        failure = write_failure(code, facts)
        feed.failures += 1
        feed.failure = failure
        feed.tried_at = now
        # The next response is then read in full, whatever it was.
        feed.etag = feed.last_modified = None
        feed.due_at = now + wait_after(feed.failures)


def wait_after(failures: int) -> timedelta:
    """Return how long to wait after this many failures in a row."""
    doublings: int = 2 ** min(failures, _MOST_DOUBLINGS)
    return min(EVERY * doublings, LONGEST_WAIT)


def _lock_feed(session: Session, feed_id: str) -> CalendarFeed | None:
    found = select(CalendarFeed).where(CalendarFeed.id == feed_id).with_for_update()
    return session.scalar(found)


def _kept_tag(tag: str | None) -> str | None:
    """Return the ETag, or `None` when it could not be sent back unchanged."""
    usable = tag and len(tag) <= _LONGEST_TAG and tag.isascii() and tag.isprintable()
    return tag if usable else None
