"""What providers and channels push in: their addresses, each with its proof."""

from typing import Final

from flask import Blueprint, Flask

from pms.surfaces.webhooks import signed
from pms.surfaces.webhooks import signed as ota
from pms.surfaces.webhooks import signed as whatsapp

blueprint = Blueprint("webhooks", __name__, url_prefix="/api/webhooks")
_ADDRESSES: Final = (
    ("/ota-messages", "ota_messages", ota.take, "POST"),
    ("/line/<workspace>", "line", signed.take_line, "POST"),
    ("/whatsapp/<workspace>", "whatsapp", signed.take_whatsapp, "POST"),
    ("/whatsapp/<workspace>", "whatsapp_handshake", whatsapp.shake_hands, "GET"),
    ("/payments/<workspace>", "payments", signed.take_payments, "POST"),
    ("/esign/<workspace>", "esign", signed.take_esign, "POST"),
)
for _path, _name, _view, _method in _ADDRESSES:
    # A doubled slash is another address, not a reason to send a program elsewhere.
    blueprint.add_url_rule(_path, _name, _view, methods=[_method], merge_slashes=False)


def install(app: Flask) -> None:
    """Give the application its webhooks."""
    app.register_blueprint(blueprint)
