"""The blueprint of a portal, and the bar of places at its foot."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from flask import Blueprint, Flask, current_app, request, url_for

from pms.rules.enumerations import Door
from pms.surfaces.portals import auth
from pms.surfaces.portals.gate import WORKSPACE
from pms.surfaces.portals.portal import Item, Place, portal

_MENUS: Final = "pms.portals.menus"
Menu = Callable[[], tuple[Item, ...]]


class PortalBlueprint(Blueprint):
    """The blueprint of a portal, with the pages of its door.

    A route that takes files says how large its form may be.
    """

    def __init__(self, door: Door) -> None:
        super().__init__(door.value, __name__, url_prefix=f"/{door.value}/<{WORKSPACE}>")
        self.door = door
        self.most_bytes: dict[str, int] = {}
        """By endpoint, without the blueprint's name."""
        auth.add_routes(self)

    def add_url_rule(
        self,
        rule: str,
        endpoint: str | None = None,
        view_func: Callable[..., Any] | None = None,
        provide_automatic_options: bool | None = None,
        **options: Any,
    ) -> None:
        """Add the route and remember its `most_bytes`."""
        most_bytes = options.pop("most_bytes", None)
        name = endpoint or str(getattr(view_func, "__name__", ""))
        if most_bytes is not None:
            self.most_bytes[name] = most_bytes
        super().add_url_rule(rule, endpoint, view_func, provide_automatic_options, **options)


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
