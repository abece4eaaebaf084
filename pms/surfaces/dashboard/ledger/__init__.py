"""The money of one reservation: its ledger, bills, payments and their papers."""

from typing import Final

from pms.surfaces.dashboard.ledger import (
    arrears_charge,
    charge,
    credit,
    entry,
    invoice,
    ledger,
    payment,
    taking_back,
    voiding,
)
from pms.surfaces.dashboard.reach import OFFICE, Address

_OF_RESERVATION: Final = "/reservations/<reservation_id>"
_OF_ENTRY: Final = "/ledger-entries/<entry_id>"
_OF_PAYMENT: Final = "/payments/<payment_id>"

ADDRESSES: Final = (
    Address(f"{_OF_RESERVATION}/ledger", "reservation_ledger", ledger.show, OFFICE),
    Address(f"{_OF_RESERVATION}/charges/new", "new_charge", charge.new, OFFICE),
    Address(f"{_OF_RESERVATION}/charges", "post_charge", charge.post, OFFICE, "POST"),
    Address(f"{_OF_RESERVATION}/credits/new", "new_credit", credit.new, OFFICE),
    Address(f"{_OF_RESERVATION}/credits", "post_credit", credit.post, OFFICE, "POST"),
    Address(f"{_OF_RESERVATION}/payments/new", "new_payment", payment.new, OFFICE),
    Address(f"{_OF_RESERVATION}/payments", "record_payment", payment.record, OFFICE, "POST"),
    Address(_OF_ENTRY, "ledger_entry", entry.show, OFFICE),
    Address(f"{_OF_ENTRY}/voiding", "check_voiding", voiding.check, OFFICE),
    Address(f"{_OF_ENTRY}/voiding", "void_entry", voiding.void, OFFICE, "POST"),
    Address(f"{_OF_ENTRY}/arrears-charge", "new_arrears_charge", arrears_charge.new, OFFICE),
    Address(
        f"{_OF_ENTRY}/arrears-charge", "post_arrears_charge", arrears_charge.post, OFFICE, "POST"
    ),
    Address(f"{_OF_ENTRY}/invoice", "issue_invoice", invoice.issue, OFFICE, "POST"),
    Address("/invoices/<invoice_id>/paper", "invoice_paper", invoice.paper, OFFICE),
    Address("/invoices/<invoice_id>/sending", "check_sending", invoice.check, OFFICE),
    Address("/invoices/<invoice_id>/sending", "send_invoice", invoice.send, OFFICE, "POST"),
    Address(_OF_PAYMENT, "payment", taking_back.show, OFFICE),
    Address(f"{_OF_PAYMENT}/reversal", "reverse_payment", taking_back.reverse, OFFICE, "POST"),
    Address(f"{_OF_PAYMENT}/return", "send_payment_back", taking_back.send_back, OFFICE, "POST"),
    Address(f"{_OF_PAYMENT}/receipt", "issue_receipt", payment.issue, OFFICE, "POST"),
    Address("/receipts/<receipt_id>/paper", "receipt_paper", payment.paper, OFFICE),
    Address(
        "/receipt-corrections/<correction_id>/paper",
        "receipt_correction_paper",
        taking_back.paper,
        OFFICE,
    ),
)
