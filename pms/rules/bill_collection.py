"""Which bills the payment provider collects on a day, and how the state of a payment there changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, NamedTuple

from pms.rules.enumerations import CheckoutState, CollectionState, PaymentWay
from pms.rules.ledger_entries import EntryBalance

OPEN_STATES: Final = frozenset(
    {CollectionState.PLANNED, CollectionState.ASKED, CollectionState.WAITING}
)
"""The states in which a collection may still bring money."""


@dataclass(frozen=True, slots=True)
class CollectionTerms:
    """What a workspace offers, and when it collects bills; days are calendar days.

    `attempts` includes the first one. A card charge is announced `notice_days` before the due day;
    the number for a store is requested `store_days` before it.
    """

    offers_cards: bool = False
    offers_stores: bool = False
    attempts: int = 3
    retry_days: int = 3
    notice_days: int = 3
    store_days: int = 10

    def offers(self, way: PaymentWay) -> bool:
        """Tell whether residents may choose this way to pay."""
        return self.offers_cards if way is PaymentWay.CARD else self.offers_stores


class Tried(NamedTuple):
    """An earlier collection of a bill; `ended_on` is the day it failed or was given up."""

    attempt: int
    state: CollectionState
    ended_on: date | None


class BillToCollect(NamedTuple):
    """A bill to collect, in whole yen; a planned one is announced now and charged when due."""

    entry_id: str
    due_on: date
    yen: int
    attempt: int
    is_planned: bool


def bills_to_collect(
    bills: Sequence[EntryBalance],
    tried: Mapping[str, Sequence[Tried]],
    way: PaymentWay,
    terms: CollectionTerms,
    on: date,
) -> list[BillToCollect]:
    """Return the bills to collect on a day, oldest due first.

    Leaves out bills whose collection is under way or has failed `attempts` times.
    """
    wanted = [
        _find_wanted_collection(bill, tried.get(bill.id, ()), way, terms, on) for bill in bills
    ]
    return sorted((wish for wish in wanted if wish), key=lambda wish: (wish.due_on, wish.entry_id))


def _find_wanted_collection(
    bill: EntryBalance, tried: Sequence[Tried], way: PaymentWay, terms: CollectionTerms, on: date
) -> BillToCollect | None:
    failed = [earlier for earlier in tried if earlier.state is CollectionState.FAILED]
    is_under_way = any(earlier.state in OPEN_STATES for earlier in tried)
    if bill.is_voided or bill.open_yen <= 0 or is_under_way or len(failed) >= terms.attempts:
        return None
    last_on = max((earlier.ended_on for earlier in failed if earlier.ended_on), default=None)
    first_on = bill.due_on - timedelta(days=_find_lead_days(way, terms))
    if last_on is not None:
        wait = terms.retry_days if way is PaymentWay.CARD else 1
        first_on = max(first_on, last_on + timedelta(days=wait))
    if on < first_on:
        return None
    attempt = max((earlier.attempt for earlier in tried), default=0) + 1
    is_planned = way is PaymentWay.CARD and on < bill.due_on
    return BillToCollect(bill.id, bill.due_on, bill.open_yen, attempt, is_planned)


def _find_lead_days(way: PaymentWay, terms: CollectionTerms) -> int:
    return terms.notice_days if way is PaymentWay.CARD else terms.store_days


CHECKOUT_CHANGES: Final[Mapping[CheckoutState, frozenset[CheckoutState]]] = {
    CheckoutState.ASKED: frozenset(
        {CheckoutState.OPEN, CheckoutState.PAID, CheckoutState.FAILED, CheckoutState.EXPIRED}
    ),
    CheckoutState.OPEN: frozenset(
        {CheckoutState.PAID, CheckoutState.FAILED, CheckoutState.EXPIRED}
    ),
    # A refused card may be followed by another one, and money may arrive late.
    CheckoutState.FAILED: frozenset({CheckoutState.PAID, CheckoutState.EXPIRED}),
    CheckoutState.EXPIRED: frozenset({CheckoutState.PAID}),
    CheckoutState.PAID: frozenset(),
}


def checkout_state_after(state: CheckoutState, event: CheckoutState) -> CheckoutState:
    """The state after a change is requested; a late or repeated event changes nothing."""
    return event if event in CHECKOUT_CHANGES[state] else state
