"""The papers of the demo: numbers without a gap, statements that the ledger still says."""

from datetime import timedelta

from sqlalchemy import select

from pms.catalogue.models import Building
from pms.deposits.models import Amendment
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.numbering import Counter
from pms.foundation.work import Work
from pms.ledger.models import DepositMoveRow, LedgerEntry
from pms.reservations.models import Reservation
from pms.rules.enumerations import EntryKind, Lifecycle
from pms.statements.due_invoices import due_entries
from pms.statements.invoices import issue_invoice
from pms.statements.models import Invoice, OwnerStatement, Receipt
from pms.statements.owner_publishing import publish_statement
from pms.workspaces.models import Workspace
from tests.demo.test_demo_workspaces import Seeded

ACTOR = "the test"


def test_numbers_of_papers_have_no_gap_and_the_next_one_follows(
    database: Database, seeded: Seeded, clock: FixedClock
) -> None:
    for workspace in seeded:
        with database.writing(workspace.id) as session:
            for table, first in ((Invoice, ""), (Receipt, "R")):
                numbers = session.scalars(select(table.number).order_by(table.number)).all()
                assert list(numbers) == [f"{first}2026-{n:06}" for n in range(1, len(numbers) + 1)]
                assert len(numbers) > 10
            counters = dict(session.execute(select(Counter.series, Counter.value)).all())
            old = select(LedgerEntry.id).where(
                LedgerEntry.kind == EntryKind.RENT,
                LedgerEntry.issued_on < clock.today() - timedelta(days=60),
            )
            entry_id = session.scalars(old.order_by(LedgerEntry.id.desc()).limit(1)).one()
            next_one = counters["invoice-2026"] + 1
            assert (
                issue_invoice(Work(session, clock, ACTOR), entry_id).number == f"2026-{next_one:06}"
            )


def test_the_first_start_has_no_pile_of_invoices_to_send(
    database: Database, seeded: Seeded, clock: FixedClock
) -> None:
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            assert len(due_entries(session, clock, after=None, most=50)) < 10


def test_two_months_of_statements_are_out_and_a_repeat_publishes_nothing(
    database: Database, seeded: Seeded, clock: FixedClock
) -> None:
    for workspace in seeded:
        with database.writing(workspace.id) as session:
            houses = session.scalars(select(Building.id)).all()
            out = session.scalars(select(OwnerStatement).order_by(OwnerStatement.month_on)).all()
            assert len(out) == 2 * len(houses)
            for statement in out:
                again = publish_statement(
                    Work(session, clock, ACTOR),
                    building_id=statement.building_id,
                    month_on=statement.month_on,
                )
                assert again.id == statement.id
                assert statement.figures["opening_yen"] == 0
                assert statement.figures["payout_yen"] > 0


def test_a_change_of_rooms_took_its_deposit_along(database: Database, seeded: Seeded) -> None:
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            for amendment in session.scalars(select(Amendment)).all():
                moved = session.scalars(
                    select(DepositMoveRow).where(DepositMoveRow.transfer_id == amendment.id)
                ).all()
                held = {move.reservation_id: (move.kind, move.amount_yen) for move in moved}
                assert held[amendment.old_reservation_id][0] == "out"
                assert held[amendment.new_reservation_id][0] == "in"
                assert len({yen for _, yen in held.values()}) == 1
                new = session.get_one(Reservation, (workspace.id, amendment.new_reservation_id))
                old = session.get_one(Reservation, (workspace.id, amendment.old_reservation_id))
                assert (old.lifecycle, new.deposit_yen) == (Lifecycle.TRANSFERRED, 0)
                assert new.starts_on == amendment.last_on + timedelta(days=1)


def test_both_workspaces_issue_qualified_invoices_and_name_their_bank(
    database: Database, seeded: Seeded
) -> None:
    with database.across_workspaces_reading() as session:
        for workspace in session.scalars(select(Workspace)).all():
            assert workspace.qualified_invoice_number
            assert workspace.bank_details
