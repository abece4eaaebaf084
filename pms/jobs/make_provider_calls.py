"""Makes the calls to providers that wait, at least once each (docs/decisions/0142)."""

from collections.abc import Callable, Mapping
from typing import Final

import structlog

from pms.foundation.errors import Problem
from pms.foundation.provider_calls import ProviderCall, lease_calls, mark_call_failed
from pms.foundation.provider_http import ProviderError
from pms.jobs import calls_for_payments, calls_for_signatures
from pms.jobs.tools import Tools

_log = structlog.get_logger("pms.jobs.make_provider_calls")

CALLS: Final[Mapping[str, Callable[[Tools, ProviderCall], None]]] = {
    **calls_for_payments.CALLS,
    **calls_for_signatures.CALLS,
}
"""Who makes a call of a kind; each marks it done in the transaction that keeps the answer."""
GIVEN_UP: Final[Mapping[str, Callable[[Tools, ProviderCall, str], None]]] = {
    **calls_for_payments.GIVEN_UP
}
"""Who hears of a call that will not be made any more."""


def make_provider_calls(tools: Tools) -> None:
    """Lease what is due, make it, and record for each call how it went."""
    with tools.database.across_workspaces_writing() as session:
        calls = lease_calls(session, tools.clock)
    for call in calls:
        _make(tools, call)


def _make(tools: Tools, call: ProviderCall) -> None:
    try:
        CALLS[call.kind](tools, call)
    except (ProviderError, Problem) as failure:
        _note_failure(tools, call, failure)
    except Exception as failure:
        # One that nobody foresaw stops no other; it is tried again and told.
        _log.exception("provider call broke", call=call.id, kind=call.kind)
        _note_failure(tools, call, failure)
    else:
        _log.info("provider call made", call=call.id, kind=call.kind, workspace=call.workspace_id)


def _note_failure(tools: Tools, call: ProviderCall, failure: Exception) -> None:
    reason = (
        str(failure) if isinstance(failure, ProviderError | Problem) else type(failure).__name__
    )
    for_good = isinstance(failure, Problem) or getattr(failure, "for_good", False)
    _log.warning("provider call failed", call=call.id, kind=call.kind, failure=reason)
    with tools.database.writing(call.workspace_id) as session:
        leased = session.merge(call)
        mark_call_failed(leased, tools.clock, reason, for_good=for_good)
        is_given_up = leased.given_up_at is not None
    if is_given_up and call.kind in GIVEN_UP:
        GIVEN_UP[call.kind](tools, call, reason)
