"""The office's check-in links: making, sending, revoking, the register of guests."""

from pms.surfaces.dashboard.check_in_links import links, making, one, passport, register
from pms.surfaces.dashboard.routes import OFFICE, OPERATOR
_NEW = "/check-in-links/new"
_ONE = "/check-in-links/<check_in_link_id>"
_REGISTER = "/check-in-links/register"


