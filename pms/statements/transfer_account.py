"""The account that rents are transferred to."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final, NamedTuple
from unicodedata import normalize

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from pms.catalogue.management_forms import account_of_form
from pms.catalogue.models import ManagementFormRow, Unit
from pms.catalogue.romanising import romanise
from pms.foundation.phrases import Bilingual
from pms.foundation.translations import translate, translate_both
from pms.reservations.models import Reservation
from pms.rules.enumerations import AccountKind
from pms.rules.invoices import sender_words
from pms.workspaces.models import Workspace
from pms.workspaces.office_bank import office_bank


def qr_svg(text: str) -> str:
    """Return a QR code of a text as SVG, for a template."""
    import segno

    return str(segno.make(text, error="m").svg_inline(border=0))


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
        bank = Bilingual(self.bank, self.bank_latin)
        branch = Bilingual(self.branch, self.branch_latin)
        holder = Bilingual(self.holder, f"{self.holder_latin} {self.holder}")
        # Kana are what a bank's form takes; in English they follow the Latin letters.
        bank_kana = "" if locale == "ja" else f" {self.bank}"
        branch_kana = "" if locale == "ja" else f" {self.branch}"
        kind = ACCOUNT_KINDS[self.kind]
        return (
            translate(
                "Bank: {bank} ({code}){kana}",
                locale,
                bank=bank,
                code=self.bank_code,
                kana=bank_kana,
            ),
            translate(
                "Branch: {branch} ({code}){kana}",
                locale,
                branch=branch,
                code=self.branch_code,
                kana=branch_kana,
            ),
            translate("Account: {kind} {number}", locale, kind=kind, number=self.number),
            translate("Account holder: {holder}", locale, holder=holder),
        )


ACCOUNT_KINDS: Final = {
    AccountKind.ORDINARY: translate_both("ordinary (futsu)"),
    AccountKind.CURRENT: translate_both("current (toza)"),
    AccountKind.SAVINGS: translate_both("savings (chochiku)"),
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


def transfer_of_day(session: Session, reservation_id: str, on: date) -> TransferDetails:
    """Return how a tenancy is paid by transfer by the management form of a day."""
    begun = and_(
        ManagementFormRow.workspace_id == Unit.workspace_id,
        ManagementFormRow.building_id == Unit.building_id,
        ManagementFormRow.from_on <= on,
    )
    form, *payment = session.execute(
        select(ManagementFormRow, *_PAYMENT)
        .select_from(Reservation)
        .join(Reservation.unit)
        .join(Workspace, Workspace.id == Reservation.workspace_id)
        .outerjoin(ManagementFormRow, begun)
        .where(Reservation.id == reservation_id)
        .order_by(
            ManagementFormRow.from_on.desc(),
            ManagementFormRow.written_at.desc(),
            ManagementFormRow.id.desc(),
        )
        .limit(1)
    ).one()
    return _build_details(session, account_of_form(form), payment)


def transfer_details(
    session: Session, reservation_id: str, owners_account: str | None
) -> TransferDetails:
    """Return how a tenancy is paid by transfer: to the owner's own account where one is named.

    The office's account is None until it is set.
    """
    payment = session.execute(
        select(*_PAYMENT)
        .join(Workspace, Workspace.id == Reservation.workspace_id)
        .where(Reservation.id == reservation_id)
    ).one()
    return _build_details(session, owners_account, payment)


_PAYMENT: Final = (
    Reservation.name,
    Reservation.name_kana,
    Reservation.payment_reference,
    Workspace.bank_details,
)


def _build_details(
    session: Session, owners_account: str | None, payment: Sequence[Any]
) -> TransferDetails:
    name, kana, reference, bank_details = payment
    sender = sender_words(reference, kana or name)
    if owners_account is not None:
        return TransferDetails(owners_account, None, reference or "", sender)
    return TransferDetails(bank_details, paid_account(session), reference or "", sender)


def _romanise_in_capitals(kana: str) -> str:
    return romanise(kana).replace("-", " ").upper()
