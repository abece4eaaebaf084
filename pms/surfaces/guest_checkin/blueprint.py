"""The blueprint of guests' links; the modules beside this one add their routes to it."""

from flask import Blueprint

from pms.surfaces.link_gate import TOKEN

blueprint = Blueprint("guest_checkin", __name__, url_prefix=f"/check-in/<{TOKEN}>")
