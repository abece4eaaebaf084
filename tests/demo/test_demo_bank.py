"""The demo's account has a month of transfers to try; the ledger stands as it did without them."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from pms.bank.accounts import list_accounts
from pms.bank.bank_day import list_recent_transfers
from pms.bank.import_lists import imports_in_force
from pms.bank.import_undoing import undo_all_of_import
from pms.bank.imports import import_file
from pms.bank.models import BankPlacement
from pms.bank.transfers import place_certain
from pms.bank.verdicts import match_waiting
from pms.demo.bank import sample_statement
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.ledger.models import Payment
from pms.rules.enumerations import TransferState
from pms.rules.payer_search import PayerReason
from tests.demo.test_demo_workspaces import Seeded


def test_a_month_of_the_account_waits_in_every_way(
    database: Database, seeded: Seeded, clock: FixedClock
) -> None:
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            day = match_waiting(session, clock.today())
            second, read_in = imports_in_force(session)
            accounts = list_accounts(session)
            placed = list_recent_transfers(session)
        assert (len(day.certain) >= 3, len(day.likely) >= 2, len(day.unknown)) == (True, True, 2)
        assert PayerReason.REMEMBERED in {one.match.payer_reason for one in day.certain}
        assert len(day.kept) == 1
        assert read_in.states[TransferState.NOT_OURS] == 5
        assert len(placed) >= 10
        assert (second.account, second.new_rows) == ("ソラネット銀行", 2)
        assert [(one.is_office, bool(one.number)) for one in accounts] == [
            (True, True),
            (False, False),
        ]
        assert clock.today() - read_in.first_on <= timedelta(days=31)


def test_what_is_placed_are_payments_the_ledger_has(database: Database, seeded: Seeded) -> None:
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            found = session.execute(
                select(BankPlacement, Payment).join(
                    Payment,
                    (Payment.workspace_id == BankPlacement.workspace_id)
                    & (Payment.id == BankPlacement.payment_id),
                )
            ).all()
            placed = session.scalar(select(func.count()).select_from(BankPlacement))
        assert len(found) == placed
        for one, payment in found:
            assert (one.yen, one.reservation_id) == (payment.amount_yen, payment.reservation_id)
            assert payment.reference is None, "the demo's own, not recorded by bank day"


def test_the_sample_goes_on_where_the_month_ends(
    database: Database, seeded: Seeded, clock: FixedClock
) -> None:
    workspace = seeded[0]
    with database.writing(workspace.id) as session:
        data = sample_statement(clock.today())
        (done,) = import_file(Work(session, clock, "staff"), data, file_name="statement.csv")
        (again,) = import_file(Work(session, clock, "staff"), data, file_name="statement.csv")
        day = match_waiting(session, clock.today())
    assert (done.new_rows, done.gap_yen, again.new_rows) == (5, 0, 0)
    new = [one for one in day.every_one if one.match.row.booked_on == clock.today()]
    assert len(new) == 4
    assert PayerReason.REMEMBERED in {one.match.payer_reason for one in new}


@pytest.mark.thorough("writes over a hundred reversals; that one import is undone is quick")
def test_the_month_can_be_placed_and_undone(
    database: Database, seeded: Seeded, clock: FixedClock
) -> None:
    with database.writing(seeded[0].id) as session:
        placed = place_certain(Work(session, clock, "staff")).number
        _second, read_in = imports_in_force(session)
        assert placed >= 3
        assert undo_all_of_import(Work(session, clock, "staff"), read_in.id, reason="try").rows
