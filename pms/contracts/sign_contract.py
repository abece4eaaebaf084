"""Signs a document by typing a name below it: who, when, which text, on what device."""

import hmac
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.change_esign_status import change_esign_status
from pms.contracts.contract_in_hand import contract_in_hand
from pms.contracts.explanations import refuse_unexplained
from pms.contracts.models import Contract, ContractSignature
from pms.contracts.queries import RESIDENT, ContractRecord, ContractState, contract_record
from pms.contracts.signed_copy import SIGNED_COPY
from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.provider_calls import put_call
from pms.reservations.models import Reservation
from pms.reservations.name_co_occupants import LONGEST_NAME
from pms.rules.deeds import Deed
from pms.rules.enumerations import EsignStatus

_MOST_OF_A_DEVICE: Final = 300


def sign_contract(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    contract_id: str,
    name: str,
    document_hash: str,
    device: str,
) -> None:
    """Write the signature of the contract holder; signing again changes nothing.

    `document_hash` is that of the text the person saw. Raises `Refused` for an empty name, and
    `Collision` when it is another text by now, was declined, has expired, or waits at a provider.
    """
    row, contract = contract_in_hand(session, contract_id)
    record = contract_record(session, contract_id)
    if record.state is ContractState.SIGNED:
        return
    if row.cancelled_at is not None:
        raise Collision("The booking is cancelled, so there is nothing to sign.")
    name = _checked_name(name)
    _refuse(record, document_hash)
    refuse_unexplained(session, record)
    write_signature(session, clock, actor, row, contract, name=name, device=device)


def write_signature(
    session: Session,
    clock: Clock,
    actor: str,
    row: Reservation,
    contract: Contract,
    *,
    name: str,
    device: str,
) -> None:
    """Keep a signature of a document in hand, move the status on, and have the copy mailed."""
    session.add(
        ContractSignature(
            contract_id=contract.id,
            signer=RESIDENT,
            name=name,
            email=row.email,
            signed_at=clock.now(),
            document_hash=contract.body_hash,
            device=device[:_MOST_OF_A_DEVICE],
        )
    )
    contract.sent_at = contract.sent_at or clock.now()
    _settle_earlier(session, contract)
    told = {"contract_id": contract.id, "name": name, "document": contract.body_hash}
    about = of_reservation(contract.reservation_id)
    note_deed(session, clock, actor, Deed.CONTRACT_SIGNED, about, after=told)
    session.flush()
    for status in (EsignStatus.SENT, EsignStatus.SIGNED):
        change_esign_status(
            session, clock, actor, reservation_id=contract.reservation_id, status=status
        )
    put_call(session, clock, kind=SIGNED_COPY, subject_id=contract.id)
    session.flush()


def _settle_earlier(session: Session, contract: Contract) -> None:
    """What was signed before and changed since is agreed anew by this signature."""
    earlier = select(Contract).where(
        Contract.reservation_id == contract.reservation_id,
        Contract.number < contract.number,
        Contract.outdated_at.is_not(None),
        Contract.replaced_at.is_(None),
    )
    for one in session.scalars(earlier):
        one.outdated_at = None


def _checked_name(name: str) -> str:
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise Refused(
            "signature: type your name, 1 to {most_characters} characters.",
            most_characters=LONGEST_NAME,
        )
    return name


def _refuse(record: ContractRecord, document_hash: str) -> None:
    if record.state is ContractState.REPLACED or not hmac.compare_digest(
        record.body_hash.encode(), document_hash.encode()
    ):
        raise Collision("The document was replaced meanwhile: read the new one before you sign.")
    if record.state is ContractState.OUTDATED:
        raise Collision(
            "The stay was changed since this document was written, so it is not signed any more:"
            " the office sends a new one."
        )
    if record.state in (ContractState.DECLINED, ContractState.EXPIRED):
        raise Collision("The document can no longer be signed: ask the office for a new one.")
    if not record.is_signed_here:
        raise Collision("The document is signed on the page of the signature service.")
