"""Changes of payments at the provider."""

from collections.abc import Mapping
from typing import Final

from pms.rules.enumerations import CheckoutState

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
