"""Makes the blueprint of a portal: its door, its features, and the gate before them."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from flask import Blueprint, Flask, current_app, request, url_for
from flask_wtf.csrf import CSRFProtect

from pms.rules.enumerations import Door
from pms.surfaces.portals import doors
from pms.surfaces.portals.gate import WORKSPACE, guard
from pms.surfaces.portals.portal import Item, Place, PortalAddress, portal

_MENUS: Final = "pms.portals.menus"
Menu = Callable[[], tuple[Item, ...]]
_OPEN_TO_ALL: Final = frozenset(each.endpoint for each in doors.ADDRESSES)


def open_portal(
    app: Flask,
    csrf: CSRFProtect,
    door: Door,
    addresses: Iterable[PortalAddress],
    *,
    arrive: Callable[[], None],
    menu: Menu,
) -> None:
    """Give the application a portal under the name of its door.

    `arrive` finds what belongs to whoever is signed in and raises `NotFound` when an address of
    the request names anything else; `menu` lists at most five places.
    """
    blueprint = Blueprint(door.value, __name__, url_prefix=f"/{door.value}/<{WORKSPACE}>")
    known = {each.endpoint: each for each in (*doors.ADDRESSES, *addresses)}
    for each in (*doors.ADDRESSES, *addresses):
        blueprint.add_url_rule(each.rule, each.endpoint, each.view, methods=[each.method])
    guard(blueprint, door, csrf, addresses=known, open_to_all=_OPEN_TO_ALL, arrive=arrive)
    app.register_blueprint(blueprint)
    app.extensions.setdefault(_MENUS, {})[door] = menu


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
