"""Bank day: read a statement in, record what is certain, look at the rest."""

from typing import Final

from pms.surfaces.dashboard.bank import bank_day, transfer
from pms.surfaces.dashboard.routes import OFFICE
_MOST_OF_A_FILE: Final = 12 * 1024 * 1024


