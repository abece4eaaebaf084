"""What providers and channels push in: their addresses, each with its proof."""

from flask import Blueprint, Flask

blueprint = Blueprint("webhooks", __name__, url_prefix="/api/webhooks")


def install(app: Flask) -> None:
    """Give the application its webhooks."""
    app.register_blueprint(blueprint)
