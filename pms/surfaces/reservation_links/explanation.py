"""The prior explanation of a fixed-term lease: agreed to be electronic, read, and confirmed."""

from typing import Final

from flask import Response, request, url_for
from wtforms import Form

from pms.contracts.merged_documents import document
from pms.offers.offer_papers import (
    OfferedExplanation,
    confirm_offered,
    consent_to_offered,
    explanation_of_offer,
    offered_explanation_pdf,
)
from pms.surfaces.fields import ConsentForm, ReadForm
from pms.surfaces.request_scope import clock
from pms.surfaces.reservation_links.applicant import applicant, reading, shown, submitted, to

_PAPER: Final = {
    "Content-Type": "application/pdf",
    "Content-Disposition": 'inline; filename="explanation.pdf"',
}


def show() -> Response:
    """Ask for the consent, then show the document; a lease that needs none goes on."""
    found = _found()
    if found is None:
        return to(_elsewhere())
    return _form(found, ConsentForm() if found.given is None else ReadForm())


def take() -> Response:
    """Keep the consent or the confirmation, whichever comes next."""
    found = _found()
    if found is None:
        return to(_elsewhere())
    return _confirmed(found) if found.given else _consented(found)


def paper() -> Response:
    """Give the document as a PDF to whoever agreed to that."""
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
    """Where the application goes on when there is nothing to explain."""
    if not applicant().is_deciding:
        return "offer"
    return "details" if applicant().offer.details is None else "contract"


def _consented(found: OfferedExplanation) -> Response:
    form = ConsentForm(request.form)
    return submitted(
        form,
        act=lambda session: consent_to_offered(
            session,
            clock(),
            applicant().actor,
            link_id=applicant().offer.id,
            document_hash=form.documentHash.data or "",
            device=request.user_agent.string,
        ),
        then=lambda _none: to("explanation"),
        again=lambda: _form(found, form),
    )


def _confirmed(found: OfferedExplanation) -> Response:
    form = ReadForm(request.form)
    return submitted(
        form,
        act=lambda session: confirm_offered(
            session,
            clock(),
            applicant().actor,
            link_id=applicant().offer.id,
            document_hash=form.documentHash.data or "",
        ),
        then=lambda _none: to("contract"),
        again=lambda: _form(found, form),
    )


def _form(found: OfferedExplanation, form: Form) -> Response:
    given = found.given
    return shown(
        "explanation",
        form=form,
        offer=applicant().offer,
        explanation=found,
        document=found.document if given is None else document(given.body, given.locale),
        here=url_for("reservation_links.explanation"),
    )
