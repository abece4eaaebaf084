"""Posts a credit, a negative charge, showing first which bills it is set off against."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.foundation.bilingual import Bilingual
from pms.foundation.errors import Refused
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.wording import said_yen
from pms.ledger.ledger_mark import hold_ledger, ledger_mark
from pms.ledger.payment_plan import PlannedPart, preview_credit
from pms.ledger.post_charge import post_credit as post_credit_verb
from pms.ledger.statement import statement
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.ledger.credit_form import CreditForm
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.hypermedia import go, is_part, page_or_block

_PAGE = "dashboard/ledger/credit.html"


@dashboard.get("/reservations/<reservation_id>/credits/new", roles=OFFICE)
def new_credit(reservation_id: str) -> Response:
    """Show the form; htmx asks for what the credit would be set off against."""
    found = statement(reading(), reservation_id, today())
    usual = {"category": FeeCategory.RENT.value, "taxTreatment": TaxTreatment.EXEMPT.value}
    asked = request.args if "amountYen" in request.args else None
    form = CreditForm.of(found, asked, **usual)
    form.seen.data = ledger_mark(reading(), reservation_id)
    if is_part():
        form.validate()
        return page_or_block(_PAGE, "plan", form=form, **_plan(reservation_id, form))
    return _shown(reservation_id, form)


@dashboard.post("/reservations/<reservation_id>/credits", roles=OFFICE)
def post_credit(reservation_id: str) -> Response:
    """Post the credit as it was typed."""
    form = CreditForm.of(statement(reading(), reservation_id, today()), request.form)

    def act(session: WorkspaceSession) -> str:
        hold_ledger(session, reservation_id, form.seen.data)
        return post_credit_verb(
            session,
            clock(),
            actor(),
            reservation_id=reservation_id,
            amount_yen=form.amountYen.data,
            label=Bilingual(form.labelJa.data, form.labelEn.data),
            category=FeeCategory(form.category.data),
            tax_treatment=TaxTreatment(form.taxTreatment.data),
            entry_id=form.entryId.data or None,
        )

    return submitted(
        form,
        act=act,
        then=lambda entry_id: go(
            url_for("dashboard.ledger_entry", entry_id=entry_id),
            said=_("Credit of %(yen)s posted.", yen=said_yen(form.amountYen.data)),
        ),
        again=lambda: _shown(reservation_id, form),
    )


def _shown(reservation_id: str, form: CreditForm) -> Response:
    return framed(
        reservation_id,
        _PAGE,
        tab="reservation_ledger",
        form=form,
        preview_at=url_for("dashboard.new_credit", reservation_id=reservation_id),
        **_plan(reservation_id, form),
    )


def _plan(reservation_id: str, form: CreditForm) -> dict[str, Any]:
    """What it would be set off against, and what would be left of it; nothing without an amount."""
    parts: tuple[PlannedPart, ...] = ()
    amount_yen = form.amountYen.data or 0
    if amount_yen:
        try:
            parts = preview_credit(
                reading(),
                today(),
                reservation_id=reservation_id,
                amount_yen=amount_yen,
                entry_id=form.entryId.data or None,
            )
        except Refused:
            # The form itself says why when it is sent.
            amount_yen = 0
    return {"plan": parts, "left_yen": amount_yen - sum(part.yen for part in parts)}
