"""Send a provider one harmless request and store how it answered."""

from collections.abc import Callable, Mapping
from typing import Final

from pms.foundation.provider_calls import ProviderCall, mark_done
from pms.foundation.provider_http import CallLimits, ProviderError, ask_provider, plain_reason
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.tokens import Signer
from pms.foundation.work import still_leased
from pms.jobs.runs import Tools
from pms.providers.probes import PROBES
from pms.rules.enumerations import IntegrationKind
from pms.workspaces.integrations import TESTING, access_to


def probe_provider(tools: Tools, call: ProviderCall, limits: CallLimits) -> None:
    """Send one request: a failure is the result, and it is not tried again automatically."""
    failure = _failure(tools, call, limits)

    def keep(session: WorkspaceSession) -> None:
        ours = still_leased(session, call)
        if ours is not None:
            ours.facts = {**ours.facts, "failure": failure}
            mark_done(ours, tools.clock)

    tools.database.write(call.workspace_id, keep)


def _failure(tools: Tools, call: ProviderCall, limits: CallLimits) -> str | None:
    kind = IntegrationKind(call.facts["kind"])
    try:
        with tools.database.reading(call.workspace_id) as session:
            access = access_to(session, Signer(tools.settings.secret_key), kind)
        ask_provider(PROBES[kind](access), limits)
    except ProviderError as problem:
        return plain_reason(str(problem))
    return None


CALLS: Final[Mapping[str, Callable[[Tools, ProviderCall, CallLimits], None]]] = {
    TESTING: probe_provider
}
