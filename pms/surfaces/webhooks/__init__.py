"""What providers and channels send: their addresses, each with its authentication."""

from flask import Flask

from pms.surfaces.webhooks import deliveries  # noqa: F401 - importing it adds its routes
from pms.surfaces.webhooks.blueprint import blueprint


def install(app: Flask) -> None:
    """Register the webhooks."""
    app.register_blueprint(blueprint)
