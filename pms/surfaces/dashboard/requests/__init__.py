"""Reports of problems: the inbox, reporting, folding into projects."""

from typing import Final

from pms.surfaces.dashboard.reach import EVERYBODY, MAINTENANCE, Address
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

ADDRESSES: tuple[Address, ...] = (
    Address("/requests", "requests", inbox.show, MAINTENANCE),
    Address("/requests/new", "report_problem", reporting.show, EVERYBODY),
    Address("/requests/new", "send_report", reporting.send, EVERYBODY, "POST", _MOST_BYTES),
    Address("/requests/fold", "check_folding", folding.check, MAINTENANCE),
    Address("/requests/fold", "fold_requests", folding.fold, MAINTENANCE, "POST"),
    Address(_ONE, "request", request.show, MAINTENANCE),
    Address(
        f"{_ONE}/photos", "add_request_photos", picturing.add, MAINTENANCE, "POST", _MOST_BYTES
    ),
    Address(f"{_ONE}/unfolding", "unfold_request", unfolding.unfold, MAINTENANCE, "POST"),
    Address(f"{_ONE}/closure", "check_closing", closing.check, MAINTENANCE),
    Address(f"{_ONE}/closure", "close_request", closing.close, MAINTENANCE, "POST"),
)
