"""The waitlist: who waits for what, what may suit them, adding, offering, closing."""

from pms.surfaces.dashboard.routes import OFFICE
from pms.surfaces.dashboard.waitlist import adding, people

_ONE = "/waitlist/<place_id>"


