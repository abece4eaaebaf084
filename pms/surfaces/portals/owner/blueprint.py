"""The blueprint of the portal of owners; the modules beside this one add their routes to it."""

from pms.rules.enumerations import Door
from pms.surfaces.portals.blueprints import PortalBlueprint

blueprint = PortalBlueprint(Door.OWNER)
