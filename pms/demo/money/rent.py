"""Bills the rent of a demo reservation: its invoice, its months, and what edits make of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from pms.demo.money.account import Account, KeptRow
from pms.ledger.planned_entries import planned_invoice, planned_rent, planned_row, worded_lines
from pms.pricing.queries import AgreedPrice
from pms.rules.billing_calendar import billed_through_on
from pms.rules.contract_override import overridden_rows
from pms.rules.enumerations import EntryKind
from pms.rules.month_to_month import Tenancy, billable_span
from pms.rules.move_in_invoice import OneTimeAmounts
from pms.rules.policy import Policy
from pms.rules.rent_rows import IssuedRow, move_in_rows, rows_to_issue
from pms.rules.repricing import repriced_rows, standing_lines


class Rent:
    """The rows of one account, planned by the rules as the use cases plan them."""

    def __init__(self, account: Account, price: AgreedPrice, policy: Policy):
        self._account = account
        self._price = price
        self._policy = policy

    def issue_invoice(self, tenancy: Tenancy, amounts: OneTimeAmounts, on: date) -> str:
        """The move-in invoice of a booking."""
        span = billable_span(tenancy, on, self._policy)
        start_on = tenancy.term.start_on
        rows = tuple(
            planned_row(self._price, row, start_on) for row in (move_in_rows(span) if span else ())
        )
        invoice = planned_invoice(self._account.reservation_id, amounts, rows, start_on, on)
        return self._account.post(invoice, on, 11)

    def bill(self, tenancy: Tenancy, on: date, hour: int) -> list[str]:
        """What a billing run of a day writes."""
        account, start_on = self._account, tenancy.term.start_on
        through_on = billed_through_on(on, self._policy)
        issued = account.issued_rows()
        return [
            account.post(
                planned_rent(account.reservation_id, planned_row(self._price, row, start_on), on),
                on,
                hour,
            )
            for row in rows_to_issue(tenancy, issued, on, through_on, self._policy)
        ]

    def reprice(self, tenancy: Tenancy, on: date, hour: int) -> None:
        """Append what the dates as they are now make of every row."""
        span = billable_span(tenancy, on, self._policy)
        after = repriced_rows(self._account.issued_rows(), span)
        self._change(zip(self._account.billed, after, strict=True), tenancy, on, hour)

    def override(self, tenancy: Tenancy, on: date) -> None:
        """What overridden contract dates make of an invoice before any other rent is billed."""
        account, start_on = self._account, tenancy.term.start_on
        span = billable_span(tenancy, on, self._policy)
        becomes = overridden_rows(account.issued_rows(), span)
        wanted = {row.first_on: row for row in becomes.invoice}
        invoice_id = account.of_kind(EntryKind.MOVE_IN)[0]
        changes: list[tuple[KeptRow, IssuedRow]] = []
        for kept in account.billed:
            row = wanted.pop(kept.row.first_on, None)
            changes.append((kept, kept.row._replace(last_on=row.last_on if row else None)))
        self._change(changes, tenancy, on, 10)
        for row in wanted.values():
            account.add_row(invoice_id, planned_row(self._price, row, start_on), on, 10)
        for row in becomes.created:
            entry = planned_rent(
                account.reservation_id, planned_row(self._price, row, start_on), on
            )
            account.post(entry, on, 10)

    def _change(
        self, changes: Iterable[tuple[KeptRow, IssuedRow]], tenancy: Tenancy, on: date, hour: int
    ) -> None:
        start_on = tenancy.term.start_on
        for kept, after in list(changes):
            if after != kept.row:
                lines = worded_lines(
                    self._price, standing_lines(self._price.price, after, start_on)
                )
                self._account.extend(kept, after, lines, on, hour)
