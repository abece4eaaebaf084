"""Asks the provider for the page on which the contract of an accepted offer is signed."""

from flask import Response, g, url_for
from wtforms import Form

from pms.contracts.ask_signing_page import ask_signing_page
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


def ask() -> Response:
    """Have the page asked for and come back to the application, which leads on to it."""
    if applicant().is_deciding:
        return to("offer")
    contract = application(reading(), applicant().offer.reservation_id or "", today()).contract
    if contract is None:
        return to("offer")
    # The provider keeps where the signer came from: never the address that is a key.
    back = url_for("resident.home", workspace=g.link_workspace.slug)
    return submitted(
        Form(),
        act=lambda session: ask_signing_page(
            session, clock(), contract_id=contract.id, return_path=back
        ),
        then=lambda _none: to("offer"),
        again=show,
    )
