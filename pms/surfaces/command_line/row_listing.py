"""Puts invoices, and rows of rent that change, into rows of a table."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from pms.ledger.planned_entries import PlannedEntry, PlannedRow
from pms.ledger.repricing import OverridePlan, RepricedRow


def invoice_lines(invoice: PlannedEntry | None) -> list[dict[str, Any]]:
    """The lines of an invoice, those of its rows first."""
    if invoice is None:
        return []
    lines = [line for row in invoice.rows for line in row.lines]
    return [
        {
            "item": line.words.label_en,
            "from": line.first_on,
            "through": line.last_on,
            "amount_yen": line.yen,
        }
        for line in (*lines, *invoice.lines)
    ]


def repriced_rows(rows: Iterable[RepricedRow]) -> list[dict[str, Any]]:
    """Rows of rent before and after an edit."""
    return [
        {
            "from": row.before.first_on,
            "through": row.before.last_on,
            "now_through": row.after.last_on,
            "change_yen": row.change_yen,
            "total_yen": row.total_yen,
        }
        for row in rows
    ]


def override_rows(rows: OverridePlan) -> list[dict[str, Any]]:
    """What corrected dates add, remove and reprice."""
    created = [row for entry in rows.created for row in entry.rows]
    voided = [standing.row for standing in rows.voided]
    repriced = [row for row in rows.repriced if row.change_yen]
    return [
        *(_row("invoice", row) for row in rows.invoice),
        *(_row("added", row) for row in created),
        *(_change("voided", row.first_on, row.last_on, None) for row in voided),
        *(_repriced_or_gone(row) for row in repriced),
    ]


def _repriced_or_gone(row: RepricedRow) -> dict[str, Any]:
    change = "repriced" if row.after.last_on else "removed"
    return _change(change, row.after.first_on, row.after.last_on, row.total_yen)


def _row(change: str, planned: PlannedRow) -> dict[str, Any]:
    total = sum(line.yen for line in planned.lines)
    return _change(change, planned.row.first_on, planned.row.last_on, total)


def _change(
    change: str, first_on: date, last_on: date | None, total_yen: int | None
) -> dict[str, Any]:
    return {"change": change, "from": first_on, "through": last_on, "total_yen": total_yen}
