"""What a browser asks for before it sends the taps that waited."""

from flask import Response, jsonify
from flask_wtf.csrf import generate_csrf

from pms.surfaces.dashboard.offline.copies import holder


def show() -> Response:
    """Answer with the token that forms of today carry, and with whose taps they would be."""
    return jsonify(token=generate_csrf(), holder=holder())
