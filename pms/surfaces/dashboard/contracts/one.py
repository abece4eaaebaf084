"""One document: its text as it was issued, and its paper."""

from flask import Response

from pms.contracts.contract_paper import contract_file_name, handed_paper
from pms.contracts.merge_contract import document
from pms.contracts.outdated_papers import changes_since
from pms.contracts.queries import contract_record
from pms.contracts.renew_paper import is_outdated
from pms.surfaces.dashboard import downloads
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.request_scope import files


def show(contract_id: str) -> Response:
    """Show a document as it is signed."""
    record = contract_record(reading(), contract_id)
    return framed(
        record.reservation_id,
        "dashboard/contracts/contract.html",
        tab="reservation_documents",
        contract=record,
        changes=changes_since(reading(), record) if is_outdated(record) else (),
        document=document(record.body, record.locale),
    )


def paper(contract_id: str) -> Response:
    """Hand out a document as a PDF."""
    record = contract_record(reading(), contract_id)
    return downloads.paper(
        handed_paper(reading(), files(), contract_id), contract_file_name(record)
    )
