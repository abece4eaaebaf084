"""The surface of applicants: a link opens one offer, which can be accepted there."""

from flask import Flask

from pms.offers.frozen_terms import UnitGone
from pms.surfaces.link_gate import guard
from pms.surfaces.reservation_links import (  # noqa: F401 - importing a module adds its routes
    contract,
    offer,
    people,
    screening,
)
from pms.surfaces.reservation_links.applicant import (
    OfferGate,
    answer_unit_gone,
    applicant,
    blueprint,
)

guard(blueprint, OfferGate())
blueprint.register_error_handler(UnitGone, answer_unit_gone)


def install(app: Flask) -> None:
    """Register the pages of applicants' links."""
    app.register_blueprint(blueprint)
    app.jinja_env.globals.update(applicant=applicant)
