"""Rewrites what is billed after a contract date was overridden (specification, Contract dates)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.ledger.move_payments import move_payments, paid_on
from pms.ledger.planned_entries import PlannedEntry, PlannedRow, planned_rent, planned_row
from pms.ledger.posting import add_row, post_entries
from pms.ledger.queries import standing_of
from pms.ledger.rent_facts import RentFacts, rent_facts
from pms.ledger.repricing_plan import RepricedRow, post_repriced, repriced
from pms.ledger.standing_rows import StandingRow, replaced_rows
from pms.ledger.void_entry import arrears_charges_of, void_entry
from pms.reservations.locks import locked_reservation
from pms.rules.contract_override import OverriddenRows, overridden_rows
from pms.rules.enumerations import RowKind
from pms.rules.month_to_month import Tenancy
from pms.rules.payments import Allocation, followed_payments
from pms.rules.rent_rows import BillableRow, IssuedRow


@dataclass(frozen=True, slots=True)
class OverridePlan:
    """What an override changes: rows that stay, rows new on the invoice, entries gone and made.

    `dropped` bill nothing already; the invoice has no place for them any more.
    """

    invoice_id: str | None
    repriced: tuple[RepricedRow, ...]
    invoice: tuple[PlannedRow, ...]
    voided: tuple[StandingRow, ...]
    created: tuple[PlannedEntry, ...]
    dropped: tuple[RepricedRow, ...] = ()


def override_rows(session: Session, clock: Clock, actor: str, reservation_id: str) -> OverridePlan:
    """Write what the dates as they are now make of the invoice and the other rows.

    Entries a new bundle swallows are voided with the arrears charges that collect them, and
    their payments follow onto the invoice; what the invoice is overpaid after rows left it
    follows them. Due days of entries stay.
    """
    locked_reservation(session, reservation_id)
    plan = _planned(session, rent_facts(session, reservation_id, clock.today()))
    for entry_id in dict.fromkeys(row.entry_id for row in plan.voided):
        swallowed = [entry_id, *arrears_charges_of(session, entry_id)]
        void_entry(session, clock, actor, entry_id)
        if plan.invoice_id is not None:
            for left_id in swallowed:
                paid = Allocation(plan.invoice_id, paid_on(session, left_id))
                move_payments(session, clock, left_id, [paid])
    post_repriced(session, clock, (*plan.repriced, *plan.dropped))
    if plan.invoice_id is not None:
        for row in plan.invoice:
            add_row(session, clock, reservation_id, plan.invoice_id, row)
        _issue_created(session, clock, actor, plan)
    return plan


def preview_override(
    session: Session, clock: Clock, reservation_id: str, tenancy: Tenancy
) -> OverridePlan:
    """Return what `override_rows` would write if the tenancy became as given."""
    return _planned(session, rent_facts(session, reservation_id, clock.today(), tenancy))


def _issue_created(session: Session, clock: Clock, actor: str, plan: OverridePlan) -> None:
    """Issue the entries that left the invoice; what it is then overpaid moves to them."""
    if not plan.created or plan.invoice_id is None:
        return
    ids = post_entries(session, clock, actor, plan.created)
    reservation_id = plan.created[0].reservation_id
    standing = standing_of(session, reservation_id, plan.invoice_id, clock.today())
    totals = [(id_, entry.total_yen) for id_, entry in zip(ids, plan.created, strict=True)]
    moved = followed_payments(standing.overpaid_yen, totals)
    move_payments(session, clock, plan.invoice_id, moved.allocations)


def _planned(session: Session, facts: RentFacts) -> OverridePlan:
    overridden = overridden_rows([standing.row for standing in facts.rows], facts.span)
    others = [row for row in facts.rows if row.row.kind is not RowKind.MOVE_IN]
    voided = tuple(row for row in others if row.row in overridden.voided)
    kept = [row for row in others if row.row not in overridden.voided]
    on_invoice = _on_the_invoice(session, facts, overridden)
    stays, new = _becoming(on_invoice, overridden)
    changed = repriced(session, facts, [*on_invoice, *kept], [*stays, *overridden.kept])
    start_on = facts.tenancy.term.start_on
    return OverridePlan(
        on_invoice[0].entry_id if on_invoice else None,
        tuple(_leaving(row, overridden) for row in changed),
        tuple(planned_row(facts.price, row, start_on) for row in new),
        voided,
        tuple(
            planned_rent(facts.reservation_id, planned_row(facts.price, row, start_on), facts.on)
            for row in overridden.created
        ),
        tuple(_dropped(on_invoice, overridden)),
    )


def _on_the_invoice(
    session: Session, facts: RentFacts, overridden: OverriddenRows
) -> list[StandingRow]:
    """The rows on the invoice, with those an earlier override replaced and this one wants back."""
    standing = [row for row in facts.rows if row.row.kind is RowKind.MOVE_IN]
    wanted = {row.first_on for row in overridden.invoice} - {row.row.first_on for row in standing}
    invoice_ids = {row.entry_id for row in standing}
    back = [
        row
        for row in replaced_rows(session, facts.reservation_id)
        if row.row.first_on in wanted and row.entry_id in invoice_ids
    ]
    return [*standing, *back]


def _becoming(
    on_invoice: Sequence[StandingRow], overridden: OverriddenRows
) -> tuple[list[IssuedRow], list[BillableRow]]:
    """What the rows on the invoice become, and the rows it needs besides them."""
    wanted = {row.first_on: row for row in overridden.invoice}
    stays: list[IssuedRow] = []
    for standing in on_invoice:
        becomes = wanted.pop(standing.row.first_on, None)
        stays.append(standing.row._replace(last_on=becomes.last_on if becomes else None))
    return stays, list(wanted.values())


def _leaving(row: RepricedRow, overridden: OverriddenRows) -> RepricedRow:
    """The row marked where others take its place; one without days may still have them again."""
    is_off = row.before.kind is RowKind.MOVE_IN and row.after.last_on is None
    return row._replace(is_replaced=is_off and bool(overridden.invoice))


def _dropped(rows: Iterable[StandingRow], overridden: OverriddenRows) -> Iterator[RepricedRow]:
    wanted = {row.first_on for row in overridden.invoice}
    for row in rows:
        if wanted and row.row.last_on is None and row.row.first_on not in wanted:
            yield RepricedRow(row, row.row, (), (), is_replaced=True)
