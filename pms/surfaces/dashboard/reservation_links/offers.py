"""One offer: its link to copy, who opened it, sending, renewing and taking it back."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, current_app, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.foundation.errors import Refused
from pms.ledger.planned_entries import PlannedEntry
from pms.offers.offers import MadeOffer, offer_record, token_of_offer
from pms.offers.preview_offer import preview_offer
from pms.offers.renew_reservation_link import renew_reservation_link as renew_reservation_link_verb
from pms.offers.revoke_reservation_link import revoke_reservation_link as revoke_reservation_link_verb
from pms.offers.send_reservation_link import send_reservation_link as send_reservation_link_verb
from pms.rules.enumerations import ReservationLinkState
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.refusal_wording import said
from pms.surfaces.signed_in import doorway


@dashboard.get("/reservation-links/<reservation_link_id>", roles=OFFICE)
def reservation_link(reservation_link_id: str) -> Response:
    """Show the offer as its applicant sees it, and its link."""
    return _shown("offer", reservation_link_id, Form())


@dashboard.get("/reservation-links/<reservation_link_id>/sending", roles=OFFICE)
def reservation_link_sending(reservation_link_id: str) -> Response:
    """Show whom the mail goes to before it leaves."""
    return _shown("sending", reservation_link_id, Form())


@dashboard.post("/reservation-links/<reservation_link_id>/sending", roles=OFFICE)
def send_reservation_link(reservation_link_id: str) -> Response:
    """Send the link."""
    form = Form(request.form)
    return submitted(
        form,
        act=lambda session: send_reservation_link_verb(
            session,
            clock(),
            actor(),
            link_id=reservation_link_id,
            sealer=doorway().sealer,
            address=_address,
        ),
        then=lambda email: _back(reservation_link_id, _("Sent to %(email)s.", email=email)),
        again=lambda: _shown("sending", reservation_link_id, form),
    )


@dashboard.post("/reservation-links/<reservation_link_id>/renewal", roles=OFFICE)
def renew_reservation_link(reservation_link_id: str) -> Response:
    """Give the offer a new link; the one given out before opens nothing."""
    form = Form(request.form)
    return submitted(
        form,
        act=lambda session: renew_reservation_link_verb(
            session, clock(), actor(), link_id=reservation_link_id, sealer=doorway().sealer
        ),
        then=lambda _link: _back(reservation_link_id, _("The offer has a new link.")),
        again=lambda: _shown("offer", reservation_link_id, form),
    )


@dashboard.get("/reservation-links/<reservation_link_id>/revocation", roles=OFFICE)
def reservation_link_revocation(reservation_link_id: str) -> Response:
    """Show what revoking does before it is done."""
    return _shown("revocation", reservation_link_id, Form())


@dashboard.post("/reservation-links/<reservation_link_id>/revocation", roles=OFFICE)
def revoke_reservation_link(reservation_link_id: str) -> Response:
    """Take the offer back."""
    form = Form(request.form)
    return submitted(
        form,
        act=lambda session: revoke_reservation_link_verb(
            session, clock(), actor(), link_id=reservation_link_id
        ),
        then=lambda _none: _back(reservation_link_id, _("The offer is revoked.")),
        again=lambda: _shown("revocation", reservation_link_id, form),
    )


def _shown(template: str, link_id: str, form: Form) -> Response:
    offer = offer_record(reading(), link_id, clock().now())
    invoice, refusal = _preview(offer)
    response = page(
        f"dashboard/reservation_links/{template}.html",
        form=form,
        offer=offer,
        invoice=invoice,
        refusal=refusal,
        address=_address(token_of_offer(reading(), offer.id, doorway().sealer)),
    )
    # The page holds what opens the offer.
    response.headers["Cache-Control"] = "no-store"
    return response


def _preview(offer: MadeOffer) -> tuple[PlannedEntry | None, str | None]:
    if offer.state is not ReservationLinkState.LIVE:
        return None, None
    try:
        return preview_offer(reading(), clock(), offer.id), None
    except Refused as problem:
        return None, said(problem)


def _address(token: str) -> str:
    address: str = current_app.config["BASE_URL"]
    return address + str(url_for("reservation_links.offer", token=token))


def _back(link_id: str, words: str) -> Response:
    address = url_for("dashboard.reservation_link", reservation_link_id=link_id)
    return go(address, said=words)
