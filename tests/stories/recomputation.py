"""A reservation's balance worked out once more from the tables alone, to hold the program to it."""

from datetime import date
from typing import NamedTuple

from tests.stories.books import Books

_POSTED = """coalesce((SELECT sum(l.amount_yen) FROM ledger_line l
    WHERE l.workspace_id = e.workspace_id AND l.entry_id = e.id
        AND l.is_deposit = {is_deposit} AND l.posted_on <= :on), 0)"""

_IS_VOIDED = """EXISTS (SELECT 1 FROM ledger_entry o WHERE o.workspace_id = {entry}.workspace_id
    AND o.opposes_id = {entry}.id AND o.issued_on <= :on)"""

_ENTRIES = f"""
    SELECT e.id, e.due_on, {_IS_VOIDED.format(entry="e")},
        {_POSTED.format(is_deposit="false")}, {_POSTED.format(is_deposit="true")},
        coalesce((SELECT sum(a.amount_yen) FROM allocation a
            WHERE a.workspace_id = e.workspace_id AND a.entry_id = e.id
                AND a.allocated_on <= :on), 0),
        coalesce((SELECT sum(c.cancelled_yen) FROM ledger_entry c
            WHERE c.workspace_id = e.workspace_id AND c.arrears_of_id = e.id
                AND c.issued_on <= :on AND NOT {_IS_VOIDED.format(entry="c")}), 0)
    FROM ledger_entry e
    WHERE e.workspace_id = :workspace AND e.reservation_id = :reservation
        AND e.kind <> 'opposite' AND e.issued_on <= :on"""

_MOVED = """
    SELECT sum(CASE kind WHEN 'in' THEN amount_yen ELSE -amount_yen END) FROM deposit_move
    WHERE workspace_id = :workspace AND reservation_id = :reservation AND moved_on <= :on"""


class EntryFigures(NamedTuple):
    """One entry on a day."""

    id: str
    due_on: str
    billed_yen: int
    deposit_yen: int
    paid_yen: int

    @property
    def surplus_yen(self) -> int:
        """What payments leave above rent and charges, negative where they do not suffice."""
        return self.paid_yen - self.billed_yen


class Balance(NamedTuple):
    """What is held, what is due and unpaid, and what was paid too much."""

    held: int
    unpaid: int
    overpaid: int

    @property
    def balance(self) -> int:
        return self.held - self.unpaid + self.overpaid


def entry_figures(books: Books, reservation_id: str, on: date) -> list[EntryFigures]:
    """A voided entry bills nothing; an arrears charge in force takes its part off the entry."""
    found = books.ask(_ENTRIES, reservation=reservation_id, on=on.isoformat())
    return [
        EntryFigures(id_, due_on, 0, 0, paid)
        if is_voided
        else EntryFigures(id_, due_on, payable - cancelled, deposit, paid)
        for id_, due_on, is_voided, payable, deposit, paid, cancelled in found
    ]


def balance_on(books: Books, reservation_id: str, on: date) -> Balance:
    """Collected deposits and what moved, debts due by the day, and overpayments."""
    held = books.number(_MOVED, reservation=reservation_id, on=on.isoformat())
    unpaid = overpaid = 0
    for entry in entry_figures(books, reservation_id, on):
        surplus = entry.surplus_yen
        held += min(max(surplus, 0), entry.deposit_yen)
        overpaid += max(surplus - entry.deposit_yen, 0)
        unpaid += max(-surplus, 0) if entry.due_on <= on.isoformat() else 0
    return Balance(held, unpaid, overpaid)
