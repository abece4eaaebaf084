"""A resident's reason for leaving that cannot be helped, stated after the notice."""

from flask import Response, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.departures import departures
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.leaving_reason_form import LeavingReasonForm
from pms.surfaces.portals.portal import reading
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.own import blueprint
from pms.surfaces.request_scope import today


@blueprint.get("/<reservation_id>/move-out/reason", endpoint="leaving_reason")
def show(reservation_id: str) -> Response:
    """Show the form of the reason, or the reason with what the office decided."""
    return _render_reason(reservation_id, LeavingReasonForm.of(is_sent=False))


@blueprint.post("/<reservation_id>/move-out/reason", endpoint="state_leaving_reason")
def state(reservation_id: str) -> Response:
    """Store the reason; the office then accepts or refuses it."""
    form = LeavingReasonForm.of(is_sent=True)
    return submitted(
        form,
        act=lambda work: form.state(work, reservation_id, is_own=True),
        then=lambda _notice: go(
            url_for(".leaving_reason", reservation_id=reservation_id),
            message=_("The office has your reason and will decide."),
        ),
        again=lambda: _render_reason(reservation_id, form),
    )


def _render_reason(reservation_id: str, form: Form) -> Response:
    facts = departures.departure_facts(reading(), reservation_id, today())
    if facts.notice is None:
        return go(url_for(".move_out", reservation_id=reservation_id))
    return page(
        "portals/resident/move_out/reason.html",
        tenancy=own.tenancy(reservation_id),
        notice=facts.notice,
        form=form,
    )
