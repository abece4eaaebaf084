"""The prior explanation of a fixed-term lease: agreed to be electronic, read, and confirmed."""

from typing import Final

from flask import Response, request, url_for
from wtforms import Form

from pms.contracts.explanation_paper import explanation_pdf
from pms.contracts.explanations import (
    confirm_explanation,
    consent_to_explanation,
    explanation_to_read,
)
from pms.contracts.merge_contract import document
from pms.contracts.queries import ContractRecord
from pms.foundation.errors import NotFound
from pms.surfaces.explanation_form import ConsentForm, ReadForm
from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals.portal import clock, reading, submitted
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.documents.own_contract import own_contract

_PAPER: Final = {
    "Content-Type": "application/pdf",
    "Content-Disposition": 'inline; filename="explanation.pdf"',
}


def show(reservation_id: str, contract_id: str) -> Response:
    """Ask for the consent, then show the document."""
    record = _explained(reservation_id, contract_id)
    given = explanation_to_read(reading(), record)[1]
    return _shown(record, ConsentForm() if given is None else ReadForm())


def take(reservation_id: str, contract_id: str) -> Response:
    """Keep the consent or the confirmation, whichever comes next."""
    record = _explained(reservation_id, contract_id)
    if explanation_to_read(reading(), record)[1] is None:
        form: Form = ConsentForm(request.form)
        return submitted(
            form,
            act=lambda session: consent_to_explanation(
                session,
                clock(),
                own.actor(),
                contract_id=contract_id,
                document_hash=form["documentHash"].data or "",
                device=request.user_agent.string,
            ),
            then=lambda _none: go(_address(record, ".explanation")),
            again=lambda: _shown(record, form),
        )
    form = ReadForm(request.form)
    return submitted(
        form,
        act=lambda session: confirm_explanation(
            session,
            clock(),
            own.actor(),
            contract_id=contract_id,
            document_hash=form["documentHash"].data or "",
        ),
        then=lambda _none: go(_address(record, ".contract")),
        again=lambda: _shown(record, form),
    )


def paper(reservation_id: str, contract_id: str) -> Response:
    """Hand out the explanation as a PDF, to whoever agreed to that or has it on paper."""
    record = _explained(reservation_id, contract_id)
    if explanation_to_read(reading(), record)[1] is None:
        return go(_address(record, ".explanation"))
    return Response(explanation_pdf(reading(), record), headers=_PAPER)


def _address(record: ContractRecord, endpoint: str) -> str:
    return url_for(endpoint, reservation_id=record.reservation_id, contract_id=record.id)


def _explained(reservation_id: str, contract_id: str) -> ContractRecord:
    """A document of this reservation that is explained; raise `NotFound` for any other."""
    record = own_contract(reservation_id, contract_id)
    if not record.needs_explanation:
        raise NotFound("There is no explanation '{id}'.", id=contract_id[:60])
    return record


def _shown(record: ContractRecord, form: Form) -> Response:
    text, given = explanation_to_read(reading(), record)
    return page(
        "portals/resident/documents/explanation.html",
        tenancy=own.tenancy(record.reservation_id),
        contract=record,
        document=text if given is None else document(given.body, given.locale),
        given=given,
        form=form,
    )
