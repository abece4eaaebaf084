"""The move-in invoice."""

from datetime import date

from pms.foundation.errors import Refused
from pms.foundation.work import Work, locked
from pms.ledger.planned_entries import PlannedEntry, planned_invoice, planned_row
from pms.ledger.posting import post_entries
from pms.ledger.repricing import RentFacts, one_time_amounts, rent_facts
from pms.reservations.models import Reservation
from pms.rules.invoices import OneTimeAmounts
from pms.rules.rent_rows import move_in_rows


def issue_move_in_invoice(
    work: Work,
    *,
    reservation_id: str,
    one_time: OneTimeAmounts | None = None,
    due_on: date | None = None,
) -> str | None:
    """Post the invoice once and return its id; `None` where there is nothing to bill.

    `one_time` replaces the reservation's own amounts, for a deposit that moves on paper, and
    `due_on` the default due day. Owner residents and guests get no rows automatically.
    """
    locked(work.session, Reservation, reservation_id)
    facts = rent_facts(work.session, reservation_id, work.clock.today())
    if facts.rows:
        raise Refused(
            "Rent of reservation {reservation_id} is billed already; void it first.",
            reservation_id=reservation_id,
        )
    amounts = one_time or one_time_amounts(work.session, [reservation_id])[reservation_id]
    planned = invoice_of(facts, amounts, due_on)
    if not planned.lines and not planned.rows:
        return None
    return post_entries(work, [planned])[0]


def invoice_of(
    facts: RentFacts, amounts: OneTimeAmounts, due_on: date | None = None
) -> PlannedEntry:
    """Return the move-in invoice of a reservation as it would be issued on the day.

    Raises `Refused` for an earlier due day: no entry is due before it is issued.
    """
    if due_on is not None and due_on < facts.on:
        raise Refused(
            "invoiceDueOn: {day} is in the past. The invoice is issued on {today} and due then "
            "or later.",
            day=due_on,
            today=facts.on,
        )
    span, start_on = facts.span, facts.tenancy.term.start_on
    rows = () if span is None else move_in_rows(span)
    invoice = planned_invoice(
        facts.reservation_id,
        amounts,
        tuple(planned_row(facts.price, row, start_on, facts.taxes) for row in rows),
        start_on=start_on,
        on=facts.on,
        taxes=facts.taxes,
    )
    return invoice._replace(due_on=due_on or invoice.due_on)
