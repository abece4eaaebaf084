"""The blueprint of contractors' links; the modules beside this one add their routes to it."""

from flask import Blueprint

from pms.surfaces.link_gate import TOKEN

blueprint = Blueprint("contractor_links", __name__, url_prefix=f"/contractor/<{TOKEN}>")
