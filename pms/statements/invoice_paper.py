"""The invoice on paper: a PDF from the entry as it stands on a day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.bilingual import Bilingual
from pms.foundation.wording import said_day, said_days, said_yen
from pms.ledger.models import LedgerEntry, LedgerLine
from pms.rules.enumerations import TaxTreatment
from pms.rules.invoice_tax import TAX_PERCENT, TaxedAmount, contained_taxes
from pms.statements.entry_lines import PaperLine, entry_lines, total_yen
from pms.statements.models import Invoice
from pms.statements.parties import Home, Operator, home_of, operator_of
from pms.statements.queries import changed_since, invoice_of
from pms.statements.typesetting import typeset


@dataclass(frozen=True)
class InvoicePaper:
    """Everything an invoice says, before it is put into words."""

    invoice: Invoice
    entry: LedgerEntry
    operator: Operator
    home: Home
    lines: tuple[PaperLine, ...]
    corrected_on: date | None
    voided_on: date | None


def invoice_pdf(session: Session, invoice_id: str, on: date | None = None) -> bytes:
    """Return the PDF of an invoice in its language, as it stands at the end of a day.

    Without a day it shows everything posted so far. A later repricing is told with its day, and
    so is voiding: the number stays, the entry has only one.
    """
    return typeset("invoice", invoice_facts(invoice_paper(session, invoice_id, on)))


def invoice_paper(session: Session, invoice_id: str, on: date | None = None) -> InvoicePaper:
    """Return what an invoice says at the end of a day; raise `NotFound` for an unknown one."""
    invoice = invoice_of(session, invoice_id)
    entry = session.scalars(select(LedgerEntry).where(LedgerEntry.id == invoice.entry_id)).one()
    through_on = on or date.max
    return InvoicePaper(
        invoice=invoice,
        entry=entry,
        operator=operator_of(session),
        home=home_of(session, entry.reservation_id),
        lines=entry_lines(session, entry.id, through_on),
        corrected_on=_corrected_on(session, invoice, through_on),
        voided_on=_voided_on(session, entry.id, through_on),
    )


def invoice_facts(paper: InvoicePaper) -> dict[str, Any]:
    """Return the words of an invoice for its template."""
    invoice, locale = paper.invoice, paper.invoice.locale
    return {
        "language": locale,
        "hue": paper.operator.hue,
        "operator": paper.operator.name.said(locale),
        "address": paper.operator.address_lines,
        "registration": paper.operator.qualified_invoice_number,
        "bank": paper.operator.bank_details,
        "number": invoice.number,
        "issued": said_day(invoice.issued_on, locale),
        "due": said_day(paper.entry.due_on, locale),
        "recipient": paper.home.resident,
        "home": paper.home.said(locale),
        "subject": Bilingual(paper.entry.label_ja, paper.entry.label_en).said(locale),
        "total": said_yen(total_yen(paper.lines)),
        "lines": [_said_line(line, locale) for line in paper.lines],
        "taxes": _said_taxes(paper.lines),
        "notes": _notes(paper, locale),
    }


def _said_line(line: PaperLine, locale: str) -> dict[str, Any]:
    percent = TAX_PERCENT.get(line.treatment)
    return {
        "label": line.label.said(locale),
        "days": said_days(line.first_on, line.last_on, locale),
        "tax": f"{percent}%" if percent else "",
        "amount": said_yen(line.yen),
    }


def _said_taxes(lines: Sequence[PaperLine]) -> list[dict[str, str]]:
    """Once per rate on the invoice, the highest rate first."""
    taxes = contained_taxes(TaxedAmount(line.treatment, line.yen) for line in lines)
    return [
        {
            "treatment": tax.treatment.value,
            "inclusive": said_yen(tax.inclusive_yen),
            "contained": "—" if tax.treatment is TaxTreatment.EXEMPT else said_yen(tax.tax_yen),
        }
        for tax in sorted(taxes, key=lambda tax: -TAX_PERCENT.get(tax.treatment, 0))
    ]


def _notes(paper: InvoicePaper, locale: str) -> list[dict[str, str]]:
    told = (("corrected", paper.corrected_on), ("voided", paper.voided_on))
    return [{"kind": kind, "day": said_day(day, locale)} for kind, day in told if day]


def _corrected_on(session: Session, invoice: Invoice, through_on: date) -> date | None:
    """The day of the last line that came after the invoice, also on the day it was issued."""
    written = select(func.count(LedgerLine.id), func.max(LedgerLine.posted_on)).where(
        LedgerLine.entry_id == invoice.entry_id, LedgerLine.posted_on <= through_on
    )
    lines, posted_on = session.execute(written).one()
    changed = changed_since(invoice, lines, posted_on) if posted_on is not None else None
    return changed.on if changed else None


def _voided_on(session: Session, entry_id: str, through_on: date) -> date | None:
    return session.scalar(
        select(LedgerEntry.issued_on).where(
            LedgerEntry.opposes_id == entry_id, LedgerEntry.issued_on <= through_on
        )
    )
