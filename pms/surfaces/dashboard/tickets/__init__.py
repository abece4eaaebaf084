"""Conversations with residents about problems: the inbox, one thread, opening, ending."""

from typing import Final

from pms.surfaces.dashboard.routes import MAINTENANCE, OFFICE
from pms.surfaces.dashboard.tickets import answering, inbox, opening, thread

_ONE: Final = "/tickets/<ticket_id>"


