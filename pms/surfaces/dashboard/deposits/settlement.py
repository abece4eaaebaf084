"""Settles a deposit: a draft whose remainder follows what is typed, a check page, the deed."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.arrivals.reservation_header import ReservationHeader, reservation_header
from pms.deposits.settle import settle as settle_verb
from pms.surfaces.dashboard.deposits.deductions_form import SettlementForm, without_row
from pms.surfaces.dashboard.deposits.deposit import TAB, figures, shown
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.hypermedia import UNACCEPTED, go, is_part, page_or_block

_PAGE = "dashboard/deposits/deposit.html"


@dashboard.post("/reservations/<reservation_id>/settlement/draft", roles=OFFICE)
def draft_settlement(reservation_id: str) -> Response:
    """Add or take out a row, follow what is typed, or show the page to check; nothing is written."""
    header = reservation_header(reading(), reservation_id, today())
    form = SettlementForm.of(header.version, request.form)
    if "add" in request.form:
        form.add()
    if "add" in request.form or "edit" in request.form:
        return shown(header, form)
    if "remove" in request.form:
        typed = without_row(request.form, request.form.get("remove", -1, int))
        return shown(header, SettlementForm.of(header.version, typed))
    return _followed(header, form)


@dashboard.post("/reservations/<reservation_id>/settlement", roles=OFFICE)
def settle(reservation_id: str) -> Response:
    """Write the settlement."""
    header = reservation_header(reading(), reservation_id, today())
    form = SettlementForm.of(header.version, request.form)
    return submitted(
        form,
        act=lambda session: (
            settle_verb(
                session,
                clock(),
                actor(),
                reservation_id=reservation_id,
                deductions=form.asked,
                expected_version=form.version.data,
            ).settlement.remainder_yen
        ),
        then=lambda remainder_yen: go(
            url_for("dashboard.reservation_deposit", reservation_id=reservation_id),
            said=_("The deposit is settled. Send the refund next.")
            if remainder_yen
            else _("The deposit is settled."),
        ),
        again=lambda: shown(header, form),
    )


def _followed(header: ReservationHeader, form: SettlementForm) -> Response:
    is_sound = form.validate()
    asked = form.asked if is_sound else ()
    if is_part():
        found = figures(header.id, asked) if is_sound else {"plan": None, "refusal": ""}
        return page_or_block(_PAGE, "figures", form=form, header=header, **found)
    found = figures(header.id, asked)
    if not is_sound or found["plan"] is None:
        response = shown(header, form)
        response.status_code = UNACCEPTED
        return response
    return framed(
        header.id, "dashboard/deposits/check.html", tab=TAB, header=header, form=form, **found
    )
