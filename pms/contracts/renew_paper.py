"""Puts a document that its stay outdated right in one act: written anew and sent to be signed."""

from sqlalchemy.orm import Session

from pms.contracts.amendment_paper import issue_amendment
from pms.contracts.contract_in_hand import contract_in_hand
from pms.contracts.contract_states import ContractKind, ContractState
from pms.contracts.issue_contract import issue_contract
from pms.contracts.queries import ContractRecord, contract_record, contracts_of
from pms.contracts.send_contract import send_contract
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision


def renew_paper(session: Session, clock: Clock, actor: str, *, contract_id: str, link: str) -> str:
    """Issue what takes the place of an outdated document, or amends a signed one; return its id.

    It is sent where its signer has been asked before and has an address; `link` leads to it.
    Raises `Collision` for one that is not outdated, or was renewed meanwhile.
    """
    row, contract = contract_in_hand(session, contract_id)
    record = contract_record(session, contract_id)
    is_amended = record.signed is not None or record.kind is ContractKind.AMENDMENT
    if not is_outdated(record) or (record.signed and _is_under_way(session, record)):
        raise Collision("This document was renewed meanwhile, or its stay says the same again.")
    if is_amended:
        new_id = issue_amendment(session, clock, actor, reservation_id=row.id)
    else:
        new_id = issue_contract(
            session,
            clock,
            actor,
            reservation_id=row.id,
            template_id=contract.template_id,
            locale=contract.locale,
        )
    if row.email and record.sent_at is not None:
        send_contract(session, clock, actor, contract_id=new_id, link=link)
    return new_id


def is_outdated(record: ContractRecord) -> bool:
    """Whether a document is to be renewed, or a signed one amended."""
    if record.signed is not None:
        return record.outdated_at is not None
    return record.state is ContractState.OUTDATED


def _is_under_way(session: Session, signed: ContractRecord) -> bool:
    """Whether a later document already waits to be signed."""
    later = contracts_of(session, signed.reservation_id)
    return any(one.number > signed.number and one.may_be_signed for one in later)
