"""What the website shows: posts, campaigns, positions, services and its own words."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from flask import Response

from pms.surfaces.dashboard.content import campaign_units, pages, publishing, removing, website
from pms.surfaces.dashboard.content.kinds import KINDS, LEAFLETS, Kind
from pms.surfaces.dashboard.content.ordering import move
from pms.surfaces.dashboard.routes import CONTENT_BYTES, OFFICE, dashboard

View = Callable[..., Response]


def _add(rule: str, endpoint: str, view: View, kind: Any, method: str = "GET") -> None:
    most_bytes = CONTENT_BYTES if endpoint.startswith(("add_", "edit_")) else None
    dashboard.add_url_rule(
        rule,
        endpoint,
        partial(view, kind),
        methods=[method],
        roles=OFFICE,
        most_bytes=most_bytes,
    )


def _add_routes(kind: Kind) -> None:
    """Add the same routes for posts, campaigns, positions and services."""
    name, every = kind.name, f"/content/{kind.folder}"
    one = f"{every}/<{name}_id>"
    _add(kind.list_rule, kind.tab, pages.index, kind)
    _add(f"{every}/new", f"new_{name}", pages.new, kind)
    _add(f"{every}/new", f"add_{name}", pages.add, kind, "POST")
    _add(one, name, pages.show, kind)
    _add(one, f"edit_{name}", pages.save, kind, "POST")
    _add(f"{one}/publication", f"check_{name}_publication", publishing.check, kind)
    _add(f"{one}/publication", f"publish_{name}", publishing.publish, kind, "POST")
    _add(f"{one}/withdrawal", f"withdraw_{name}", publishing.withdraw, kind, "POST")
    _add(f"{one}/removal", f"check_{name}_removal", removing.check, kind)
    _add(f"{one}/removal", f"remove_{name}", removing.remove, kind, "POST")


for _kind in KINDS:
    _add_routes(_kind)
for _kind in LEAFLETS:
    _add(f"/content/{_kind.folder}/<{_kind.name}_id>/place", f"move_{_kind.name}", move, _kind, "POST")
