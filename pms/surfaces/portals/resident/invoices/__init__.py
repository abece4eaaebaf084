"""The bills of a tenancy, what was paid on them, and their papers."""

from typing import Final

from pms.surfaces.portals.reach import PortalAddress
from pms.surfaces.portals.resident.invoices import bills, papers
from pms.surfaces.portals.resident.own import PARAMETER

_ALL: Final = f"/<{PARAMETER}>/invoices"
_RECEIPT: Final = f"/<{PARAMETER}>/receipts/<payment_id>"
ADDRESSES: Final = (
    PortalAddress(_ALL, "invoices", bills.list_all),
    PortalAddress(f"{_ALL}/<entry_id>", "invoice", bills.show),
    PortalAddress(f"{_ALL}/<entry_id>/paper", "invoice_paper", papers.show_invoice),
    PortalAddress(f"{_ALL}/<entry_id>/paper", "issue_invoice", papers.issue, "POST"),
    PortalAddress(_RECEIPT, "receipt_paper", papers.show_receipt),
    PortalAddress(
        f"{_RECEIPT}/corrections/<correction_id>",
        "receipt_correction_paper",
        papers.show_correction,
    ),
    PortalAddress(_RECEIPT, "issue_receipt", papers.issue_for_payment, "POST"),
)
