"""One document: its text as it was issued, its paper, and its prior explanation."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.contracts.contract_paper import contract_file_name, handed_paper
from pms.contracts.explanation_paper import explanation_pdf
from pms.contracts.explanations import explanation_of, record_explanation as record_explanation_verb
from pms.contracts.merge_contract import document
from pms.contracts.outdated_papers import changes_since
from pms.contracts.queries import ContractRecord, contract_record
from pms.contracts.renew_paper import is_outdated
from pms.surfaces.dashboard import downloads
from pms.surfaces.dashboard.contracts.contract_form import HandingForm
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.hypermedia import go
from pms.surfaces.request_scope import files


@dashboard.get("/contracts/<contract_id>", roles=OFFICE)
def contract(contract_id: str) -> Response:
    """Show a document as it is signed."""
    return _shown(contract_record(reading(), contract_id), HandingForm(data={"handedOn": today()}))


@dashboard.get("/contracts/<contract_id>/paper", roles=OFFICE)
def contract_paper(contract_id: str) -> Response:
    """Hand out a document as a PDF."""
    record = contract_record(reading(), contract_id)
    return downloads.paper(
        handed_paper(reading(), files(), contract_id), contract_file_name(record)
    )


@dashboard.get("/contracts/<contract_id>/explanation", roles=OFFICE)
def explanation_paper(contract_id: str) -> Response:
    """Hand out the prior explanation of a document as a PDF, to be given on paper."""
    record = contract_record(reading(), contract_id)
    name = f"{'事前説明書' if record.locale == 'ja' else 'explanation'}-{record.number}.pdf"
    return downloads.paper(explanation_pdf(reading(), record), name)


@dashboard.post("/contracts/<contract_id>/explanation", roles=OFFICE)
def record_explanation(contract_id: str) -> Response:
    """Record that the explanation was given on paper."""
    record, form = contract_record(reading(), contract_id), HandingForm(request.form)
    return submitted(
        form,
        act=lambda session: record_explanation_verb(
            session, clock(), actor(), contract_id=contract_id, handed_on=form.handedOn.data
        ),
        then=lambda _none: go(
            url_for("dashboard.contract", contract_id=contract_id),
            said=_("The prior explanation is recorded."),
        ),
        again=lambda: _shown(record, form),
    )


def _shown(record: ContractRecord, form: HandingForm) -> Response:
    return framed(
        record.reservation_id,
        "dashboard/contracts/contract.html",
        tab="reservation_documents",
        contract=record,
        changes=changes_since(reading(), record) if is_outdated(record) else (),
        document=document(record.body, record.locale),
        explained=explanation_of(reading(), record) if record.needs_explanation else None,
        form=form,
    )
