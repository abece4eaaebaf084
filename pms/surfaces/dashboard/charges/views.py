"""One charge for many: the form, the check page, and the run that posts it."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.catalogue.building_names import building_names
from pms.foundation.ids import new_id
from pms.ledger.ask_many_charges import ask_many_charges
from pms.ledger.fees_for_many import fees_for_many
from pms.ledger.plan_charges import plan_charges
from pms.rules.enumerations import FeeCategory, TaxTreatment
from pms.surfaces.dashboard.charges.charges_form import ChargesForm
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.hypermedia import UNACCEPTED, go, page

_FORM: Final = "dashboard/charges/form.html"
_CHECK: Final = "dashboard/charges/check.html"


@dashboard.get("/billing/charges", roles=OFFICE)
def many_charges() -> Response:
    """Show the form; the charge is due today unless another day is named."""
    usual = {"category": FeeCategory.OTHER, "taxTreatment": TaxTreatment.EXEMPT}
    return page(_FORM, form=_form(None, dueOn=today(), **usual), today=today())


@dashboard.get("/billing/charges/check", roles=OFFICE)
def check_charges() -> Response:
    """Show whom the charge reaches, what it comes to, and who is left out for what."""
    if not request.args:
        return go(url_for("dashboard.many_charges"))
    form = _form(request.args)
    if not form.validate() or form.is_past(today()):
        response = page(_FORM, form=form, today=today())
        response.status_code = UNACCEPTED
        return response
    form.chargeId.data = form.chargeId.data or new_id()
    return _checked(form)


@dashboard.post("/billing/charges/runs", roles=OFFICE)
def start_charges() -> Response:
    """Ask for the run; the same check page sent twice leads to the same run."""
    form = _form(request.form)
    return submitted(
        form,
        act=lambda session: (
            ask_many_charges(
                session,
                clock(),
                actor(),
                charge_id=form.chargeId.data or "",
                charge=form.charge,
            ).id
        ),
        then=lambda run_id: go(url_for("dashboard.run", run_id=run_id), said=_("Charging begins.")),
        again=lambda: _refused(form),
    )


def _form(given: Any, **usual: Any) -> ChargesForm:
    form = ChargesForm(given, data=usual)
    form.offer(fees_for_many(reading()), building_names(reading()))
    return form


def _refused(form: ChargesForm) -> Response:
    # Only a form that was not read asks for its fields again; else the check page says what is new.
    if any(name is not None for name in form.errors):
        return page(_FORM, form=form, today=today())
    return _checked(form)


def _checked(form: ChargesForm) -> Response:
    charge, paging = form.charge, asked_paging()
    plan = plan_charges(reading(), today(), charge)
    return page(
        _CHECK,
        form=form,
        charge=charge,
        plan=plan,
        shown=plan.charged[paging.offset : paging.offset + paging.limit],
        paging=paging,
    )
