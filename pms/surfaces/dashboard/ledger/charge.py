"""Posts a one-off charge to a reservation, from the fee catalogue or of its own."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Sequence

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.wording import said_yen
from pms.ledger.chargeable_fees import ChargeableFee, chargeable_fees
from pms.ledger.ledger_mark import hold_ledger, ledger_mark
from pms.ledger.post_charge import post_charge as post_charge_verb
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.ledger.charge_form import ChargeForm, filled_from
from pms.surfaces.dashboard.ledger.due_day import refuse_past_due
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.hypermedia import go, is_part, page_or_block

_PAGE = "dashboard/ledger/charge.html"


@dashboard.get("/reservations/<reservation_id>/charges/new", roles=OFFICE)
def new_charge(reservation_id: str) -> Response:
    """Show the form, filled from the fee that is asked for; htmx asks for the fields alone."""
    fees = chargeable_fees(reading(), clock(), reservation_id)
    asked = request.args.get("feeCode")
    chosen = next((fee for fee in fees if fee.code == asked), None)
    usual = {"category": FeeCategory.OTHER.value, "taxTreatment": TaxTreatment.EXEMPT.value}
    given = {**usual, **(filled_from(chosen) if chosen else {})}
    form = ChargeForm.of(fees, None, **given, dueOn=today())
    form.seen.data = ledger_mark(reading(), reservation_id)
    if is_part():
        return page_or_block(_PAGE, "filled", form=form, today=today())
    return _shown(reservation_id, form)


@dashboard.post("/reservations/<reservation_id>/charges", roles=OFFICE)
def post_charge(reservation_id: str) -> Response:
    """Post the charge as it was typed."""
    fees = chargeable_fees(reading(), clock(), reservation_id)
    form = ChargeForm.of(fees, request.form)

    def act(session: WorkspaceSession) -> str:
        refuse_past_due(form.dueOn.data, today())
        hold_ledger(session, reservation_id, form.seen.data)
        return post_charge_verb(
            session,
            clock(),
            actor(),
            reservation_id=reservation_id,
            amount_yen=form.amountYen.data,
            label=form.label,
            category=_category(fees, form),
            tax_treatment=TaxTreatment(form.taxTreatment.data),
            due_on=form.dueOn.data,
            item=form.feeCode.data or "charge",
        )

    return submitted(
        form,
        act=act,
        then=lambda entry_id: go(
            url_for("dashboard.ledger_entry", entry_id=entry_id),
            said=_("Charge of %(yen)s posted.", yen=said_yen(form.amountYen.data)),
        ),
        again=lambda: _shown(reservation_id, form),
    )


def _category(fees: Sequence[ChargeableFee], form: ChargeForm) -> FeeCategory:
    """The category of the fee, whatever was typed; without a fee the one that was chosen."""
    own = (fee.category for fee in fees if fee.code == form.feeCode.data)
    return next(own, FeeCategory(form.category.data))


def _shown(reservation_id: str, form: ChargeForm) -> Response:
    return framed(reservation_id, _PAGE, tab="reservation_ledger", form=form, today=today())
