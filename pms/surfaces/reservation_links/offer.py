"""The first page of a link: the offer, or after acceptance the state of the application."""

from flask import Response, abort, g, url_for

from pms.catalogue import buildings, records
from pms.catalogue.photos import photos_hung
from pms.checkouts import payment_pages
from pms.contracts import envelopes
from pms.offers import applications, offer_links
from pms.surfaces.forms import LinkForm, submitted
from pms.surfaces.hypermedia import page
from pms.surfaces.link_gate import reading
from pms.surfaces.request_scope import clock, today
from pms.surfaces.reservation_links.applicant import applicant, to
from pms.surfaces.reservation_links.blueprint import blueprint


@blueprint.get("", endpoint="offer")
def show_offer() -> Response:
    """Show the offer or the state of the application."""
    return _offered() if applicant().is_deciding else _applied()


@blueprint.get("/<path:_rest>")
def nothing(_rest: str) -> Response:
    """Answer 404 for any other address below a link."""
    abort(404)


def _offered() -> Response:
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
        here=url_for("reservation_links.offer"),
    )


def _applied() -> Response:
    offer = applicant().offer
    return page(
        "reservation_links/application.html",
        offer=offer,
        application=applications.application(reading(), offer.reservation_id or "", today()),
        here=url_for("reservation_links.offer"),
    )


@blueprint.post("/signature")
def ask_signing_page() -> Response:
    """Request the signing page and return to the application, which leads on to it."""
    if applicant().is_deciding:
        return to("offer")
    contract = applications.application(
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
    invoice = applications.application(reading(), reservation_id, today()).invoice
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
