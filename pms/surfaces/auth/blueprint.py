"""The blueprint of the staff's sign-in pages; the modules beside this one add their routes."""

from flask import Blueprint

blueprint = Blueprint("auth", __name__)
