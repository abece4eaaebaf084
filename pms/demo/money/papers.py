"""The numbered papers of the demo: the invoices and receipts of the last weeks."""

from __future__ import annotations

from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from pms.demo.money.account import STAFF
from pms.demo.rows import Rows
from pms.foundation.numbering import Counter
from pms.ledger.models import LedgerEntry, LedgerLine, Payment, PaymentReturn
from pms.reservations.models import Reservation
from pms.statements.issue_invoice import SERIES as INVOICES
from pms.statements.issue_receipt import SERIES as RECEIPTS
from pms.statements.models import Invoice, Receipt, ReceiptCorrection

# Longer than timed work looks back, so that the first start has no pile of mail to send.
_PAPERS_OF = timedelta(days=45)
_RECEIPTS_OF = timedelta(days=20)


def number_papers(rows: Rows, today: date) -> None:
    """Give the entries of the last weeks their invoices, and some payments their receipts."""
    locales = {row["id"]: row["locale"] for row in rows.of(Reservation)}
    numbers = _Numbers()
    for entry in _invoiced(rows, today - _PAPERS_OF):
        sent_at = entry["written_at"] + timedelta(minutes=30)
        rows.add(
            Invoice,
            entry["written_at"],
            entry_id=entry["id"],
            number=numbers.take(INVOICES, entry["issued_on"]),
            issued_on=entry["issued_on"],
            locale=locales[entry["reservation_id"]],
            sent_at=sent_at if entry["issued_on"] < today else None,
            sent_file_key=None,
            reminded_at=None,
            written_at=entry["written_at"],
            written_by=STAFF,
        )
    receipts: dict[str, str] = {}
    for payment in _receipted(rows, today - _RECEIPTS_OF):
        receipts[payment["id"]] = rows.add(
            Receipt,
            payment["written_at"],
            payment_id=payment["id"],
            number=f"R{numbers.take(RECEIPTS, payment['received_on'])}",
            issued_on=payment["received_on"],
            locale=locales[payment["reservation_id"]],
            written_at=payment["written_at"],
            written_by=STAFF,
        )
    for taken in rows.of(PaymentReturn):
        if taken["payment_id"] in receipts:
            rows.add(
                ReceiptCorrection,
                taken["written_at"],
                receipt_id=receipts[taken["payment_id"]],
                return_id=taken["id"],
                number=f"R{numbers.take(RECEIPTS, taken['returned_on'])}",
                issued_on=taken["returned_on"],
                written_at=taken["written_at"],
                written_by=STAFF,
            )
    numbers.keep(rows)


class _Numbers:
    """Gives out the numbers of a year one by one."""

    def __init__(self) -> None:
        self._given: Tally[str] = Tally()

    def take(self, series: str, on: date) -> str:
        name = f"{series}-{on.year}"
        self._given[name] += 1
        return f"{on.year}-{self._given[name]:06}"

    def keep(self, rows: Rows) -> None:
        opened_at = rows.of(LedgerEntry)[0]["written_at"]
        for series, value in sorted(self._given.items()):
            rows.add(Counter, opened_at, series=series, value=value)


def _invoiced(rows: Rows, since: date) -> Iterator[dict[str, Any]]:
    totals: defaultdict[str, int] = defaultdict(int)
    for line in rows.of(LedgerLine):
        totals[line["entry_id"]] += line["amount_yen"]
    recent = [row for row in rows.of(LedgerEntry) if row["issued_on"] >= since]
    for entry in sorted(recent, key=lambda row: (row["issued_on"], row["id"])):
        if totals[entry["id"]] > 0:
            yield entry


def _receipted(rows: Rows, since: date) -> Iterator[dict[str, Any]]:
    recent = [row for row in rows.of(Payment) if row["received_on"] >= since]
    yield from sorted(recent, key=lambda row: (row["received_on"], row["id"]))
