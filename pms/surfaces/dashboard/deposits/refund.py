"""Records that a refund was sent, the step after the settlement."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.arrivals.reservation_header import reservation_header
from pms.deposits.send_refund import send_refund as send_refund_verb
from pms.foundation.wording import said_yen
from pms.surfaces.dashboard.deposits.deposit import shown
from pms.surfaces.dashboard.deposits.refund_form import RefundForm
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.hypermedia import go


@dashboard.post("/reservations/<reservation_id>/refund", roles=OFFICE)
def send_refund(reservation_id: str) -> Response:
    """Record the refund as it was sent."""
    header = reservation_header(reading(), reservation_id, today())
    form = RefundForm(request.form)
    return submitted(
        form,
        act=lambda session: send_refund_verb(
            session,
            clock(),
            actor(),
            reservation_id=reservation_id,
            amount_yen=form.amountYen.data,
            sent_on=form.sentOn.data,
            reference=form.reference.data,
            expected_version=form.version.data,
        ),
        then=lambda _settled: go(
            url_for("dashboard.reservation_deposit", reservation_id=reservation_id),
            said=_("Refund of %(yen)s recorded as sent.", yen=said_yen(form.amountYen.data)),
        ),
        again=lambda: shown(header, refund_form=form),
    )
