"""The owners' blueprint, and what the signed-in owner may access: the records of their address."""

from collections.abc import Sequence

from flask import g

from pms.catalogue.owners import (
    OwnedBuilding,
    ever_owned_buildings,
    owned_buildings,
    owners_of_address,
)
from pms.foundation.errors import no_such
from pms.rules.enumerations import UserKind
from pms.statements.owner_statements import OwnersStatement, statement_of_owner
from pms.surfaces.portals.gate import PortalBlueprint
from pms.surfaces.portals.portal import portal, reading


def arrive() -> None:
    """Load the owner records of the address and the buildings they own."""
    g.own_owner_ids = owners_of_address(reading(), portal().workspace_id, portal().address)
    g.own_buildings = owned_buildings(reading(), g.own_owner_ids)
    g.actor = actor()


def owner_ids() -> Sequence[str]:
    """Return the owner records of the address; none after the office removed it."""
    found: Sequence[str] = g.own_owner_ids
    return found


def actor() -> str:
    """Return the actor written to the audit."""
    return f"owner/{owner_ids()[0]}" if owner_ids() else "owner"


def buildings() -> Sequence[OwnedBuilding]:
    """Return the owner's buildings, by name."""
    found: Sequence[OwnedBuilding] = g.own_buildings
    return found


def stated_buildings() -> Sequence[OwnedBuilding]:
    """Return the buildings whose statements may be read, including those owned before."""
    if "stated_buildings" not in g:
        g.stated_buildings = ever_owned_buildings(reading(), owner_ids())
    found: Sequence[OwnedBuilding] = g.stated_buildings
    return found


def owned_building(building_id: str) -> OwnedBuilding:
    """Return the building of a statement, which must be one of `stated_buildings`."""
    return next(stated for stated in stated_buildings() if stated.id == building_id)


def building(building_id: str) -> OwnedBuilding:
    """Return one of the buildings owned now; raise `NotFound` for any other."""
    for building in buildings():
        if building.id == building_id:
            return building
    raise no_such("building", building_id)


def statement(statement_id: str) -> OwnersStatement:
    """Return a statement of the time of ownership; raise `NotFound` for any other."""
    return statement_of_owner(reading(), stated_buildings(), statement_id)


blueprint = PortalBlueprint(UserKind.OWNER)
