"""Enquiries: who asks for a home, how they were answered, and what became of it."""

from typing import Final

from pms.surfaces.dashboard.enquiries import acting, editing, enquiry, inbox, receiving
from pms.surfaces.dashboard.routes import OFFICE
_ONE: Final = "/enquiries/<enquiry_id>"


