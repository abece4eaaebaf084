"""One payment: where it went, and what takes it back: a reversal, or money sent to who paid it."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.wording import said_yen
from pms.ledger.ledger_mark import hold_ledger, ledger_mark
from pms.ledger.reservation_of_payment import reservation_of_payment
from pms.ledger.statement import statement
from pms.statements.queries import correction_of, corrections_of
from pms.statements.receipt_paper import correction_pdf
from pms.statements.take_back_payment import TakenBack, reverse_payment as reverse_payment_verb, send_payment_back as send_payment_back_verb
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.downloads import paper as downloaded
from pms.surfaces.dashboard.ledger.ledger import received_payments
from pms.surfaces.dashboard.ledger.taking_back_form import ReturnForm, ReversalForm
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.hypermedia import go


@dashboard.get("/payments/<payment_id>", roles=OFFICE)
def payment(payment_id: str) -> Response:
    """Show a payment with the forms that take it back."""
    return _shown(payment_id)


@dashboard.post("/payments/<payment_id>/reversal", roles=OFFICE)
def reverse_payment(payment_id: str) -> Response:
    """Reverse a wrong payment."""
    form = ReversalForm(request.form)

    def act(session: WorkspaceSession) -> TakenBack:
        hold_ledger(session, reservation_of_payment(session, payment_id), form.seen.data)
        return reverse_payment_verb(
            session, clock(), actor(), payment_id=payment_id, reason=form.reason.data or ""
        )

    return submitted(
        form,
        act=act,
        then=lambda done: _done(payment_id, _("The payment is reversed."), done),
        again=lambda: _shown(payment_id, reversal_form=form),
    )


@dashboard.post("/payments/<payment_id>/return", roles=OFFICE)
def send_payment_back(payment_id: str) -> Response:
    """Record money that was sent back to who paid it."""
    form = ReturnForm(request.form)

    def act(session: WorkspaceSession) -> TakenBack:
        hold_ledger(session, reservation_of_payment(session, payment_id), form.seen.data)
        return send_payment_back_verb(
            session,
            clock(),
            actor(),
            payment_id=payment_id,
            amount_yen=form.amountYen.data,
            returned_on=form.returnedOn.data,
            reason=form.returnReason.data or "",
            reference=form.reference.data,
        )

    def then(done: TakenBack) -> Response:
        said = _("%(yen)s recorded as sent back.", yen=said_yen(form.amountYen.data))
        return _done(payment_id, said, done)

    return submitted(form, act=act, then=then, again=lambda: _shown(payment_id, return_form=form))


@dashboard.get("/receipt-corrections/<correction_id>/paper", roles=OFFICE)
def receipt_correction_paper(correction_id: str) -> Response:
    """Show the paper that voids or corrects a receipt as a PDF."""
    found = correction_of(reading(), correction_id)
    return downloaded(correction_pdf(reading(), found.id), f"{found.number}.pdf")


def _done(payment_id: str, said: str, done: TakenBack) -> Response:
    if done.correction_number:
        paper_said = _("Paper %(number)s says so of its receipt.", number=done.correction_number)
        said = f"{said} {paper_said}"
    return go(url_for("dashboard.payment", payment_id=payment_id), said=said)


def _shown(
    payment_id: str,
    reversal_form: ReversalForm | None = None,
    return_form: ReturnForm | None = None,
) -> Response:
    reservation_id = reservation_of_payment(reading(), payment_id)
    found = statement(reading(), reservation_id, today())
    one = next(one for one in received_payments(found) if one.payment.id == payment_id)
    seen = ledger_mark(reading(), reservation_id)
    given: dict[str, Any] = {"amountYen": one.payment.left_yen, "returnedOn": today()}
    return framed(
        reservation_id,
        "dashboard/ledger/taking_back.html",
        tab="reservation_ledger",
        one=one,
        today=today(),
        papers={each.return_id: each for each in corrections_of(reading(), reservation_id)},
        reversal_form=reversal_form or ReversalForm(seen=seen),
        return_form=return_form or ReturnForm(seen=seen, **given),
    )
