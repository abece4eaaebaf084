"""Asks the provider for the page a document is signed on; the page that waits shows it as a link."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.contract_in_hand import contract_in_hand
from pms.contracts.explanations import refuse_unexplained
from pms.contracts.queries import SIGNING_PAGE, ContractState, contract_record
from pms.foundation.clock import Clock
from pms.foundation.errors import Collision
from pms.foundation.provider_calls import ProviderCall, put_call


def ask_signing_page(session: Session, clock: Clock, *, contract_id: str, return_path: str) -> None:
    """Have the page asked for; a second click waits for the same one.

    Raises `Collision` when the document no longer waits, is not at a provider, or is not explained.
    """
    _, contract = contract_in_hand(session, contract_id)
    record = contract_record(session, contract_id)
    if record.state is not ContractState.SENT or contract.envelope is None:
        raise Collision("The document does not wait for a signature there.")
    refuse_unexplained(session, record)
    waiting = select(ProviderCall.id).where(
        ProviderCall.subject_id == contract.id,
        ProviderCall.kind == SIGNING_PAGE,
        ProviderCall.due_at.is_not(None),
    )
    if session.scalar(waiting) is not None:
        return
    contract.signing_url = None
    facts = {"return_path": return_path}
    put_call(session, clock, kind=SIGNING_PAGE, subject_id=contract.id, facts=facts)
    session.flush()
