"""Gives a bill its numbered invoice, shows the paper, and mails it after a page that says to whom."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.foundation.files import Files
from pms.ledger.queries import entry_record
from pms.statements.entry_lines import total_yen
from pms.statements.invoice_paper import invoice_paper as invoice_paper_verb, invoice_pdf
from pms.statements.issue_invoice import issue_invoice as issue_invoice_verb
from pms.statements.queries import invoice_of
from pms.statements.resend_invoice import resend_invoice
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.downloads import paper as downloaded
from pms.surfaces.dashboard.ledger.entry import shown
from pms.surfaces.dashboard.ledger.sending_form import SendingForm
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.hypermedia import go
from pms.surfaces.request_scope import database

_AS_SENT = "sent"


@dashboard.post("/ledger-entries/<entry_id>/invoice", roles=OFFICE)
def issue_invoice(entry_id: str) -> Response:
    """Give a bill its invoice."""
    form, entry = Form(request.form), entry_record(reading(), entry_id)
    return submitted(
        form,
        act=lambda session: issue_invoice_verb(session, clock(), actor(), entry.id).number,
        then=lambda number: go(
            url_for("dashboard.ledger_entry", entry_id=entry_id),
            said=_("Invoice %(number)s is ready.", number=number),
        ),
        again=lambda: shown(entry_id, form),
    )


@dashboard.get("/invoices/<invoice_id>/paper", roles=OFFICE)
def invoice_paper(invoice_id: str) -> Response:
    """Show an invoice as a PDF: as it stands now, or as it left last."""
    invoice = invoice_of(reading(), invoice_id)
    if request.args.get("as") == _AS_SENT and invoice.sent_file_key:
        kept = Files(database().settings).get(invoice.sent_file_key)
        if kept is not None:
            return downloaded(kept, f"{invoice.number}.pdf")
    return downloaded(invoice_pdf(reading(), invoice.id), f"{invoice.number}.pdf")


@dashboard.get("/invoices/<invoice_id>/sending", roles=OFFICE)
def check_sending(invoice_id: str) -> Response:
    """Show to whom the invoice would be mailed."""
    invoice = invoice_of(reading(), invoice_id)
    sent_at = invoice.sent_at.isoformat() if invoice.sent_at else ""
    return _shown(invoice_id, SendingForm(sentAt=sent_at))


@dashboard.post("/invoices/<invoice_id>/sending", roles=OFFICE)
def send_invoice(invoice_id: str) -> Response:
    """Mail the invoice."""
    form = SendingForm(request.form)
    entry_id = invoice_of(reading(), invoice_id).entry_id
    return submitted(
        form,
        act=lambda session: (
            resend_invoice(
                session,
                clock(),
                actor(),
                invoice_id=invoice_id,
                files=Files(database().settings),
                seen_sent_at=form.seen_sent_at,
            ).number
        ),
        then=lambda number: go(
            url_for("dashboard.ledger_entry", entry_id=entry_id),
            said=_("Invoice %(number)s is leaving by mail.", number=number),
        ),
        again=lambda: _shown(invoice_id, form),
    )


def _shown(invoice_id: str, form: SendingForm) -> Response:
    paper = invoice_paper_verb(reading(), invoice_id)
    return framed(
        paper.entry.reservation_id,
        "dashboard/ledger/sending.html",
        tab="reservation_ledger",
        form=form,
        paper=paper,
        total_yen=total_yen(paper.lines),
    )
