"""Owner statements by share, and numbered invoices of the management fee, one to each owner."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Final, NamedTuple

from msgspec import to_builtins
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building
from pms.catalogue.owners import building_shares_on, owner_names, write_shares
from pms.foundation.audit import note_audit_event
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id
from pms.foundation.mail_texts import format_day, format_month, format_yen
from pms.foundation.numbering import take_number
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.stored_forms import read_stored
from pms.foundation.translations import translate, translate_both
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.days import ONE_DAY, month_last
from pms.rules.enumerations import TaxTreatment
from pms.rules.invoices import TAX_PERCENT, contained_yen
from pms.rules.owner_income import RunningPart, part_of
from pms.statements.invoices import operator_of
from pms.statements.models import FeeInvoice, OwnerStatement
from pms.statements.owner_figures import OwnerFigures, Published, ShareHolder, read
from pms.statements.typesetting import typeset


def figures_of(published: Published, owner_ids: Collection[str] | None) -> OwnerFigures:
    """Return the figures of a published month, or the part of some of its owners."""
    if owner_ids is None or not published.shares:
        return published.figures
    return part_of_figures(published.figures, published.shares, owner_ids)


def holders_of(published: Published, owner_ids: Collection[str] | None) -> Sequence[ShareHolder]:
    """Return the named owners who share the month; none for a month of a single owner."""
    return [
        holder
        for holder in published.shares
        if owner_ids is not None and holder.owner_id in owner_ids
    ]


def part_of_figures(
    figures: OwnerFigures, shares: Sequence[ShareHolder], owner_ids: Collection[str]
) -> OwnerFigures:
    """Return the part of some owners in a month (docs/decisions/owner-statements.md).

    Each line is rounded with the running total, so that the lines add up to the part of the closing
    balance.
    """
    held = [holder.share for holder in shares]
    running = RunningPart(held, owner_ids)
    opening_yen = running.take(figures.opening_yen)
    income = [row._replace(yen=running.take(row.yen)) for row in figures.income]
    rents = [rent._replace(yen=running.take(rent.yen)) for rent in figures.rents]
    deductions = [line._replace(yen=-running.take(-line.yen)) for line in figures.deductions]
    payout_yen = part_of(held, owner_ids, figures.payout_yen)
    classes = RunningPart(held, owner_ids)
    return replace(
        figures,
        opening_yen=opening_yen,
        income=tuple(row for row in income if row.yen),
        deductions=tuple(line for line in deductions if line.yen),
        closing_yen=running.yen,
        payout_yen=payout_yen,
        carried_yen=running.yen - payout_yen,
        payout_account=None,
        rents=tuple(rent for rent in rents if rent.yen),
        classes=tuple(each._replace(yen=classes.take(each.yen)) for each in figures.classes),
    )


def share_holders(session: Session, building: Building, month_on: date) -> Sequence[ShareHolder]:
    """Return the owners on the last day of a month with their names, the leading owner first."""
    shares = building_shares_on(session, building, month_last(month_on))
    names = owner_names(session, shares)
    return [ShareHolder(*share, name=names[share.owner_id]) for share in shares]


class OwnerPart(NamedTuple):
    """The part of one owner in a building's month."""

    holder: ShareHolder
    figures: OwnerFigures


def owner_parts(session: Session, building_id: str, figures: OwnerFigures) -> Sequence[OwnerPart]:
    """Return the part of each owner in a month by current data; none for a single owner."""
    building = session.scalars(select(Building).where(Building.id == building_id)).one()
    holders = share_holders(session, building, figures.month_on)
    if len(holders) < 2:
        return ()
    return [
        OwnerPart(holder, part_of_figures(figures, holders, [holder.owner_id]))
        for holder in holders
    ]


def set_shares(
    work: Work,
    *,
    building_id: str,
    from_on: date,
    parts: Sequence[tuple[str, Fraction]],
    version: int,
) -> int:
    """Set the owners' shares of a building from a day on; return the new version.

    Raises `Refused` for a day of a published month, whose statement already states the shares.
    """
    if not is_id(building_id):
        raise no_such("building", building_id)
    newest_on = work.session.scalar(
        select(func.max(OwnerStatement.month_on)).where(OwnerStatement.building_id == building_id)
    )
    if newest_on is not None and from_on <= month_last(newest_on):
        raise Refused(
            "fromOn: statements are published through {last}. Choose {first} or later.",
            last=month_last(newest_on),
            first=month_last(newest_on) + ONE_DAY,
        )
    return write_shares(
        work, building_id=building_id, from_on=from_on, parts=parts, version=version
    )


def joint_name(holders: Sequence[ShareHolder]) -> str:
    """Return the names of owners as one addressee."""
    return "、".join(holder.name for holder in holders)


SERIES: Final = "fee-invoice"
_TREATMENT: Final = TaxTreatment.TAXABLE_10


class FeeInvoiceLine(NamedTuple):
    """An invoice of a management fee in a list; `yen` includes the tax."""

    id: str
    number: str
    owner_id: str
    owner: str
    issued_on: date
    yen: int
    tax_yen: int


def issue_fee_invoices(
    work: Work, statement: OwnerStatement, owners: Sequence[ShareHolder]
) -> list[FeeInvoice]:
    """Issue to each owner their not yet invoiced part of the month's fee; return the invoices.

    The caller has locked the building. A fee changed by a correction is invoiced as the difference;
    a single owner gets the whole fee.
    """
    published = read(statement.figures)
    issued = _read_issued_invoices(work.session, statement.building_id, statement.month_on)
    found = []
    for owner in owners:
        figures = part_of_figures(published.figures, owners, [owner.owner_id])
        earlier = [row for row in issued if row.owner_id == owner.owner_id]
        yen = fee_of(figures) - sum(row.yen for row in earlier)
        if yen and all(row.statement_id != statement.id for row in earlier):
            paper = _build_paper(work.session, published, figures, owner, earlier)
            found.append(_issue_fee_invoice(work, statement, owner.owner_id, yen, paper))
    return found


def fee_of(figures: OwnerFigures) -> int:
    """Return the management fee of a month in whole yen, including tax."""
    return sum(line.yen for line in figures.deductions if line.on is None)


def _read_issued_invoices(
    session: Session, building_id: str, month_on: date
) -> Sequence[FeeInvoice]:
    return session.scalars(
        select(FeeInvoice)
        .where(FeeInvoice.building_id == building_id, FeeInvoice.month_on == month_on)
        .order_by(FeeInvoice.number)
    ).all()


@dataclass(frozen=True, slots=True)
class FeePaper:
    """All texts of an invoice except number, day and yen, as of the day of issue."""

    hue: int
    operator_ja: str | None
    operator_en: str | None
    address: tuple[str, ...]
    registration: str | None
    recipient: str
    building_ja: str
    building_en: str | None
    label_ja: str | None
    label_en: str | None
    share: str | None
    percent: int
    corrects: str | None


def _issue_fee_invoice(
    work: Work, statement: OwnerStatement, owner_id: str, yen: int, paper: FeePaper
) -> FeeInvoice:
    today = work.clock.today()
    row = FeeInvoice(
        statement_id=statement.id,
        building_id=statement.building_id,
        month_on=statement.month_on,
        owner_id=owner_id,
        number=f"M{take_number(work.session, SERIES, today)}",
        issued_on=today,
        yen=yen,
        tax_yen=contained_yen(_TREATMENT, yen),
        facts=to_builtins(paper),
        written_at=work.clock.now(),
        written_by=work.actor,
    )
    work.session.add(row)
    noted = {
        "number": row.number,
        "month_on": row.month_on,
        "amount_yen": yen,
        "owner_id": owner_id,
    }
    about = ("building", statement.building_id)
    note_audit_event(work, AuditEvent.FEE_INVOICE_ISSUED, about, after=noted)
    work.session.flush()
    return row


def _build_paper(
    session: Session,
    published: Published,
    figures: OwnerFigures,
    owner: ShareHolder,
    earlier: Sequence[FeeInvoice],
) -> FeePaper:
    operator = operator_of(session)
    labels = [line.label for line in figures.deductions if line.on is None]
    label = labels[0] if labels else translate_both("Management fee")
    return FeePaper(
        hue=operator.hue,
        operator_ja=operator.name.ja,
        operator_en=operator.name.en,
        address=tuple(operator.address_lines),
        registration=operator.qualified_invoice_number,
        recipient=owner.name,
        building_ja=published.building_ja,
        building_en=published.building_en,
        label_ja=label.ja,
        label_en=label.en,
        share=owner.share.text if owner.numerator < owner.denominator else None,
        percent=TAX_PERCENT[_TREATMENT],
        corrects=earlier[0].number if earlier else None,
    )


def fee_invoices_of_month(
    session: Session, building_id: str, month_on: date
) -> Sequence[FeeInvoiceLine]:
    """Return the invoices of a building's month, by number."""
    return [_build_line(row) for row in _read_issued_invoices(session, building_id, month_on)]


def fee_invoices_of_owners(
    session: Session, owner_ids: Collection[str], building_id: str, month_on: date
) -> Sequence[FeeInvoiceLine]:
    """Return the invoices of a month that were issued to some owners."""
    found = fee_invoices_of_month(session, building_id, month_on)
    return [line for line in found if line.owner_id in owner_ids]


def _build_line(row: FeeInvoice) -> FeeInvoiceLine:
    recipient = read_stored(FeePaper, row.facts).recipient
    return FeeInvoiceLine(
        row.id, row.number, row.owner_id, recipient, row.issued_on, row.yen, row.tax_yen
    )


def uninvoiced_yen(session: Session, statement: OwnerStatement) -> int:
    """Return the part of a published month's fee that is not invoiced, in whole yen."""
    asked = select(func.coalesce(func.sum(FeeInvoice.yen), 0)).where(
        FeeInvoice.building_id == statement.building_id, FeeInvoice.month_on == statement.month_on
    )
    return fee_of(read(statement.figures).figures) - int(session.scalar(asked) or 0)


def fee_invoice_of(
    session: Session, invoice_id: str, owner_ids: Collection[str] | None = None
) -> FeeInvoice:
    """Return an invoice, with `owner_ids` only one issued to them; else raise `NotFound`."""
    asked = select(FeeInvoice).where(FeeInvoice.id == invoice_id)
    if owner_ids is not None:
        asked = asked.where(one_of(FeeInvoice.owner_id, owner_ids))
    row = session.scalar(asked) if is_id(invoice_id) else None
    if row is None:
        raise no_such("invoice", invoice_id)
    return row


def fee_invoice_pdf(row: FeeInvoice, locale: str) -> bytes:
    """Return the PDF of an invoice in a language; its texts are those stored at issue."""
    paper = read_stored(FeePaper, row.facts)
    return typeset(
        "fee_invoice",
        {
            "language": locale,
            "hue": paper.hue,
            "operator": Bilingual(paper.operator_ja, paper.operator_en).in_language(locale),
            "address": list(paper.address),
            "registration": paper.registration,
            "number": row.number,
            "issued": format_day(row.issued_on, locale),
            "recipient": paper.recipient,
            "building": _building_and_share(paper, locale),
            "month": format_month(row.month_on, locale),
            "label": Bilingual(paper.label_ja, paper.label_en).in_language(locale),
            "amount": format_yen(row.yen),
            "net": format_yen(row.yen - row.tax_yen),
            "tax": format_yen(row.tax_yen),
            "percent": f"{paper.percent}%",
            "corrects": paper.corrects,
            "is_return": row.yen < 0,
        },
    )


def _building_and_share(paper: FeePaper, locale: str) -> str:
    """Return the name of the building, with the owner's share of it where it is not the whole."""
    building, share = Bilingual(paper.building_ja, paper.building_en), paper.share
    name = building.in_language(locale) or ""
    if not share:
        return name
    return translate("{building} (share {share})", locale, building=name, share=share)
