"""What billing knows of a reservation on a day, and repricing of billed rows after a change."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.prepared import one_of
from pms.foundation.work import Work, locked
from pms.ledger.models import LedgerLine, RowExtent
from pms.ledger.planned_entries import (
    PlannedEntry,
    PlannedLine,
    PlannedRow,
    planned_rent,
    planned_row,
    worded_lines,
)
from pms.ledger.posting import (
    add_row,
    arrears_charges_of,
    extent_row,
    line_rows,
    lines_of_rows,
    move_payments,
    paid_on,
    post_entries,
    reversed_lines,
    void_entry,
    write_rows,
)
from pms.ledger.queries import StandingRow, replace_row, replaced_rows, standing_of, standing_rows
from pms.ledger.tax_bases import taxes_of
from pms.pricing.prices import AgreedPrice, agreed_prices
from pms.reservations.models import Reservation
from pms.reservations.tenancies import read_tenancies
from pms.rules.enumerations import ReservationKind, RowKind
from pms.rules.invoices import OneTimeAmounts
from pms.rules.payments import AllocatedPart, followed_payments
from pms.rules.policy import Policy
from pms.rules.rent_rows import (
    IssuedRow,
    OverriddenRows,
    overridden_rows,
    repriced_rows,
    standing_lines,
)
from pms.rules.tax_classes import TaxBasis
from pms.rules.unit_stays import BillableSpan, TenancyFacts, billable_span
from pms.workspaces.queries import policy
from pms.workspaces.tax_classes import workspace_taxes


@dataclass(frozen=True, slots=True)
class RentFacts:
    """One reservation: its tenancy, its price if it has one, and its present rows."""

    reservation_id: str
    tenancy: TenancyFacts
    agreed: AgreedPrice | None
    rows: tuple[StandingRow, ...]
    policy: Policy
    on: date
    workspace_taxes: TaxBasis

    @property
    def taxes(self) -> TaxBasis:
        """What decides the classes of lines issued on the day: the agreed term, and the workspace."""
        return taxes_of(self.workspace_taxes, self.tenancy, self.on)

    @property
    def span(self) -> BillableSpan | None:
        """The days to bill; guests get no rows automatically."""
        if self.tenancy.kind == ReservationKind.GUEST:
            return None
        return billable_span(self.tenancy, self.on, self.policy)

    @property
    def price(self) -> AgreedPrice:
        """The price; raise `Refused` without one."""
        if self.agreed is None:
            raise Refused(
                "Reservation {reservation_id} has no price.", reservation_id=self.reservation_id
            )
        return self.agreed


@dataclass(frozen=True, slots=True)
class RentReading:
    """The facts of the readable reservations, and the damage of the others."""

    facts: Mapping[str, RentFacts]
    damaged: Mapping[str, Refused]


def read_rent_facts(session: Session, reservation_ids: Iterable[str], on: date) -> RentReading:
    """Return the facts of many reservations on a day."""
    ids = list(reservation_ids)
    figures, reading = policy(session), read_tenancies(session, ids)
    prices, rows = agreed_prices(session, ids), standing_rows(session, ids)
    taxes = workspace_taxes(session)
    facts = {
        id_: RentFacts(id_, tenancy, prices.get(id_), rows.get(id_, ()), figures, on, taxes)
        for id_, tenancy in reading.tenancies.items()
    }
    return RentReading(facts, reading.damaged)


def rent_facts(
    session: Session, reservation_id: str, on: date, tenancy: TenancyFacts | None = None
) -> RentFacts:
    """Return the facts of one reservation; for a preview `tenancy` is the changed one."""
    if tenancy is None:
        reading = read_rent_facts(session, [reservation_id], on)
        for refusal in reading.damaged.values():
            raise refusal
        return reading.facts[reservation_id]
    agreed = agreed_prices(session, [reservation_id]).get(reservation_id)
    rows = standing_rows(session, [reservation_id]).get(reservation_id, ())
    return RentFacts(
        reservation_id, tenancy, agreed, rows, policy(session), on, workspace_taxes(session)
    )


def one_time_amounts(
    session: Session, reservation_ids: Iterable[str]
) -> Mapping[str, OneTimeAmounts]:
    """Return the reservation fees and deposits, by reservation."""
    found = session.execute(
        select(Reservation.id, Reservation.reservation_fee_yen, Reservation.deposit_yen).where(
            one_of(Reservation.id, reservation_ids)
        )
    )
    return {id_: OneTimeAmounts(fee_yen, deposit_yen) for id_, fee_yen, deposit_yen in found}


class RepricedRow(NamedTuple):
    """One billed row before and after an edit, with its lines afterwards.

    A row that is replaced by another on the invoice takes no part in later repricings.
    """

    standing: StandingRow
    after: IssuedRow
    lines: tuple[PlannedLine, ...]
    appended: tuple[PlannedLine, ...]
    is_replaced: bool = False

    @property
    def entry_id(self) -> str:
        """The entry the row is billed on."""
        return self.standing.entry_id

    @property
    def before(self) -> IssuedRow:
        """The row before the edit."""
        return self.standing.row

    @property
    def reaches_to(self) -> date | None:
        """The last day as stored in the ledger."""
        return replace_row(self.after).last_on if self.is_replaced else self.after.last_on

    @property
    def total_yen(self) -> int:
        """The row's amount after the edit."""
        return sum(line.yen for line in self.lines)

    @property
    def change_yen(self) -> int:
        """What the edit adds to the entry; a credit is negative."""
        return sum(line.yen for line in self.appended)


def find_repriced_rows(
    session: Session,
    facts: RentFacts,
    rows: Sequence[StandingRow],
    after: Iterable[IssuedRow],
    priced_from: date | None = None,
) -> tuple[RepricedRow, ...]:
    """Return the rows an edit changes: their last day, or their lines (Money 2).

    Rows that keep their days keep their price too, but those that reach `priced_from` take the
    present one.
    """
    standing = lines_of_rows(session, [row.row_id for row in rows])
    planned = (
        _reprice_row(facts, row, becomes, standing.get(row.row_id, ()), priced_from)
        for row, becomes in zip(rows, after, strict=True)
    )
    return tuple(row for row in planned if row.before != row.after or row.appended)


def post_repriced_rows(session: Session, clock: Clock, rows: Sequence[RepricedRow]) -> None:
    """Insert the reversing and the new lines, and the new extent of each row."""
    on = clock.today()
    extents = [
        extent_row(row.standing.row_id, row.standing.extents + 1, row.reaches_to, on)
        for row in rows
    ]
    lines = [
        line
        for row in rows
        for line in line_rows(row.entry_id, row.standing.row_id, row.appended, on)
    ]
    write_rows(session, RowExtent, extents)
    write_rows(session, LedgerLine, lines)


def _reprice_row(
    facts: RentFacts,
    row: StandingRow,
    after: IssuedRow,
    standing: Sequence[PlannedLine],
    priced_from: date | None = None,
) -> RepricedRow:
    reaches_price = priced_from is not None and (after.last_on or date.min) >= priced_from
    if after == row.row and not reaches_price:
        return RepricedRow(row, after, tuple(standing), ())
    start_on = facts.tenancy.term.start_on
    wanted = worded_lines(
        facts.price, standing_lines(facts.price.price, after, start_on), facts.taxes
    )
    appended = () if set(wanted) == set(standing) else (*reversed_lines(standing), *wanted)
    return RepricedRow(row, after, wanted, appended)


@dataclass(frozen=True, slots=True)
class OverridePlan:
    """The effects of an override: changed rows, new rows of the invoice, voided and new entries.

    `dropped` rows bill nothing already, and the invoice no longer includes them.
    """

    invoice_id: str | None
    repriced: tuple[RepricedRow, ...]
    invoice: tuple[PlannedRow, ...]
    voided: tuple[StandingRow, ...]
    created: tuple[PlannedEntry, ...]
    dropped: tuple[RepricedRow, ...] = ()


def override_rows(work: Work, reservation_id: str) -> OverridePlan:
    """Post what the present dates make of the invoice and the other rows.

    Entries that the new invoice includes are voided with the arrears charges that collect them, and
    their payments move to the invoice; an overpayment of the invoice moves to the entries of rows
    that left it. Due days of entries stay.
    """
    locked(work.session, Reservation, reservation_id)
    plan = _plan_override(
        work.session, rent_facts(work.session, reservation_id, work.clock.today())
    )
    for entry_id in dict.fromkeys(row.entry_id for row in plan.voided):
        swallowed = [entry_id, *arrears_charges_of(work.session, entry_id)]
        void_entry(work, entry_id)
        if plan.invoice_id is not None:
            for left_id in swallowed:
                paid = AllocatedPart(plan.invoice_id, paid_on(work.session, left_id))
                move_payments(work.session, work.clock, left_id, [paid])
    post_repriced_rows(work.session, work.clock, (*plan.repriced, *plan.dropped))
    if plan.invoice_id is not None:
        for row in plan.invoice:
            add_row(work.session, work.clock, reservation_id, plan.invoice_id, row)
        _issue_new_entries(work, plan)
    return plan


def preview_override(
    session: Session, clock: Clock, reservation_id: str, tenancy: TenancyFacts
) -> OverridePlan:
    """Return what `override_rows` would post with the given tenancy."""
    return _plan_override(session, rent_facts(session, reservation_id, clock.today(), tenancy))


def _issue_new_entries(work: Work, plan: OverridePlan) -> None:
    """Issue the entries of rows that left the invoice, and move its overpayment to them."""
    if not plan.created or plan.invoice_id is None:
        return
    ids = post_entries(work, plan.created)
    reservation_id = plan.created[0].reservation_id
    standing = standing_of(work.session, reservation_id, plan.invoice_id, work.clock.today())
    totals = [(id_, entry.total_yen) for id_, entry in zip(ids, plan.created, strict=True)]
    moved = followed_payments(standing.overpaid_yen, totals)
    move_payments(work.session, work.clock, plan.invoice_id, moved.allocations)


def _plan_override(session: Session, facts: RentFacts) -> OverridePlan:
    overridden = overridden_rows([standing.row for standing in facts.rows], facts.span)
    others = [row for row in facts.rows if row.row.kind is not RowKind.MOVE_IN]
    voided = tuple(row for row in others if row.row in overridden.voided)
    kept = [row for row in others if row.row not in overridden.voided]
    on_invoice = _on_the_invoice(session, facts, overridden)
    # The invoice's rows as they become, and the further rows it needs.
    row_wanted = {row.first_on: row for row in overridden.invoice}
    stays: list[IssuedRow] = []
    for standing in on_invoice:
        becomes = row_wanted.pop(standing.row.first_on, None)
        stays.append(standing.row._replace(last_on=becomes.last_on if becomes else None))
    new = list(row_wanted.values())
    changed = find_repriced_rows(session, facts, [*on_invoice, *kept], [*stays, *overridden.kept])
    start_on = facts.tenancy.term.start_on
    replaced_rows: list[RepricedRow] = []
    for row in changed:
        # The row, marked as replaced where others take its place on the invoice.
        is_off = row.before.kind is RowKind.MOVE_IN and row.after.last_on is None
        replaced_rows.append(row._replace(is_replaced=is_off and bool(overridden.invoice)))
    wanted = {row.first_on for row in overridden.invoice}
    rows = (
        RepricedRow(row, row.row, (), (), is_replaced=True)
        for row in on_invoice
        if wanted and row.row.last_on is None and row.row.first_on not in wanted
    )
    return OverridePlan(
        on_invoice[0].entry_id if on_invoice else None,
        tuple(replaced_rows),
        tuple(planned_row(facts.price, row, start_on, facts.taxes) for row in new),
        voided,
        tuple(
            planned_rent(
                facts.reservation_id, planned_row(facts.price, row, start_on, facts.taxes), facts.on
            )
            for row in overridden.created
        ),
        tuple(rows),
    )


def _on_the_invoice(
    session: Session, facts: RentFacts, overridden: OverriddenRows
) -> list[StandingRow]:
    """Return the invoice's rows, with those an earlier override replaced and this one needs."""
    standing = [row for row in facts.rows if row.row.kind is RowKind.MOVE_IN]
    wanted = {row.first_on for row in overridden.invoice} - {row.row.first_on for row in standing}
    invoice_ids = {row.entry_id for row in standing}
    back = [
        row
        for row in replaced_rows(session, facts.reservation_id)
        if row.row.first_on in wanted and row.entry_id in invoice_ids
    ]
    return [*standing, *back]


def reprice_rows(
    work: Work, reservation_id: str, *, priced_from: date | None = None
) -> tuple[RepricedRow, ...]:
    """Post what the present tenancy makes of the rows; return those that changed.

    Rows are only added; repeating it changes nothing. Day and instant are the clock's. Days from
    `priced_from` on take the present price, for a term that is signed or withdrawn.
    """
    locked(work.session, Reservation, reservation_id)
    facts = rent_facts(work.session, reservation_id, work.clock.today())
    changed = _plan_repriced_rows(work.session, facts, priced_from)
    post_repriced_rows(work.session, work.clock, changed)
    return changed


def preview_repricing(
    session: Session, clock: Clock, reservation_id: str, tenancy: TenancyFacts
) -> tuple[RepricedRow, ...]:
    """Return what `reprice_rows` would post with the given tenancy."""
    return _plan_repriced_rows(session, rent_facts(session, reservation_id, clock.today(), tenancy))


def _plan_repriced_rows(
    session: Session, facts: RentFacts, priced_from: date | None = None
) -> tuple[RepricedRow, ...]:
    after = repriced_rows([standing.row for standing in facts.rows], facts.span)
    return find_repriced_rows(session, facts, facts.rows, after, priced_from)
