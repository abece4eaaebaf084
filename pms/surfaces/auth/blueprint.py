"""The blueprint of the staff's doors; the modules beside this one add their routes to it."""

from flask import Blueprint

blueprint = Blueprint("auth", __name__)
