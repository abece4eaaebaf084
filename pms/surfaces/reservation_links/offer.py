"""The offer of a link or, after acceptance, the application; and the explanation of the lease."""

from flask import Response, g, request, url_for
from wtforms import Form

from pms.arrivals import reservation_headers
from pms.arrivals.tenancy_ways import reservation_ways
from pms.catalogue import buildings, records
from pms.catalogue.photos import photos_hung
from pms.checkouts import payment_pages
from pms.contracts import envelopes
from pms.contracts.merged_documents import document
from pms.offers import application_states, offer_links
from pms.offers.offer_documents import (
    OfferedExplanation,
    explanation_of_offer,
    offered_explanation_pdf,
    save_consent,
    save_explanation_read,
    wish_offer_explanation,
)
from pms.rules.explanations import ExplanationWay
from pms.surfaces.explanation_forms import ExplanationWishForm
from pms.surfaces.forms import ConsentForm, LinkForm, ReadForm, submitted
from pms.surfaces.hypermedia import page, pdf_answer
from pms.surfaces.link_gate import reading
from pms.surfaces.request_scope import clock, today
from pms.surfaces.reservation_links.applicant import applicant, blueprint, to


@blueprint.get("", endpoint="offer")
def show_offer() -> Response:
    """Show the offer or the state of the application."""
    if applicant().is_deciding:
        return _show_offer()
    offer = applicant().offer
    id_ = offer.reservation_id or ""
    header = reservation_headers.reservation_header(reading(), id_, today())
    return page(
        "reservation_links/application.html",
        offer=offer,
        application=application_states.application(reading(), id_, today()),
        way=reservation_ways(reading(), [header.way_record], today())[id_],
        page_address=url_for("reservation_links.offer"),
    )


def _show_offer() -> Response:
    offer = applicant().offer
    photos = photos_hung(reading(), ("unit", offer.unit_id))
    return page(
        "reservation_links/offer.html",
        offer=offer,
        unit=records.unit_record(reading(), offer.unit_id).written,
        address=buildings.building_address(reading(), offer.building_id),
        photo=next(
            iter(photos or photos_hung(reading(), ("building", offer.building_id))),
            None,
        ),
        invoice=offer_links.preview_offer(reading(), clock(), offer.id),
        page_address=url_for("reservation_links.offer"),
    )


@blueprint.post("/signature")
def ask_signing_page() -> Response:
    """Request the signing page and return to the application, which leads on to it."""
    if applicant().is_deciding:
        return to("offer")
    contract = application_states.application(
        reading(), applicant().offer.reservation_id or "", today()
    ).contract
    if contract is None:
        return to("offer")
    # The provider stores the return address: it must not be the link, which is a credential.
    back = url_for("resident.home", workspace=g.link_workspace.slug)
    return submitted(
        LinkForm(),
        act=lambda work: envelopes.ask_signing_page(
            work.session, clock(), contract_id=contract.id, return_path=back
        ),
        then=lambda _none: to("offer"),
        again=show_offer,
    )


@blueprint.post("/payment")
def pay() -> Response:
    """Open a checkout and return to the application, which leads on to the payment page."""
    if applicant().is_deciding:
        return to("offer")
    reservation_id = applicant().offer.reservation_id or ""
    invoice = application_states.application(reading(), reservation_id, today()).invoice
    if invoice is None:
        return to("offer")
    # The provider stores the return address: it must not be the link, which is a credential.
    back = url_for("resident.home", workspace=g.link_workspace.slug)
    return submitted(
        LinkForm(),
        act=lambda work: payment_pages.open_checkout(
            work, reservation_id=reservation_id, entry_id=invoice.entry_id, return_path=back
        ),
        then=lambda _id: to("offer"),
        again=show_offer,
    )


@blueprint.get("/explanation", endpoint="explanation")
def show() -> Response:
    """Ask for the consent, then show the document; a lease that needs none is sent on."""
    found = _find_explanation()
    if found is None:
        return to(_find_next_page())
    return _render_explanation(
        found,
        ConsentForm(formdata=None) if found.given is None else ReadForm(formdata=None),
    )


@blueprint.post("/explanation", endpoint="take_explanation")
def take() -> Response:
    """Save the consent or the confirmation, whichever comes next."""
    found = _find_explanation()
    if found is None:
        return to(_find_next_page())
    if not found.given:
        consent_form = ConsentForm()
        return submitted(
            consent_form,
            act=lambda work: save_consent(
                work,
                link_id=applicant().offer.id,
                document_hash=consent_form.documentHash.data or "",
                device=request.user_agent.string,
            ),
            then=lambda _none: to("explanation"),
            again=lambda: _render_explanation(found, consent_form),
        )
    form = ReadForm()
    return submitted(
        form,
        act=lambda work: save_explanation_read(
            work, link_id=applicant().offer.id, document_hash=form.documentHash.data or ""
        ),
        then=lambda _none: to("contract"),
        again=lambda: _render_explanation(found, form),
    )


@blueprint.get("/explanation.pdf", endpoint="explanation_paper")
def paper() -> Response:
    """Send the document as a PDF once the applicant has consented."""
    found = _find_explanation()
    if found is None or found.given is None:
        return to(_find_next_page() if found is None else "explanation")
    pdf = offered_explanation_pdf(reading(), clock(), applicant().offer.id)
    return pdf_answer(pdf or b"", "explanation.pdf")


@blueprint.post("/explanation/time", endpoint="wish_explanation")
def choose_time() -> Response:
    """Save how and when the applicant wants to be explained the document."""
    found = _find_explanation()
    if found is None or found.given is None:
        return to(_find_next_page() if found is None else "explanation")
    form = ExplanationWishForm.of(found.given, is_sent=True)
    return submitted(
        form,
        act=lambda work: wish_offer_explanation(
            work,
            link_id=applicant().offer.id,
            way=ExplanationWay(form.way.data),
            wished_at=form.chosen_at,
        ),
        then=lambda _none: to("explanation"),
        again=lambda: _render_explanation(found, ReadForm(formdata=None), form),
    )


def _find_explanation() -> OfferedExplanation | None:
    offer = applicant().offer
    if not applicant().is_deciding or offer.details is None:
        return None
    return explanation_of_offer(reading(), clock(), offer.id)


def _find_next_page() -> str:
    """Return the page where the application continues if nothing has to be explained."""
    if not applicant().is_deciding:
        return "offer"
    return "details" if applicant().offer.details is None else "contract"


def _render_explanation(
    found: OfferedExplanation, form: Form, wish_form: ExplanationWishForm | None = None
) -> Response:
    given = found.given
    return page(
        "reservation_links/explanation.html",
        form=form,
        offer=applicant().offer,
        explanation=found,
        wish_form=wish_form or ExplanationWishForm.of(given),
        document=found.document if given is None else document(given.body, given.locale),
        page_address=url_for("reservation_links.explanation"),
    )
