"""Timed work: reading calendars, releasing posts, processing inbound events."""

from collections.abc import Sequence
from datetime import timedelta
from threading import Lock
from typing import Final

import structlog

from pms.catalogue import calendar_imports, unit_calendars
from pms.catalogue.calendar_feeds import read_calendar
from pms.catalogue.calendar_wording import MOST_BYTES, CalendarRefused
from pms.catalogue.unit_calendars import LeasedFeed
from pms.channels import event_effects, events
from pms.channels.models import InboundEvent
from pms.foundation.errors import Collision, Problem
from pms.foundation.outside_reading import Bounds, Unreachable, read_outside
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work, lock_leased
from pms.jobs.runs import Tools
from pms.site import written_content

ACTOR: Final = "worker"
AT_ONCE: Final = 5
LONGEST_CALENDARS_TURN: Final = timedelta(minutes=5)
_PATIENCE_SECONDS: Final = 20.0
_HEADERS: Final = {"Accept": "text/calendar", "User-Agent": "pms-calendar/1"}
_log = structlog.get_logger("pms.jobs.readings")
_at_work = Lock()


def read_calendars(
    tools: Tools,
    allowed_networks: Sequence[str] = (),
    patience_seconds: float = _PATIENCE_SECONDS,
) -> None:
    """Read the calendars of booking sites that are due.

    The call returns at once while this process is still reading some.

    `allowed_networks` are for tests only: by default an address that a person typed cannot lead
    into the internal network.
    """
    if not _at_work.acquire(blocking=False):
        return
    try:
        bounds = Bounds(MOST_BYTES, patience_seconds, allowed_networks=allowed_networks)
        until = tools.clock.now() + LONGEST_CALENDARS_TURN
        while (feeds := _lease_feeds(tools)) and tools.clock.now() < until:
            for feed in feeds:
                _read_feed(tools, feed, bounds)
    finally:
        _at_work.release()


def _lease_feeds(tools: Tools) -> list[LeasedFeed]:
    return tools.database.write_across_workspaces(
        lambda session: unit_calendars.lease_calendar_feeds(session, tools.clock, AT_ONCE)
    )


def _read_feed(tools: Tools, feed: LeasedFeed, bounds: Bounds) -> None:
    try:
        page = read_outside(feed.url, {**_HEADERS, **feed.conditions}, bounds)
        content = page.content
        reading = None if content is None else read_calendar(content, tools.clock.today())
    except (Unreachable, CalendarRefused) as failure:
        _note_feed_failure(tools, feed, failure.code, failure.facts)
        return
    try:
        tools.database.write(
            feed.workspace_id,
            lambda session: calendar_imports.take_calendar(
                Work(session, tools.clock, ACTOR), feed_id=feed.id, page=page, reading=reading
            ),
        )
    except Collision:
        _note_feed_failure(tools, feed, "raced", {})


def _note_feed_failure(
    tools: Tools, feed: LeasedFeed, code: str, facts: dict[str, str | int]
) -> None:
    # The address is a secret of the channel and must not be logged.
    _log.info("calendar not read", feed=feed.id, workspace=feed.workspace_id, failure=code)
    tools.database.write(
        feed.workspace_id,
        lambda session: calendar_imports.note_calendar_failure(
            session, tools.clock, feed_id=feed.id, code=code, facts=facts
        ),
    )


def release_due_posts(tools: Tools) -> None:
    """Publish the scheduled posts that are due."""
    with tools.database.across_workspaces_reading() as session:
        workspace_ids = written_content.workspaces_with_due_posts(session, tools.clock.now())
    for workspace_id in workspace_ids:
        released = tools.database.write(
            workspace_id,
            lambda session: written_content.release_posts(Work(session, tools.clock, ACTOR)),
        )
        _log.info("posts came out", workspace=workspace_id, posts=released)


LONGEST_EVENTS_TURN: Final = timedelta(minutes=1)
_AT_ONCE: Final = 20


def take_inbound_events(tools: Tools) -> None:
    """Process received webhook events in order, and record the result of each.

    The call returns at once while this process is still processing events.
    """
    if not _at_work.acquire(blocking=False):
        return
    try:
        until = tools.clock.now() + LONGEST_EVENTS_TURN
        while tools.clock.now() < until and (events := _lease_events(tools)):
            for event in events:
                _take_inbound_event(tools, event)
    finally:
        _at_work.release()


def _lease_events(tools: Tools) -> list[InboundEvent]:
    return tools.database.write_across_workspaces(
        lambda session: events.lease_events(session, tools.clock, _AT_ONCE)
    )


def _take_inbound_event(tools: Tools, event: InboundEvent) -> None:
    facts = {"inbound": event.id, "source": event.source.value, "workspace": event.workspace_id}
    try:
        outcome = tools.database.write(
            event.workspace_id,
            lambda session: event_effects.take_event(session, tools.clock, event),
        )
    except Exception as failure:
        # An unexpected error must not stop the other events; the event is tried again and logged.
        _log.exception("inbound event broke", **facts)
        _note_event_failure(tools, event, failure)
    else:
        if outcome is not None:
            _log.info("inbound event taken up", **facts, state=outcome.state.value)


def _note_event_failure(tools: Tools, event: InboundEvent, failure: Exception) -> None:
    # The message of another error may contain personal data; the name of its type does not.
    reason = failure.message if isinstance(failure, Problem) else type(failure).__name__

    def note(session: WorkspaceSession) -> None:
        ours = lock_leased(session, event)
        if ours is not None:
            events.mark_event_failed(ours, tools.clock, reason)

    tools.database.write(event.workspace_id, note)
