"""How the workspace takes its guests in: times, codes, the register's fields, the rules."""

from pms.surfaces.dashboard.reach import OPERATOR, Address
from pms.surfaces.dashboard.stay_terms import terms

ADDRESSES: tuple[Address, ...] = (
    Address("/settings/stays", "stay_terms", terms.show, OPERATOR),
    Address("/settings/stays", "set_stay_terms", terms.save, OPERATOR, "POST"),
)
