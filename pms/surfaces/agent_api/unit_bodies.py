"""Puts lists of units together from pieces: facts serialised once, availability of today."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import date
from functools import lru_cache
from threading import Lock
from typing import Any, NamedTuple

from flask import current_app

from pms.access.find_key import KnownKey
from pms.availability.search_units import FoundUnit
from pms.catalogue.listed_units import ListedUnit, listed_units
from pms.foundation.errors import NotFound
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.availability import Availability
from pms.rules.availability_view import label
from pms.rules.enumerations import Locale
from pms.surfaces.agent_api.answers import to_json
from pms.surfaces.request_scope import today

PIECES = "pms.agent_api.unit_pieces"
_MOST_CATALOGUES = 64
_MOST_PIECES = 20_000

Shape = Callable[[ListedUnit], dict[str, Any]]


class _Catalogue(NamedTuple):
    """What every piece of a set has in common; a change of it makes a new set."""

    workspace_id: str
    catalogue_version: int
    day: date
    kind: str
    locale: Locale


class UnitPieces:
    """The serialised facts of units, kept until the catalogue itself changes.

    Most changes of a listing are changes of availability: those leave every piece as it is.
    """

    def __init__(self) -> None:
        self._sets: OrderedDict[_Catalogue, dict[str, bytes]] = OrderedDict()
        self._lock = Lock()

    def set_of(self, catalogue: _Catalogue) -> dict[str, bytes]:
        """Return the pieces of one catalogue, by unit id."""
        with self._lock:
            found = self._sets.setdefault(catalogue, {})
            self._sets.move_to_end(catalogue)
            while len(self._sets) > 1 and self._is_too_large():
                self._sets.popitem(last=False)
            return found

    def _is_too_large(self) -> bool:
        pieces = sum(map(len, self._sets.values()))
        return len(self._sets) > _MOST_CATALOGUES or pieces > _MOST_PIECES


def unit_bodies(
    session: WorkspaceSession,
    key: KnownKey,
    found: Sequence[FoundUnit],
    *,
    kind: str,
    locale: Locale,
    shape: Shape,
) -> bytes:
    """Return the units as the members of a JSON array, in the order found.

    `kind` names the shape; pieces that are missing are loaded together. A unit that was deleted
    since it was found is left out.
    """
    pieces_kept: UnitPieces = current_app.extensions[PIECES]
    pieces = pieces_kept.set_of(
        _Catalogue(key.workspace_id, key.catalogue_version, today(), kind, locale)
    )
    missing = [unit.id for unit in found if unit.id not in pieces]
    if missing:
        for unit in listed_units(session, missing, today()):
            pieces[unit.id] = to_json(shape(unit))[:-1]
    return b",".join(
        [
            pieces[unit.id] + availability_piece(unit.availability, locale)
            for unit in found
            if unit.id in pieces
        ]
    )


def the_one(units: bytes, asked_for: str) -> bytes:
    """Return the only unit of `unit_bodies`; raise `NotFound` when it was just deleted."""
    if not units:
        raise NotFound(f"There is no unit '{asked_for[:60]}'.")
    return units


@lru_cache(maxsize=4096)
def availability_piece(availability: Availability, locale: Locale) -> bytes:
    """Return the end of a unit's JSON: its availability and the closing brace."""
    return b',"availability":%b}' % to_json(availability_shape(availability, locale))


def availability_shape(availability: Availability, locale: Locale) -> dict[str, Any]:
    """Return the availability as the contract words it; `moveInFrom` alone may be offered."""
    return {
        "state": availability.state,
        "on": availability.on,
        "label": label(availability, locale),
        "confirmed": availability.is_confirmed,
        "moveInFrom": availability.move_in_from,
    }
