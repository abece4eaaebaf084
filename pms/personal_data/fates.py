"""What becomes of each table's rows about a person who is forgotten, and which law keeps them."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from pms.rules.retention import KeptBecause


class DataSubject(StrEnum):
    """What rows are about, as the pages of the office call it."""

    CONTACT = "contact"
    BILLS = "bills"
    BANK = "bank"
    CONTRACT = "contract"
    PAPERS = "papers"
    MESSAGES = "messages"
    MAILS = "mails"
    REPORTS = "reports"
    CONDITION = "condition"
    KEYS = "keys"
    REGISTER = "register"
    ENQUIRY = "enquiry"
    OFFER = "offer"
    VIEWING = "viewing"
    WAITLIST = "waitlist"
    APPLICATION = "application"


class Fate(NamedTuple):
    """Why rows are kept for their years, if they are, and what becomes of them afterwards.

    They are deleted, or the named columns are emptied; without any, what is left names nobody.
    """

    subject: DataSubject
    because: KeptBecause | None = None
    emptied: tuple[str, ...] | None = None


_BILLS: Final = Fate(DataSubject.BILLS, KeptBecause.LEDGER, ())
# Amounts, days and numbers. The ledger is written once; without the person's row it names nobody.
_OF_LEDGER: Final = (
    *("ledger_entry", "ledger_line", "billed_row", "row_extent", "entry_total", "allocation"),
    *("payment", "payment_return", "receipt", "receipt_correction", "deposit_move", "settlement"),
    *("deduction", "refund", "amendment", "bank_fee_write_off", "debit_bill", "bank_placement"),
    *("checkout", "collection", "provider_payment", "money_back", "fee_invoice"),
    *("price_period", "period_fee", "pricing_snapshot", "frozen_discount"),
    *("notice_filing", "forced_month_to_month", "check_in_link", "building_share", "owner_terms"),
    "master_lease",
    *("owner_statement", "owner_deduction", "statement_account"),
    *("settlement_line", "settlement_paper"),
)
_DELETED: Final = {
    "arrival_reminder": DataSubject.MAILS,
    "condition_photo": DataSubject.CONDITION,
    "condition_report": DataSubject.CONDITION,
    "condition_room": DataSubject.CONDITION,
    "move_out_inspection": DataSubject.CONDITION,
    "inspected_room": DataSubject.CONDITION,
    "inspected_damage": DataSubject.CONDITION,
    "inspection_photo": DataSubject.CONDITION,
    "conversation": DataSubject.MESSAGES,
    "conversation_handle": DataSubject.MESSAGES,
    "guest_message": DataSubject.MESSAGES,
    "ticket": DataSubject.MESSAGES,
    "ticket_message": DataSubject.MESSAGES,
    "emergency_contact": DataSubject.PAPERS,
    "occupation": DataSubject.PAPERS,
    "identity_paper": DataSubject.PAPERS,
    "key_handover": DataSubject.KEYS,
    "bank_payer": DataSubject.BANK,
    "payee_account": DataSubject.BANK,
    "upkeep_photo": DataSubject.REPORTS,
    "enquiry": DataSubject.ENQUIRY,
    "enquiry_note": DataSubject.ENQUIRY,
    "reservation_link": DataSubject.OFFER,
    "viewing": DataSubject.VIEWING,
    "viewing_of_enquiry": DataSubject.VIEWING,
    "waitlist_place": DataSubject.WAITLIST,
    "lead": DataSubject.APPLICATION,
    "lead_note": DataSubject.APPLICATION,
}
FATES: Final[Mapping[str, Fate]] = {
    **dict.fromkeys(_OF_LEDGER, _BILLS),
    **{table: Fate(subject) for table, subject in _DELETED.items()},
    "reservation": Fate(DataSubject.CONTACT, None, ("email", "phone", "note")),
    "owner": Fate(DataSubject.CONTACT, None, ("email", "phone", "note")),
    "guest_registration": Fate(DataSubject.REGISTER, KeptBecause.REGISTER),
    "maintenance_request": Fate(DataSubject.REPORTS, None, ("what",)),
    # Why leaving cannot be helped may be an illness: no law keeps that.
    "move_out_notice": Fate(DataSubject.KEYS, None, ("reason", "reason_words", "reason_decision")),
    "move_out_record": Fate(DataSubject.KEYS, None, ("note",)),
    "invoice": Fate(DataSubject.BILLS, KeptBecause.LEDGER, ("sent_file_key",)),
    "payment_choice": Fate(
        DataSubject.BANK, KeptBecause.LEDGER, ("customer", "method", "last_digits", "consent")
    ),
    "debit": Fate(DataSubject.BANK, KeptBecause.LEDGER, ("holder", "number")),
    "debit_mandate": Fate(DataSubject.BANK, KeptBecause.LEDGER, ("holder", "number")),
    "settlement_objection": Fate(DataSubject.BILLS, KeptBecause.LEDGER),
    "bank_transfer": Fate(DataSubject.BANK, KeptBecause.LEDGER, ("payer", "message", "text")),
}
# The parties of a contract and their papers, also in tables that are not named here.
_OF_CONTRACT: Final = Fate(DataSubject.CONTRACT, KeptBecause.CONTRACT)


def fate_of(table: str) -> Fate:
    """Return what becomes of the rows of a table."""
    return FATES.get(table, _OF_CONTRACT)
