"""A deposit's balance counts every yen once, and a settlement gives every yen a place."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pms.rules.cancellation import arrears_of, kept_fee_yen
from pms.rules.deposit import (
    Deduction,
    DepositBalance,
    DepositMove,
    RefundProblem,
    ReportedReservation,
    deposit_balance,
    deposit_transfer,
    exclusion_of,
    refusal_of_refund,
    settle,
    settlement_state,
)
from pms.rules.enumerations import (
    DepositExclusion,
    DepositMoveKind,
    ReservationKind,
    SettlementState,
)
from pms.rules.ledger_entries import (
    ArrearsOf,
    EntryBalance,
    EntryHistory,
    EntryPayment,
    EntryPosting,
    standings_on,
)
from pms.rules.payments import (
    AllocatedPart,
    PaymentProblem,
    allocated_payment,
    distribute_yen,
    followed_payments,
    refusal_of_payment,
)
from tests.rules.facts import TODAY, kinds, near_days

yen = st.integers(0, 1000)
LATER = TODAY + timedelta(days=60)


@st.composite
def ledgers(draw: st.DrawFn) -> list[EntryHistory]:
    """Up to four entries with postings and payments on any days; arrears come afterwards."""
    entries = []
    for number in range(draw(st.integers(0, 4))):
        issued_on = draw(near_days)
        entries.append(
            EntryHistory(
                id=f"entry {number}",
                due_on=max(issued_on, draw(near_days)),
                postings=(EntryPosting(issued_on, draw(yen), draw(yen)),),
                payments=tuple(draw(st.lists(st.builds(EntryPayment, near_days, yen), max_size=3))),
                voided_on=draw(st.none() | near_days),
            )
        )
    return entries


standings = st.builds(
    EntryBalance,
    id=st.uuids().map(str),
    due_on=near_days,
    payable_yen=yen,
    deposit_yen=yen,
    paid_yen=st.integers(0, 3000),
    cancelled_yen=st.integers(0, 300),
)
standings_of_a_reservation = st.lists(standings, max_size=5)
moves = st.lists(
    st.builds(DepositMove, near_days, st.sampled_from(DepositMoveKind), yen), max_size=3
)
deductions = st.lists(yen.filter(bool), max_size=3).map(
    lambda amounts: [Deduction(f"deduction {place}", one) for place, one in enumerate(amounts)]
)


def balance_on(entries: Sequence[EntryHistory], on: date) -> DepositBalance:
    return deposit_balance(standings_on(entries, on), (), on)


@given(standings)
def test_every_yen_paid_is_for_rent_for_the_deposit_or_too_much(standing: EntryBalance) -> None:
    own = standing.payable_yen - standing.cancelled_yen
    assert standing.paid_yen == (
        own - standing.unpaid_yen + standing.collected_yen + standing.overpaid_yen
    )
    assert 0 <= standing.collected_yen <= standing.deposit_yen
    assert not (standing.unpaid_yen and standing.overpaid_yen)
    if standing.collected_yen:
        assert standing.unpaid_yen == 0
    if standing.overpaid_yen:
        assert standing.collected_yen == standing.deposit_yen


@given(ledgers(), near_days)
def test_an_entry_counts_only_what_happened_by_the_day(
    entries: list[EntryHistory], on: date
) -> None:
    found = standings_on(entries, on)
    assert {standing.id for standing in found} == {
        entry.id for entry in entries if entry.postings[0].on <= on
    }
    by_id = {entry.id: entry for entry in entries}
    for standing in found:
        entry = by_id[standing.id]
        assert standing.paid_yen == sum(paid.yen for paid in entry.payments if paid.on <= on)
        if standing.is_voided:
            assert standing.payable_yen == standing.deposit_yen == 0
            assert standing.overpaid_yen == standing.paid_yen


@given(ledgers(), st.integers(1, 1500))
def test_an_arrears_charge_within_the_shortfall_changes_no_balance(
    entries: list[EntryHistory], amount_yen: int
) -> None:
    found = [standing for standing in standings_on(entries, LATER) if standing.unpaid_yen]
    assume(found)
    amount = min(amount_yen, found[0].unpaid_yen)
    charge = EntryHistory(
        "arrears", LATER, (EntryPosting(LATER, amount),), arrears_of=arrears_of(found[0], amount)
    )
    assert balance_on([*entries, charge], LATER) == balance_on(entries, LATER)


@given(ledgers(), st.integers(1, 3000), st.integers(0, 3000))
def test_paying_a_charge_and_the_month_it_collects_is_an_overpayment(
    entries: list[EntryHistory], amount_yen: int, paid_yen: int
) -> None:
    found = [standing for standing in standings_on(entries, LATER) if standing.unpaid_yen]
    assume(found)
    shortfall = found[0].unpaid_yen
    arrears = arrears_of(found[0], amount_yen)
    assert arrears.cancelled_yen == min(amount_yen, shortfall)
    charge = EntryHistory(
        "arrears",
        LATER,
        (EntryPosting(LATER, amount_yen),),
        payments=(EntryPayment(LATER, paid_yen),),
        arrears_of=arrears,
    )
    before, after = balance_on(entries, LATER), balance_on([*entries, charge], LATER)
    extra_yen = amount_yen - arrears.cancelled_yen
    assert after.balance_yen == before.balance_yen + paid_yen - extra_yen


@given(ledgers(), st.integers(1, 3000))
def test_voiding_an_arrears_charge_gives_the_shortfall_back(
    entries: list[EntryHistory], amount_yen: int
) -> None:
    found = [standing for standing in standings_on(entries, LATER) if standing.unpaid_yen]
    assume(found)
    charge = EntryHistory(
        "arrears",
        LATER,
        (EntryPosting(LATER, amount_yen),),
        arrears_of=arrears_of(found[0], amount_yen),
        voided_on=LATER,
    )
    assert balance_on([*entries, charge], LATER) == balance_on(entries, LATER)


def test_a_month_that_nets_to_nothing_gives_back_what_its_arrears_charge_took() -> None:
    entry = EntryHistory(
        "june",
        TODAY,
        (EntryPosting(TODAY, 100), EntryPosting(LATER, -100)),
        (EntryPayment(TODAY, 60),),
    )
    charge = EntryHistory(
        "arrears", TODAY, (EntryPosting(TODAY, 40),), arrears_of=ArrearsOf("june", 40)
    )
    assert balance_on([entry, charge], TODAY).balance_yen == -40
    assert balance_on([entry, charge], LATER).balance_yen == 60


@given(standings_of_a_reservation, moves, near_days)
def test_a_balance_is_the_sum_of_what_each_entry_and_each_move_makes_of_it(
    found: list[EntryBalance], moved: list[DepositMove], on: date
) -> None:
    whole = deposit_balance(found, moved, on)
    parts = [deposit_balance([standing], (), on).balance_yen for standing in found]
    parts += [deposit_balance((), [move], on).balance_yen for move in moved]
    assert whole.balance_yen == sum(parts)
    assert whole.balance_yen == whole.held_yen - whole.unpaid_yen + whole.overpaid_yen


@given(standings_of_a_reservation)
def test_what_is_not_yet_due_is_not_owed(found: list[EntryBalance]) -> None:
    dawn = min((standing.due_on for standing in found), default=TODAY) - timedelta(days=1)
    assert deposit_balance(found, (), dawn).unpaid_yen == 0
    assert deposit_balance(found, (), LATER).unpaid_yen == sum(one.unpaid_yen for one in found)


@given(standings_of_a_reservation, standings_of_a_reservation)
def test_a_transfer_moves_the_whole_held_deposit_and_sums_to_nothing(
    old: list[EntryBalance], new: list[EntryBalance]
) -> None:
    before = [deposit_balance(one, (), LATER) for one in (old, new)]
    transfer = deposit_transfer(before[0].held_yen, LATER)
    if transfer is None:
        assert before[0].held_yen == 0
        return
    assert transfer.out.line_yen + transfer.into.line_yen == 0
    closed = deposit_balance(old, [transfer.out], LATER)
    opened = deposit_balance(new, [transfer.into], LATER)
    assert closed.held_yen == 0
    assert closed.unpaid_yen == before[0].unpaid_yen
    assert closed.balance_yen + opened.balance_yen == sum(one.balance_yen for one in before)


@given(yen, standings_of_a_reservation, deductions)
def test_a_settlement_conserves_money(
    held_yen: int, found: list[EntryBalance], wanted: list[Deduction]
) -> None:
    settled = settle(held_yen, found, wanted)
    unpaid_yen = sum(standing.unpaid_yen for standing in found)
    wanted_yen = sum(deduction.yen for deduction in wanted)
    money = held_yen + settled.overpaid_yen
    assert money == settled.deducted_yen + settled.netted_yen + settled.remainder_yen
    assert wanted_yen + unpaid_yen == (settled.deducted_yen + settled.netted_yen + settled.owed_yen)
    assert not (settled.remainder_yen and settled.owed_yen)
    charged_yen = sum(charge.yen for charge in settled.charges)
    assert settled.deducted_yen + charged_yen == wanted_yen
    if charged_yen:
        assert settled.nettings == ()


@given(yen, standings_of_a_reservation, deductions)
def test_after_a_settlement_is_written_only_what_stays_owed_is_left(
    held_yen: int, found: list[EntryBalance], wanted: list[Deduction]
) -> None:
    settled = settle(held_yen, found, wanted)
    netted, drawn = dict(settled.nettings), dict(settled.draws)
    written = [
        replace(one, paid_yen=one.paid_yen + netted.get(one.id, 0) - drawn.get(one.id, 0))
        for one in found
    ]
    charges = [EntryBalance(charge.entry_id, LATER, charge.yen) for charge in settled.charges]
    left = deposit_balance([*written, *charges], (), LATER)
    assert left.overpaid_yen == 0
    assert left.unpaid_yen == settled.owed_yen
    assert left.held_yen == sum(one.collected_yen for one in found)


def test_the_oldest_due_is_netted_first() -> None:
    young = EntryBalance("young", LATER, 100)
    old = EntryBalance("old", TODAY, 100)
    settled = settle(150, [young, old])
    assert settled.nettings == (AllocatedPart("old", 100), AllocatedPart("young", 50))
    assert settled.owed_yen == 50


def test_a_deduction_that_money_is_not_there_for_becomes_a_charge() -> None:
    settled = settle(50, [], [Deduction("cleaning", 30), Deduction("repair", 40)])
    assert settled.deductions == (AllocatedPart("cleaning", 30), AllocatedPart("repair", 20))
    assert settled.charges == (AllocatedPart("repair", 20),)
    assert settlement_state(settled.remainder_yen, settled.owed_yen) is (
        SettlementState.RESIDENT_OWES
    )


@given(yen, yen, st.integers(0, 2000))
def test_refunded_means_that_all_of_a_remainder_was_sent(
    remainder_yen: int, owed_yen: int, sent_yen: int
) -> None:
    state = settlement_state(remainder_yen, owed_yen, sent_yen)
    is_refunded = state is SettlementState.REFUNDED
    assert is_refunded == (0 < remainder_yen <= sent_yen)
    if remainder_yen == 0:
        owes = SettlementState.RESIDENT_OWES if owed_yen else SettlementState.ZERO_REFUND
        assert state is owes


@pytest.mark.parametrize(
    ("remainder_yen", "sent_yen", "amount_yen", "problem"),
    [
        (100, 0, 100, None),
        (100, 40, 60, None),
        (100, 0, 0, RefundProblem.NOT_POSITIVE),
        (100, 0, -1, RefundProblem.NOT_POSITIVE),
        (0, 0, 1, RefundProblem.NOTHING_TO_REFUND),
        (100, 100, 1, RefundProblem.NOTHING_TO_REFUND),
        (100, 40, 61, RefundProblem.ABOVE_REMAINDER),
    ],
)
def test_a_refund_never_exceeds_the_remainder(
    remainder_yen: int, sent_yen: int, amount_yen: int, problem: RefundProblem | None
) -> None:
    assert refusal_of_refund(remainder_yen, sent_yen, amount_yen) is problem


@given(st.lists(st.tuples(st.sampled_from("ABC"), yen), max_size=6), yen)
def test_yen_poured_over_wants_are_all_somewhere(wants: list[tuple[str, int]], poured: int) -> None:
    found = distribute_yen(wants, poured)
    assert sum(part.yen for part in found.allocations) + found.left_yen == poured
    assert len({part.entry_id for part in found.allocations}) == len(found.allocations)
    if found.left_yen:
        assert sum(part.yen for part in found.allocations) == sum(want for _, want in wants)


@given(standings_of_a_reservation, yen)
def test_a_payment_fills_rent_oldest_due_first_and_deposits_last(
    found: list[EntryBalance], paid_yen: int
) -> None:
    spread = allocated_payment(paid_yen, found)
    parts = dict(spread.allocations)
    after = [replace(one, paid_yen=one.paid_yen + parts.get(one.id, 0)) for one in found]
    assert sum(parts.values()) + spread.left_yen == paid_yen
    assert sum(one.overpaid_yen for one in after) == sum(one.overpaid_yen for one in found)
    in_order = sorted(after, key=lambda one: one.due_on)
    for older, younger in pairwise(in_order):
        if older.unpaid_yen:
            assert parts.get(younger.id, 0) == 0
    if spread.left_yen:
        assert all(one.open_yen == 0 for one in after)
    if any(one.unpaid_yen for one in after):
        assert sum(one.collected_yen for one in after) == sum(one.collected_yen for one in found)


def test_an_overpaid_invoice_follows_the_rows_that_left_it_oldest_first() -> None:
    created = [("rent 2026-07", 83_000), ("rent 2026-08", 83_000)]
    assert followed_payments(100_000, created).allocations == (
        AllocatedPart("rent 2026-07", 83_000),
        AllocatedPart("rent 2026-08", 17_000),
    )
    assert followed_payments(200_000, created).left_yen == 34_000


def test_a_voided_entry_takes_no_payment_and_nobody_pays_nothing() -> None:
    standing = EntryBalance("rent", TODAY, 100)
    assert refusal_of_payment(standing, 1) is None
    assert refusal_of_payment(standing, 0) is PaymentProblem.NOT_POSITIVE
    voided = replace(standing, is_voided=True)
    assert refusal_of_payment(voided, 1) is PaymentProblem.ENTRY_VOIDED


@given(yen, yen)
def test_a_cancelled_booking_keeps_its_fee_as_far_as_it_was_paid(
    fee_yen: int, paid_yen: int
) -> None:
    assert kept_fee_yen(fee_yen, paid_yen) == min(fee_yen, paid_yen)


@given(kinds, st.booleans(), st.booleans(), st.booleans())
def test_deposit_reporting_leaves_out_what_the_law_names_and_says_why(
    kind: ReservationKind, is_imported: bool, has_moved_in: bool, is_paid: bool
) -> None:
    found = exclusion_of(ReportedReservation(kind, is_imported, has_moved_in, is_paid))
    if found is None:
        assert kind is ReservationKind.RESIDENT
        assert not is_imported
        assert has_moved_in or is_paid
    else:
        reasons = {
            DepositExclusion.RENT_ROLL: is_imported,
            DepositExclusion.OWNER_RESIDENT: kind is ReservationKind.OWNER_RESIDENT,
            DepositExclusion.GUEST: kind is ReservationKind.GUEST,
            DepositExclusion.ONBOARDING: not (has_moved_in or is_paid),
        }
        assert reasons[found]


def test_a_voided_entry_owes_nothing_also_of_what_an_arrears_charge_took_over() -> None:
    entry = EntryHistory("june", TODAY, (EntryPosting(TODAY, 100),), (EntryPayment(TODAY, 60),))
    charge = EntryHistory(
        "arrears", TODAY, (EntryPosting(TODAY, 40),), arrears_of=ArrearsOf("june", 40)
    )
    [standing, _] = standings_on([entry, charge], TODAY)
    assert standing == EntryBalance("june", TODAY, 100, 0, 60, 40)
    [voided, _] = standings_on([replace(entry, voided_on=TODAY), charge], TODAY)
    assert voided == EntryBalance("june", TODAY, 0, 0, 60, 0, is_voided=True)
    assert voided.overpaid_yen == 60


@pytest.mark.parametrize(
    ("remainder_yen", "owed_yen", "sent_yen", "state"),
    [
        (0, 0, 0, SettlementState.ZERO_REFUND),
        (0, 1, 0, SettlementState.RESIDENT_OWES),
        (1, 0, 0, SettlementState.REFUND_PENDING),
        (1, 0, 1, SettlementState.REFUNDED),
        (2, 0, 1, SettlementState.REFUND_PENDING),
    ],
)
def test_a_single_yen_left_or_owed_decides_where_a_settlement_stands(
    remainder_yen: int, owed_yen: int, sent_yen: int, state: SettlementState
) -> None:
    assert settlement_state(remainder_yen, owed_yen, sent_yen) is state
    if not sent_yen:
        assert settlement_state(remainder_yen, owed_yen) is state
