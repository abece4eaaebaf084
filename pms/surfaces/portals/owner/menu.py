"""The bar of the owner's portal: at most five places."""

from typing import Final

from flask_babel import lazy_pgettext

from pms.surfaces.portals.blueprints import shown
from pms.surfaces.portals.reach import Item, Place

# A place stands here by the name of its endpoint, and shows once the portal has it.
PLACES: Final = (
    Place("home", lazy_pgettext("portal", "Home"), "owner"),
    Place("statements", lazy_pgettext("portal", "Statements"), "statement"),
    Place("profile", lazy_pgettext("portal", "My page"), "person"),
)


def menu() -> tuple[Item, ...]:
    """Return the places of the bar."""
    return shown(PLACES)
