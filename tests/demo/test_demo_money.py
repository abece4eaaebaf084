"""The money of the demo is what the rules give: recomputed row by row, on both databases."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.arrivals.lifecycles import advance_lifecycles
from pms.departures.departures import departing
from pms.departures.models import MoveOutNotice
from pms.departures.notice_plans import plan_standing
from pms.deposits.deposit_report import deposit_report
from pms.deposits.models import Settlement
from pms.deposits.settlement_records import settlement_of
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.ledger.billing import Unbillable, bill_month, preview_month
from pms.ledger.models import LedgerEntry, LedgerLine, Payment
from pms.ledger.planned_entries import worded_lines
from pms.ledger.posting import lines_of_entry, lines_of_rows
from pms.ledger.queries import deposit_moves, standings
from pms.ledger.repricing import RentFacts, preview_repricing, read_rent_facts
from pms.reservations.models import Reservation
from pms.rules.days import ONE_DAY, month_last
from pms.rules.deposit import deposit_balance
from pms.rules.enumerations import (
    DepositExclusion,
    EntryKind,
    Lifecycle,
    PaymentStatus,
    PenaltyKind,
    ReservationKind,
    SettlementState,
)
from pms.rules.rent_rows import IssuedRow, standing_lines
from tests.demo.test_demo_workspaces import Seeded

ACTOR = "the test"
CANCELLED = (PaymentStatus.CANCELLED, PaymentStatus.REFUNDED)


@contextmanager
def each_workspace(database: Database, seeded: Seeded) -> Iterator[list[Session]]:
    """A session on every workspace; what is written in it is thrown away."""
    with database.reading(seeded[0].id) as first, database.reading(seeded[1].id) as second:
        yield [first, second]


def residents(session: Session) -> list[Reservation]:
    is_resident = Reservation.kind == ReservationKind.RESIDENT
    return list(session.scalars(select(Reservation).where(is_resident)))


def facts_of(session: Session, today: date) -> list[RentFacts]:
    ids = [row.id for row in residents(session)]
    return list(read_rent_facts(session, ids, today).facts.values())


def test_every_billed_row_stands_at_what_the_rules_make_of_its_days(
    database: Database, seeded: Seeded, today: date
) -> None:
    with each_workspace(database, seeded) as sessions:
        for session in sessions:
            for facts in facts_of(session, today):
                assert facts.rows
                standing = lines_of_rows(session, [row.row_id for row in facts.rows])
                for kept in facts.rows:
                    start_on = facts.tenancy.term.start_on
                    wanted = standing_lines(facts.price.price, kept.row, start_on)
                    assert set(standing.get(kept.row_id, ())) == set(
                        worded_lines(facts.price, wanted, facts.taxes)
                    )


@pytest.mark.thorough("previews every tenancy; that each billed row stands right is quick")
def test_the_dates_as_they_are_reprice_nothing(
    database: Database, seeded: Seeded, clock: FixedClock, today: date
) -> None:
    with each_workspace(database, seeded) as sessions:
        for session in sessions:
            for facts in facts_of(session, today):
                assert not preview_repricing(session, clock, facts.reservation_id, facts.tenancy)


def test_no_day_is_billed_twice_nor_left_out(
    database: Database, seeded: Seeded, today: date
) -> None:
    with each_workspace(database, seeded) as sessions:
        for session in sessions:
            for facts in facts_of(session, today):
                days = [day for kept in facts.rows for day in _days(kept.row)]
                assert len(days) == len(set(days))
                if facts.span is None:
                    assert not days
                    continue
                assert min(days) == facts.span.first_on
                assert max(days) == min(facts.span.last_on or date.max, max(days))
                assert len(days) == (max(days) - min(days)).days + 1


def _days(row: IssuedRow) -> Iterator[date]:
    first_on, last_on = row.first_on, row.last_on
    while last_on is not None and first_on <= last_on:
        yield first_on
        first_on += ONE_DAY


def test_a_run_of_today_has_nothing_to_bill_and_the_next_month_bills_once(
    database: Database, seeded: Seeded, clock: FixedClock
) -> None:
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            plan = preview_month(session, clock)
            assert not plan.entries
            assert {problem.reason for problem in plan.problems} <= {Unbillable.DAMAGED_DATES}
    clock.advance(timedelta(days=10))
    for workspace in seeded:
        with database.writing(workspace.id) as session:
            billed = bill_month(Work(session, clock, ACTOR))
            assert billed.through_on == month_last(clock.today() + timedelta(days=20))
            assert billed.entries > 15
            assert not bill_month(Work(session, clock, ACTOR)).entries


def test_what_was_paid_is_what_stands(database: Database, seeded: Seeded, today: date) -> None:
    with each_workspace(database, seeded) as sessions:
        for session in sessions:
            ids = [row.id for row in residents(session)]
            found, moves = standings(session, ids, today), deposit_moves(session, ids, today)
            for id_ in ids:
                entries, moved = found.get(id_, ()), moves.get(id_, ())
                balance = deposit_balance(entries, moved, today)
                surplus_yen = sum(
                    one.paid_yen - one.payable_yen + one.cancelled_yen for one in entries
                )
                assert balance.held_yen + balance.overpaid_yen - sum(
                    one.unpaid_yen for one in entries
                ) == surplus_yen + sum(move.line_yen for move in moved)
                assert balance.held_yen >= 0


def test_the_payment_status_is_what_the_ledger_says(
    database: Database, seeded: Seeded, today: date
) -> None:
    with each_workspace(database, seeded) as sessions:
        for session in sessions:
            rows = [row for row in residents(session) if row.payment_status not in CANCELLED]
            invoices = dict(
                session.execute(
                    select(LedgerEntry.reservation_id, LedgerEntry.id).where(
                        LedgerEntry.kind == EntryKind.MOVE_IN
                    )
                ).all()
            )
            found = standings(session, [row.id for row in rows], today)
            for row in rows:
                if row.id in invoices:
                    (invoice,) = (one for one in found[row.id] if one.id == invoices[row.id])
                    is_paid = row.payment_status == PaymentStatus.PAID
                    assert (invoice.open_yen == 0) == is_paid, (row.lifecycle, row.payment_status)


def test_every_notice_stands_at_what_the_rules_make_of_it(
    database: Database, seeded: Seeded, clock: FixedClock
) -> None:
    met = Counter[tuple[str, bool]]()
    with each_workspace(database, seeded) as sessions:
        for session in sessions:
            for notice in session.scalars(select(MoveOutNotice)).all():
                row = session.get_one(Reservation, (notice.workspace_id, notice.reservation_id))
                plan = plan_of(session, clock, row)
                assert (notice.penalty_yen, notice.penalty_days) == plan[:2]
                assert (notice.kind, notice.basis, notice.runs_until_on) == plan[2:]
                assert row.move_out_date == notice.move_out_on
                met[notice.basis, notice.is_capped] += 1
                entry_id = notice.penalty_entry_id
                billed = lines_of_entry(session, entry_id) if entry_id else ()
                assert sum(line.yen for line in billed) == notice.penalty_yen
    assert met[PenaltyKind.EARLY_EXIT, True]
    assert met[PenaltyKind.EARLY_EXIT, False]
    assert met[PenaltyKind.SHORT_NOTICE, False]
    assert met[PenaltyKind.NONE, False]


def plan_of(session: Session, clock: FixedClock, row: Reservation) -> tuple[object, ...]:
    penalty = plan_standing(session, clock, departing(session, row, clock.today())).penalty
    return penalty.yen, penalty.days, penalty.kind, penalty.basis, penalty.runs_until_on


def test_settlements_close_the_money_and_every_end_is_there(
    database: Database, seeded: Seeded, today: date
) -> None:
    met = Counter[SettlementState]()
    sent_in_part = 0
    with each_workspace(database, seeded) as sessions:
        for session in sessions:
            for settled in session.scalars(select(Settlement)).all():
                found = settlement_of(session, settled.reservation_id)
                assert found is not None
                met[found.state] += 1
                sent_in_part += 0 < found.sent_yen < settled.remainder_yen
                had_yen = settled.held_yen + settled.overpaid_yen
                spent_yen = settled.deducted_yen + settled.netted_yen + settled.remainder_yen
                assert had_yen == spent_yen
                after = standings(session, [settled.reservation_id], today)
                moves = deposit_moves(session, [settled.reservation_id], today)
                entries = after[settled.reservation_id]
                balance = deposit_balance(entries, moves.get(settled.reservation_id, ()), today)
                assert (balance.held_yen, balance.overpaid_yen) == (0, 0)
                assert sum(one.unpaid_yen for one in entries) == settled.owed_yen
                row = session.get_one(Reservation, (settled.workspace_id, settled.reservation_id))
                is_refunded = found.state is SettlementState.REFUNDED
                assert (row.lifecycle == Lifecycle.REFUNDED) == is_refunded
                assert (row.payment_status == PaymentStatus.REFUNDED) == is_refunded
    assert set(met) == set(SettlementState)
    assert sent_in_part


def test_who_is_settled_has_a_settlement_and_nobody_waits_for_the_days_work(
    database: Database, seeded: Seeded, clock: FixedClock
) -> None:
    for workspace in seeded:
        with database.reading(workspace.id) as session:
            closed = {
                row.id
                for row in residents(session)
                if row.lifecycle in (Lifecycle.SETTLED, Lifecycle.REFUNDED)
            }
            assert closed == set(session.scalars(select(Settlement.reservation_id)))
        with database.writing(workspace.id) as session:
            moved = advance_lifecycles(Work(session, clock, ACTOR))
            assert not moved.confirmed + moved.living + moved.moved_out
            assert not moved.deposits_moved


def test_the_deposit_report_counts_every_exclusion(
    database: Database, seeded: Seeded, today: date
) -> None:
    with each_workspace(database, seeded) as sessions:
        for session in sessions:
            report = deposit_report(session, today)
            assert report.total.held_yen > 1_000_000
            assert report.total.unpaid_yen > 100_000
            assert report.total.overpaid_yen > 0
            assert len(report.deposits) > 100
            assert all(report.excluded[reason] for reason in DepositExclusion)


def test_arrears_of_every_age_are_there(database: Database, seeded: Seeded, today: date) -> None:
    ages = Counter[int]()
    with each_workspace(database, seeded) as sessions:
        for session in sessions:
            living = [r.id for r in residents(session) if r.lifecycle == Lifecycle.LIVING]
            for entries in standings(session, living, today).values():
                ages.update((today - e.due_on).days // 30 for e in entries if e.unpaid_yen)
    assert {0, 1, 2, 3} <= {age for age in ages if age >= 0}


def test_kinds_of_entries_lines_and_prices_are_all_there(
    database: Database, seeded: Seeded
) -> None:
    with each_workspace(database, seeded) as sessions:
        for session in sessions:
            kinds = set(session.scalars(select(LedgerEntry.kind).distinct()))
            # Nobody of the demo was taken over from another system.
            assert set(EntryKind) - kinds <= {
                EntryKind.OPPOSITE,
                EntryKind.STUB,
                EntryKind.OPENING,
            }
            items = set(session.scalars(select(LedgerLine.item).distinct()))
            assert {"base_rent", "internet", "discount", "guest_surcharge", "deposit"} <= items
            assert session.scalar(select(func.count()).select_from(Payment))


def test_nothing_happened_after_yesterday_evening(
    database: Database, clock: FixedClock, seeded: Seeded
) -> None:
    with each_workspace(database, seeded) as sessions:
        for session in sessions:
            assert session.scalars(select(func.max(Payment.received_on))).one() < clock.today()
            assert session.scalars(select(func.max(LedgerEntry.written_at))).one() <= clock.now()
