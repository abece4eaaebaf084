"""The contract on paper: the document as it was issued, and below it who signed it and when."""

from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.contract_facts import written_address
from pms.contracts.explanation_paper import explanation_words, said_instant
from pms.contracts.explanations import explanation_of
from pms.contracts.merge_contract import text_below_title
from pms.contracts.models import Contract
from pms.contracts.queries import ContractKind, ContractRecord, contract_record
from pms.foundation.files import Files
from pms.foundation.ids import is_id
from pms.foundation.markdown_blocks import blocks_of
from pms.foundation.wording import said_day
from pms.rules.days import day_of
from pms.statements.parties import home_of, operator_of
from pms.statements.typesetting import typeset

_FILE_NAMES: Final = {
    ContractKind.LEASE: ("契約書", "contract"),
    ContractKind.AMENDMENT: ("覚書", "amendment"),
}


def contract_pdf(session: Session, contract_id: str) -> bytes:
    """Return the PDF of a document in its language; raise `NotFound` for an unknown one."""
    return typeset("contract", contract_paper(session, contract_record(session, contract_id)))


def handed_paper(session: Session, files: Files, contract_id: str) -> bytes:
    """Return the paper a person keeps: the very file that was mailed where the document is signed.

    Its words were taken when it was signed; any other document is set as it stands now.
    """
    asked = select(Contract.file_key).where(Contract.id == contract_id)
    key = session.scalar(asked) if is_id(contract_id) else None
    kept = files.get(key) if key else None
    return contract_pdf(session, contract_id) if kept is None else kept


def contract_file_name(record: ContractRecord) -> str:
    """Return what the file of a document is called on the reader's side."""
    ja, en = _FILE_NAMES[record.kind]
    return f"{ja if record.locale == 'ja' else en}-{record.number}.pdf"


def contract_paper(session: Session, record: ContractRecord) -> dict[str, Any]:
    """Return the words of a document for its paper."""
    operator, home = operator_of(session), home_of(session, record.reservation_id)
    return {
        "language": record.locale,
        "hue": operator.hue,
        "operator": operator.name.said(record.locale),
        "operator_address": written_address(operator.postcode, operator.address),
        "title": record.title,
        "number": str(record.number),
        "issued": said_day(day_of(record.issued_at), record.locale),
        "resident": home.resident,
        "home": home.said(record.locale),
        "blocks": blocks_of(text_below_title(record.body)),
        "hash": record.body_hash,
        "signature": _signature(record),
        "explanation": explanation_words(
            explanation_of(session, record) if record.needs_explanation else None,
            record.locale,
            is_needed=record.needs_explanation,
        ),
    }


def _signature(record: ContractRecord) -> dict[str, str] | None:
    if record.signed is None:
        return None
    return {
        "name": record.signed.name,
        "at": said_instant(record.signed.at, record.locale),
    }
