"""Voids a bill by an opposite entry, after a page that names what that does."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.ledger.queries import entry_record
from pms.ledger.statement import statement
from pms.ledger.void_unpaid_entry import void_unpaid_entry
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.ledger.entry import bill_of, is_locked
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.hypermedia import go


@dashboard.get("/ledger-entries/<entry_id>/voiding", roles=OFFICE)
def check_voiding(entry_id: str) -> Response:
    """Show what voiding would do."""
    return _shown(entry_id, Form())


@dashboard.post("/ledger-entries/<entry_id>/voiding", roles=OFFICE)
def void_entry(entry_id: str) -> Response:
    """Void the bill."""
    form = Form(request.form)
    reservation_id = entry_record(reading(), entry_id).reservation_id
    return submitted(
        form,
        act=lambda session: void_unpaid_entry(session, clock(), actor(), entry_id),
        then=lambda _opposite_id: go(
            url_for("dashboard.reservation_ledger", reservation_id=reservation_id),
            said=_("The bill is voided."),
        ),
        again=lambda: _shown(entry_id, form),
    )


def _shown(entry_id: str, form: Form) -> Response:
    entry = entry_record(reading(), entry_id)
    bill = bill_of(statement(reading(), entry.reservation_id, today()), entry)
    return framed(
        entry.reservation_id,
        "dashboard/ledger/voiding.html",
        tab="reservation_ledger",
        form=form,
        bill=bill,
        is_locked=is_locked(bill),
    )
