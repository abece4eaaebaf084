"""Issues the move-in invoice of a booking (specification, Move-in invoice rules)."""

from datetime import date

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
    due_on: date | None = None,
) -> str | None:
    """Write the invoice once and return its id; None where there is nothing to bill.

    `one_time` replaces the reservation's own amounts, for a deposit that moves on paper, and
    `due_on` the day it is due by itself. Owner residents and guests get no rows of themselves.
    """
    locked_reservation(session, reservation_id)
    facts = rent_facts(session, reservation_id, clock.today())
    if facts.rows:
        raise Refused(
            "Rent of reservation {reservation_id} is billed already; void it first.",
            reservation_id=reservation_id,
        )
    amounts = one_time or one_time_amounts(session, [reservation_id])[reservation_id]
    planned = invoice_of(facts, amounts, due_on)
    if not planned.lines and not planned.rows:
        return None
    return post_entries(session, clock, actor, [planned])[0]


def invoice_of(
    facts: RentFacts, amounts: OneTimeAmounts, due_on: date | None = None
) -> PlannedEntry:
    """Return the move-in invoice of a reservation as it would be issued on the day.

    Raises `Refused` for a due day before that day: nothing is due before it is issued.
    """
    if due_on is not None and due_on < facts.on:
        raise Refused(
            "invoiceDueOn: {day} is past; the invoice is issued on {today} and due then or later.",
            day=due_on,
            today=facts.on,
        )
    span, start_on = facts.span, facts.tenancy.term.start_on
    rows = () if span is None else move_in_rows(span)
    invoice = planned_invoice(
        facts.reservation_id,
        amounts,
        tuple(planned_row(facts.price, row, start_on) for row in rows),
        start_on,
        facts.on,
    )
    return invoice._replace(due_on=due_on or invoice.due_on)
