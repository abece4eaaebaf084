"""Reminds people in arrears by mail, after a page that lists whom, where to, and of what."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Sequence
from typing import Final

from flask import Response, request, url_for
from flask_babel import ngettext
from wtforms import Form

from pms.ledger.debts import debts
from pms.statements.remind_of_arrears import remind_of_arrears
from pms.statements.reminder_plan import plan_reminders
from pms.surfaces.dashboard.arrears.arrears import asked_form, of_age
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.hypermedia import go, page

MOST_AT_ONCE: Final = 200


@dashboard.get("/arrears/reminders", roles=OFFICE)
def check_reminders() -> Response:
    """Show who would be reminded: those ticked, or everybody in the list as it was filtered."""
    ids = _everybody() if "all" in request.args else request.args.getlist("reservation")
    return _shown(Form(), ids)


@dashboard.post("/arrears/reminders", roles=OFFICE)
def send_reminders() -> Response:
    """Have the reminders leave."""
    form, ids = Form(request.form), request.form.getlist("reservation")[:MOST_AT_ONCE]
    return submitted(
        form,
        act=lambda session: len(remind_of_arrears(session, clock(), actor(), reservation_ids=ids)),
        then=lambda sent: go(
            url_for("dashboard.arrears"),
            said=ngettext(
                "%(num)d reminder is leaving by mail.",
                "%(num)d reminders are leaving by mail.",
                sent,
            ),
        ),
        again=lambda: _shown(form, ids),
    )


def _everybody() -> Sequence[str]:
    form = asked_form()
    form.validate()
    found = debts(reading(), today(), form.building.data)
    return [debt.reservation_id for debt in of_age(found, form.wanted_age)]


def _shown(form: Form, ids: Sequence[str]) -> Response:
    planned = plan_reminders(reading(), ids[:MOST_AT_ONCE], today())
    return page(
        "dashboard/arrears/reminders.html",
        form=form,
        leaving=[one for one in planned if one.bar is None],
        kept=[one for one in planned if one.bar is not None],
        left=max(len(ids) - MOST_AT_ONCE, 0),
        most=MOST_AT_ONCE,
    )
