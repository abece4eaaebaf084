"""The surface of applicants: a link opens one offer, which they may accept."""

from flask import Blueprint, Flask

from pms.surfaces.link_gate import TOKEN, guard
from pms.surfaces.reservation_links import applicant as applicant_pages
from pms.surfaces.reservation_links import contract, explanation, offer
from pms.surfaces.reservation_links.applicant import OfferGate, applicant

_ADDRESSES = (
    ("GET", "", "offer", offer.show_offer),
    ("GET", "/details", "details", applicant_pages.show_details),
    ("POST", "/details", "state_details", applicant_pages.keep_details),
    ("GET", "/explanation", "explanation", explanation.show),
    ("POST", "/explanation", "take_explanation", explanation.take),
    ("GET", "/explanation.pdf", "explanation_paper", explanation.paper),
    ("GET", "/contract", "contract", contract.show),
    ("POST", "/contract", "sign", contract.sign),
    ("GET", "/contract.pdf", "paper", contract.paper),
    ("POST", "/signature", "ask_signing_page", offer.ask_signing_page),
    ("POST", "/payment", "pay", offer.pay),
    ("GET", "/<path:_rest>", "nothing", offer.nothing),
)


def install(app: Flask) -> None:
    """Give the application these pages."""
    blueprint = Blueprint("reservation_links", __name__, url_prefix=f"/reserve/<{TOKEN}>")
    for method, rule, endpoint, view in _ADDRESSES:
        blueprint.add_url_rule(rule, endpoint, view, methods=[method])
    guard(blueprint, OfferGate())
    app.register_blueprint(blueprint)
    app.jinja_env.globals.update(applicant=applicant)
