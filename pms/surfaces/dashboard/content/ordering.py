"""Moves a position or a service up or down."""

from typing import Final

from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.rules.channel_words import LeafletKind
from pms.site.move_leaflet import move_leaflet
from pms.surfaces.dashboard.content.kinds import Kind
from pms.surfaces.dashboard.content.pages import index
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.hypermedia import Undo, go

_PLACES: Final = {"up": -1, "down": 1}
_BACK: Final = {"up": "down", "down": "up"}


def move(kind: Kind, **ids: str) -> Response:
    """Move it by one place."""
    (id_,) = ids.values()
    kind.record(reading(), id_, today())
    way = request.form.get("way", "")
    here = url_for(f"dashboard.move_{kind.name}", **kind.named(id_))
    return submitted(
        Form(),
        act=lambda session: move_leaflet(
            session,
            clock(),
            actor(),
            kind=LeafletKind(kind.name),
            leaflet_id=id_,
            places=_PLACES.get(way, 0),
        ),
        then=lambda is_moved: go(
            url_for(f"dashboard.{kind.tab}"),
            said=_("Moved.") if is_moved else None,
            undo=Undo(here, {"way": _BACK[way]}) if is_moved else None,
        ),
        again=lambda: index(kind),
    )
