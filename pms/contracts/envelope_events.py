"""What the provider of electronic signatures reports of a document."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple

from sqlalchemy import select

from pms.contracts.explanations import explanation_lack
from pms.contracts.models import Contract
from pms.contracts.queries import (
    ContractState,
    contract_record,
    lock_contract,
)
from pms.contracts.signing import write_signature
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.provider_http import ProviderError, plain_reason
from pms.foundation.work import Work
from pms.ledger.move_in import change_esign_status
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EsignStatus

_MOST_OF_A_REASON: Final = 1_000


class EnvelopeEvent(StrEnum):
    """The event of a document at a provider, by the names of its webhook."""

    SENT = "sent"
    DELIVERED = "delivered"
    RECIPIENT_COMPLETED = "recipient-completed"
    COMPLETED = "completed"
    DECLINED = "declined"
    VOIDED = "voided"


def note_envelope_event(
    work: Work,
    *,
    envelope: str,
    event: EnvelopeEvent,
    reason: str | None = None,
    signer: str | None = None,
    occurred_at: datetime | None = None,
) -> bool:
    """Apply a provider's event to a document; return whether anything changed.

    Unknown documents, late or repeated events, and events of a cancelled booking change nothing. A
    `SENT` event later than its end reopens a declined or expired document.
    """
    asked = select(Contract.id).where(Contract.envelope == envelope)
    contract_id = work.session.scalar(asked)
    if contract_id is None:
        return False
    row, contract = lock_contract(work.session, contract_id)
    record = contract_record(work.session, contract_id)
    state = record.state
    is_sent_again = (
        state in _OVER and event is EnvelopeEvent.SENT and _is_later(contract, occurred_at)
    )
    if row.cancelled_at is not None or not (is_sent_again or state in _OPEN):
        return False
    if is_sent_again:
        contract.declined_at = contract.decline_reason = contract.expired_at = None
        return _change_status(work, row, EsignStatus.SENT)
    if event is EnvelopeEvent.COMPLETED:
        # What a provider reports has happened: it is stored, and Today says what it lacks.
        signed_at = min(occurred_at or work.clock.now(), work.clock.now())
        write_signature(
            work,
            row,
            contract,
            name=signer or row.name,
            device=f"{_AT} {envelope}",
            is_unexplained=explanation_lack(work.session, record, signed_at) is not None,
        )
        return True
    if event in _ENDS:
        at = min(occurred_at or work.clock.now(), work.clock.now())
        _end_envelope(work, row, contract, event=event, reason=reason, at=at)
        return True
    return event in _MOVES and _change_status(work, row, _MOVES[event])


_AT: Final = "provider"
_OPEN: Final = (ContractState.ISSUED, ContractState.SENT)
_OVER: Final = (ContractState.DECLINED, ContractState.EXPIRED)
_MOVES: Final = {
    EnvelopeEvent.SENT: EsignStatus.SENT,
    EnvelopeEvent.RECIPIENT_COMPLETED: EsignStatus.PARTIALLY_SIGNED,
}
_ENDS: Final = {
    EnvelopeEvent.DECLINED: (EsignStatus.DECLINED, AuditEvent.CONTRACT_DECLINED),
    EnvelopeEvent.VOIDED: (EsignStatus.EXPIRED, AuditEvent.CONTRACT_EXPIRED),
}


def _is_later(contract: Contract, occurred_at: datetime | None) -> bool:
    ended_at = contract.declined_at or contract.expired_at
    return occurred_at is not None and ended_at is not None and occurred_at > ended_at


def _change_status(work: Work, row: Reservation, status: EsignStatus) -> bool:
    change = change_esign_status(work, reservation_id=row.id, status=status)
    return change.is_changed


def _end_envelope(
    work: Work,
    row: Reservation,
    contract: Contract,
    *,
    event: EnvelopeEvent,
    reason: str | None,
    at: datetime,
) -> None:
    status, audit_event = _ENDS[event]
    if event is EnvelopeEvent.DECLINED:
        contract.declined_at = at
        contract.decline_reason = (reason or "")[:_MOST_OF_A_REASON] or None
    else:
        contract.expired_at = at
    facts = {"contract_id": contract.id, "number": contract.number, "reason": reason}
    note_audit_event(work, audit_event, of_reservation(row.id), after=facts)
    work.session.flush()
    _change_status(work, row, EsignStatus.SENT)
    _change_status(work, row, status)


_ENDS_AS_LOOKED_UP: Final = {
    "completed": EnvelopeEvent.COMPLETED,
    "declined": EnvelopeEvent.DECLINED,
    "voided": EnvelopeEvent.VOIDED,
}


class EnvelopeStatus(NamedTuple):
    """The state of a document at its provider; no event while it waits to be signed."""

    event: EnvelopeEvent | None
    reason: str | None = None


def envelope_in(answer: Mapping[str, Any], envelope: str) -> EnvelopeStatus:
    """Return a document's status in an answer; raise `ProviderError` for another document."""
    status = answer.get("status")
    if answer.get("envelopeId") != envelope or not isinstance(status, str):
        raise ProviderError("the answer does not tell how the document stands")
    reason = answer.get("declinedReason") or answer.get("voidedReason")
    reason_text = plain_reason(reason) if isinstance(reason, str) else None
    return EnvelopeStatus(_ENDS_AS_LOOKED_UP.get(status), reason_text)
