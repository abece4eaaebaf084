"""Invoices whose lines would have another class of consumption tax if they were issued today."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import Row, Select, func, or_, select, tuple_
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.ledger.models import LedgerEntry, LedgerLine
from pms.ledger.tax_bases import tenancy_taxes
from pms.reservations.models import Reservation
from pms.rules.days import Days
from pms.rules.enumerations import EntryKind, FeeCategory, LineItem, TaxTreatment
from pms.rules.tax_classes import (
    TaxBasis,
    TaxedItem,
    class_of_category,
    class_on,
    classed_days,
    is_a_month,
)
from pms.statements.models import Invoice
from pms.workspaces.tax_classes import workspace_taxes

_OUTSIDE: Final = (EntryKind.ARREARS, EntryKind.OPENING)
_KIND = (LedgerLine.item, LedgerLine.category, LedgerLine.tax_treatment, LedgerEntry.kind)


class DifferingLine(NamedTuple):
    """A line with the class it was issued with, and those it would have now."""

    label: Bilingual
    yen: int
    issued_as: TaxTreatment
    would_be: Sequence[TaxTreatment]


@dataclass(slots=True)
class DifferingInvoice:
    """An issued invoice with the lines whose class would differ."""

    entry_id: str
    number: str
    issued_on: date
    resident: str
    unit_name: str
    lines: list[DifferingLine] = field(default_factory=list)


def differing_invoices(session: Session, since: date, on: date) -> Sequence[DifferingInvoice]:
    """Return the invoices issued since a day whose class would differ on another, newest first.

    Nothing that was issued changes. Lines that were reversed do not count.
    """
    workspace = workspace_taxes(session)
    kinds = session.execute(_select_lines(since, *_KIND).distinct()).all()
    differing = [
        tuple(kind)
        for kind in kinds
        if _classes_now(_Line.of(kind), workspace) != {TaxTreatment(kind.tax_treatment)}
    ]
    invoiced = select(Invoice.entry_id).where(Invoice.issued_on >= since)
    whose = session.scalars(
        select(LedgerEntry.reservation_id).where(LedgerEntry.id.in_(invoiced)).distinct()
    ).all()
    taxes = tenancy_taxes(session, whose, on)
    short = [id_ for id_, basis in taxes.items() if _is_short(basis)]
    found: dict[str, DifferingInvoice] = {}
    for row in session.execute(_select_candidates(since, differing, short)):
        now = _classes_now(_Line.of(row), taxes[row.reservation_id])
        if now != {TaxTreatment(row.tax_treatment)}:
            would_be = sorted(now)
            invoice = found.setdefault(
                row.entry_id,
                DifferingInvoice(row.entry_id, row.number, row.issued_on, row.name, row.unit_name),
            )
            label = Bilingual(row.label_ja, row.label_en)
            issued_as = TaxTreatment(row.tax_treatment)
            invoice.lines.append(DifferingLine(label, int(row.yen), issued_as, would_be))
    return list(found.values())


def _is_short(basis: TaxBasis) -> bool:
    return basis.is_lodging or not all(map(is_a_month, basis.terms))


class _Line(NamedTuple):
    """What the class of a line depends on."""

    item: str
    category: FeeCategory
    treatment: TaxTreatment
    kind: EntryKind
    days: Days | None = None

    @classmethod
    def of(cls, row: Row[Any]) -> "_Line":
        first_on = getattr(row, "first_on", None)
        days = Days(first_on, row.last_on) if first_on else None
        classes = FeeCategory(row.category), TaxTreatment(row.tax_treatment), EntryKind(row.kind)
        return cls(row.item, *classes, days)


def _classes_now(line: _Line, basis: TaxBasis) -> set[TaxTreatment]:
    """Return the classes that a line would have; the days of one may have two."""
    if line.kind in _OUTSIDE:
        return {class_on(basis, TaxedItem.ARREARS)}
    if line.item == LineItem.PENALTY or line.category is FeeCategory.DEPOSIT:
        return {class_of_category(basis, line.category)}
    if line.item in basis.fees and line.item not in list(TaxedItem):
        return {basis.fees[line.item]}
    if line.item not in list(TaxedItem):
        is_single = line.item in ("charge", "credit")
        return {class_of_category(basis, line.category) if is_single else line.treatment}
    item = TaxedItem(line.item)
    if line.days is None:
        return {class_on(basis, item)}
    return {run.treatment for run in classed_days(basis, item, line.days)}


def _select_lines(since: date, *columns: Any) -> Select[*tuple[Any, ...]]:
    return (
        select(*columns)
        .select_from(Invoice)
        .join(LedgerEntry, refers_to(Invoice.entry_id, LedgerEntry))
        .join(LedgerLine, refers_to(LedgerLine.entry_id, LedgerEntry))
        .where(Invoice.issued_on >= since)
    )


def _select_candidates(
    since: date, kinds: Sequence[tuple[Any, ...]], reservation_ids: Collection[str]
) -> Select[*tuple[Any, ...]]:
    """Select the lines in force that differ for everyone, or whose tenancy may make them differ."""
    columns = (
        *(Invoice.entry_id, Invoice.number, Invoice.issued_on, LedgerEntry.reservation_id),
        *(Reservation.name, Unit.name.label("unit_name")),
        *_KIND,
        *(LedgerLine.label_ja, LedgerLine.label_en, LedgerLine.first_on, LedgerLine.last_on),
    )
    return (
        _select_lines(since, *columns, func.sum(LedgerLine.amount_yen).label("yen"))
        .join(Reservation, refers_to(LedgerEntry.reservation_id, Reservation))
        .join(Unit, refers_to(Reservation.unit_id, Unit))
        .where(or_(tuple_(*_KIND).in_(kinds), one_of(LedgerEntry.reservation_id, reservation_ids)))
        .group_by(*columns)
        .having(func.sum(LedgerLine.amount_yen) != 0)
        .order_by(Invoice.issued_on.desc(), Invoice.number.desc(), LedgerLine.item)
    )
