"""How the workspace takes its guests in: times, codes, the register's fields, the rules."""

from pms.surfaces.dashboard.routes import OPERATOR
from pms.surfaces.dashboard.stay_terms import terms


