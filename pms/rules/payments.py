"""How a payment is allocated: over open entries, and when rows change entries."""

from collections.abc import Iterable, Sequence
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from pms.rules.ledger_entries import EntryBalance


class AllocatedPart(NamedTuple):
    """The part of a payment allocated to one entry, in whole yen."""

    entry_id: str
    yen: int


class Allocations(NamedTuple):
    """A payment allocated to entries, and the yen that no entry needs."""

    allocations: tuple[AllocatedPart, ...]
    left_yen: int


class PaymentProblem(StrEnum):
    """Why an entry accepts no payment (specification, Ledger entry; Money 4)."""

    NOT_POSITIVE = "not_positive"
    ENTRY_VOIDED = "entry_voided"
    ENTRY_IS_CREDIT = "entry_is_credit"


class ReturnProblem(StrEnum):
    """Why money of a payment cannot be returned (specification, Ledger entry; Money 4)."""

    NOT_POSITIVE = "not_positive"
    ABOVE_LEFT = "above_left"
    BEFORE_PAYMENT = "before_payment"
    AFTER_TODAY = "after_today"


def refusal_of_payment(standing: EntryBalance, yen: int) -> PaymentProblem | None:
    """Why a payment of whole yen on an entry is refused, or None (Ledger entry; Money 4)."""
    if yen <= 0:
        return PaymentProblem.NOT_POSITIVE
    if standing.is_voided:
        return PaymentProblem.ENTRY_VOIDED
    return PaymentProblem.ENTRY_IS_CREDIT if standing.is_credit else None


def refusal_of_return(
    yen: int, left_yen: int, returned_on: date, received_on: date, today: date
) -> ReturnProblem | None:
    """Why whole yen of a payment cannot be returned on a day, or None.

    `left_yen` is what the payment still has. Nothing is returned before it was received (Ledger
    entry; Money 4).
    """
    if yen <= 0:
        return ReturnProblem.NOT_POSITIVE
    if returned_on < received_on:
        return ReturnProblem.BEFORE_PAYMENT
    if returned_on > today:
        return ReturnProblem.AFTER_TODAY
    return ReturnProblem.ABOVE_LEFT if yen > left_yen else None


def allocated_payment(yen: int, standings: Sequence[EntryBalance]) -> Allocations:
    """Allocate a payment that names no entry to the open ones (Deposit 1 and 2).

    Unpaid rent and charges first, oldest due first, then uncollected deposits. The rest is an
    overpayment of the entry on which it is written.
    """
    in_order = sorted(standings, key=lambda standing: standing.due_on)
    payable = [(standing.id, standing.unpaid_yen) for standing in in_order]
    deposits = [(standing.id, standing.open_yen - standing.unpaid_yen) for standing in in_order]
    return distribute_yen([*payable, *deposits], yen)


def set_off_credit(yen: int, standings: Sequence[EntryBalance]) -> Allocations:
    """Allocate a credit of whole yen to unpaid rent and charges, oldest due first (Deposit 2).

    It collects no deposit. The rest is an overpayment of the resident.
    """
    in_order = sorted(standings, key=lambda standing: standing.due_on)
    return distribute_yen([(standing.id, standing.unpaid_yen) for standing in in_order], yen)


def followed_payments(overpaid_yen: int, created: Sequence[tuple[str, int]]) -> Allocations:
    """Move what an invoice was overpaid after rows left it to their new entries (Contract dates).

    `created` are the new entries with their totals, oldest first; totals are not exceeded.
    """
    return distribute_yen(created, overpaid_yen)


def overpaid_parts(standings: Iterable[EntryBalance]) -> tuple[AllocatedPart, ...]:
    """What each entry received above its bills; debts of other entries stay (Deposit 4)."""
    return tuple(
        AllocatedPart(standing.id, standing.overpaid_yen)
        for standing in standings
        if standing.overpaid_yen
    )


class UsedOverpayment(NamedTuple):
    """The overpayment of one entry, and the open bills that it pays."""

    entry_id: str
    parts: tuple[AllocatedPart, ...]


def overpayments_used(standings: Iterable[EntryBalance]) -> tuple[UsedOverpayment, ...]:
    """Use overpayments to pay open bills of the same reservation, oldest due first.

    Credits are set off when posted and are not used here.
    """
    found = list(standings)
    wanted = {
        standing.id: standing.open_yen
        for standing in sorted(found, key=lambda entry: entry.due_on)
        if standing.open_yen
    }
    used = []
    for part in overpaid_parts(standing for standing in found if not standing.is_credit):
        paid = distribute_yen(wanted.items(), part.yen).allocations
        for entry_id, yen in paid:
            wanted[entry_id] -= yen
        if paid:
            used.append(UsedOverpayment(part.entry_id, paid))
    return tuple(used)


def distribute_yen(wants: Iterable[tuple[str, int]], yen: int) -> Allocations:
    """Distribute yen over wants in order, each up to its amount; equal entries become one part."""
    left_yen, parts = yen, dict[str, int]()
    for entry_id, wanted_yen in wants:
        part = min(max(wanted_yen, 0), left_yen)
        if part:
            parts[entry_id] = parts.get(entry_id, 0) + part
            left_yen -= part
    return Allocations(tuple(AllocatedPart(*part) for part in parts.items()), left_yen)
