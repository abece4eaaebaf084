"""Takes up what providers pushed in, seconds after it came; each event has its effect once."""

from datetime import timedelta
from threading import Lock
from typing import Final

import structlog

from pms.channels.leased_events import event_in_hand, lease_events, mark_event_failed
from pms.channels.models import InboundEvent
from pms.channels.take_event import take_event
from pms.foundation.errors import Problem
from pms.foundation.tenancy import WorkspaceSession
from pms.jobs.tools import Tools

LONGEST_TURN: Final = timedelta(minutes=1)
_AT_ONCE: Final = 20
_log = structlog.get_logger("pms.jobs.take_inbound_events")
_at_work = Lock()


def take_inbound_events(tools: Tools) -> None:
    """Take up what is due, in the order it came, and record of each how it went.

    While this process is still at it, the next turn is let go by.
    """
    if not _at_work.acquire(blocking=False):
        return
    try:
        until = tools.clock.now() + LONGEST_TURN
        while tools.clock.now() < until and (events := _leased(tools)):
            for event in events:
                _take(tools, event)
    finally:
        _at_work.release()


def _leased(tools: Tools) -> list[InboundEvent]:
    return tools.database.write_across_workspaces(
        lambda session: lease_events(session, tools.clock, _AT_ONCE)
    )


def _take(tools: Tools, event: InboundEvent) -> None:
    told = {"inbound": event.id, "source": event.source.value, "workspace": event.workspace_id}
    try:
        outcome = tools.database.write(
            event.workspace_id, lambda session: take_event(session, tools.clock, event)
        )
    except Exception as failure:
        # One that nobody foresaw stops no other; it is tried again and told.
        _log.exception("inbound event broke", **told)
        _note_failure(tools, event, failure)
    else:
        if outcome is not None:
            _log.info("inbound event taken up", **told, state=outcome.state.value)


def _note_failure(tools: Tools, event: InboundEvent, failure: Exception) -> None:
    # What the database or the program says may hold words of people; its kind does not.
    reason = failure.message if isinstance(failure, Problem) else type(failure).__name__

    def note(session: WorkspaceSession) -> None:
        ours = event_in_hand(session, event)
        if ours is not None:
            mark_event_failed(ours, tools.clock, reason)

    tools.database.write(event.workspace_id, note)
