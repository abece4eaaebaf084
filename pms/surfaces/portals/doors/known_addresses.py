"""Whose address opens which portal."""

from collections.abc import Callable, Mapping
from typing import Final

from pms.catalogue.owners_of_address import is_owners_address
from pms.reservations.tenancies_of_address import is_residents_address
from pms.rules.enumerations import Door

Known = Callable[..., bool]
"""Asked with a session, a workspace and an address: whether somebody who may come in has it."""

_KNOWN: Final[Mapping[Door, Known]] = {
    Door.RESIDENT: is_residents_address,
    Door.OWNER: is_owners_address,
}


def is_known(door: Door) -> Known:
    """Return the question a portal's door asks about an address."""
    return _KNOWN[door]
