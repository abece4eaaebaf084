"""The quick way of the deposit report says what the rules say, whatever is in the ledger."""

from datetime import date

import pytest

from pms.deposits.deposit_report import balances_on, deposit_report
from tests.departures.desk import Desk
from tests.ledger.random_ledger import write_random_ledger

DAYS = (date(2026, 1, 20), date(2026, 4, 1), date(2026, 7, 31), date(2026, 11, 20))


@pytest.mark.parametrize("seed", range(4))
def test_the_report_agrees_with_the_rules_over_random_ledgers(desk: Desk, seed: int) -> None:
    ids = [desk.resident("2026-01-01", "2026-12-31") for _ in range(25)]
    with desk.database.writing(desk.workspace_id) as session:
        write_random_ledger(session, ids, seed)
    for on in DAYS:
        facts = {one.reservation_id: one.balance for one in desk.ask(deposit_report, on).deposits}
        assert facts == desk.ask(balances_on, ids, on)
