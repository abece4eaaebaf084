"""Lists the resident's documents, and hands out their papers."""

from urllib.parse import quote

from flask import Response

from pms.contracts.contract_paper import contract_file_name, handed_paper
from pms.contracts.explanations import is_unexplained
from pms.contracts.queries import contracts_of
from pms.surfaces.hypermedia import page
from pms.surfaces.portals.portal import reading
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.documents.own_contract import is_shown, own_contract
from pms.surfaces.request_scope import files


def show(reservation_id: str) -> Response:
    """Show the contract with the next step, and the documents of before."""
    found = [one for one in contracts_of(reading(), reservation_id) if is_shown(one)]
    current = found[0] if found else None
    return page(
        "portals/resident/documents/index.html",
        tenancy=own.tenancy(reservation_id),
        current=current,
        is_unexplained=bool(
            current and current.may_be_signed and is_unexplained(reading(), current)
        ),
        earlier=found[1:],
    )


def paper(reservation_id: str, contract_id: str) -> Response:
    """Hand out a document as a PDF."""
    record = own_contract(reservation_id, contract_id)
    name = f"inline; filename*=UTF-8''{quote(contract_file_name(record))}"
    headers = {"Content-Type": "application/pdf", "Content-Disposition": name}
    return Response(handed_paper(reading(), files(), contract_id), headers=headers)
