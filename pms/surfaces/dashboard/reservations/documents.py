"""The papers of a reservation: its contract's state, invoices and receipts as PDF."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.contracts.outdated_papers import outdated_paper_of
from pms.statements.issue_invoice import issue_invoice
from pms.statements.issue_receipt import issue_receipt
from pms.statements.papers_of_reservation import billed_papers, paid_papers
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.reservations.document_form import DocumentForm
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.hypermedia import go


@dashboard.get("/reservations/<reservation_id>/documents", roles=OFFICE)
def reservation_documents(reservation_id: str) -> Response:
    """Show every paper there is or could be."""
    return _shown(reservation_id, DocumentForm())


@dashboard.post("/reservations/<reservation_id>/documents", roles=OFFICE)
def issue_document(reservation_id: str) -> Response:
    """Number an entry's invoice or a payment's receipt; a second call finds the same one."""
    form = DocumentForm(request.form)
    return submitted(
        form,
        act=lambda session: (
            (
                issue_invoice(session, clock(), actor(), form.entry.data)
                if form.entry.data
                else issue_receipt(session, clock(), actor(), form.payment.data or "")
            ).number
        ),
        then=lambda number: go(
            url_for("dashboard.reservation_documents", reservation_id=reservation_id),
            said=_("%(number)s is issued.", number=number),
        ),
        again=lambda: _shown(reservation_id, form),
    )


def _shown(reservation_id: str, form: DocumentForm) -> Response:
    return framed(
        reservation_id,
        "dashboard/reservations/documents.html",
        tab="reservation_documents",
        form=form,
        stale=outdated_paper_of(reading(), reservation_id),
        billed=billed_papers(reading(), reservation_id),
        paid=paid_papers(reading(), reservation_id),
    )
