"""What providers and channels push in: their addresses, each with its proof."""

from flask import Flask

from pms.surfaces.webhooks import deliveries  # noqa: F401 - importing it adds its routes
from pms.surfaces.webhooks.blueprint import blueprint


def install(app: Flask) -> None:
    """Give the application its webhooks."""
    app.register_blueprint(blueprint)
