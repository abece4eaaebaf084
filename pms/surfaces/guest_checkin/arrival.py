"""Asks when the guests come, and whether they agree to the rules of the house."""

from flask import Response, request, url_for

from pms.stays.plan_arrival import plan_arrival
from pms.surfaces.guest_checkin.arrival_form import ArrivalForm
from pms.surfaces.guest_checkin.holder import clock, holder, shown, submitted
from pms.surfaces.hypermedia import go


def show() -> Response:
    """Show what was told before."""
    link = holder().link
    is_agreed = link.rules_accepted_at is not None
    data = {"arrivalTime": link.arrival_time, "acceptsRules": is_agreed}
    return _shown(ArrivalForm(data=data, terms=holder().terms, told=link.arrival_time))


def plan() -> Response:
    """Write the arrival, which finishes the check-in."""
    form = ArrivalForm(request.form, terms=holder().terms, told=holder().link.arrival_time)
    return submitted(
        form,
        act=lambda session: plan_arrival(
            session,
            clock(),
            holder().actor,
            link_id=holder().link.id,
            arrival_time=form.arrivalTime.data,
            accepts_rules=form.acceptsRules.data,
        ),
        then=lambda _none: go(url_for("guest_checkin.ready")),
        again=lambda: _shown(form),
    )


def _shown(form: ArrivalForm) -> Response:
    return shown("arrival", holder=holder(), stay=holder().link, terms=holder().terms, form=form)
