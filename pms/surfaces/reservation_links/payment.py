"""Sets out to pay the move-in invoice on the provider's page."""

from flask import Response, g, url_for
from wtforms import Form

from pms.checkouts.open_checkout import open_checkout
from pms.offers.application import application
from pms.surfaces.reservation_links.applicant import (
    applicant,
    clock,
    reading,
    submitted,
    to,
    today,
)
from pms.surfaces.reservation_links.offer import show


def pay() -> Response:
    """Write the visit and come back to the application, which leads on to the payment page."""
    if applicant().is_deciding:
        return to("offer")
    reservation_id = applicant().offer.reservation_id or ""
    invoice = application(reading(), reservation_id, today()).invoice
    if invoice is None:
        return to("offer")
    # The provider keeps where the payer came from: never the address that is a key.
    back = url_for("resident.home", workspace=g.link_workspace.slug)
    return submitted(
        Form(),
        act=lambda session: open_checkout(
            session,
            clock(),
            applicant().actor,
            reservation_id=reservation_id,
            entry_id=invoice.entry_id,
            return_path=back,
        ),
        then=lambda _id: to("offer"),
        again=show,
    )
