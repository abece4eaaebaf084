"""Notes what a provider answered about a document: what it calls it, or where it is signed."""

from sqlalchemy.orm import Session

from pms.contracts.contract_in_hand import contract_in_hand
from pms.contracts.models import Contract


def note_handing(
    session: Session,
    *,
    contract_id: str,
    envelope: str | None = None,
    signing_url: str | None = None,
) -> Contract:
    """Keep what the provider calls a document, or the page it is signed on; return the row."""
    _, contract = contract_in_hand(session, contract_id)
    contract.envelope = envelope or contract.envelope
    contract.signing_url = signing_url or contract.signing_url
    session.flush()
    return contract
