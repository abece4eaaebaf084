"""The blueprint of a portal, and its navigation bar."""

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from flask import Flask, current_app, request, url_for
from flask_babel import LazyString

from pms.rules.enumerations import Door
from pms.surfaces.checked_blueprint import CheckedBlueprint
from pms.surfaces.portals import auth
from pms.surfaces.portals.portal import WORKSPACE, portal


class Place(NamedTuple):
    """An entry of a portal's navigation bar; `endpoint` is without the blueprint's name."""

    endpoint: str
    text: LazyString
    icon: str
    further: tuple[str, ...] = ()
    """The endpoints of its subpages, for which the entry is shown as current too."""


class Item(NamedTuple):
    """An entry of the bar as it is shown."""

    href: str
    text: str
    icon: str
    is_current: bool


_MENUS: Final = "pms.portals.menus"
Menu = Callable[[], tuple[Item, ...]]


class RouteCheck(NamedTuple):
    """The largest request body of a route, in bytes, where it takes files."""

    most_bytes: int | None = None


class PortalBlueprint(CheckedBlueprint[RouteCheck]):
    """The blueprint of a portal, including its sign-in pages."""

    def __init__(self, door: Door) -> None:
        super().__init__(
            door.value, __name__, RouteCheck, url_prefix=f"/{door.value}/<{WORKSPACE}>"
        )
        self.door = door
        auth.add_routes(self)


def open_portal(app: Flask, blueprint: PortalBlueprint, menu: Menu) -> None:
    """Register a portal; `menu` returns at most five entries."""
    app.register_blueprint(blueprint)
    app.extensions.setdefault(_MENUS, {})[blueprint.door] = menu


def portal_menu() -> tuple[Item, ...]:
    """Return the entries of this portal's bar; none before sign-in."""
    at = portal()
    menu: Menu = current_app.extensions[_MENUS][at.door]
    return menu() if at.address else ()


def shown(places: Iterable[Place], **values: Any) -> tuple[Item, ...]:
    """Return as links those entries whose endpoint exists."""
    here = (request.endpoint or "").rpartition(".")[2]
    return tuple(
        Item(url_for(f".{each.endpoint}", **values), str(each.text), each.icon, _is_at(each, here))
        for each in places
        if portal_has(each.endpoint)
    )


def portal_has(endpoint: str) -> bool:
    """Whether this portal has the endpoint; links to it are shown only then."""
    return f"{portal().door}.{endpoint}" in current_app.view_functions


def _is_at(place: Place, here: str) -> bool:
    return here in (place.endpoint, *place.further)
