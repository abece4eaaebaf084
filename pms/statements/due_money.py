"""What somebody has to pay next: what is open, what of it is late, and the next due day."""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from pms.rules.ledger_entries import Standing


class DueMoney(NamedTuple):
    """Money of one reservation as its resident asks for it, in whole yen.

    `open_yen` is all that is billed and not paid, a deposit's line included; `entry_id` is the
    bill to pay first.
    """

    open_yen: int
    overdue_yen: int
    overpaid_yen: int
    next_due_on: date | None
    next_yen: int
    entry_id: str | None


def due_money(standings: Iterable[Standing], on: date) -> DueMoney:
    """Return what is to be paid, from entries as they stand on a day."""
    standing = [one for one in standings if not one.is_voided]
    unpaid = sorted((one for one in standing if one.open_yen), key=lambda one: one.due_on)
    coming = [one for one in unpaid if one.due_on >= on]
    next_on = coming[0].due_on if coming else None
    return DueMoney(
        open_yen=sum(one.open_yen for one in unpaid),
        overdue_yen=sum(one.open_yen for one in unpaid if one.due_on < on),
        overpaid_yen=sum(one.overpaid_yen for one in standing),
        next_due_on=next_on,
        next_yen=sum(one.open_yen for one in coming if one.due_on == next_on),
        entry_id=unpaid[0].id if unpaid else None,
    )
