"""What the signed-in owner may reach: the owner records of their address, nothing else."""

from collections.abc import Sequence

from flask import g

from pms.catalogue.owners_of_address import owners_of_address
from pms.surfaces.portals.portal import portal, reading


def arrive() -> None:
    """Find the owner records of the address."""
    g.own_owner_ids = owners_of_address(reading(), portal().workspace_id, portal().address)


def owner_ids() -> Sequence[str]:
    """Return the owner records of the address; none once the office took it away."""
    found: Sequence[str] = g.own_owner_ids
    return found
