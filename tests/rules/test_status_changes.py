"""Statuses go the ways the law allows; a late or repeated event changes nothing."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.rules.cancellation import (
    ESIGN_CHANGES,
    LIFECYCLE_CHANGES,
    PAYMENT_CHANGES,
    esign_status_after,
    lifecycle_after,
    payment_status_after,
)
from pms.rules.enumerations import EsignStatus, Lifecycle, PaymentStatus, ReservationKind
from tests.rules.facts import kinds

RESIDENT = ReservationKind.RESIDENT


@pytest.mark.parametrize(("state", "event"), list(product(PaymentStatus, repeat=2)))
def test_a_payment_status_moves_where_allowed_or_stays(
    state: PaymentStatus, event: PaymentStatus
) -> None:
    expected = event if event in PAYMENT_CHANGES[state] else state
    assert payment_status_after(state, event) is expected


@pytest.mark.parametrize(("state", "event"), list(product(EsignStatus, repeat=2)))
def test_a_signature_status_moves_where_allowed_or_stays(
    state: EsignStatus, event: EsignStatus
) -> None:
    expected = event if event in ESIGN_CHANGES[state] else state
    assert esign_status_after(state, event) is expected


@given(st.sampled_from(Lifecycle), st.sampled_from(Lifecycle), kinds)
def test_an_event_told_twice_does_what_it_did_once(
    state: Lifecycle, event: Lifecycle, kind: ReservationKind
) -> None:
    once = lifecycle_after(state, event, kind)
    assert lifecycle_after(once, event, kind) is once


@given(st.lists(st.sampled_from(PaymentStatus)))
def test_money_once_paid_is_never_unpaid_again(events: list[PaymentStatus]) -> None:
    status = PaymentStatus.PAID
    for event in events:
        status = payment_status_after(status, event)
    assert status in {PaymentStatus.PAID, PaymentStatus.REFUNDED}


@given(st.lists(st.sampled_from(EsignStatus)))
def test_a_signed_contract_stays_signed(events: list[EsignStatus]) -> None:
    status = EsignStatus.SIGNED
    for event in events:
        status = esign_status_after(status, event)
    assert status is EsignStatus.SIGNED


def test_every_state_of_the_lifecycle_can_be_reached_from_booking() -> None:
    reached = {Lifecycle.BOOKED}
    for _ in Lifecycle:
        reached |= {after for state in reached for after in LIFECYCLE_CHANGES[state]}
    assert reached == set(Lifecycle)


def test_only_a_resident_needs_a_notice_to_move_out_and_a_guest_files_none() -> None:
    for kind in ReservationKind:
        after = lifecycle_after(Lifecycle.LIVING, Lifecycle.MOVED_OUT, kind)
        assert (after is Lifecycle.MOVED_OUT) == (kind is not RESIDENT)
        filed = lifecycle_after(Lifecycle.LIVING, Lifecycle.NOTICE_FILED, kind)
        assert (filed is Lifecycle.NOTICE_FILED) == (kind is not ReservationKind.GUEST)


def test_a_refund_follows_a_settlement_and_a_cancellation_comes_before_moving_in() -> None:
    moved_out, settled = Lifecycle.MOVED_OUT, Lifecycle.SETTLED
    assert lifecycle_after(moved_out, Lifecycle.REFUNDED, RESIDENT) is moved_out
    assert lifecycle_after(settled, Lifecycle.REFUNDED, RESIDENT) is Lifecycle.REFUNDED
    assert lifecycle_after(Lifecycle.LIVING, Lifecycle.CANCELLED, RESIDENT) is Lifecycle.LIVING
    assert lifecycle_after(Lifecycle.CANCELLED, settled, RESIDENT) is settled
