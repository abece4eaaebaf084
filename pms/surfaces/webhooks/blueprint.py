"""The blueprint of webhooks.

A doubled slash is another address, which gets 404 instead of a redirect (`merge_slashes`).
"""

from flask import Blueprint

from pms.surfaces import form_tokens

blueprint = Blueprint("webhooks", __name__, url_prefix="/api/webhooks")
form_tokens.exempt(blueprint)
