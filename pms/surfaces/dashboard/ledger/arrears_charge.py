"""Posts an arrears charge that collects what is missing of an earlier bill."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.wording import said_yen
from pms.ledger.ledger_mark import hold_ledger, ledger_mark
from pms.ledger.post_arrears_charge import post_arrears_charge as post_arrears_charge_verb
from pms.ledger.queries import EntryRecord, entry_record
from pms.ledger.statement import statement
from pms.statements.bills import Bill
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.ledger.arrears_charge_form import ArrearsChargeForm
from pms.surfaces.dashboard.ledger.due_day import refuse_past_due
from pms.surfaces.dashboard.ledger.entry import bill_of
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.hypermedia import go


@dashboard.get("/ledger-entries/<entry_id>/arrears-charge", roles=OFFICE)
def new_arrears_charge(entry_id: str) -> Response:
    """Show the form, filled with the shortfall."""
    entry, bill = _found(entry_id)
    seen = ledger_mark(reading(), entry.reservation_id)
    given: dict[str, Any] = {"amountYen": bill.standing.unpaid_yen or None, "dueOn": today()}
    return _shown(entry, bill, ArrearsChargeForm(seen=seen, **given))


@dashboard.post("/ledger-entries/<entry_id>/arrears-charge", roles=OFFICE)
def post_arrears_charge(entry_id: str) -> Response:
    """Post the arrears charge."""
    entry, bill = _found(entry_id)
    form = ArrearsChargeForm(request.form)

    def act(session: WorkspaceSession) -> str:
        refuse_past_due(form.dueOn.data, today())
        hold_ledger(session, entry.reservation_id, form.seen.data)
        return post_arrears_charge_verb(
            session,
            clock(),
            actor(),
            entry_id=entry_id,
            amount_yen=form.amountYen.data,
            due_on=form.dueOn.data,
        )

    return submitted(
        form,
        act=act,
        then=lambda charge_id: go(
            url_for("dashboard.ledger_entry", entry_id=charge_id),
            said=_("Arrears charge of %(yen)s posted.", yen=said_yen(form.amountYen.data)),
        ),
        again=lambda: _shown(entry, bill, form),
    )


def _found(entry_id: str) -> tuple[EntryRecord, Bill]:
    entry = entry_record(reading(), entry_id)
    return entry, bill_of(statement(reading(), entry.reservation_id, today()), entry)


def _shown(entry: EntryRecord, bill: Bill, form: ArrearsChargeForm) -> Response:
    return framed(
        entry.reservation_id,
        "dashboard/ledger/arrears_charge.html",
        tab="reservation_ledger",
        form=form,
        bill=bill,
        today=today(),
    )
