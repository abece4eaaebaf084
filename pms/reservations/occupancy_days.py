"""The days of a reservation that occupy its unit, worked out from the days as recorded."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from pms.rules.days import ONE_DAY, RecordedDay, readable
from pms.rules.enumerations import ReservationKind

OCCUPANCY_COLUMNS = (
    "kind",
    "move_in_date",
    "override_move_in_date",
    "contract_end_date",
    "override_contract_end_date",
    "move_out_date",
)


def occupancy_days(row: Mapping[str, Any]) -> dict[str, date | None]:
    """Return `starts_on`, `ends_on`, `free_from` (specification, Contract dates; Availability).

    `free_from` is the day the tenancy gives the unit free as far as it is known without asking
    what day it is: a filed move-out, else the contract end, else open. A forced flag may be set
    beside a successor already booked, so it is the booking, not the row, that heeds it.
    """
    start = _first_set(row, "override_move_in_date", "move_in_date")
    contract_end = _first_set(row, "override_contract_end_date", "contract_end_date")
    move_out = row.get("move_out_date")
    is_guest = row["kind"] == ReservationKind.GUEST
    end = move_out if move_out is not None else (contract_end if is_guest else None)
    free = readable(move_out) or readable(contract_end)
    return {
        "starts_on": readable(start),
        "ends_on": readable(end),
        "free_from": _after(readable(start), free),
    }


def _first_set(row: Mapping[str, Any], *columns: str) -> RecordedDay:
    return next((row[column] for column in columns if row.get(column) is not None), None)


def _after(start: date | None, end: date | None) -> date | None:
    """Whoever leaves on the first day held that one night."""
    return max(start + ONE_DAY, end) if start and end else end
