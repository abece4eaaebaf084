"""Says in one word how an entry stands on a day, as a list of bills shows it."""

from datetime import date
from enum import StrEnum

from pms.rules.ledger_entries import Standing


class EntryState(StrEnum):
    """How one bill stands."""

    VOIDED = "voided"
    CREDIT = "credit"
    SET_OFF = "set_off"
    OVERPAID = "overpaid"
    PAID = "paid"
    NOTHING_TO_PAY = "nothing_to_pay"
    OVERDUE = "overdue"
    PARTLY_PAID = "partly_paid"
    OPEN = "open"


def entry_state(standing: Standing, on: date) -> EntryState:
    """Return the state of an entry on a day; the deposit line counts as something to pay."""
    if standing.is_voided:
        return EntryState.VOIDED
    if standing.is_credit:
        return EntryState.CREDIT if standing.overpaid_yen else EntryState.SET_OFF
    if standing.overpaid_yen:
        return EntryState.OVERPAID
    if not standing.open_yen:
        return EntryState.PAID if standing.paid_yen else EntryState.NOTHING_TO_PAY
    if standing.due_on < on:
        return EntryState.OVERDUE
    return EntryState.PARTLY_PAID if standing.paid_yen else EntryState.OPEN
