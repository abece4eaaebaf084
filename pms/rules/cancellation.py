"""When cancellations and arrears charges are allowed."""

from collections.abc import Mapping
from typing import Final, TypeVar

from pms.rules.enumerations import EsignStatus, Lifecycle, PaymentStatus, ReservationKind
from pms.rules.ledger_entries import ArrearsOf, EntryBalance


def arrears_of(standing: EntryBalance, amount_yen: int) -> ArrearsOf:
    """What an arrears charge takes over of the entry it names, when it is raised (Deposit 2).

    The smaller of the charge and the shortfall at that moment. It is stored once, so a later
    payment of the entry becomes an overpayment.
    """
    return ArrearsOf(standing.id, min(amount_yen, standing.unpaid_yen))


def kept_fee_yen(reservation_fee_yen: int, paid_yen: int) -> int:
    """The reservation fee a cancellation keeps: as far as the invoice was paid (States).

    Payments fill the payable lines first; the rest of them goes back through settlement.
    """
    return min(reservation_fee_yen, max(paid_yen, 0))


State = TypeVar("State", PaymentStatus, EsignStatus, Lifecycle)

PAYMENT_CHANGES: Final[Mapping[PaymentStatus, frozenset[PaymentStatus]]] = {
    PaymentStatus.PENDING: frozenset(
        {PaymentStatus.PAID, PaymentStatus.FAILED, PaymentStatus.CANCELLED}
    ),
    PaymentStatus.FAILED: frozenset(
        {PaymentStatus.PENDING, PaymentStatus.PAID, PaymentStatus.CANCELLED}
    ),
    PaymentStatus.PAID: frozenset({PaymentStatus.REFUNDED}),
    PaymentStatus.REFUNDED: frozenset(),
    PaymentStatus.CANCELLED: frozenset(),
}

ESIGN_CHANGES: Final[Mapping[EsignStatus, frozenset[EsignStatus]]] = {
    EsignStatus.PENDING: frozenset({EsignStatus.SENT}),
    EsignStatus.SENT: frozenset(
        {
            EsignStatus.PARTIALLY_SIGNED,
            EsignStatus.SIGNED,
            EsignStatus.DECLINED,
            EsignStatus.EXPIRED,
        }
    ),
    EsignStatus.PARTIALLY_SIGNED: frozenset(
        {EsignStatus.SIGNED, EsignStatus.DECLINED, EsignStatus.EXPIRED}
    ),
    EsignStatus.SIGNED: frozenset(),
    EsignStatus.DECLINED: frozenset({EsignStatus.SENT}),
    EsignStatus.EXPIRED: frozenset({EsignStatus.SENT}),
}

LIFECYCLE_CHANGES: Final[Mapping[Lifecycle, frozenset[Lifecycle]]] = {
    Lifecycle.BOOKED: frozenset({Lifecycle.CONFIRMED, Lifecycle.LIVING, Lifecycle.CANCELLED}),
    Lifecycle.CONFIRMED: frozenset({Lifecycle.LIVING, Lifecycle.CANCELLED}),
    Lifecycle.LIVING: frozenset({Lifecycle.NOTICE_FILED, Lifecycle.TRANSFERRED}),
    Lifecycle.NOTICE_FILED: frozenset(
        {Lifecycle.MOVED_OUT, Lifecycle.LIVING, Lifecycle.TRANSFERRED}
    ),
    Lifecycle.MOVED_OUT: frozenset({Lifecycle.SETTLED}),
    Lifecycle.SETTLED: frozenset({Lifecycle.REFUNDED}),
    Lifecycle.REFUNDED: frozenset(),
    Lifecycle.CANCELLED: frozenset({Lifecycle.SETTLED}),
    Lifecycle.TRANSFERRED: frozenset({Lifecycle.SETTLED}),
}


def payment_status_after(state: PaymentStatus, event: PaymentStatus) -> PaymentStatus:
    """The status after a change is requested (Enumerations); a late event changes nothing."""
    return _find_state_after(PAYMENT_CHANGES, state, event)


def esign_status_after(state: EsignStatus, event: EsignStatus) -> EsignStatus:
    """The status after a change is requested (Enumerations); a late event changes nothing."""
    return _find_state_after(ESIGN_CHANGES, state, event)


def lifecycle_after(state: Lifecycle, event: Lifecycle, kind: ReservationKind) -> Lifecycle:
    """The lifecycle state after a change is requested (States and transitions).

    A resident moves out by a notice; guests and owner residents need none.
    """
    if kind is not ReservationKind.RESIDENT and state is Lifecycle.LIVING:
        if event is Lifecycle.MOVED_OUT:
            return event
        if kind is ReservationKind.GUEST and event is Lifecycle.NOTICE_FILED:
            return state
    return _find_state_after(LIFECYCLE_CHANGES, state, event)


def _find_state_after(
    changes: Mapping[State, frozenset[State]], state: State, event: State
) -> State:
    return event if event in changes[state] else state
