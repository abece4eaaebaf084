"""One document: its text as it was issued, and its paper."""

from flask import Response

from pms.contracts.contract_paper import contract_file_name, contract_pdf
from pms.contracts.merge_contract import document
from pms.contracts.queries import contract_record
from pms.surfaces.dashboard import downloads
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.dashboard.reservations.frame import framed


def show(contract_id: str) -> Response:
    """Show a document as it is signed."""
    record = contract_record(reading(), contract_id)
    return framed(
        record.reservation_id,
        "dashboard/contracts/contract.html",
        tab="reservation_documents",
        contract=record,
        document=document(record.body, record.locale),
    )


def paper(contract_id: str) -> Response:
    """Hand out a document as a PDF."""
    record = contract_record(reading(), contract_id)
    return downloads.paper(contract_pdf(reading(), contract_id), contract_file_name(record))
