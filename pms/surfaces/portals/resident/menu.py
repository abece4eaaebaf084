"""The bar of the resident's portal: at most five places, of one tenancy."""

from typing import Final

from flask_babel import lazy_gettext, lazy_pgettext

from pms.surfaces.portals.blueprints import shown
from pms.surfaces.portals.reach import Item, Place
from pms.surfaces.portals.resident import own

# A place stands here by the name of its endpoint, and shows once the portal has it.
PLACES: Final = (
    Place("tenancy", lazy_pgettext("portal", "Home"), "owner"),
    Place("invoices", lazy_gettext("Invoices"), "billing", ("invoice", "pay", "payment")),
    Place("tickets", lazy_gettext("Messages"), "message", ("ticket", "report_problem")),
    Place("documents", lazy_gettext("Documents"), "statement"),
    Place("profile", lazy_pgettext("portal", "Me"), "person", ("people",)),
)


def menu() -> tuple[Item, ...]:
    """Return the places of the tenancy here; without one there is nowhere to go yet."""
    here = own.tenancy_here()
    return shown(PLACES, reservation_id=here.id) if here else ()
