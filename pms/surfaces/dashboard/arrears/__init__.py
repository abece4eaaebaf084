"""Who owes what and since when, and reminding them."""

from typing import Final

from pms.surfaces.dashboard.arrears import arrears, reminders
from pms.surfaces.dashboard.routes import OFFICE
