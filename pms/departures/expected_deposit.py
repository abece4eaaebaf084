"""What a deposit comes to once a notice is filed, if nothing else is billed or paid."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sqlalchemy.orm import Session

from pms.departures.departing import Departing
from pms.departures.notice_plan import NoticePlan
from pms.foundation.clock import Clock
from pms.ledger.queries import deposit_moves, standings
from pms.ledger.repricing_plan import RepricedRow
from pms.rules.deposit import deposit_balance
from pms.rules.ledger_entries import Standing
from pms.rules.settlement import settle

_NEW_PENALTY = "new penalty"


@dataclass(frozen=True, slots=True)
class ExpectedDeposit:
    """Whole yen: held, what it nets, what comes back, and what the resident would still owe."""

    held_yen: int
    overpaid_yen: int
    netted_yen: int
    remainder_yen: int
    owed_yen: int


def expected_deposit(
    session: Session,
    clock: Clock,
    found: Departing,
    plan: NoticePlan,
    repriced: Iterable[RepricedRow],
) -> ExpectedDeposit:
    """Return a settlement of today with the notice's penalty and repriced rent in it."""
    today, id_ = clock.today(), found.row.id
    changes: dict[str, int] = {}
    for row in repriced:
        changes[row.entry_id] = changes.get(row.entry_id, 0) + row.change_yen
    entries = [
        replace(entry, payable_yen=entry.payable_yen + changes.get(entry.id, 0))
        for entry in standings(session, (id_,), today).get(id_, ())
    ]
    entries = _with_penalty(entries, found, plan, clock)
    moves = deposit_moves(session, (id_,), today).get(id_, ())
    # More moved on than was collected is corrected before a settlement, not netted.
    settled = settle(max(deposit_balance(entries, moves, today).held_yen, 0), entries)
    return ExpectedDeposit(
        settled.held_yen,
        settled.overpaid_yen,
        settled.netted_yen,
        settled.remainder_yen,
        settled.owed_yen,
    )


def _with_penalty(
    entries: list[Standing], found: Departing, plan: NoticePlan, clock: Clock
) -> list[Standing]:
    """The penalty's own entry stands at the new amount, or a new one is there."""
    yen, billed_id = plan.penalty.yen, found.notice and found.notice.penalty_entry_id
    if billed_id is None:
        return [*entries, Standing(_NEW_PENALTY, clock.today(), yen)] if yen else entries
    return [replace(one, payable_yen=yen) if one.id == billed_id else one for one in entries]
