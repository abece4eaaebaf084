"""The residents' blueprint, and what the signed-in resident may access: their own reservations."""

from collections.abc import Sequence
from typing import Final

from flask import g, request

from pms.foundation.errors import no_such
from pms.reservations.own_tenancies import OwnTenancy, tenancies_of_address
from pms.rules.enumerations import UserKind
from pms.surfaces.portals.gate import PortalBlueprint
from pms.surfaces.portals.portal import portal, reading
from pms.surfaces.reader_choice import speak_as_record

__all__ = ["OwnTenancy", "actor", "arrive", "current_tenancy", "tenancies", "tenancy"]

PARAMETER: Final = "reservation_id"
"""The URL parameter with the reservation's id."""


def arrive() -> None:
    """Load the resident's own tenancies and the one in the address; raise for any other."""
    g.own_tenancies = tenancies_of_address(reading(), portal().address)
    named = (request.view_args or {}).get(PARAMETER)
    if named is not None:
        g.own_tenancy = tenancy(named)
        g.actor = actor()
    first = current_tenancy() or next(iter(g.own_tenancies), None)
    if first is not None:
        speak_as_record(first.locale)


def tenancies() -> Sequence[OwnTenancy]:
    """Return the resident's own reservations, newest first."""
    found: Sequence[OwnTenancy] = g.own_tenancies
    return found


def tenancy(reservation_id: str) -> OwnTenancy:
    """Return one of the resident's own reservations; raise `NotFound` for any other id."""
    for tenancy in tenancies():
        if tenancy.id == reservation_id:
            return tenancy
    raise no_such("reservation", reservation_id)


def current_tenancy() -> OwnTenancy | None:
    """Return the reservation of this page; `None` before one is chosen."""
    found: OwnTenancy | None = g.get("own_tenancy")
    return found


def actor() -> str:
    """Return the actor written to the audit: the resident of this reservation."""
    tenancy = current_tenancy()
    assert tenancy is not None, "only a page of one tenancy acts"
    return f"reservation/{tenancy.id}"


blueprint = PortalBlueprint(UserKind.RESIDENT)
