"""Issues the move-in invoice of a booking (specification, Move-in invoice rules)."""

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.ledger.planned_entries import PlannedEntry, planned_invoice, planned_row
from pms.ledger.posting import post_entries
from pms.ledger.rent_facts import RentFacts, one_time_amounts, rent_facts
from pms.reservations.locks import locked_reservation
from pms.rules.move_in_invoice import OneTimeAmounts
from pms.rules.rent_rows import move_in_rows


def issue_move_in_invoice(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    one_time: OneTimeAmounts | None = None,
) -> str | None:
    """Write the invoice once and return its id; None where there is nothing to bill.

    `one_time` replaces the reservation's own amounts, for a deposit that moves on paper. Owner
    residents and guests get no rows of themselves.
    """
    locked_reservation(session, reservation_id)
    facts = rent_facts(session, reservation_id, clock.today())
    if facts.rows:
        raise Refused(
            "Rent of reservation {reservation_id} is billed already; void it first.",
            reservation_id=reservation_id,
        )
    amounts = one_time or one_time_amounts(session, [reservation_id])[reservation_id]
    planned = invoice_of(facts, amounts)
    if not planned.lines and not planned.rows:
        return None
    return post_entries(session, clock, actor, [planned])[0]


def invoice_of(facts: RentFacts, amounts: OneTimeAmounts) -> PlannedEntry:
    """Return the move-in invoice of a reservation as it would be issued on the day."""
    span, start_on = facts.span, facts.tenancy.term.start_on
    rows = () if span is None else move_in_rows(span)
    return planned_invoice(
        facts.reservation_id,
        amounts,
        tuple(planned_row(facts.price, row, start_on) for row in rows),
        start_on,
        facts.on,
    )
