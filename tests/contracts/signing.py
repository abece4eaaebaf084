"""How the office and the signer of the tests deal with a document."""

from pms.contracts.issue_contract import issue_contract
from pms.contracts.queries import ContractRecord, contract_record
from pms.contracts.send_contract import send_contract
from pms.contracts.sign_contract import sign_contract
from tests.arrivals.office import Office

LINK = "https://pms.example.jp/resident/ours/documents"


def record(office: Office, contract_id: str) -> ContractRecord:
    """A document as it stands now."""
    return office.ask(contract_record, contract_id)


def sent(office: Office, reservation_id: str) -> str:
    """Issue a contract and send it to be signed; return its id."""
    contract_id = office.do(issue_contract, reservation_id=reservation_id)
    office.do(send_contract, contract_id=contract_id, link=LINK)
    return contract_id


def sign(office: Office, contract_id: str) -> None:
    """Sign a document as it is shown."""
    shown = record(office, contract_id).body_hash
    facts = {"name": "田中 一郎", "document_hash": shown, "device": "Firefox"}
    office.do(sign_contract, contract_id=contract_id, **facts)
