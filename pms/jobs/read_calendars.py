"""Reads the channels' calendars whose time has come, each outside of any transaction."""

from collections.abc import Sequence
from datetime import timedelta
from threading import Lock
from typing import Final

import structlog

from pms.catalogue.calendar_components import MOST_BYTES
from pms.catalogue.lease_calendar_feeds import LeasedFeed, lease_calendar_feeds
from pms.catalogue.take_calendar import note_calendar_failure, take_calendar
from pms.foundation.errors import Collision
from pms.foundation.outside_addresses import Unreachable
from pms.foundation.outside_reading import Bounds, read_outside
from pms.jobs.tools import Tools

ACTOR: Final = "worker"
AT_ONCE: Final = 5
LONGEST_TURN: Final = timedelta(minutes=5)
_PATIENCE_SECONDS: Final = 20.0
_HEADERS: Final = {"Accept": "text/calendar", "User-Agent": "pms-calendar/1"}
_log = structlog.get_logger("pms.jobs.read_calendars")
_at_work = Lock()


def read_calendars(
    tools: Tools,
    allowed_networks: Sequence[str] = (),
    patience_seconds: float = _PATIENCE_SECONDS,
) -> None:
    """Read what is due; while this process is still at it, the next turn is let go by.

    `allowed_networks` are for tests alone: what a person typed never leads inside.
    """
    if not _at_work.acquire(blocking=False):
        return
    try:
        bounds = Bounds(MOST_BYTES, patience_seconds, allowed_networks=allowed_networks)
        until = tools.clock.now() + LONGEST_TURN
        while (feeds := _leased(tools)) and tools.clock.now() < until:
            for feed in feeds:
                _read(tools, feed, bounds)
    finally:
        _at_work.release()


def _leased(tools: Tools) -> list[LeasedFeed]:
    return tools.database.write_across_workspaces(
        lambda session: lease_calendar_feeds(session, tools.clock, AT_ONCE)
    )


def _read(tools: Tools, feed: LeasedFeed, bounds: Bounds) -> None:
    try:
        page = read_outside(feed.url, {**_HEADERS, **feed.conditions}, bounds)
    except Unreachable as failure:
        _note_failure(tools, feed, failure.code, failure.facts)
        return
    try:
        tools.database.write(
            feed.workspace_id,
            lambda session: take_calendar(session, tools.clock, ACTOR, feed_id=feed.id, page=page),
        )
    except Collision:
        _note_failure(tools, feed, "raced", {})


def _note_failure(tools: Tools, feed: LeasedFeed, code: str, facts: dict[str, str | int]) -> None:
    # The address is a secret of the channel and stays out of the log.
    _log.info("calendar not read", feed=feed.id, workspace=feed.workspace_id, failure=code)
    tools.database.write(
        feed.workspace_id,
        lambda session: note_calendar_failure(
            session, tools.clock, feed_id=feed.id, code=code, facts=facts
        ),
    )
