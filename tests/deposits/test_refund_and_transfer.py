"""A refund is a step of its own, up to the remainder; a transfer moves what is held, once."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from pms.deposits.deposit_report import balance_on
from pms.deposits.deposit_transfers import transfer_deposit
from pms.deposits.models import Amendment
from pms.deposits.refunds import send_refund
from pms.deposits.settlement_papers import release_refund
from pms.deposits.settlement_records import settlement_of, unsent_refunds
from pms.deposits.settlements import AskedDeduction, settle
from pms.foundation.audit import AuditRecord
from pms.foundation.errors import NotFound, Refused
from pms.foundation.phrases import Bilingual
from pms.ledger.charges import post_charge
from pms.ledger.posting import void_entry
from pms.ledger.statement import Movement, statement
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import FeeCategory, Lifecycle, PaymentStatus, SettlementState
from tests.departures.desk import STAFF, Desk
from tests.deposits.test_settle import left_in_august


def settled_in_august(desk: Desk) -> str:
    id_ = left_in_august(desk)
    desk.do(settle, reservation_id=id_)
    release(desk, id_)
    return id_


def release(desk: Desk, id_: str) -> None:
    """The resident agreed on the phone."""
    desk.do(release_refund, reservation_id=id_, reason="電話で合意")


def test_a_refund_in_parts_is_refunded_only_when_all_of_it_was_sent(desk: Desk) -> None:
    id_ = settled_in_august(desk)
    desk.on("2025-09-10")
    part = desk.do(send_refund, reservation_id=id_, amount_yen=10_000, reference="FB-1")
    assert (part.state, part.unsent_yen) == (SettlementState.REFUND_PENDING, 20_000)
    assert desk.row(id_).lifecycle == Lifecycle.SETTLED
    whole = desk.do(send_refund, reservation_id=id_, sent_on=date(2025, 9, 8), reference="F" * 200)
    assert (whole.state, whole.unsent_yen) == (SettlementState.REFUNDED, 0)
    row = desk.row(id_)
    assert (row.lifecycle, row.payment_status) == (Lifecycle.REFUNDED, PaymentStatus.REFUNDED)
    stored = desk.ask(settlement_of, id_)
    assert stored is not None
    assert [(one.number, one.amount_yen, one.sent_on) for one in stored.refunds] == [
        (1, 10_000, date(2025, 9, 10)),
        (2, 20_000, date(2025, 9, 8)),
    ]
    assert stored.refunds[0].reference == "FB-1"


def test_a_payment_status_that_cannot_become_refunded_stays(desk: Desk) -> None:
    id_ = settled_in_august(desk)
    with desk.database.writing(desk.workspace_id) as session:
        session.merge(desk.row(id_)).payment_status = PaymentStatus.PENDING
    desk.do(send_refund, reservation_id=id_)
    assert desk.row(id_).payment_status == PaymentStatus.PENDING


@pytest.mark.parametrize("yen", [0, -1, 30_001, 10**12, True, 1.5, "30000", "¥1"])
def test_an_amount_that_is_not_whole_yen_up_to_the_remainder_is_refused(
    desk: Desk, yen: Any
) -> None:
    id_ = settled_in_august(desk)
    with desk.refuses(f"amountYen: '{yen}'", "from 1 to 30000", as_=Refused):
        desk.do(send_refund, reservation_id=id_, amount_yen=yen)


def test_a_refund_above_what_is_left_of_the_remainder_is_refused(desk: Desk) -> None:
    id_ = settled_in_august(desk)
    desk.do(send_refund, reservation_id=id_, amount_yen=25_000)
    with desk.refuses("from 1 to 5000", as_=Refused):
        desk.do(send_refund, reservation_id=id_, amount_yen=5_001)
    desk.do(send_refund, reservation_id=id_)
    for yen in (None, 1):
        with desk.refuses("Nothing is left to refund", as_=Refused):
            desk.do(send_refund, reservation_id=id_, amount_yen=yen)


def test_a_zero_refund_is_not_a_sent_one(desk: Desk) -> None:
    id_ = left_in_august(desk)
    settled = desk.do(settle, reservation_id=id_, deductions=[AskedDeduction("寝具", 30_000)])
    assert settled.state == SettlementState.ZERO_REFUND
    with desk.refuses("Nothing is left to refund", as_=Refused):
        desk.do(send_refund, reservation_id=id_)
    assert desk.row(id_).lifecycle == Lifecycle.SETTLED


def test_a_refund_follows_a_settlement_and_its_day_too(desk: Desk) -> None:
    id_ = left_in_august(desk)
    with desk.refuses("not settled yet", as_=Refused):
        desk.do(send_refund, reservation_id=id_, amount_yen=1)
    desk.do(settle, reservation_id=id_)
    release(desk, id_)
    for day in (date(2025, 9, 4), date(2025, 9, 6)):
        with desk.refuses("sentOn", "2025-09-05", as_=Refused):
            desk.do(send_refund, reservation_id=id_, sent_on=day)
    for reference in ("x" * 201, "FB\0", "FB\n1"):
        with desk.refuses("reference", as_=Refused):
            desk.do(send_refund, reservation_id=id_, reference=reference)
    with desk.refuses("no reservation", as_=NotFound):
        desk.do(send_refund, reservation_id="0" * 32)


@pytest.mark.differs("sums of what a settlement paid")
def test_what_is_overpaid_after_the_settlement_is_owed_and_sent_once(desk: Desk) -> None:
    id_ = left_in_august(desk)
    charge = {"reservation_id": id_, "label": Bilingual("清掃", "Cleaning")}
    cleaning = desk.do(post_charge, amount_yen=12_000, category=FeeCategory.CLEANING, **charge)
    settled = desk.do(settle, reservation_id=id_)
    assert (settled.settlement.netted_yen, settled.unsent_yen) == (12_000, 18_000)
    release(desk, id_)
    desk.do(send_refund, reservation_id=id_)
    desk.on("2025-09-12")
    desk.do(void_entry, entry_id=cleaning)
    desk.do(post_charge, amount_yen=2_000, category=FeeCategory.OTHER, **charge)
    owed = desk.ask(settlement_of, id_)
    assert owed is not None
    assert (owed.state, owed.unsent_yen) == (SettlementState.REFUND_PENDING, 10_000)
    with desk.database.reading(desk.workspace_id) as session:
        (waiting,) = unsent_refunds(session, desk.clock.today())
        assert (waiting.settlement.id, waiting.unsent_yen) == (settled.settlement.id, 10_000)
    with desk.refuses("from 1 to 10000", as_=Refused):
        desk.do(send_refund, reservation_id=id_, amount_yen=10_001)
    part = desk.do(send_refund, reservation_id=id_, amount_yen=4_000)
    assert (part.state, part.unsent_yen) == (SettlementState.REFUND_PENDING, 6_000)
    whole = desk.do(send_refund, reservation_id=id_)
    assert (whole.state, whole.overpaid_since_yen) == (SettlementState.REFUNDED, 10_000)
    left = desk.ask(balance_on, id_, desk.clock.today())
    assert (left.held_yen, left.unpaid_yen, left.overpaid_yen) == (0, 2_000, 2_000)
    with desk.refuses("Nothing is left to refund", as_=Refused):
        desk.do(send_refund, reservation_id=id_, amount_yen=1)
    assert not desk.ask(unsent_refunds, desk.clock.today())


@pytest.mark.differs("sums of what a settlement paid")
def test_a_part_of_the_refund_is_the_remainder_first_and_then_what_was_overpaid_later(
    desk: Desk,
) -> None:
    id_ = left_in_august(desk)
    charge = {"reservation_id": id_, "label": Bilingual("清掃", "Cleaning")}
    cleaning = desk.do(post_charge, amount_yen=12_000, category=FeeCategory.CLEANING, **charge)
    desk.do(settle, reservation_id=id_)
    release(desk, id_)
    desk.on("2025-09-12")
    desk.do(void_entry, entry_id=cleaning)

    def sent(yen: int) -> tuple[int, int, int]:
        found = desk.do(send_refund, reservation_id=id_, amount_yen=yen)
        ledger = desk.ask(balance_on, id_, desk.clock.today())
        return found.unsent_yen, found.drawn_yen, ledger.overpaid_yen

    assert sent(10_000) == (20_000, 0, 12_000), "18,000 remain before anything else"
    assert sent(13_000) == (7_000, 5_000, 7_000)
    assert sent(7_000) == (0, 12_000, 0)


def moving_on(desk: Desk) -> tuple[str, str]:
    """A resident who changes rooms on 18 May; 50,000 are held, nothing is open."""
    desk.on("2025-01-15")
    old = desk.resident("2025-02-01", "2025-07-31", deposit_yen=50_000)
    desk.invoice(old)
    desk.pay_all(old)
    desk.on("2025-05-10")
    new = desk.resident("2025-05-18", "2025-11-17", lifecycle=Lifecycle.CONFIRMED)
    with desk.database.writing(desk.workspace_id) as session:
        row = session.merge(desk.row(old))
        row.lifecycle, row.move_out_date = Lifecycle.TRANSFERRED, date(2025, 5, 17)
    ids = {"old_reservation_id": old, "new_reservation_id": new, "last_on": date(2025, 5, 17)}
    desk.add(Amendment(**ids, written_at=desk.clock.now(), written_by=STAFF))
    desk.on("2025-05-18")
    return old, new


def held(desk: Desk, id_: str) -> int:
    return desk.ask(balance_on, id_, desk.clock.today()).held_yen


def test_a_transfer_closes_one_side_opens_the_other_and_happens_once(desk: Desk) -> None:
    old, new = moving_on(desk)
    transfer = desk.do(transfer_deposit, reservation_id=old)
    ledgers = [desk.ask(statement, id_, desk.clock.today()) for id_ in (old, new)]
    (left,), (came,) = ([row for row in found.rows if row.other_id] for found in ledgers)
    assert (left.movement, left.other_id) == (Movement.DEPOSIT_OUT, new)
    assert (came.movement, came.other_id) == (Movement.DEPOSIT_IN, old)
    assert left.deposit_yen + came.deposit_yen == 0
    assert came.deposit_yen == 50_000
    assert [found.owed_yen for found in ledgers] == [
        sum(row.yen for row in found.rows) for found in ledgers
    ], "a deposit on paper changes no balance"
    assert (transfer.out.line_yen, transfer.into.line_yen) == (-50_000, 50_000)
    assert (held(desk, old), held(desk, new)) == (0, 50_000)
    with desk.database.reading(desk.workspace_id) as session:
        moved = select(AuditRecord).where(AuditRecord.audit_event == AuditEvent.DEPOSIT_TRANSFERRED)
        noted = {one.subject_id: one.after for one in session.scalars(moved)}
    facts = {"amount_yen": 50_000, "reservation_id": old, "new_reservation_id": new}
    assert noted == {old: facts, new: facts}
    with desk.refuses("deposit of this change has already been moved", as_=Refused):
        desk.do(transfer_deposit, reservation_id=old)


def test_a_transferred_reservation_is_settled_after_its_deposit_moved(desk: Desk) -> None:
    old, new = moving_on(desk)
    with desk.refuses("50000", "new reservation on 2025-05-18", as_=Refused):
        desk.do(settle, reservation_id=old)
    desk.do(transfer_deposit, reservation_id=old)
    (invoice,) = desk.entries(old, "move_in")
    desk.pay(old, 700, invoice.id)
    settled = desk.do(settle, reservation_id=old)
    assert (settled.settlement.held_yen, settled.settlement.remainder_yen) == (0, 700)
    release(desk, old)
    desk.do(send_refund, reservation_id=old)
    assert desk.row(old).lifecycle == Lifecycle.REFUNDED
    assert held(desk, new) == 50_000


def test_a_transferred_reservation_is_not_settled_before_its_last_day(desk: Desk) -> None:
    old, _ = moving_on(desk)
    desk.on("2025-05-16")
    with desk.refuses("2025-05-17", as_=Refused):
        desk.do(settle, reservation_id=old)
    desk.on("2025-05-17")
    with desk.refuses("yen moves to the new reservation on", as_=Refused):
        desk.do(settle, reservation_id=old)


def test_without_an_amendment_or_a_deposit_nothing_moves(desk: Desk) -> None:
    plain = desk.resident("2025-02-01", "2025-07-31")
    with desk.refuses("room or occupant change", as_=Refused):
        desk.do(transfer_deposit, reservation_id=plain)
    other = desk.resident("2025-08-01", "2026-07-31")
    ids = {"old_reservation_id": plain, "new_reservation_id": other, "last_on": date(2025, 7, 31)}
    desk.add(Amendment(**ids, written_at=desk.clock.now(), written_by=STAFF))
    with desk.refuses("has no deposit", as_=Refused):
        desk.do(transfer_deposit, reservation_id=plain)
    for torn in ("x", "0" * 32):
        with desk.refuses("no reservation", as_=NotFound):
            desk.do(transfer_deposit, reservation_id=torn)


def test_a_deposit_that_can_move_no_more_is_settled_where_it_lies(desk: Desk) -> None:
    old, new = moving_on(desk)
    with desk.database.writing(desk.workspace_id) as session:
        session.merge(desk.row(new)).lifecycle = Lifecycle.CANCELLED
    assert desk.do(settle, reservation_id=old).settlement.held_yen == 50_000


def test_each_amendment_moves_its_own_deposit_whatever_became_of_others(desk: Desk) -> None:
    pairs = [moving_on(desk) for _ in range(3)]
    for old, new in pairs[:2]:
        desk.do(transfer_deposit, reservation_id=old)
        assert (held(desk, old), held(desk, new)) == (0, 50_000)
    old, new = pairs[2]
    with desk.refuses("yen moves to the new reservation on", as_=Refused):
        desk.do(settle, reservation_id=old)
    with desk.database.writing(desk.workspace_id) as session:
        session.merge(desk.row(new)).lifecycle = Lifecycle.CANCELLED
    assert desk.do(settle, reservation_id=old).settlement.held_yen == 50_000


def test_a_closed_reservation_neither_gives_nor_takes_a_deposit(desk: Desk) -> None:
    old, new = moving_on(desk)
    with desk.database.writing(desk.workspace_id) as session:
        session.merge(desk.row(new)).lifecycle = Lifecycle.CANCELLED
    with desk.refuses(new, "cancelled", as_=Refused):
        desk.do(transfer_deposit, reservation_id=old)
