"""Papers of a reservation."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.mail_texts import format_day, format_yen
from pms.foundation.phrases import Bilingual
from pms.foundation.stored_forms import readable_stored
from pms.foundation.tenancy import refers_to
from pms.foundation.translations import translate_both
from pms.ledger.models import Payment, PaymentReturn
from pms.ledger.queries import entries_of
from pms.rules.enumerations import EntryKind, ReturnKind
from pms.statements.models import Receipt, ReceiptCorrection
from pms.statements.queries import ChangedInvoice, billed_entries

if TYPE_CHECKING:
    pass


class BilledPaper(NamedTuple):
    """One entry with its invoice, which may not be issued yet."""

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
    """The numbered paper that voids a receipt, or states how much of its money was returned."""

    id: str
    number: str
    kind: ReturnKind


class PaidPaper(NamedTuple):
    """One payment, what was returned of it, and its receipt, which may not be issued yet."""

    payment_id: str
    received_on: date
    amount_yen: int
    returned_yen: int
    receipt_id: str | None
    number: str | None
    corrections: Sequence[CorrectionPaper] = ()

    @property
    def may_be_issued(self) -> bool:
        """Whether a receipt can be issued: not for a payment that was returned completely."""
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
        select(func.coalesce(func.sum(PaymentReturn.taken_yen), 0))
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
    correction_rows = session.execute(
        select(
            PaymentReturn.payment_id,
            ReceiptCorrection.id,
            ReceiptCorrection.number,
            PaymentReturn.kind,
        )
        .join(ReceiptCorrection, refers_to(ReceiptCorrection.return_id, PaymentReturn))
        .where(PaymentReturn.reservation_id == reservation_id)
        .order_by(ReceiptCorrection.number)
    )
    corrections: dict[str, list[CorrectionPaper]] = {}
    for payment_id, id_, number, kind in correction_rows:
        corrections.setdefault(payment_id, []).append(
            CorrectionPaper(id_, number, ReturnKind(kind))
        )
    return [
        PaidPaper(id_, on, yen, int(back), receipt_id, number, corrections.get(id_, ()))
        for id_, on, yen, back, receipt_id, number in rows
    ]


_KEPT_CODES: Final = dict[str, dict[str, str | None]]


class StoreNumber(NamedTuple):
    """The number with which a bill is paid at convenience stores, by store, until a day."""

    amount_yen: int
    codes: Mapping[str, Mapping[str, str]]
    pay_by: date | None

    def lines(self, locale: str) -> list[dict[str, str | None]]:
        """Return each store with its name, its payment number and its confirmation number.

        A store that this release does not know is left out: the page of the provider has it.
        """
        return [
            {
                "name": STORES[store].in_language(locale),
                "payment": codes["payment"],
                "confirmation": codes.get("confirmation"),
            }
            for store, codes in (readable_stored(_KEPT_CODES, self.codes) or {}).items()
            if store in STORES and codes.get("payment")
        ]


STORES: Final[Mapping[str, Bilingual]] = {
    "familymart": translate_both("FamilyMart"),
    "lawson": translate_both("Lawson"),
    "ministop": translate_both("Ministop"),
    "seicomart": translate_both("Seicomart"),
}
"""The convenience stores of the payment provider, by its names."""


def store_facts(number: StoreNumber | None, locale: str) -> dict[str, Any] | None:
    """Return the values that mails and papers print of a number; None without one."""
    if number is None:
        return None
    return {
        "lines": number.lines(locale),
        "amount": format_yen(number.amount_yen),
        "pay_by": format_day(number.pay_by, locale) if number.pay_by else None,
    }


StoreNumberOf: TypeAlias = Callable[[Session, str], StoreNumber | None]
"""What looks up the number for a bill, by its entry; statements know no collections."""


def no_store_number(_session: Session, _entry_id: str) -> None:
    """Look up no number: for papers of bills that are never paid at a store."""
