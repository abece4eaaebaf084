"""Signing contracts."""

import hmac
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.place_names import home_name
from pms.contracts.contract_people import lacking_people_of, refuse_lacking
from pms.contracts.explanations import refuse_unexplained
from pms.contracts.models import Contract, ContractKind, ContractSignature
from pms.contracts.new_terms import begin_term
from pms.contracts.outdated_papers import refuse_outdated
from pms.contracts.queries import (
    RESIDENT,
    ContractRecord,
    ContractState,
    contract_record,
    current_contract,
    lock_contract,
)
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.errors import Collision, Refused
from pms.foundation.outbox import put_call
from pms.foundation.work import Work, find_row
from pms.ledger.move_in import StatusChange, change_esign_status
from pms.notices.notices import NoticeEvent, notify_staff
from pms.reservations.models import Reservation
from pms.reservations.residents import LONGEST_NAME
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EsignStatus, LeaseKind
from pms.rules.notices_to_people import ANSWERING, NoticeKind

SIGNED_COPY: Final = "contract.signed_copy"


_MOST_OF_A_DEVICE: Final = 300


def sign_contract(
    work: Work, *, contract_id: str, name: str, document_hash: str, device: str
) -> None:
    """Store the contract holder's signature; signing again changes nothing.

    `document_hash` is the SHA-256 of the text that was shown. Raises `Refused` for an empty name
    for a fixed term that no member of staff explained, and for people or papers that the building
    asks for and that are missing, and `Collision` when the text is another
    one, was declined, has expired, waits at a provider, lacks its prior explanation, or when the
    booking is cancelled.
    """
    row, contract = lock_contract(work.session, contract_id)
    record = contract_record(work.session, contract_id)
    if record.state is ContractState.SIGNED:
        return
    if row.cancelled_at is not None:
        raise Collision("The booking is cancelled, so there is nothing to sign.")
    name = _check_name(name)
    _refuse_signing(record, document_hash)
    refuse_unexplained(work.session, record, work.clock.now())
    refuse_lacking(lacking_people_of(work.session, row))
    write_signature(work, row, contract, name=name, device=device)


def state_signature(
    work: Work, *, reservation_id: str, status: EsignStatus
) -> StatusChange[EsignStatus]:
    """Record how far the contract of a reservation is signed, as the office states it.

    Raises `Refused` for an outdated document, and for a signature of a fixed term that was not
    explained or of a contract that lacks what the building asks for.
    """
    refuse_outdated(work.session, reservation_id)
    record = current_contract(work.session, reservation_id)
    if status is EsignStatus.SIGNED and record is not None and record.may_be_signed:
        refuse_unexplained(work.session, record, work.clock.now())
        refuse_lacking(
            lacking_people_of(work.session, find_row(work.session, Reservation, reservation_id))
        )
    return change_esign_status(work, reservation_id=reservation_id, status=status)


def write_signature(
    work: Work,
    row: Reservation,
    contract: Contract,
    *,
    name: str,
    device: str,
    is_unexplained: bool = False,
) -> None:
    """Store the signature of a locked document, update the status and queue the signed copy."""
    work.session.add(
        ContractSignature(
            contract_id=contract.id,
            signer=RESIDENT,
            name=name,
            email=row.email,
            signed_at=work.clock.now(),
            document_hash=contract.body_hash,
            device=device[:_MOST_OF_A_DEVICE],
            is_unexplained=is_unexplained,
        )
    )
    contract.sent_at = contract.sent_at or work.clock.now()
    _settle_earlier(work.session, contract)
    facts = {"contract_id": contract.id, "name": name, "document": contract.body_hash}
    about = of_reservation(contract.reservation_id)
    note_audit_event(work, AuditEvent.CONTRACT_SIGNED, about, after=facts)
    work.session.flush()
    if contract.kind is ContractKind.LEASE:
        if contract.term_id is not None:
            begin_term(work, row, contract.term_id)
        else:
            is_fixed = contract.needs_explanation
            row.lease_kind = LeaseKind.FIXED_TERM if is_fixed else LeaseKind.ORDINARY
    for status in (EsignStatus.SENT, EsignStatus.SIGNED):
        change_esign_status(work, reservation_id=contract.reservation_id, status=status)
    put_call(work.session, work.clock, kind=SIGNED_COPY, subject_id=contract.id)
    work.session.flush()
    facts_of_notice = {"place": home_name(work.session, row.unit_id)._asdict()}
    event = NoticeEvent(
        contract.id, f"/contracts/{contract.id}", facts_of_notice, occasion="signed", model=Contract
    )
    notify_staff(work, NoticeKind.CONTRACT_SIGNED, event, roles=ANSWERING)


def _settle_earlier(session: Session, contract: Contract) -> None:
    """Clear the outdated mark of earlier signed documents, which this signature settles."""
    earlier = select(Contract).where(
        Contract.reservation_id == contract.reservation_id,
        Contract.number < contract.number,
        Contract.outdated_at.is_not(None),
        Contract.replaced_at.is_(None),
    )
    for old_contract in session.scalars(earlier):
        old_contract.outdated_at = None


def _check_name(name: str) -> str:
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise Refused(
            "signature: enter your name in 1 to {most_characters} characters.",
            most_characters=LONGEST_NAME,
        )
    return name


def _refuse_signing(record: ContractRecord, document_hash: str) -> None:
    if record.state is ContractState.REPLACED or not hmac.compare_digest(
        record.body_hash.encode(), document_hash.encode()
    ):
        raise Collision(
            "The document was replaced in the meantime. Read the new one before you sign."
        )
    if record.state is ContractState.OUTDATED:
        raise Collision(
            "The contract terms changed after this document was written, so it can no longer "
            "be signed. The office will send a new one."
        )
    if record.state in (ContractState.DECLINED, ContractState.EXPIRED):
        raise Collision(
            "This document can no longer be signed. Please ask the office for a new one."
        )
    if not record.is_signed_here:
        raise Collision("Please sign this document on the page of the signature service.")
