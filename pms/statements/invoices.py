"""Invoices: issuing them and writing their papers."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.management_forms import PaperParties, payee_account
from pms.catalogue.models import Building, Unit
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.mail_texts import format_day, format_days, format_yen
from pms.foundation.numbering import lock_series, take_number
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work
from pms.ledger.models import LedgerEntry, LedgerLine
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EntryKind, LineItem, RecurringItem, TaxTreatment
from pms.rules.invoices import TAX_PERCENT, TaxedAmount, contained_taxes
from pms.statements.models import Invoice
from pms.statements.paper_parties import parties_of_home, party_facts
from pms.statements.papers import StoreNumber, StoreNumberOf, no_store_number, store_facts
from pms.statements.queries import changed_since, invoice_of
from pms.statements.transfer_account import TransferDetails, qr_svg, transfer_details
from pms.statements.typesetting import typeset
from pms.workspaces.models import Workspace

# The rent and its reductions, the other monthly amounts, a workspace's own fees, the rest.
_ORDER: Final = [
    RecurringItem.BASE_RENT,
    LineItem.DISCOUNT,
    *(item for item in RecurringItem if item is not RecurringItem.BASE_RENT),
]
_OWN_FEE: Final = len(_ORDER)


class PaperLine(NamedTuple):
    """One item over one run of days, in whole yen including tax."""

    item: str
    label: Bilingual
    first_on: date | None
    last_on: date | None
    treatment: TaxTreatment
    is_deposit: bool
    yen: int


def entry_lines(session: Session, entry_id: str, through_on: date) -> tuple[PaperLine, ...]:
    """Return the lines of an entry as of the end of a day."""
    rows = session.scalars(
        select(LedgerLine).where(
            LedgerLine.entry_id == entry_id, LedgerLine.posted_on <= through_on
        )
    )
    return net_lines(rows.all())


def count_of_lines(session: Session, entry_id: str) -> int:
    """Return the number of lines written to an entry, which only grows."""
    asked = select(func.count(LedgerLine.id)).where(LedgerLine.entry_id == entry_id)
    return session.scalar(asked) or 0


def net_lines(rows: Iterable[LedgerLine]) -> tuple[PaperLine, ...]:
    """Return the net lines in order; a line and its reversal cancel out."""
    sums: defaultdict[PaperLine, int] = defaultdict(int)
    for row in rows:
        sums[_without_amount(row)] += row.amount_yen
    lines = [line._replace(yen=yen) for line, yen in sums.items() if yen]
    return tuple(sorted(lines, key=_build_sort_key))


def total_yen(lines: Sequence[PaperLine]) -> int:
    """The sum of the lines (specification, Money 2)."""
    return sum(line.yen for line in lines)


def _without_amount(row: LedgerLine) -> PaperLine:
    return PaperLine(
        item=row.item,
        label=Bilingual(row.label_ja, row.label_en),
        first_on=row.first_on,
        last_on=row.last_on,
        treatment=TaxTreatment(row.tax_treatment),
        is_deposit=row.is_deposit,
        yen=0,
    )


def _build_sort_key(line: PaperLine) -> tuple[bool, bool, date, int, str, date, int]:
    """Return the sort key: lines by period, then those without days, the deposit last."""
    first_on = line.first_on or date.max
    rank = next((place for place, item in enumerate(_ORDER) if item == line.item), _OWN_FEE)
    return (
        line.is_deposit,
        line.first_on is None,
        first_on.replace(day=1),
        rank,
        line.item,
        first_on,
        -line.yen,
    )


class Operator(NamedTuple):
    """The workspace as issuer of its papers; the hue is in degrees."""

    name: Bilingual
    hue: int
    qualified_invoice_number: str | None
    bank_details: str | None
    postcode: str | None
    address: str | None

    @property
    def address_lines(self) -> list[str]:
        """The operator's address, as printed below the name on a paper."""
        postcode = f"〒{self.postcode}" if self.postcode else None
        return [line for line in (postcode, self.address) if line]


class InvoicedResident(NamedTuple):
    """A resident with address data, and the unit they rent."""

    resident: str
    email: str | None
    locale: str
    building: Bilingual
    unit: str

    def in_language(self, locale: str) -> str:
        """Return the building with the unit."""
        return f"{self.building.in_language(locale)} {self.unit}"


def operator_of(session: Session) -> Operator:
    """Return the workspace of the session."""
    row = session.scalars(select(Workspace)).one()
    return Operator(
        name=Bilingual(row.name, row.name_en),
        hue=row.brand_hue,
        qualified_invoice_number=row.qualified_invoice_number,
        bank_details=row.bank_details,
        postcode=row.postcode,
        address=row.address,
    )


def home_of(session: Session, reservation_id: str) -> InvoicedResident:
    """Return the resident of a reservation and its unit."""
    name, email, locale, unit, building, building_en = session.execute(
        select(
            Reservation.name,
            Reservation.email,
            Reservation.locale,
            Unit.name,
            Building.name,
            Building.name_en,
        )
        .join(Unit, refers_to(Reservation.unit_id, Unit))
        .join(Building, refers_to(Unit.building_id, Building))
        .where(Reservation.id == reservation_id)
    ).one()
    return InvoicedResident(name, email, locale, Bilingual(building, building_en), unit)


@dataclass(frozen=True)
class InvoicePaper:
    """The data of an invoice, before it is worded."""

    invoice: Invoice
    entry: LedgerEntry
    operator: Operator
    home: InvoicedResident
    lines: tuple[PaperLine, ...]
    corrected_on: date | None
    voided_on: date | None
    transfer: TransferDetails
    parties: Mapping[str, Any]
    store: StoreNumber | None = None


def invoice_pdf(
    session: Session,
    invoice_id: str,
    on: date | None = None,
    number_of: StoreNumberOf = no_store_number,
) -> bytes:
    """Return the PDF of an invoice in its language, as of the end of a day.

    Without a day it contains everything posted so far. A later repricing or a voiding is shown with
    its day; the number stays the same, since an entry has only one.
    """
    return typeset("invoice", invoice_facts(invoice_paper(session, invoice_id, on, number_of)))


def invoice_paper(
    session: Session,
    invoice_id: str,
    on: date | None = None,
    number_of: StoreNumberOf = no_store_number,
) -> InvoicePaper:
    """Return the data of an invoice as of the end of a day; raise `NotFound` if unknown."""
    invoice = invoice_of(session, invoice_id)
    entry = session.scalars(select(LedgerEntry).where(LedgerEntry.id == invoice.entry_id)).one()
    through_on = on or date.max
    parties = PaperParties.of(invoice.parties)
    operator, lines = operator_of(session), entry_lines(session, entry.id, through_on)
    return InvoicePaper(
        invoice=invoice,
        entry=entry,
        operator=operator,
        home=home_of(session, entry.reservation_id),
        lines=lines,
        corrected_on=_corrected_on(session, invoice, through_on),
        voided_on=session.scalar(
            select(LedgerEntry.issued_on).where(
                LedgerEntry.opposes_id == entry.id, LedgerEntry.issued_on <= through_on
            )
        ),
        transfer=transfer_details(session, entry.reservation_id, payee_account(session, parties)),
        parties=party_facts(
            session,
            parties,
            invoice.locale,
            operator_number=operator.qualified_invoice_number,
            treatments=[line.treatment for line in lines],
        ),
        store=number_of(session, entry.id),
    )


def invoice_facts(paper: InvoicePaper) -> dict[str, Any]:
    """Return an invoice as data for its template."""
    invoice, locale = paper.invoice, paper.invoice.locale
    amount_yen = total_yen(paper.lines)
    held = paper.transfer.qr_text(locale, amount_yen) if amount_yen > 0 else None
    return {
        "language": locale,
        "hue": paper.operator.hue,
        "operator": paper.operator.name.in_language(locale),
        "address": paper.operator.address_lines,
        **paper.parties,
        **paper.transfer.facts(locale),
        "qr": qr_svg(held) if held else None,
        "store": store_facts(paper.store, locale),
        "number": invoice.number,
        "issued": format_day(invoice.issued_on, locale),
        "due": format_day(paper.entry.due_on, locale),
        "recipient": paper.home.resident,
        "home": paper.home.in_language(locale),
        "subject": Bilingual(paper.entry.label_ja, paper.entry.label_en).in_language(locale),
        "total": format_yen(amount_yen),
        "lines": [_line_facts(line, locale) for line in paper.lines],
        "taxes": _tax_facts(paper.lines),
        "notes": _list_notes(paper, locale),
    }


def _line_facts(line: PaperLine, locale: str) -> dict[str, Any]:
    percent = TAX_PERCENT.get(line.treatment)
    return {
        "label": line.label.in_language(locale),
        "days": format_days(line.first_on, line.last_on, locale),
        "tax": f"{percent}%" if percent else "",
        "amount": format_yen(line.yen),
    }


def _tax_facts(lines: Sequence[PaperLine]) -> list[dict[str, str]]:
    """Return the tax of each rate on the invoice, the highest rate first.

    Deposits issued before they had a class of their own were exempt; the words then name both.
    """
    taxes = contained_taxes(TaxedAmount(line.treatment, line.yen) for line in lines)
    exempt = TaxTreatment.EXEMPT
    before = any(line.is_deposit and line.treatment is exempt for line in lines)
    return [
        {
            "treatment": f"{exempt}_before"
            if before and tax.treatment is exempt
            else tax.treatment,
            "inclusive": format_yen(tax.inclusive_yen),
            "contained": format_yen(tax.tax_yen) if tax.is_taxed else "—",
        }
        for tax in sorted(taxes, key=lambda tax: -TAX_PERCENT.get(tax.treatment, 0))
    ]


def _list_notes(paper: InvoicePaper, locale: str) -> list[dict[str, str]]:
    notes = (("corrected", paper.corrected_on), ("voided", paper.voided_on))
    return [{"kind": kind, "day": format_day(day, locale)} for kind, day in notes if day]


def _corrected_on(session: Session, invoice: Invoice, through_on: date) -> date | None:
    """Return the day of the last line posted after the invoice, even on its day of issue."""
    written = select(func.count(LedgerLine.id), func.max(LedgerLine.posted_on)).where(
        LedgerLine.entry_id == invoice.entry_id, LedgerLine.posted_on <= through_on
    )
    lines, posted_on = session.execute(written).one()
    changed = changed_since(invoice, lines, posted_on) if posted_on is not None else None
    return changed.on if changed else None


SERIES: Final = "invoice"
_QUALIFIED: Final = re.compile(r"T[0-9]{13}")


def issue_invoice(work: Work, entry_id: str) -> Invoice:
    """Return the invoice of an entry, issued on the first call.

    Raises `NotFound` for an unknown entry, and `Refused` for one that bills nothing.
    """
    question = select(LedgerEntry).where(LedgerEntry.id == entry_id)
    entry = work.session.scalar(question) if is_id(entry_id) else None
    if entry is None:
        raise no_such("entry", entry_id)
    return _find_invoice(work.session, entry_id) or _issue_new_invoice(work, entry)


def _issue_new_invoice(work: Work, entry: LedgerEntry) -> Invoice:
    today = work.clock.today()
    if entry.kind == EntryKind.OPPOSITE:
        raise Refused("entry: an entry that voids another one has no invoice.")
    if work.session.scalar(select(LedgerEntry.id).where(LedgerEntry.opposes_id == entry.id)):
        raise Refused("entry: The bill was voided, so there is nothing to invoice.")
    total = total_yen(entry_lines(work.session, entry.id, today))
    if total <= 0:
        raise Refused(
            "entry: The total is {total}. An invoice asks for ¥1 or more.", total=format_yen(total)
        )
    number = operator_of(work.session).qualified_invoice_number
    if number and not _QUALIFIED.fullmatch(number):
        raise Refused(
            "qualified invoice number: '{number}' is not T and 13 digits.", number=number[:40]
        )
    # A concurrent issue of the same invoice holds this lock; its invoice is found after it.
    lock_series(work.session, SERIES, today)
    issued = _find_invoice(work.session, entry.id)
    if issued is not None:
        return issued
    invoice = Invoice(
        entry_id=entry.id,
        number=take_number(work.session, SERIES, today),
        issued_on=today,
        locale=work.session.scalars(
            select(Reservation.locale).where(Reservation.id == entry.reservation_id)
        ).one(),
        issued_lines=count_of_lines(work.session, entry.id),
        parties=parties_of_home(work.session, entry.reservation_id, today).to_json,
        written_at=work.clock.now(),
        written_by=work.actor,
    )
    work.session.add(invoice)
    about, facts = of_reservation(entry.reservation_id), {"number": invoice.number}
    note_audit_event(work, AuditEvent.INVOICE_ISSUED, about, after=facts)
    work.session.flush()
    return invoice


def _find_invoice(session: Session, entry_id: str) -> Invoice | None:
    return session.scalar(select(Invoice).where(Invoice.entry_id == entry_id))
