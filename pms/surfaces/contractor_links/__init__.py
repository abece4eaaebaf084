"""The surface of contractors: a link opens one project, on a phone, without an account."""

from flask import Flask

from pms.surfaces.contractor_links import (  # noqa: F401 - importing a module adds its routes
    project,
    purchases,
    tasks,
)
from pms.surfaces.contractor_links.project import ContractorGate, blueprint, holder, status_words
from pms.surfaces.link_gate import guard

guard(blueprint, ContractorGate())


def install(app: Flask) -> None:
    """Register the pages of contractors' links."""
    app.register_blueprint(blueprint)
    app.jinja_env.globals.update(link_holder=holder, status_words=status_words)
