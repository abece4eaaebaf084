"""Papers of a reservation, typesetting, and the account that rents are transferred to."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias
from unicodedata import normalize

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.romanising import romanise
from pms.foundation.mail_texts import format_day, format_yen
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.ledger.models import Payment, PaymentReturn
from pms.ledger.queries import entries_of
from pms.reservations.models import Reservation
from pms.rules.enumerations import AccountKind, EntryKind, ReturnKind
from pms.rules.invoices import sender_words
from pms.statements.models import Receipt, ReceiptCorrection
from pms.statements.queries import ChangedInvoice, billed_entries
from pms.workspaces.models import Workspace
from pms.workspaces.office_bank import office_bank

if TYPE_CHECKING:
    import typst


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
    corrections = _read_corrections(session, reservation_id)
    return [
        PaidPaper(id_, on, yen, int(back), receipt_id, number, corrections.get(id_, ()))
        for id_, on, yen, back, receipt_id, number in rows
    ]


def _read_corrections(
    session: Session, reservation_id: str
) -> Mapping[str, Sequence[CorrectionPaper]]:
    """Return the papers that correct receipts of a reservation, by payment, in order of number."""
    rows = session.execute(
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
    found: dict[str, list[CorrectionPaper]] = {}
    for payment_id, id_, number, kind in rows:
        found.setdefault(payment_id, []).append(CorrectionPaper(id_, number, ReturnKind(kind)))
    return found


TEMPLATES: Final = Path(__file__).parents[2] / "templates" / "papers"
# Part of the typesetter's error for a letter without a font, which PDF/UA does not allow.
_LETTER_LACKING: Final = "could not be displayed"


def typeset(template: str, facts: Mapping[str, Any]) -> bytes:
    """Return the PDF of a template; the facts are passed as data, never as markup.

    Names may be in any script: the fonts beside the templates have the scripts of Asia and Europe.
    A letter that they lack is taken from the system fonts, or printed as an empty box, so that
    there is always a PDF; `unprintable_letters` names it beforehand.
    """
    # Imported here and below, so that web workers that write no PDF never load the typesetter.
    import typst

    try:
        return _compile_pdf(template, facts, _load_fonts(), "ua-1")
    except typst.TypstError as error:
        if _LETTER_LACKING not in str(error):
            raise
    return _compile_pdf(template, facts, _all_fonts(), "1.7")


# Blocks of Unicode that the fonts beside the templates have whole. Names in them ask nobody.
_COVERED: Final = (
    (0x20, 0x24F),
    (0x400, 0x52F),
    (0x621, 0x65F),
    (0x900, 0x97F),
    (0xE01, 0xE5B),
    (0x1000, 0x109F),
    (0x1EA0, 0x1EF9),
    (0x3041, 0x30FF),
    (0x3400, 0x4DB5),
    (0x4E00, 0x9FEA),
    (0xAC00, 0xD7A3),
)


@lru_cache(4_096)
def unprintable_letters(text: str) -> str:
    """Return the letters of a text that no font on this machine has, each once.

    A paper prints an empty box for each of them.
    """
    strange = [
        letter
        for letter in dict.fromkeys(text)
        if letter.isprintable()
        and not any(first <= ord(letter) <= last for first, last in _COVERED)
    ]
    return (
        ""
        if _is_printed("".join(strange))
        else "".join(letter for letter in strange if not _is_printed(letter))
    )


def _is_printed(letters: str) -> bool:
    if not letters:
        return True
    import typst

    page = b'#set document(title: "-")\n#set text(font: "BIZ UDPGothic")\n#sys.inputs.letters'
    try:
        typst.compile(
            page, font_paths=_all_fonts(), pdf_standards="ua-1", sys_inputs={"letters": letters}
        )
    except typst.TypstError as error:
        if _LETTER_LACKING not in str(error):
            raise
        return False
    return True


def qr_svg(text: str) -> str:
    """Return a QR code of a text as SVG, for a template."""
    import segno

    return str(segno.make(text, error="m").svg_inline(border=0))


def _compile_pdf(
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
def _load_fonts() -> "typst.Fonts":
    """Return only the fonts beside the templates, loaded once: a PDF takes a sixth of the time."""
    import typst

    return typst.Fonts(
        include_system_fonts=False,
        include_embedded_fonts=False,
        font_paths=[TEMPLATES / "fonts"],
    )


@cache
def _all_fonts() -> "typst.Fonts":
    """Return the same fonts first, then those of the system."""
    import typst

    return typst.Fonts(font_paths=[TEMPLATES / "fonts"])


class PaidAccount(NamedTuple):
    """The office's account for a bank's form, in kana and in Latin letters."""

    bank: str
    bank_latin: str
    bank_code: str
    branch: str
    branch_latin: str
    branch_code: str
    kind: AccountKind
    number: str
    holder: str
    holder_latin: str

    def lines(self, locale: str) -> tuple[str, ...]:
        """Return the account in four lines, as a paper or a mail prints it."""
        if locale == "ja":
            return (
                f"銀行　{self.bank}（{self.bank_code}）",
                f"支店　{self.branch}（{self.branch_code}）",
                f"口座　{ACCOUNT_KINDS[self.kind][0]} {self.number}",
                f"名義　{self.holder}",
            )
        return (
            f"Bank: {self.bank_latin} ({self.bank_code}) {self.bank}",
            f"Branch: {self.branch_latin} ({self.branch_code}) {self.branch}",
            f"Account: {ACCOUNT_KINDS[self.kind][1]} {self.number}",
            f"Account holder: {self.holder_latin} {self.holder}",
        )


ACCOUNT_KINDS = {
    AccountKind.ORDINARY: ("普通", "ordinary (futsu)"),
    AccountKind.CURRENT: ("当座", "current (toza)"),
    AccountKind.SAVINGS: ("貯蓄", "savings (chochiku)"),
}


class TransferDetails(NamedTuple):
    """The workspace's account as text and as data, and what the payer enters.

    `sender` is the text for the bank's sender field: the reference, then the name.
    """

    bank_details: str | None
    account: PaidAccount | None
    reference: str
    sender: str

    def account_lines(self, locale: str) -> tuple[str, ...]:
        """Return the account: the office's own text in Japanese, Latin letters in English."""
        if self.account is not None and (locale != "ja" or not self.bank_details):
            return self.account.lines(locale)
        return tuple((self.bank_details or "").splitlines())

    def qr_text(self, locale: str, amount_yen: int | None = None) -> str | None:
        """Return the QR code's text: account, sender and amount; None without a reference."""
        lines = self.account_lines(locale)
        if not self.reference or not lines:
            return None
        amount = () if amount_yen is None else (str(amount_yen),)
        return "\n".join((*lines, self.sender, *amount))

    def facts(self, locale: str) -> dict[str, Any]:
        """Return the values that mails and papers print."""
        return {
            "bank": "\n".join(self.account_lines(locale)) or None,
            "sender": self.sender if self.reference else None,
        }


class StoreNumber(NamedTuple):
    """The number with which a bill is paid at convenience stores, by store, until a day."""

    amount_yen: int
    codes: Mapping[str, Mapping[str, str]]
    pay_by: date | None

    def lines(self, locale: str) -> list[dict[str, str | None]]:
        """Return each store with its name, its payment number and its confirmation number."""
        return [
            {
                "name": STORES[store].in_language(locale),
                "payment": codes["payment"],
                "confirmation": codes.get("confirmation"),
            }
            for store, codes in self.codes.items()
        ]


STORES: Final[Mapping[str, Bilingual]] = {
    "familymart": Bilingual("ファミリーマート", "FamilyMart"),
    "lawson": Bilingual("ローソン", "Lawson"),
    "ministop": Bilingual("ミニストップ", "Ministop"),
    "seicomart": Bilingual("セイコーマート", "Seicomart"),
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


def paid_account(session: Session) -> PaidAccount | None:
    """Return the account that rents are paid to, or None until it is set."""
    found = office_bank(session)
    if found is None:
        return None
    account = found.facts.account
    holder = normalize("NFKC", account.holder)
    return PaidAccount(
        account.bank_name,
        _romanise_in_capitals(account.bank_name),
        account.bank_code,
        account.branch_name,
        _romanise_in_capitals(account.branch_name),
        account.branch_code,
        account.kind,
        account.number,
        holder,
        _romanise_in_capitals(holder),
    )


def transfer_details(session: Session, reservation_id: str) -> TransferDetails:
    """Return how a tenancy is paid by transfer; the account is None until it is set."""
    name, kana, reference = session.execute(
        select(Reservation.name, Reservation.name_kana, Reservation.payment_reference).where(
            Reservation.id == reservation_id
        )
    ).one()
    return TransferDetails(
        session.scalars(select(Workspace.bank_details)).one(),
        paid_account(session),
        reference or "",
        sender_words(reference, kana or name),
    )


def _romanise_in_capitals(kana: str) -> str:
    return romanise(kana).replace("-", " ").upper()
