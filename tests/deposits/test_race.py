"""Sixty-four who settle, refund or transfer at the same moment: one of them does."""

import pytest

from pms.deposits.deposit_report import balance_on
from pms.deposits.deposit_transfers import transfer_deposit
from pms.deposits.refunds import send_refund
from pms.deposits.settlement_records import settlement_of
from pms.deposits.settlements import AskedDeduction, settle
from pms.foundation.errors import Refused
from pms.ledger.payment_plan import record_payment
from pms.rules.enumerations import EntryKind, Lifecycle, SettlementState
from tests.departures.desk import Desk
from tests.departures.racing import race
from tests.deposits.test_refund_and_transfer import moving_on, settled_in_august
from tests.deposits.test_settle import left_in_august

pytestmark = pytest.mark.differs("locks")

RUNNERS = 64


def test_of_many_settlements_at_once_one_is_written(desk: Desk) -> None:
    id_ = left_in_august(desk)

    def settle_with(number: int) -> int:
        deductions = [AskedDeduction("清掃", 40_000 + number)]
        settled = desk.do(settle, reservation_id=id_, deductions=deductions)
        return settled.settlement.owed_yen

    won, refused = race(RUNNERS, settle_with)
    assert len(won) == 1
    assert {type(refusal) for refusal in refused} == {Refused}
    stored = desk.ask(settlement_of, id_)
    assert stored is not None
    assert [stored.settlement.owed_yen] == won
    assert len(desk.entries(id_, EntryKind.CHARGE)) == 1
    assert desk.ask(balance_on, id_, desk.clock.today()).balance_yen == -won[0]


def test_of_many_whole_refunds_at_once_one_is_sent(desk: Desk) -> None:
    id_ = settled_in_august(desk)
    won, refused = race(RUNNERS, lambda _: desk.do(send_refund, reservation_id=id_).sent_yen)
    assert won == [30_000]
    assert {type(refusal) for refusal in refused} == {Refused}
    assert desk.row(id_).lifecycle == Lifecycle.REFUNDED


def test_of_many_parts_at_once_no_more_than_the_remainder_is_sent(desk: Desk) -> None:
    id_ = settled_in_august(desk)
    asked = {"reservation_id": id_, "amount_yen": 4_000}
    won, refused = race(RUNNERS, lambda _: desk.do(send_refund, **asked).sent_yen)
    assert sorted(won) == [4_000 * number for number in range(1, 8)]
    assert len(refused) == RUNNERS - 7
    stored = desk.ask(settlement_of, id_)
    assert stored is not None
    assert (stored.unsent_yen, stored.state) == (2_000, SettlementState.REFUND_PENDING)
    assert [refund.number for refund in stored.refunds] == list(range(1, 8))


def test_of_many_transfers_at_once_one_moves_the_deposit(desk: Desk) -> None:
    old, new = moving_on(desk)
    won, refused = race(RUNNERS, lambda _: desk.do(transfer_deposit, reservation_id=old).into.yen)
    assert won == [50_000]
    assert {type(refusal) for refusal in refused} == {Refused}
    held = [desk.ask(balance_on, id_, desk.clock.today()).held_yen for id_ in (old, new)]
    assert held == [0, 50_000]


def test_payments_that_arrive_while_a_settlement_is_made_are_in_it_or_after_it(desk: Desk) -> None:
    id_ = left_in_august(desk)
    (invoice,) = desk.entries(id_, EntryKind.MOVE_IN)

    def pay_or_settle(number: int) -> int:
        if number == 7:
            return desk.do(settle, reservation_id=id_).settlement.overpaid_yen
        facts = {"reservation_id": id_, "entry_id": invoice.id, "amount_yen": 100}
        desk.do(record_payment, **facts)
        return 0

    won, refused = race(16, pay_or_settle)
    assert not refused
    in_it = sum(won)
    left = desk.ask(balance_on, id_, desk.clock.today())
    assert in_it + left.overpaid_yen == 15 * 100
    assert (left.held_yen, left.unpaid_yen) == (0, 0)
