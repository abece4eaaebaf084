"""The section of the settings about guests and their stays."""

from pms.surfaces.dashboard.routes import OPERATOR, dashboard
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.stays.set_stay_terms import set_stay_terms as set_stay_terms_verb
from pms.stays.stay_terms import stay_terms as stay_terms_verb
from pms.surfaces.dashboard.desk import actor, clock, desk, reading, submitted
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.stay_terms.terms_form import TermsForm
from pms.surfaces.hypermedia import go, page


@dashboard.get("/settings/stays", roles=OPERATOR)
def stay_terms() -> Response:
    """Show the terms."""
    terms = stay_terms_verb(reading())
    return _shown(Edit.of(TermsForm.of(terms), terms.version))


@dashboard.post("/settings/stays", roles=OPERATOR)
def set_stay_terms() -> Response:
    """Write the terms; they count at once for every stay."""
    form = TermsForm(request.form)
    typed = Edit.typed(form, request.form)

    def act(session: Any) -> object:
        terms = stay_terms_verb(session)
        now = Edit.of(TermsForm.of(terms), terms.version)
        typed.merge(session, now, subject=("workspace", desk().workspace_id))
        return set_stay_terms_verb(session, clock(), actor(), **form.stated)

    return submitted(
        form,
        act,
        then=lambda _terms: go(url_for("dashboard.stay_terms"), said=typed.said(_("Saved."))),
        again=lambda: _shown(typed),
    )


def _shown(edit: Edit) -> Response:
    return page("dashboard/stay_terms/terms.html", form=edit.form, edit=edit)
