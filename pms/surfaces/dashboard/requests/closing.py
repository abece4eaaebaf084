"""Closes a report without work: the reason, after a look at what it does."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from wtforms import Form

from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.requests.conversations import conversations_about
from pms.surfaces.fields import LongTextField, Required
from pms.surfaces.hypermedia import go, page_or_block
from pms.upkeep.close_request import close_request as close_request_verb
from pms.upkeep.request_record import request_record


class ClosingForm(Form):
    """Why no work follows."""

    because = LongTextField(lazy_gettext("Why no work follows"), [Required()])


@dashboard.get("/requests/<request_id>/closure", roles=MAINTENANCE)
def check_closing(request_id: str) -> Response:
    """Show the report and ask for the reason."""
    return _shown(request_id, ClosingForm())


@dashboard.post("/requests/<request_id>/closure", roles=MAINTENANCE)
def close_request(request_id: str) -> Response:
    """Close it and go back to the inbox."""
    form = ClosingForm(request.form)
    return submitted(
        form,
        act=lambda session: close_request_verb(
            session, clock(), actor(), request_id=request_id, because=form.because.data
        ),
        then=lambda _none: go(url_for("dashboard.requests"), said=_("The report is closed.")),
        again=lambda: _shown(request_id, form),
    )


def _shown(request_id: str, form: ClosingForm) -> Response:
    found = request_record(reading(), request_id)
    return page_or_block(
        "dashboard/requests/closing.html",
        "closing",
        found=found,
        form=form,
        tickets=conversations_about(request_id=found.id),
    )
