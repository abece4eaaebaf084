"""Papers of a reservation."""

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.phrases import Bilingual
from pms.ledger.models import Payment, PaymentReturn
from pms.ledger.queries import entries_of
from pms.rules.enumerations import EntryKind, ReturnKind
from pms.statements.models import Receipt, ReceiptCorrection
from pms.statements.queries import ChangedInvoice, billed_entries

if TYPE_CHECKING:
    import typst


class BilledPaper(NamedTuple):
    """One entry and its invoice, which may not be issued yet."""

    entry_id: str
    label: Bilingual
    issued_on: date
    due_on: date
    total_yen: int
    is_voided: bool
    invoice_id: str | None
    number: str | None
    sent_at: datetime | None
    changed: ChangedInvoice | None


class CorrectionPaper(NamedTuple):
    """The numbered paper that voids a receipt, or tells what of its money was sent back."""

    id: str
    number: str
    kind: ReturnKind


class PaidPaper(NamedTuple):
    """One payment, what of it was taken back, and its receipt, which may not be issued yet."""

    payment_id: str
    received_on: date
    amount_yen: int
    returned_yen: int
    receipt_id: str | None
    number: str | None
    corrections: Sequence[CorrectionPaper] = ()

    @property
    def may_be_issued(self) -> bool:
        """Whether a receipt could be written: not of money that went back altogether."""
        return self.number is None and self.returned_yen < self.amount_yen


def billed_papers(session: Session, reservation_id: str) -> Sequence[BilledPaper]:
    """Return the entries of a reservation with their invoices, the newest first."""
    billed = billed_entries(session, reservation_id)
    papers = []
    for entry in reversed(entries_of(session, reservation_id)):
        if entry.kind is not EntryKind.OPPOSITE:
            invoice = billed[entry.id].invoice
            papers.append(
                BilledPaper(
                    entry_id=entry.id,
                    label=entry.label,
                    issued_on=entry.issued_on,
                    due_on=entry.due_on,
                    total_yen=entry.total_yen,
                    is_voided=entry.voided_on is not None,
                    invoice_id=invoice.id if invoice else None,
                    number=invoice.number if invoice else None,
                    sent_at=invoice.sent_at if invoice else None,
                    changed=billed[entry.id].changed,
                )
            )
    return papers


def paid_papers(session: Session, reservation_id: str) -> Sequence[PaidPaper]:
    """Return the payments of a reservation with their receipts, the newest first."""
    returned = (
        select(func.coalesce(func.sum(PaymentReturn.amount_yen), 0))
        .where(PaymentReturn.payment_id == Payment.id)
        .scalar_subquery()
    )
    rows = session.execute(
        select(
            *(Payment.id, Payment.received_on, Payment.amount_yen),
            *(returned, Receipt.id, Receipt.number),
        )
        .outerjoin(Receipt, Receipt.payment_id == Payment.id)
        .where(Payment.reservation_id == reservation_id)
        .order_by(Payment.received_on.desc(), Payment.id.desc())
    )
    corrections = _corrections(session, reservation_id)
    return [
        PaidPaper(id_, on, yen, int(back), receipt_id, number, corrections.get(id_, ()))
        for id_, on, yen, back, receipt_id, number in rows
    ]


def _corrections(session: Session, reservation_id: str) -> Mapping[str, Sequence[CorrectionPaper]]:
    """The papers about receipts of a reservation, by payment, in the order of their numbers."""
    rows = session.execute(
        select(
            PaymentReturn.payment_id,
            ReceiptCorrection.id,
            ReceiptCorrection.number,
            PaymentReturn.kind,
        )
        .join(
            ReceiptCorrection,
            (ReceiptCorrection.workspace_id == PaymentReturn.workspace_id)
            & (ReceiptCorrection.return_id == PaymentReturn.id),
        )
        .where(PaymentReturn.reservation_id == reservation_id)
        .order_by(ReceiptCorrection.number)
    )
    found: dict[str, list[CorrectionPaper]] = {}
    for payment_id, id_, number, kind in rows:
        found.setdefault(payment_id, []).append(CorrectionPaper(id_, number, ReturnKind(kind)))
    return found


TEMPLATES: Final = Path(__file__).parents[2] / "templates" / "papers"
# How the typesetter says that its fonts lack a letter, which an accessible PDF must not hold.
_LETTER_LACKING: Final = "could not be displayed"


def typeset(template: str, facts: Mapping[str, Any]) -> bytes:
    """Return the PDF of a template; the facts are data to it, never markup.

    People are named in every script there is: a letter the paper's fonts lack is taken from the
    fonts of the machine, or stands as an empty box, rather than that there is no paper.
    """
    # Imported here and below: a web worker that sets no paper never loads the typesetter.
    import typst

    try:
        return _compiled(template, facts, _fonts(), "ua-1")
    except typst.TypstError as error:
        if _LETTER_LACKING not in str(error):
            raise
    return _compiled(template, facts, _all_fonts(), "1.7")


def qr_svg(text: str) -> str:
    """Return the picture that holds a text, for a template."""
    import segno

    return str(segno.make(text, error="m").svg_inline(border=0))


def _compiled(
    template: str, facts: Mapping[str, Any], fonts: "typst.Fonts", standard: Literal["ua-1", "1.7"]
) -> bytes:
    import typst

    return typst.compile(
        TEMPLATES / f"{template}.typ",
        root=TEMPLATES,
        font_paths=fonts,
        pdf_standards=standard,
        sys_inputs={"facts": json.dumps(facts, ensure_ascii=False)},
        timestamp=0,
    )


@cache
def _fonts() -> "typst.Fonts":
    """The fonts beside the templates and no others, read once: a paper takes a sixth of the time."""
    import typst

    return typst.Fonts(
        include_system_fonts=False,
        include_embedded_fonts=False,
        font_paths=[TEMPLATES / "fonts"],
    )


@cache
def _all_fonts() -> "typst.Fonts":
    """The same fonts first, then whatever else there is."""
    import typst

    return typst.Fonts(font_paths=[TEMPLATES / "fonts"])
