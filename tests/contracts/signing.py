"""How the office and the signer of the tests deal with a document."""

from pms.contracts.envelopes import send_contract
from pms.contracts.explanations import (
    confirm_explanation,
    consent_to_explanation,
    explanation_to_read,
    is_unexplained,
)
from pms.contracts.issuing import issue_contract
from pms.contracts.queries import ContractRecord, contract_record
from pms.contracts.signing import sign_contract
from tests.arrivals.office import Office
from tests.talks import hold_talks

LINK = "https://pms.example.jp/resident/ours/documents"


def record(office: Office, contract_id: str) -> ContractRecord:
    """A document as it stands now."""
    return office.ask(contract_record, contract_id)


def sent(office: Office, reservation_id: str) -> str:
    """Issue a contract and send it to be signed; return its id."""
    contract_id = office.do(issue_contract, reservation_id=reservation_id)
    office.do(send_contract, contract_id=contract_id, link=LINK)
    return contract_id


def explain(office: Office, contract_id: str) -> None:
    """Agree to the electronic explanation of a document, be explained it, read and confirm it."""
    document, _ = office.ask(explanation_to_read, record(office, contract_id))
    facts = {"contract_id": contract_id, "document_hash": document.body_hash}
    office.do(consent_to_explanation, device="Firefox", **facts)
    office.do(confirm_explanation, **facts)
    hold_talks_of(office)


def hold_talks_of(office: Office) -> None:
    """Have staff explain what waits for it."""
    with office.database.writing(office.home.workspace_id) as session:
        hold_talks(session, office.clock)


def sign(office: Office, contract_id: str) -> None:
    """Sign a document as it is shown, its explanation confirmed before."""
    waiting = record(office, contract_id)
    if waiting.may_be_signed and office.ask(is_unexplained, waiting):
        explain(office, contract_id)
    shown = record(office, contract_id).body_hash
    facts = {"name": "田中 一郎", "document_hash": shown, "device": "Firefox"}
    office.do(sign_contract, contract_id=contract_id, **facts)
