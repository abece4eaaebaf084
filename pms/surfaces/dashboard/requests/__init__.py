"""Reports of problems: the inbox, reporting, folding into projects."""

from typing import Final

from pms.surfaces.dashboard.routes import EVERYBODY, MAINTENANCE
from pms.surfaces.dashboard.requests import (
    closing,
    folding,
    inbox,
    picturing,
    reporting,
    request,
    unfolding,
)

_ONE: Final = "/requests/<request_id>"
_MOST_BYTES: Final = 50 * 1024 * 1024


