"""Tells by how much the lines of an entry differ from its months multiplied out whole."""

from sqlalchemy.orm import Session

from pms.ledger.queries import EntryRecord
from pms.ledger.standing_rows import standing_rows
from pms.pricing.queries import agreed_prices
from pms.rules.day_runs import Days
from pms.rules.enumerations import EntryKind
from pms.rules.rent_lines import multiplied_out_yen


def rounding_difference_yen(session: Session, entry: EntryRecord) -> int:
    """Return the sum of the rent lines less the same days rounded once (specification, Money 2).

    Whole yen, 0 for an entry that bills no days.
    """
    found = standing_rows(session, [entry.reservation_id]).get(entry.reservation_id, ())
    rows = [one.row for one in found if one.entry_id == entry.id and one.row.last_on is not None]
    agreed = agreed_prices(session, [entry.reservation_id]).get(entry.reservation_id)
    if not rows or agreed is None or not agreed.price.periods:
        return 0
    first_on = min(row.first_on for row in rows)
    whole_yen = sum(
        multiplied_out_yen(
            agreed.price,
            Days(row.first_on, row.last_on or row.first_on),
            entry.kind is EntryKind.MOVE_IN and row.first_on == first_on,
        )
        for row in rows
    )
    return sum(line.amount_yen for line in entry.lines if line.row_id is not None) - whole_yen
