"""The list of a reservation's documents, and issuing those that have no number yet."""

from datetime import date, datetime
from typing import Final, NamedTuple

from flask import Response, url_for
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm

from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.statements import invoices, papers, receipts
from pms.statements.papers import BilledPaper
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.listing import ListColumn, Listing, Spot, Tags, ValueKind, ask, listing
from pms.surfaces.dashboard.reservation_prices import render_reservation_tab
from pms.surfaces.fields import ManyField, Optional
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go
from pms.surfaces.labels.formats import plain_day, yen
from pms.surfaces.page_templates import gettext as _
from pms.surfaces.reader_choice import chosen_language


class PaperRow(NamedTuple):
    """One document; `wanted` names the bill or payment that could get a number."""

    text: str
    kind: str
    on: date
    due_on: date | None
    number: str | None
    href: str | None
    sent_at: datetime | None
    tags: Tags
    yen: int
    wanted: str | None = None


PAPERS: Final[Listing[PaperRow]] = listing(
    "reservation_documents",
    lazy_gettext("Documents"),
    ListColumn("paper", lazy_gettext("Description"), lambda row: row.text, spot=Spot.NAME),
    ListColumn("kind", lazy_gettext("Document"), lambda row: row.kind, spot=Spot.PLACE),
    ListColumn("day", lazy_gettext("Day"), lambda row: row.on, ValueKind.DAY),
    ListColumn("due", lazy_gettext("Due"), lambda row: row.due_on, ValueKind.DAY),
    ListColumn(
        "number",
        lazy_gettext("Number"),
        lambda row: row.number,
        href=lambda row: row.href,
        spot=Spot.STATE,
    ),
    ListColumn("sent", lazy_gettext("Sent"), lambda row: row.sent_at, ValueKind.INSTANT),
    ListColumn("state", lazy_gettext("Status"), lambda row: row.tags, ValueKind.TAGS),
    ListColumn("amount", lazy_gettext("Amount"), lambda row: row.yen, ValueKind.YEN, Spot.AMOUNT),
    has_views=False,
)


class PapersForm(FlaskForm):
    """What gets a number: `entry/<id>` an invoice, `payment/<id>` a receipt."""

    papers = ManyField(lazy_gettext("Documents"), [Optional()])


@dashboard.get("/reservations/<reservation_id>/documents", roles=OFFICE)
def reservation_documents(reservation_id: str) -> Response:
    """Show every document that exists or could be issued."""
    return _render_documents(reservation_id, PapersForm(formdata=None))


@dashboard.post("/reservations/<reservation_id>/documents", roles=OFFICE)
def issue_documents(reservation_id: str) -> Response:
    """Issue the selected invoices and receipts; a document with a number keeps it."""
    form = PapersForm()
    offered = [f"entry/{bill.entry_id}" for bill in papers.billed_papers(reading(), reservation_id)]
    offered += [
        f"payment/{paid.payment_id}" for paid in papers.paid_papers(reading(), reservation_id)
    ]
    form.papers.choices = [(paper, paper) for paper in offered]
    return submitted(
        form,
        act=lambda work: [_issue_paper(work, paper) for paper in _selected_papers(form)],
        then=lambda numbers: go(
            url_for("dashboard.reservation_documents", reservation_id=reservation_id),
            message=ngettext(
                "%(num)d document issued: %(numbers)s",
                "%(num)d documents issued: %(numbers)s",
                len(numbers),
                numbers=", ".join(numbers),
            ),
        ),
        again=lambda: _render_documents(reservation_id, form),
    )


def _selected_papers(form: PapersForm) -> list[str]:
    if not form.papers.data:
        raise Refused("papers: select at least one document.")
    chosen: list[str] = form.papers.data
    return chosen


def _issue_paper(work: Work, wanted: str) -> str:
    kind, _slash, id_ = wanted.partition("/")
    if kind not in ("entry", "payment"):
        raise Refused("papers: '{wanted}' is neither a bill nor a payment.", wanted=wanted[:60])
    issued = invoices.issue_invoice if kind == "entry" else receipts.issue_receipt
    return issued(work, id_).number


def _render_documents(reservation_id: str, form: PapersForm) -> Response:
    asked = ask(PAPERS)
    billed = papers.billed_papers(reading(), reservation_id)
    paid = papers.paid_papers(reading(), reservation_id)
    of_payments: list[PaperRow] = []
    for paper in paid:
        back = _("of which refunded: %(yen)s", yen=yen(paper.returned_yen))
        of_payments.append(
            PaperRow(
                _("Payment"),
                _("Receipt"),
                paper.received_on,
                None,
                paper.number,
                paper.receipt_id
                and url_for("dashboard.receipt_paper", receipt_id=paper.receipt_id),
                None,
                [(back, "soft")] if paper.returned_yen else [],
                paper.amount_yen,
                f"payment/{paper.payment_id}" if paper.may_be_issued else None,
            )
        )
    newest = sorted([*map(_of_bill, billed), *of_payments], key=lambda row: row.on)
    rows = asked.in_order(reversed(newest))
    if asked.file_type:
        return asked.file_of(rows)
    return render_reservation_tab(
        reservation_id,
        "dashboard/reservations/documents.html",
        tab="reservation_documents",
        block="results",
        form=form,
        asked=asked,
        rows=asked.page_of(rows),
        total=len(rows),
        resending=[bill for bill in billed if _is_to_resend(bill)],
    )


def _is_to_resend(paper: BilledPaper) -> bool:
    changed = paper.changed
    return bool(changed and changed.is_sent_before and not paper.is_voided)


def _of_bill(paper: BilledPaper) -> PaperRow:
    is_open = paper.number is None and not paper.is_voided and paper.total_yen > 0
    tags: list[tuple[str, str]] = [(_("Voided"), "plain")] if paper.is_voided else []
    if paper.changed and not paper.is_voided:
        tags.append((_("Changed on %(day)s", day=plain_day(paper.changed.on)), "warn"))
    return PaperRow(
        paper.label.in_language(chosen_language()) or "",
        _("Invoice"),
        paper.issued_on,
        paper.due_on,
        paper.number,
        paper.invoice_id and url_for("dashboard.invoice_paper", invoice_id=paper.invoice_id),
        paper.sent_at,
        tags,
        paper.total_yen,
        f"entry/{paper.entry_id}" if is_open else None,
    )
