"""Records a payment, showing first what it reaches, and gives it its receipt."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from wtforms import Form

from pms.foundation.errors import Refused
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.wording import said_yen
from pms.ledger.ledger_mark import hold_ledger, ledger_mark
from pms.ledger.payment_plan import PlannedPart, preview_payment
from pms.ledger.record_payment import record_payment as record_payment_verb
from pms.ledger.reservation_of_payment import reservation_of_payment
from pms.ledger.statement import Statement, statement
from pms.statements.issue_receipt import issue_receipt as issue_receipt_verb
from pms.statements.queries import receipt_of
from pms.statements.receipt_paper import receipt_pdf
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.downloads import paper as downloaded
from pms.surfaces.dashboard.ledger.payment_form import PaymentForm
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.hypermedia import go, is_part, page_or_block

_PAGE = "dashboard/ledger/payment.html"


@dashboard.get("/reservations/<reservation_id>/payments/new", roles=OFFICE)
def new_payment(reservation_id: str) -> Response:
    """Show the form, filled with everything that is open; htmx asks for what it reaches."""
    found = statement(reading(), reservation_id, today())
    chosen = request.args.get("entryId", "")
    open_yen = sum(
        one.open_yen
        for one in found.standings
        if not one.is_voided and (not chosen or one.id == chosen)
    )
    usual = {"receivedOn": today(), "entryId": chosen, "amountYen": open_yen or None}
    form = PaymentForm.of(found, _asked(), **usual, method="bank_transfer")
    form.seen.data = ledger_mark(reading(), reservation_id)
    if is_part():
        form.validate()
        return page_or_block(_PAGE, "plan", form=form, plan=_plan(reservation_id, form))
    return _shown(found, form)


@dashboard.post("/reservations/<reservation_id>/payments", roles=OFFICE)
def record_payment(reservation_id: str) -> Response:
    """Record the payment and say what it reached."""
    found = statement(reading(), reservation_id, today())
    form = PaymentForm.of(found, request.form)
    plan = _plan(reservation_id, form) if form.validate() else ()

    def act(session: WorkspaceSession) -> str:
        hold_ledger(session, reservation_id, form.seen.data)
        return record_payment_verb(
            session,
            clock(),
            actor(),
            reservation_id=reservation_id,
            amount_yen=form.amountYen.data,
            received_on=form.receivedOn.data,
            entry_id=form.entryId.data,
            method=form.method.data or "bank_transfer",
            reference=form.reference.data,
            note=form.note.data,
        )

    return submitted(
        form,
        act=act,
        then=lambda _id: go(
            url_for("dashboard.reservation_ledger", reservation_id=reservation_id),
            said=_said(form.amountYen.data, plan),
        ),
        again=lambda: _shown(found, form),
    )


@dashboard.post("/payments/<payment_id>/receipt", roles=OFFICE)
def issue_receipt(payment_id: str) -> Response:
    """Give a payment its numbered receipt."""
    reservation_id = reservation_of_payment(reading(), payment_id)
    back = url_for("dashboard.reservation_ledger", reservation_id=reservation_id)
    return submitted(
        Form(),
        act=lambda session: issue_receipt_verb(session, clock(), actor(), payment_id).number,
        then=lambda number: go(back, said=_("Receipt %(number)s is ready.", number=number)),
        again=lambda: go(back),
    )


@dashboard.get("/receipts/<receipt_id>/paper", roles=OFFICE)
def receipt_paper(receipt_id: str) -> Response:
    """Show a receipt as a PDF."""
    receipt = receipt_of(reading(), receipt_id)
    return downloaded(receipt_pdf(reading(), receipt.id), f"{receipt.number}.pdf")


def _asked() -> MultiDict[str, str] | None:
    return request.args if "amountYen" in request.args else None


def _shown(found: Statement, form: PaymentForm) -> Response:
    return framed(
        found.reservation_id,
        _PAGE,
        tab="reservation_ledger",
        form=form,
        today=today(),
        plan=_plan(found.reservation_id, form),
        preview_at=url_for("dashboard.new_payment", reservation_id=found.reservation_id),
    )


def _plan(reservation_id: str, form: PaymentForm) -> tuple[PlannedPart, ...]:
    if not form.amountYen.data:
        return ()
    try:
        return preview_payment(
            reading(),
            today(),
            reservation_id=reservation_id,
            amount_yen=form.amountYen.data,
            entry_id=form.entryId.data,
        )
    except Refused:
        # The form itself says why when it is sent.
        return ()


def _said(amount_yen: int, plan: tuple[PlannedPart, ...]) -> str:
    said = str(_("Payment of %(yen)s recorded.", yen=said_yen(amount_yen)))
    overpaid_yen = sum(part.overpaid_yen for part in plan)
    if not overpaid_yen:
        return said
    return f"{said} {_('%(yen)s of it are overpaid.', yen=said_yen(overpaid_yen))}"
