"""A reason for leaving that cannot be helped: stated for the resident, accepted or refused."""

from flask import Response, request, url_for
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from wtforms import Form

from pms.departures import departures, leaving_reasons
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.reservation_prices import render_reservation_tab
from pms.surfaces.fields import PickField, Required, TextField
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go
from pms.surfaces.leaving_reason_form import LeavingReasonForm
from pms.surfaces.page_templates import gettext as _
from pms.surfaces.request_scope import today


class ReasonDecisionForm(FlaskForm):
    """The decision with its word."""

    verdict = PickField(lazy_gettext("Decision"), [Required()])
    decision = TextField(lazy_gettext("Why"), [Required()])

    @classmethod
    def of(cls, *, is_sent: bool) -> "ReasonDecisionForm":
        """Return the form with its choices."""
        form = cls(request.form if is_sent else None)
        form.verdict.choices = [
            (
                "accept",
                lazy_gettext("Accept: no early-departure charge, a month of notice at most"),
            ),
            ("refuse", lazy_gettext("Refuse: the charge stays")),
        ]
        return form


@dashboard.get("/reservations/<reservation_id>/leaving-reason", roles=OFFICE)
def leaving_reason(reservation_id: str) -> Response:
    """Show the reason of a filed notice with what is decided, or the forms for both."""
    return _render_reason(reservation_id)


@dashboard.post("/reservations/<reservation_id>/leaving-reason", roles=OFFICE)
def state_leaving_reason(reservation_id: str) -> Response:
    """Store the reason that the resident told the office."""
    form = LeavingReasonForm.of(is_sent=True)
    return submitted(
        form,
        act=lambda work: form.state(work, reservation_id, is_own=False),
        then=lambda _notice: _return_to_reason(reservation_id, _("Reason recorded.")),
        again=lambda: _render_reason(reservation_id, reason_form=form),
    )


@dashboard.post("/reservations/<reservation_id>/leaving-reason/decision", roles=OFFICE)
def decide_leaving_reason(reservation_id: str) -> Response:
    """Accept or refuse the reason; the penalty is recalculated."""
    form = ReasonDecisionForm.of(is_sent=True)
    return submitted(
        form,
        act=lambda work: leaving_reasons.decide_reason(
            work,
            reservation_id=reservation_id,
            is_accepted=form.verdict.data == "accept",
            words=form.decision.data or "",
        ),
        then=lambda _notice: _return_to_reason(
            reservation_id, _("Decision recorded. The charge has been recalculated.")
        ),
        again=lambda: _render_reason(reservation_id, decision_form=form),
    )


def _return_to_reason(reservation_id: str, words: str) -> Response:
    return go(url_for("dashboard.leaving_reason", reservation_id=reservation_id), message=words)


def _render_reason(
    reservation_id: str, *, reason_form: Form | None = None, decision_form: Form | None = None
) -> Response:
    facts = departures.departure_facts(reading(), reservation_id, today())
    return render_reservation_tab(
        reservation_id,
        "dashboard/reservations/leaving_reason.html",
        tab="reservation_departure",
        notice=facts.notice,
        refused=reason_form or decision_form,
        reason_form=reason_form or LeavingReasonForm.of(is_sent=False),
        decision_form=decision_form or ReasonDecisionForm.of(is_sent=False),
    )
