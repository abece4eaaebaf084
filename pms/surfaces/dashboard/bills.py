"""The bills and payments of the whole workspace, and mailing the selected invoices."""

from functools import partial
from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import LazyString, lazy_gettext, ngettext
from flask_babel import lazy_pgettext as worded
from flask_wtf import FlaskForm

from pms.collections.collections_read import store_number
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.work import Work
from pms.statements import bill_lists, due_invoices
from pms.statements.bill_lists import BillFilter, ListedBill, ListedPayment, MoneySearch
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.listing import (
    ListColumn,
    Listing,
    ListRequest,
    Spot,
    ValueKind,
    ask,
    listing,
    tags_of,
)
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.fields import ChoiceField, DayField, ManyField, Optional, TextField
from pms.surfaces.forms import QueryForm, mark_unaccepted, submitted
from pms.surfaces.hypermedia import go, page_or_block
from pms.surfaces.labels.money import PAYMENT_METHODS, payment_method_label
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import database, today

MOST_AT_ONCE: Final = 200
_BILL_WORDS: Final[dict[BillFilter, LazyString]] = {
    BillFilter.UNPAID: lazy_gettext("Unpaid"),
    BillFilter.OVERDUE: worded("state of a bill", "Overdue"),
    BillFilter.PAID: worded("bill", "Paid"),
    BillFilter.NOT_SENT: lazy_gettext("Invoice not sent"),
}


class MoneyForm(QueryForm):
    """The filters that bills and payments share."""

    search = TextField(lazy_gettext("Name, unit, number"), [Optional()])
    building = ChoiceField(lazy_gettext("Building"), [Optional()])
    fromOn = DayField(lazy_gettext("From"), [Optional()])
    untilOn = DayField(lazy_gettext("Until"), [Optional()])

    def offer(self) -> None:
        """Fill the lists with their choices."""
        self.building.choices = [("", lazy_gettext("All buildings")), *building_choices()]

    @property
    def query(self) -> MoneySearch:
        """The search of a valid form."""
        return MoneySearch(
            text=self.search.data or "",
            building_id=self.building.data or None,
            first_on=self.fromOn.data,
            last_on=self.untilOn.data,
        )

    @property
    def is_narrowed(self) -> bool:
        """Whether a filter is set."""
        return any(each.data for each in self)


class BillsForm(MoneyForm):
    """The filters of the bills."""

    state = ChoiceField(lazy_gettext("Status"), [Optional()])

    def offer(self) -> None:
        """Fill the lists with their choices."""
        super().offer()
        offered = ((each.value, text) for each, text in _BILL_WORDS.items())
        self.state.choices = [("", lazy_gettext("All")), *offered]

    @property
    def query(self) -> MoneySearch:
        """The search of a valid form."""
        state = self.state.data
        return super().query._replace(bills=BillFilter(state) if state else None)


class PaymentsForm(MoneyForm):
    """The filters of the payments."""

    method = ChoiceField(lazy_gettext("Method"), [Optional()])

    def offer(self) -> None:
        """Fill the lists with their choices."""
        super().offer()
        self.method.choices = [("", lazy_gettext("All")), *PAYMENT_METHODS.items()]

    @property
    def query(self) -> MoneySearch:
        """The search of a valid form."""
        return super().query._replace(method=self.method.data or None)


def _name_place(row: ListedBill | ListedPayment) -> str:
    return f"{row.building.in_language(chosen_language())} {row.unit}"


def _build_resident_column() -> ListColumn[Any]:
    return ListColumn(
        "resident",
        lazy_gettext("Resident"),
        lambda row: row.resident,
        spot=Spot.NAME,
        href=lambda row: url_for("dashboard.reservation_ledger", reservation_id=row.reservation_id),
    )


BILLS: Final[Listing[ListedBill]] = listing(
    "bills",
    lazy_gettext("Invoices"),
    _build_resident_column(),
    ListColumn("unit", lazy_gettext("Unit"), _name_place, spot=Spot.PLACE),
    ListColumn(
        "bill",
        lazy_gettext("Bill"),
        lambda row: row.label,
        href=lambda row: url_for("dashboard.ledger_entry", entry_id=row.id),
    ),
    ListColumn("number", lazy_gettext("Number"), lambda row: row.number, is_first_shown=False),
    ListColumn(
        "issued",
        lazy_gettext("Billed"),
        lambda row: row.issued_on,
        ValueKind.DAY,
        is_first_shown=False,
    ),
    ListColumn("due", lazy_gettext("Due"), lambda row: row.due_on, ValueKind.DAY),
    ListColumn("sent", lazy_gettext("Sent"), lambda row: row.sent_at, ValueKind.INSTANT),
    ListColumn(
        "state",
        lazy_gettext("Status"),
        lambda row: tags_of(row.state),
        ValueKind.TAGS,
        Spot.STATE,
        is_sortable=False,
    ),
    ListColumn(
        "total",
        lazy_gettext("Total"),
        lambda row: row.billed_yen,
        ValueKind.YEN,
        is_first_shown=False,
    ),
    ListColumn(
        "paid",
        worded("bill", "Paid"),
        lambda row: row.paid_yen,
        ValueKind.YEN,
        is_first_shown=False,
    ),
    ListColumn(
        "open", lazy_gettext("Balance due"), lambda row: row.open_yen, ValueKind.YEN, Spot.AMOUNT
    ),
)
PAYMENTS: Final[Listing[ListedPayment]] = listing(
    "payments",
    lazy_gettext("Payments"),
    _build_resident_column(),
    ListColumn("unit", lazy_gettext("Unit"), _name_place, spot=Spot.PLACE),
    ListColumn(
        "received",
        lazy_gettext("Received"),
        lambda row: row.received_on,
        ValueKind.DAY,
        Spot.STATE,
    ),
    ListColumn("method", lazy_gettext("Method"), lambda row: payment_method_label(row.method)),
    ListColumn(
        "reference", lazy_gettext("Reference"), lambda row: row.reference, is_first_shown=False
    ),
    ListColumn(
        "receipt",
        lazy_gettext("Receipt"),
        lambda row: row.receipt,
        href=lambda row: (
            row.receipt_id and url_for("dashboard.receipt_paper", receipt_id=row.receipt_id)
        ),
    ),
    ListColumn(
        "returned",
        lazy_gettext("Refunded"),
        lambda row: row.returned_yen or None,
        ValueKind.YEN,
        is_sortable=False,
    ),
    ListColumn(
        "amount", lazy_gettext("Amount"), lambda row: row.amount_yen, ValueKind.YEN, Spot.AMOUNT
    ),
)


class SendInvoicesForm(FlaskForm):
    """The selected invoices."""

    invoiceIds = ManyField(lazy_gettext("Invoices"), [Optional()])

    def offer(self) -> None:
        """Accept the ids that were sent; the use case checks that the invoices exist."""
        self.invoiceIds.choices = [(id_, id_) for id_ in self.invoiceIds.raw_data or ()]


@dashboard.get("/invoices", roles=OFFICE)
def bills() -> Response:
    """Show one page of the filtered bills, or give all of them as a file."""
    return _render_bills(SendInvoicesForm(formdata=None))


@dashboard.post("/invoices/sending", roles=OFFICE)
def send_invoices() -> Response:
    """Mail the selected invoices; one that was sent before is skipped."""
    form = SendInvoicesForm()
    form.offer()

    def act(work: Work) -> int:
        if not form.invoiceIds.data:
            raise Refused("invoiceIds: select at least one invoice.")
        files = Files(database().settings)
        chosen = form.invoiceIds.data[:MOST_AT_ONCE]
        number_of = partial(store_number, work.clock)
        return sum(due_invoices.send_invoice(work, id_, files, number_of) for id_ in chosen)

    return submitted(
        form,
        act=act,
        then=lambda count: go(
            url_for("dashboard.bills"),
            message=ngettext(
                "%(num)d invoice is being sent by email.",
                "%(num)d invoices are being sent by email.",
                count,
            ),
        ),
        again=lambda: _render_bills(form),
    )


def _render_bills(sending: SendInvoicesForm) -> Response:
    form, asked = BillsForm(request.args), ask(BILLS)
    return _answer_list(
        form,
        asked,
        lambda search: bill_lists.list_bills(reading(), search, today(), asked.paging),
        sending=sending,
    )


@dashboard.get("/payments", roles=OFFICE)
def payments() -> Response:
    """Show one page of the filtered payments, or give all of them as a file."""
    form, asked = PaymentsForm(request.args), ask(PAYMENTS)
    return _answer_list(
        form, asked, lambda search: bill_lists.list_payments(reading(), search, asked.paging)
    )


def _answer_list(form: Any, asked: ListRequest[Any], find: Any, **further: Any) -> Response:
    form.offer()
    is_sound = form.validate()
    rows, total = find(form.query._replace(**asked.sorting)) if is_sound else ((), 0)
    if is_sound and asked.file_type:
        return asked.file_of(rows)
    response = page_or_block(
        "dashboard/bills/bills.html",
        "results",
        form=form,
        asked=asked,
        rows=rows,
        total=total,
        **further,
    )
    return response if is_sound else mark_unaccepted(response)
