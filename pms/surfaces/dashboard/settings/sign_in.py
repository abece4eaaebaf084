"""What the workspace demands of its staff at the door, and how long it keeps who came in."""

from pms.surfaces.dashboard.routes import OPERATOR, dashboard
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.access.sign_in_policy import set_sign_in_policy, sign_in_policy
from pms.access.staff import members
from pms.surfaces.dashboard.desk import actor, clock, desk, reading, submitted
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.settings.sign_in_form import SignInForm
from pms.surfaces.hypermedia import go, page


@dashboard.get("/settings/sign-in", roles=OPERATOR)
def sign_in_rules() -> Response:
    """Show the rules."""
    rules = sign_in_policy(reading())
    return _shown(Edit.of(SignInForm.of(rules), rules.version))


@dashboard.post("/settings/sign-in", roles=OPERATOR)
def set_sign_in_rules() -> Response:
    """Write the rules; they count from the next request of everybody on."""
    form = SignInForm(request.form)
    typed = Edit.typed(form, request.form)

    def act(session: Any) -> object:
        rules = sign_in_policy(session)
        now = Edit.of(SignInForm.of(rules), rules.version)
        typed.merge(session, now, subject=("workspace", desk().workspace_id))
        return set_sign_in_policy(session, clock(), actor(), **form.stated)

    return submitted(
        form,
        act,
        then=lambda _rules: go(url_for("dashboard.sign_in_rules"), said=typed.said(_("Saved."))),
        again=lambda: _shown(typed),
    )


def _shown(edit: Edit) -> Response:
    without = [member.name for member in members(reading()) if not member.has_second_factor]
    return page("dashboard/settings/sign_in.html", form=edit.form, edit=edit, without=without)
