"""Finds a document of the reservation here; any other is none."""

from pms.contracts.queries import ContractRecord, ContractState, contract_record
from pms.foundation.errors import NotFound
from pms.surfaces.portals.portal import reading


def own_contract(reservation_id: str, contract_id: str) -> ContractRecord:
    """Return a document of this reservation; raise `NotFound` for any other."""
    record = contract_record(reading(), contract_id)
    if record.reservation_id != reservation_id or not is_shown(record):
        raise NotFound("There is no contract '{contract_id}'.", contract_id=contract_id[:60])
    return record


def is_shown(record: ContractRecord) -> bool:
    """Whether the resident is shown a document: it was sent or signed, and was not replaced."""
    return record.sent_at is not None and record.state is not ContractState.REPLACED
