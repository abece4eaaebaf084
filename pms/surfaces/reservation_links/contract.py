"""Shows the contract as it will be issued, and signs and books it in one step."""

from flask import Response, request, url_for

from pms.offers.contract_of_offer import contract_of_offer
from pms.offers.sign_and_book import sign_and_book
from pms.surfaces.reservation_links.applicant import (
    applicant,
    clock,
    reading,
    shown,
    submitted,
    to,
)
from pms.surfaces.reservation_links.signature_form import SignatureForm


def show() -> Response:
    """Show the document; without details there is none yet."""
    if not applicant().is_deciding:
        return to("offer")
    if applicant().offer.details is None:
        return to("details")
    return _form(SignatureForm())


def sign() -> Response:
    """Sign and book; the second of two clicks finds the booking of the first."""
    if not applicant().is_deciding:
        return to("offer")
    form = SignatureForm(request.form)
    return submitted(
        form,
        act=lambda session: sign_and_book(
            session,
            clock(),
            applicant().actor,
            link_id=applicant().offer.id,
            name=form.signature.data or "",
            document_hash=form.documentHash.data or "",
            device=request.user_agent.string,
        ),
        then=lambda _accepted: to("offer"),
        again=lambda: _form(form),
    )


def _form(form: SignatureForm) -> Response:
    offer = applicant().offer
    return shown(
        "contract",
        form=form,
        offer=offer,
        document=contract_of_offer(reading(), clock(), offer.id),
        here=url_for("reservation_links.contract"),
    )
