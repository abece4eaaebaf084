"""Join lists of units from cached JSON of their facts and today's availability."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from datetime import date
from functools import lru_cache, partial
from threading import Lock
from typing import Any, NamedTuple, TypeAlias

from flask import current_app

from pms.access.keys import KnownKey
from pms.availability.units import FoundUnit
from pms.catalogue.listed_units import UnitRows, listed_unit, unit_rows
from pms.foundation.errors import no_such
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.availability import Availability, label
from pms.rules.enumerations import Locale
from pms.surfaces.agent_api.answers import to_json
from pms.surfaces.request_scope import today

PIECES = "pms.agent_api.unit_pieces"
_MOST_WORKSPACES = 64
_MOST_UNITS = 8_000

Shape: TypeAlias = "partial[dict[str, Any]]"
"""A function of a listed unit; everything else it depends on is given by keyword."""


class _Kept(NamedTuple):
    """A unit's rows, the catalogue version and day they were loaded at, and its JSON by shape."""

    moment: tuple[int, date]
    rows: UnitRows
    pieces: dict[Hashable, bytes]


class UnitPieces:
    """A cache of the units' serialised facts, by workspace and unit, kept while the rows are equal.

    Most changes of a listing are changes of availability, which keep every piece. After an edit of
    the catalogue the rows are loaded again, and only the changed ones are serialised again.
    """

    def __init__(self) -> None:
        self._units: OrderedDict[str, dict[str, _Kept]] = OrderedDict()
        self._lock = Lock()

    def of(self, workspace_id: str) -> dict[str, _Kept]:
        """Return what is cached for one workspace, by unit id."""
        with self._lock:
            found = self._units.setdefault(workspace_id, {})
            self._units.move_to_end(workspace_id)
            while len(self._units) > 1 and self._is_too_large():
                self._units.popitem(last=False)
            if len(found) > _MOST_UNITS:
                found.clear()
            return found

    def forget(self) -> None:
        """Drop all units, after the database was replaced."""
        with self._lock:
            self._units.clear()

    def _is_too_large(self) -> bool:
        units = sum(map(len, self._units.values()))
        return len(self._units) > _MOST_WORKSPACES or units > _MOST_UNITS


def unit_bodies(
    session: WorkspaceSession,
    key: KnownKey,
    found: Sequence[FoundUnit],
    *,
    locale: Locale,
    shape: Shape,
) -> bytes:
    """Return the units as the members of a JSON array, in the order found.

    A unit that was deleted in the meantime is left out.
    """
    all_pieces: UnitPieces = current_app.extensions[PIECES]
    kept = all_pieces.of(key.workspace_id)
    units = _load_units(
        session, kept, (key.catalogue_version, today()), [unit.id for unit in found]
    )
    shape_key = (shape.func, *shape.keywords.values())
    return b",".join(
        [
            _piece(units[unit.id], shape_key, shape) + availability_piece(unit.availability, locale)
            for unit in found
            if unit.id in units
        ]
    )


def _load_units(
    session: WorkspaceSession,
    kept: dict[str, _Kept],
    moment: tuple[int, date],
    ids: Sequence[str],
) -> dict[str, _Kept]:
    """Return the units at a catalogue version and day, from the cache or loaded together."""
    known = {id_: unit for id_ in ids if (unit := kept.get(id_)) and unit.moment == moment}
    unknown = [id_ for id_ in ids if id_ not in known]
    if unknown:
        for id_, rows in unit_rows(session, unknown, moment[1]).items():
            before = kept.get(id_)
            pieces = before.pieces if before and before.rows == rows else {}
            known[id_] = kept[id_] = _Kept(moment, rows, pieces)
    return known


def _piece(unit: _Kept, shape_key: Hashable, shape: Shape) -> bytes:
    piece = unit.pieces.get(shape_key)
    if piece is None:
        piece = unit.pieces[shape_key] = to_json(shape(listed_unit(unit.rows)))[:-1]
    return piece


def check_found(units: bytes, asked_for: str) -> bytes:
    """Return the only unit of `unit_bodies`; raise `NotFound` if it was deleted in the meantime."""
    if not units:
        raise no_such("unit", asked_for)
    return units


@lru_cache(maxsize=4096)
def availability_piece(availability: Availability, locale: Locale) -> bytes:
    """Return the end of a unit's JSON: its availability and the closing brace."""
    return b',"availability":%b}' % to_json(availability_shape(availability, locale))


def availability_shape(availability: Availability, locale: Locale) -> dict[str, Any]:
    """Return the availability in the contract's fields; only `moveInFrom` may be offered."""
    return {
        "state": availability.state,
        "on": availability.on,
        "label": label(availability, locale),
        "confirmed": availability.is_confirmed,
        "moveInFrom": availability.move_in_from,
    }
