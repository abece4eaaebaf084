"""Makes the calls to providers that wait, at least once each (docs/decisions/provider-calls.md)."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from threading import Lock
from typing import Final

import structlog

from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Problem
from pms.foundation.provider_calls import (
    ProviderCall,
    call_in_hand,
    lease_calls,
    mark_call_failed,
)
from pms.foundation.provider_http import PUBLIC, ProviderError, Reach, plain_reason
from pms.foundation.tenancy import WorkspaceSession
from pms.jobs import calls_for_messages, calls_for_payments, calls_for_signatures
from pms.jobs.tools import Tools

LONGEST_TURN: Final = timedelta(minutes=5)
_log = structlog.get_logger("pms.jobs.make_provider_calls")
_at_work = Lock()

CALLS: Final[Mapping[str, Callable[[Tools, ProviderCall, Reach], None]]] = {
    **calls_for_payments.CALLS,
    **calls_for_signatures.CALLS,
    **calls_for_messages.CALLS,
}
"""Who makes a call of a kind; each marks it done in the transaction that keeps the answer."""
GIVEN_UP: Final[Mapping[str, Callable[[WorkspaceSession, Clock, ProviderCall, str], None]]] = {
    **calls_for_payments.GIVEN_UP,
    **calls_for_messages.GIVEN_UP,
}
"""Who hears, in the transaction that gives it up, of a call that will not be made any more."""


def make_provider_calls(tools: Tools, reach: Reach = PUBLIC) -> None:
    """Make what is due, one by one, and record for each call how it went.

    While this process is still at it, the next turn is let go by. Another `reach` is for tests
    alone: what a person typed never leads inside.
    """
    if not _at_work.acquire(blocking=False):
        return
    try:
        until = tools.clock.now() + LONGEST_TURN
        while tools.clock.now() < until and (calls := _leased(tools)):
            for call in calls:
                _make(tools, call, reach)
    finally:
        _at_work.release()


def _leased(tools: Tools) -> list[ProviderCall]:
    return tools.database.write_across_workspaces(lambda session: lease_calls(session, tools.clock))


def _make(tools: Tools, call: ProviderCall, reach: Reach) -> None:
    try:
        CALLS[call.kind](tools, call, reach)
    except (ProviderError, Problem) as failure:
        _note_failure(tools, call, failure)
    except Exception as failure:
        # One that nobody foresaw stops no other; it is tried again and told.
        _log.exception("provider call broke", call=call.id, kind=call.kind)
        _note_failure(tools, call, failure)
    else:
        _log.info("provider call made", call=call.id, kind=call.kind, workspace=call.workspace_id)


def _note_failure(tools: Tools, call: ProviderCall, failure: Exception) -> None:
    is_known = isinstance(failure, ProviderError | Problem)
    reason = plain_reason(str(failure)) if is_known else type(failure).__name__
    for_good = isinstance(failure, Problem) or getattr(failure, "for_good", False)
    _log.warning("provider call failed", call=call.id, kind=call.kind, failure=reason)

    def note(session: WorkspaceSession) -> None:
        ours = call_in_hand(session, call)
        if ours is not None:
            mark_call_failed(ours, tools.clock, reason, for_good=for_good)
            if ours.given_up_at is not None and call.kind in GIVEN_UP:
                # What the call is about may be gone; the call is given up all the same.
                with suppress(NotFound):
                    GIVEN_UP[call.kind](session, tools.clock, call, reason)

    tools.database.write(call.workspace_id, note)
