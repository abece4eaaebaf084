"""The blueprint of applicants' links; the modules beside this one add their routes to it."""

from flask import Blueprint

from pms.surfaces.link_gate import TOKEN

blueprint = Blueprint("reservation_links", __name__, url_prefix=f"/reserve/<{TOKEN}>")
