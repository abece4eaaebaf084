"""Asks a provider of signatures how a document stands, for nothing is lost when nobody tells."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from pms.contracts.note_envelope_event import EnvelopeEvent
from pms.contracts.queries import ContractRecord, ContractState
from pms.foundation.provider_http import ProviderError, plain_reason

EVERY: Final = timedelta(hours=1)
_LOOKED_FOR: Final = timedelta(days=120)
_ENDS: Final = {
    "completed": EnvelopeEvent.COMPLETED,
    "declined": EnvelopeEvent.DECLINED,
    "voided": EnvelopeEvent.VOIDED,
}


class EnvelopeTold(NamedTuple):
    """How a document stands; no event while it waits to be signed."""

    event: EnvelopeEvent | None
    reason: str | None = None


def is_looked_for(record: ContractRecord, written_at: datetime, now: datetime) -> bool:
    """Tell whether a document may still be signed at its provider."""
    waits = record.state is ContractState.SENT and record.envelope is not None
    return waits and now - written_at < _LOOKED_FOR


def envelope_told_in(answer: Mapping[str, Any], envelope: str) -> EnvelopeTold:
    """Return what an answer tells of a document; raise `ProviderError` for one about another."""
    status = answer.get("status")
    if answer.get("envelopeId") != envelope or not isinstance(status, str):
        raise ProviderError("the answer does not tell how the document stands")
    reason = answer.get("declinedReason") or answer.get("voidedReason")
    told = plain_reason(reason) if isinstance(reason, str) else None
    return EnvelopeTold(_ENDS.get(status), told)
