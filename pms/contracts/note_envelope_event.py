"""Takes what a provider tells of a document: sent, signed, declined, expired; once each."""

from datetime import datetime
from enum import StrEnum
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.change_esign_status import change_esign_status
from pms.contracts.contract_in_hand import contract_in_hand
from pms.contracts.models import Contract
from pms.contracts.queries import ContractState, contract_record
from pms.contracts.sign_contract import write_signature
from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.reservations.models import Reservation
from pms.rules.deeds import Deed
from pms.rules.enumerations import EsignStatus

_MOST_OF_A_REASON: Final = 1_000


class EnvelopeEvent(StrEnum):
    """What happened to a document at a provider, as its webhook names it."""

    SENT = "sent"
    DELIVERED = "delivered"
    RECIPIENT_COMPLETED = "recipient-completed"
    COMPLETED = "completed"
    DECLINED = "declined"
    VOIDED = "voided"


def note_envelope_event(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    envelope: str,
    event: EnvelopeEvent,
    reason: str | None = None,
    signer: str | None = None,
    occurred_at: datetime | None = None,
) -> bool:
    """Move a document on by a provider's event; tell whether it changed anything.

    An unknown document, a late event, a repeated one, and any of a cancelled booking change nothing.
    A document that was declined or expired is sent again by an event that is later than its end.
    """
    asked = select(Contract.id).where(Contract.envelope == envelope)
    contract_id = session.scalar(asked)
    if contract_id is None:
        return False
    row, contract = contract_in_hand(session, contract_id)
    state = contract_record(session, contract_id).state
    is_sent_again = (
        state in _OVER and event is EnvelopeEvent.SENT and _is_later(contract, occurred_at)
    )
    if row.cancelled_at is not None or not (is_sent_again or state in _OPEN):
        return False
    if is_sent_again:
        contract.declined_at = contract.decline_reason = contract.expired_at = None
        return _move(session, clock, actor, row, EsignStatus.SENT)
    if event is EnvelopeEvent.COMPLETED:
        name = signer or row.name
        write_signature(session, clock, actor, row, contract, name=name, device=f"{_AT} {envelope}")
        return True
    if event in _ENDS:
        at = min(occurred_at or clock.now(), clock.now())
        _end(session, clock, actor, row, contract, event=event, reason=reason, at=at)
        return True
    return event in _MOVES and _move(session, clock, actor, row, _MOVES[event])


def reservation_of_envelope(session: Session, envelope: str) -> str | None:
    """Return whose document a provider calls so, `None` where it is not ours."""
    asked = select(Contract.reservation_id).where(Contract.envelope == envelope)
    return session.scalar(asked)


_AT: Final = "provider"
_OPEN: Final = (ContractState.ISSUED, ContractState.SENT)
_OVER: Final = (ContractState.DECLINED, ContractState.EXPIRED)
_MOVES: Final = {
    EnvelopeEvent.SENT: EsignStatus.SENT,
    EnvelopeEvent.RECIPIENT_COMPLETED: EsignStatus.PARTIALLY_SIGNED,
}
_ENDS: Final = {
    EnvelopeEvent.DECLINED: (EsignStatus.DECLINED, Deed.CONTRACT_DECLINED),
    EnvelopeEvent.VOIDED: (EsignStatus.EXPIRED, Deed.CONTRACT_EXPIRED),
}


def _is_later(contract: Contract, occurred_at: datetime | None) -> bool:
    ended_at = contract.declined_at or contract.expired_at
    return occurred_at is not None and ended_at is not None and occurred_at > ended_at


def _move(
    session: Session, clock: Clock, actor: str, row: Reservation, status: EsignStatus
) -> bool:
    change = change_esign_status(session, clock, actor, reservation_id=row.id, status=status)
    return change.is_changed


def _end(
    session: Session,
    clock: Clock,
    actor: str,
    row: Reservation,
    contract: Contract,
    *,
    event: EnvelopeEvent,
    reason: str | None,
    at: datetime,
) -> None:
    status, deed = _ENDS[event]
    if event is EnvelopeEvent.DECLINED:
        contract.declined_at = at
        contract.decline_reason = (reason or "")[:_MOST_OF_A_REASON] or None
    else:
        contract.expired_at = at
    told = {"contract_id": contract.id, "number": contract.number, "reason": reason}
    note_deed(session, clock, actor, deed, of_reservation(row.id), after=told)
    session.flush()
    _move(session, clock, actor, row, EsignStatus.SENT)
    _move(session, clock, actor, row, status)
