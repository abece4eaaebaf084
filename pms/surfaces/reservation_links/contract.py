"""Show the contract as it will be issued, and sign and book in one step."""

from flask import Response, current_app, request, url_for
from wtforms import Form

from pms.contracts import contract_papers
from pms.contracts.screenings import may_be_sent
from pms.offers import application_states, applications, offer_documents
from pms.offers.frozen_terms import UnitGone
from pms.rules.contract_people import LEFT_TO_OFFICE
from pms.rules.enumerations import IntegrationKind
from pms.surfaces.forms import LinkForm, SignatureForm, submitted
from pms.surfaces.hypermedia import page, pdf_answer
from pms.surfaces.link_gate import reading
from pms.surfaces.request_scope import clock, files, today
from pms.surfaces.reservation_links.applicant import applicant, blueprint, to
from pms.workspaces import integrations


@blueprint.get("/contract", endpoint="contract")
def show() -> Response:
    """Show the document; without details there is none yet."""
    page_first = _find_page_first()
    if page_first is not None:
        return to(page_first)
    return _render_contract(_signature_form())


@blueprint.post("/contract")
def sign() -> Response:
    """Sign and book; a second click finds the booking of the first."""
    page_first = _find_page_first()
    if page_first is not None:
        return to(page_first)
    if not _is_signed_elsewhere():
        signed_form = _signature_form(is_sent=True)
        return submitted(
            signed_form,
            act=lambda work: applications.sign_and_book(
                work,
                link_id=applicant().offer.id,
                name=signed_form.signature.data or "",
                document_hash=signed_form.documentHash.data or "",
                device=request.user_agent.string,
            ),
            then=lambda _accepted: to("offer"),
            again=lambda: _render_contract(signed_form),
            left_to_blueprint=(UnitGone,),
        )
    form, base = LinkForm(), current_app.config["BASE_URL"]
    return submitted(
        form,
        act=lambda work: applications.book_and_send(
            work,
            link_id=applicant().offer.id,
            document_hash=request.form.get("documentHash", ""),
            link=f"{base}{url_for('reservation_links.offer')}",
        ),
        then=lambda _accepted: to("offer"),
        again=lambda: _render_contract(form),
        left_to_blueprint=(UnitGone,),
    )


@blueprint.get("/contract.pdf")
def paper() -> Response:
    """Send the document as a PDF: the issued one, or before that a draft of it."""
    offer = applicant().offer
    if applicant().is_deciding:
        page_first = _find_page_first()
        if page_first not in (None, "explanation"):
            return to(page_first)
        return pdf_answer(offer_documents.draft_pdf(reading(), clock(), offer.id), "contract.pdf")
    contract = application_states.application(
        reading(), offer.reservation_id or "", today()
    ).contract
    if contract is None:
        return to("offer")
    return pdf_answer(contract_papers.handed_paper(reading(), files(), contract.id), "contract.pdf")


def _find_page_first() -> str | None:
    """Return the page that comes before the contract, or None."""
    if not applicant().is_deciding:
        return "offer"
    if applicant().offer.details is None:
        return "details"
    if any(lack not in LEFT_TO_OFFICE for lack in applicant().lacks):
        return "people"
    if applicant().lacks or not may_be_sent(reading(), applicant().screening):
        return "screening"
    found = offer_documents.explanation_of_offer(reading(), clock(), applicant().offer.id)
    return "explanation" if found is not None and found.lack is not None else None


def _signature_form(*, is_sent: bool = False) -> SignatureForm:
    details = applicant().offer.details
    names = (details.name, details.name_kana) if details else ()
    return SignatureForm.of(*names, is_sent=is_sent)


def _render_contract(form: Form) -> Response:
    offer = applicant().offer
    return page(
        "reservation_links/contract.html",
        form=form,
        offer=offer,
        document=offer_documents.contract_of_offer(reading(), clock(), offer.id),
        explanation=offer_documents.explanation_of_offer(reading(), clock(), offer.id),
        is_signed_here=not _is_signed_elsewhere(),
        page_address=url_for("reservation_links.contract"),
    )


def _is_signed_elsewhere() -> bool:
    return integrations.has_integration(reading(), IntegrationKind.ESIGN)
