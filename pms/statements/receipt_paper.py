"""The receipt on paper: a PDF from a payment and the entries it reached."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.management_forms import PaperParties
from pms.foundation.mail_texts import format_day, format_yen
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.foundation.translations import translate
from pms.ledger.models import Allocation, LedgerEntry, Payment, PaymentReturn
from pms.rules.enumerations import ReturnKind
from pms.statements.invoices import home_of, operator_of
from pms.statements.models import Invoice, Receipt, ReceiptCorrection
from pms.statements.paper_parties import party_facts
from pms.statements.queries import correction_of, receipt_of
from pms.statements.typesetting import typeset


class ReceiptPart(NamedTuple):
    """The part of a payment, in whole yen, for one entry, or for none yet."""

    label: Bilingual | None
    invoice_number: str | None
    yen: int


def receipt_pdf(session: Session, receipt_id: str) -> bytes:
    """Return the PDF of a receipt in its language.

    It states the use of the payment when the receipt was issued, without what had been returned by
    then; a later reallocation or return does not change it. The receipt of a reversed payment names
    the paper that voided it.
    """
    receipt = receipt_of(session, receipt_id)
    payment = session.scalars(select(Payment).where(Payment.id == receipt.payment_id)).one()
    locale = receipt.locale
    parts = receipt_parts(session, receipt, payment)
    # The number and day of the paper that voids a receipt.
    found = session.scalar(
        select(ReceiptCorrection)
        .join(PaymentReturn, refers_to(ReceiptCorrection.return_id, PaymentReturn))
        .where(
            ReceiptCorrection.receipt_id == receipt.id,
            PaymentReturn.kind == ReturnKind.REVERSED,
        )
    )
    if found is None:
        voided_facts = None
    else:
        voided_facts = {"number": found.number, "day": format_day(found.issued_on, receipt.locale)}
    receipt_facts = {
        **_build_party_facts(session, receipt, payment),
        "number": receipt.number,
        "issued": format_day(receipt.issued_on, locale),
        "received": format_day(payment.received_on, locale),
        "voided": voided_facts,
        "total": format_yen(_kept_yen(session, receipt, payment)),
        "purpose": _describe_purpose(parts, locale),
        "parts": [
            {
                "label": part.label.in_language(locale) if part.label else None,
                "invoice": part.invoice_number or "",
                "amount": format_yen(part.yen),
            }
            for part in parts
        ],
        "has_invoices": any(part.invoice_number for part in parts),
    }
    return typeset("receipt", receipt_facts)


def correction_pdf(session: Session, correction_id: str) -> bytes:
    """Return the PDF that voids a receipt, or states how much of its money was returned."""
    correction = correction_of(session, correction_id)
    receipt = receipt_of(session, correction.receipt_id)
    payment = session.scalars(select(Payment).where(Payment.id == receipt.payment_id)).one()
    taken = session.scalars(select(PaymentReturn).where(PaymentReturn.id == correction.return_id))
    opposite = taken.one()
    locale = receipt.locale
    return typeset(
        "receipt_correction",
        {
            **_build_party_facts(session, receipt, payment),
            "kind": opposite.kind.value,
            "number": correction.number,
            "issued": format_day(correction.issued_on, locale),
            "receipt": receipt.number,
            "receipt_issued": format_day(receipt.issued_on, locale),
            "received": format_day(payment.received_on, locale),
            "paid": format_yen(payment.amount_yen),
            "taken": format_yen(opposite.amount_yen),
            "taken_on": format_day(opposite.returned_on, locale),
            "reason": opposite.note,
        },
    )


def receipt_parts(session: Session, receipt: Receipt, payment: Payment) -> tuple[ReceiptPart, ...]:
    """Return the parts of a payment, earliest due entry first, then the rest without an entry."""
    reached = session.execute(
        select(
            LedgerEntry.label_ja,
            LedgerEntry.label_en,
            Invoice.number,
            func.sum(Allocation.amount_yen),
        )
        .join(LedgerEntry, refers_to(Allocation.entry_id, LedgerEntry))
        .outerjoin(Invoice, refers_to(Invoice.entry_id, LedgerEntry))
        .where(
            Allocation.payment_id == payment.id,
            Allocation.allocated_on <= max(receipt.issued_on, payment.received_on),
            # A later allocation may have an earlier day.
            Allocation.written_at <= receipt.written_at,
        )
        .group_by(
            LedgerEntry.id,
            LedgerEntry.label_ja,
            LedgerEntry.label_en,
            LedgerEntry.due_on,
            Invoice.number,
        )
        .having(func.sum(Allocation.amount_yen) != 0)
        .order_by(LedgerEntry.due_on, LedgerEntry.id)
    )
    parts = [ReceiptPart(Bilingual(ja, en), number, int(yen)) for ja, en, number, yen in reached]
    left_yen = _kept_yen(session, receipt, payment) - sum(part.yen for part in parts)
    return (*parts, ReceiptPart(None, None, left_yen)) if left_yen else tuple(parts)


def _kept_yen(session: Session, receipt: Receipt, payment: Payment) -> int:
    """Return the part of a payment that was not returned when its receipt was issued."""
    asked = select(func.sum(PaymentReturn.taken_yen)).where(
        PaymentReturn.payment_id == payment.id, PaymentReturn.written_at <= receipt.written_at
    )
    return payment.amount_yen - int(session.scalar(asked) or 0)


def _build_party_facts(session: Session, receipt: Receipt, payment: Payment) -> dict[str, Any]:
    """Return the issuer and the recipient of the paper."""
    locale = receipt.locale
    operator, home = operator_of(session), home_of(session, payment.reservation_id)
    return {
        "language": locale,
        "hue": operator.hue,
        "operator": operator.name.in_language(locale),
        "address": operator.address_lines,
        **party_facts(
            session,
            PaperParties.of(receipt.parties),
            locale,
            operator_number=operator.qualified_invoice_number,
        ),
        "recipient": home.resident,
        "home": home.in_language(locale),
    }


def _describe_purpose(parts: Sequence[ReceiptPart], locale: str) -> str:
    """Return the first entry's label, marked if there are others; without an entry, an advance."""
    labels = [part.label.in_language(locale) or "" for part in parts if part.label]
    if not labels:
        return translate("An amount held for you", locale)
    if len(labels) == 1:
        return labels[0]
    others = len(labels) - 1
    return translate("{label} and {others} more", locale, label=labels[0], others=others)
