"""The prior explanation of a fixed-term lease: consent to electronic form, reading, confirming."""

from typing import Final

from flask import Response, request, url_for
from wtforms import Form

from pms.contracts.merged_documents import document
from pms.offers.offers import (
    OfferedExplanation,
    confirm_offered,
    consent_to_offered,
    explanation_of_offer,
    offered_explanation_pdf,
)
from pms.surfaces.fields import ConsentForm, ReadForm
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import page
from pms.surfaces.link_gate import reading
from pms.surfaces.request_scope import clock
from pms.surfaces.reservation_links.applicant import applicant, to
from pms.surfaces.reservation_links.blueprint import blueprint

_PAPER: Final = {
    "Content-Type": "application/pdf",
    "Content-Disposition": 'inline; filename="explanation.pdf"',
}


@blueprint.get("/explanation", endpoint="explanation")
def show() -> Response:
    """Ask for the consent, then show the document; a lease that needs none is sent on."""
    found = _found()
    if found is None:
        return to(_elsewhere())
    return _form(
        found,
        ConsentForm(formdata=None) if found.given is None else ReadForm(formdata=None),
    )


@blueprint.post("/explanation", endpoint="take_explanation")
def take() -> Response:
    """Save the consent or the confirmation, whichever comes next."""
    found = _found()
    if found is None:
        return to(_elsewhere())
    return _confirmed(found) if found.given else _consented(found)


@blueprint.get("/explanation.pdf", endpoint="explanation_paper")
def paper() -> Response:
    """Send the document as a PDF once the applicant has consented."""
    found = _found()
    if found is None or found.given is None:
        return to(_elsewhere() if found is None else "explanation")
    pdf = offered_explanation_pdf(reading(), clock(), applicant().offer.id)
    return Response(pdf or b"", headers=_PAPER)


def _found() -> OfferedExplanation | None:
    offer = applicant().offer
    if not applicant().is_deciding or offer.details is None:
        return None
    return explanation_of_offer(reading(), clock(), offer.id)


def _elsewhere() -> str:
    """Return the page where the application continues if nothing has to be explained."""
    if not applicant().is_deciding:
        return "offer"
    return "details" if applicant().offer.details is None else "contract"


def _consented(found: OfferedExplanation) -> Response:
    form = ConsentForm()
    return submitted(
        form,
        act=lambda work: consent_to_offered(
            work,
            link_id=applicant().offer.id,
            document_hash=form.documentHash.data or "",
            device=request.user_agent.string,
        ),
        then=lambda _none: to("explanation"),
        again=lambda: _form(found, form),
    )


def _confirmed(found: OfferedExplanation) -> Response:
    form = ReadForm()
    return submitted(
        form,
        act=lambda work: confirm_offered(
            work, link_id=applicant().offer.id, document_hash=form.documentHash.data or ""
        ),
        then=lambda _none: to("contract"),
        again=lambda: _form(found, form),
    )


def _form(found: OfferedExplanation, form: Form) -> Response:
    given = found.given
    return page(
        "reservation_links/explanation.html",
        form=form,
        offer=applicant().offer,
        explanation=found,
        document=found.document if given is None else document(given.body, given.locale),
        here=url_for("reservation_links.explanation"),
    )
