"""What providers and channels push in: their addresses, each with its proof."""

from typing import Final

from flask import Blueprint, Flask

from pms.surfaces.webhooks import deliveries

blueprint = Blueprint("webhooks", __name__, url_prefix="/api/webhooks")
_ADDRESSES: Final = (
    ("/ota-messages", "ota_messages", deliveries.take_ota_messages, "POST"),
    ("/line/<workspace>", "line", deliveries.take_line, "POST"),
    ("/whatsapp/<workspace>", "whatsapp", deliveries.take_whatsapp, "POST"),
    ("/whatsapp/<workspace>", "whatsapp_handshake", deliveries.shake_hands_with_whatsapp, "GET"),
    ("/payments/<workspace>", "payments", deliveries.take_payments, "POST"),
    ("/esign/<workspace>", "esign", deliveries.take_esign, "POST"),
)
for _path, _name, _view, _method in _ADDRESSES:
    # A doubled slash is another address, not a reason to send a program elsewhere.
    blueprint.add_url_rule(_path, _name, _view, methods=[_method], merge_slashes=False)


def install(app: Flask) -> None:
    """Give the application its webhooks."""
    app.register_blueprint(blueprint)
