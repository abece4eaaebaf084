"""The blueprint of a portal, and the bar of places at its foot."""

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from flask import Flask, current_app, request, url_for
from flask_babel import LazyString

from pms.rules.enumerations import Door
from pms.surfaces.checked_blueprint import CheckedBlueprint
from pms.surfaces.portals import auth
from pms.surfaces.portals.portal import WORKSPACE, portal


class Place(NamedTuple):
    """One of the few places a portal's bar leads to; `endpoint` is without its blueprint."""

    endpoint: str
    text: LazyString
    icon: str
    further: tuple[str, ...] = ()
    """The pages below it, on which it is shown as the current one too."""


class Item(NamedTuple):
    """One place of the bar as it is shown."""

    href: str
    text: str
    icon: str
    is_current: bool


_MENUS: Final = "pms.portals.menus"
Menu = Callable[[], tuple[Item, ...]]


class RouteCheck(NamedTuple):
    """How large the form of a route may be, where it takes files."""

    most_bytes: int | None = None


class PortalBlueprint(CheckedBlueprint[RouteCheck]):
    """The blueprint of a portal, with the pages of its door."""

    def __init__(self, door: Door) -> None:
        super().__init__(
            door.value, __name__, RouteCheck, url_prefix=f"/{door.value}/<{WORKSPACE}>"
        )
        self.door = door
        auth.add_routes(self)


def open_portal(app: Flask, blueprint: PortalBlueprint, menu: Menu) -> None:
    """Give the application a portal; `menu` lists at most five places."""
    app.register_blueprint(blueprint)
    app.extensions.setdefault(_MENUS, {})[blueprint.door] = menu


def portal_menu() -> tuple[Item, ...]:
    """Return the places of this portal's bar; before its door there are none."""
    at = portal()
    menu: Menu = current_app.extensions[_MENUS][at.door]
    return menu() if at.address else ()


def shown(places: Iterable[Place], **values: Any) -> tuple[Item, ...]:
    """Return those places of a bar that this program has, as links."""
    here = (request.endpoint or "").rpartition(".")[2]
    return tuple(
        Item(url_for(f".{each.endpoint}", **values), str(each.text), each.icon, _is_at(each, here))
        for each in places
        if portal_has(each.endpoint)
    )


def portal_has(endpoint: str) -> bool:
    """Tell whether this portal has an address; a way to it is shown only then."""
    return f"{portal().door}.{endpoint}" in current_app.view_functions


def _is_at(place: Place, here: str) -> bool:
    return here in (place.endpoint, *place.further)
