"""Posts a deduction to a building's month, or gives some of one back."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from datetime import date

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import FeeCategory
from pms.statements.deduction_mark import hold_deductions
from pms.statements.post_owner_deduction import post_owner_deduction as post_owner_deduction_verb
from pms.surfaces.dashboard.desk import actor, clock, submitted
from pms.surfaces.dashboard.statements.asked_month import month_named, name_of
from pms.surfaces.dashboard.statements.deduction_form import DeductionForm
from pms.surfaces.dashboard.statements.statement import shown
from pms.surfaces.hypermedia import go


@dashboard.post("/owner-statements/<month>/buildings/<building_id>/deductions", roles=OFFICE)
def post_owner_deduction(month: str, building_id: str) -> Response:
    """Post what was typed; it counts in the month of its day."""
    month_on = month_named(month)
    form = DeductionForm(request.form)

    def act(session: WorkspaceSession) -> date:
        hold_deductions(session, building_id, form.seen.data)
        return post_owner_deduction_verb(
            session,
            clock(),
            actor(),
            building_id=building_id,
            category=FeeCategory(form.category.data),
            label=form.label,
            amount_yen=form.signed_yen,
            deducted_on=form.deductedOn.data,
        ).deducted_on

    return submitted(
        form,
        act=act,
        then=lambda deducted_on: go(
            url_for(
                "dashboard.owner_statement", month=name_of(deducted_on), building_id=building_id
            ),
            said=_("The deduction is posted."),
        ),
        again=lambda: shown(month_on, building_id, form),
    )
