"""Answers the handshake by which WhatsApp asks whether an address is the right one."""

from typing import Final

from flask import Response, request

from pms.foundation.errors import ScopeLacking
from pms.rules.channel_words import WebhookSource
from pms.surfaces.webhooks.gate import is_known_handshake

_LONGEST: Final = 200


def shake_hands(workspace: str) -> Response:
    """Send the challenge back as plain text to who knows the token; else 403."""
    asked, token = request.args, request.args.get("hub.verify_token", "")
    challenge = asked.get("hub.challenge", "")
    is_known = is_known_handshake(WebhookSource.WHATSAPP, workspace, token)
    is_asked = asked.get("hub.mode") == "subscribe" and 0 < len(challenge) <= _LONGEST
    if not is_known or not is_asked or not challenge.isprintable():
        raise ScopeLacking("hub.verify_token: this is not the token of this address.")
    response = Response(challenge, mimetype="text/plain")
    response.headers["Cache-Control"] = "no-store"
    return response
