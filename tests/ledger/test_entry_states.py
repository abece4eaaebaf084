"""How a bill stands is said in one word, on its due day and on the day after."""

from datetime import date

import pytest

from pms.ledger.debts import EntryState, entry_state
from pms.rules.ledger_entries import EntryBalance

DUE = date(2026, 6, 30)
DAY_AFTER = date(2026, 7, 1)


def standing(payable_yen: int, paid_yen: int, deposit_yen: int = 0) -> EntryBalance:
    return EntryBalance("entry", DUE, payable_yen, deposit_yen, paid_yen)


@pytest.mark.parametrize(
    ("found", "on", "state"),
    [
        (EntryBalance("entry", DUE, 0, paid_yen=1, is_voided=True), DAY_AFTER, EntryState.VOIDED),
        (standing(100, 101), DAY_AFTER, EntryState.OVERPAID),
        (standing(100, 100), DAY_AFTER, EntryState.PAID),
        (standing(0, 0), DAY_AFTER, EntryState.NOTHING_TO_PAY),
        (standing(100, 99), DAY_AFTER, EntryState.OVERDUE),
        (standing(100, 100, deposit_yen=1), DAY_AFTER, EntryState.OVERDUE),
        (standing(100, 1), DUE, EntryState.PARTLY_PAID),
        (standing(100, 0), DUE, EntryState.OPEN),
    ],
)
def test_the_state_of_an_entry(found: EntryBalance, on: date, state: EntryState) -> None:
    assert entry_state(found, on) is state
