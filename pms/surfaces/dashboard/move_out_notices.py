"""Filing, editing and withdrawing a move-out notice, with a preview of its cost."""

from collections.abc import Callable
from datetime import date, datetime, time
from typing import Any

from flask import Response, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.arrivals import (
    key_handovers,
    move_outs,
    reservation_headers,
)
from pms.departures import departures, expected_departures, notice_plans, notices
from pms.departures.departures import DepartureFacts
from pms.departures.expected_departures import file_notice_giving_back
from pms.departures.notice_plans import NoticePreview
from pms.foundation.errors import Refused
from pms.reservations import month_to_month
from pms.rules.days import JAPAN, month_last, readable
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.reservation_prices import (
    ShownPrices,
    render_reservation_tab,
    show_or_refuse,
)
from pms.surfaces.fields import DayField, FlagField, Optional, Required, SeenField
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import Undo, go
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.request_scope import clock, today


class VersionForm(FlaskForm):
    """The version of the record that was seen."""

    version = SeenField()


class NoticeForm(VersionForm):
    """The move-out day; `version` is that of the notice, or of the reservation without one."""

    moveOutDate = DayField(lazy_gettext("Move-out date"), [Required()])
    filedAt = DayField(lazy_gettext("Notice given on"), [Optional()])
    givesBack = FlagField(lazy_gettext("Credit these days when the notice is filed"))

    def filed_at(self, today: date) -> datetime | None:
        """The instant the notice was given, noon of a past day; None means now."""
        day = self.filedAt.data
        if day is None or day == today:
            return None
        return datetime.combine(day, time(12), JAPAN)


class ExpectedForm(VersionForm):
    """The day a resident said they will leave; empty removes it."""

    expectedDepartureDate = DayField(lazy_gettext("Expected departure"), [Optional()])


@dashboard.get("/reservations/<reservation_id>/departure", roles=OFFICE)
def reservation_departure(reservation_id: str) -> Response:
    """Show how the tenancy ends, and what a notice given today would cost."""
    form = notice_form(departures.departure_facts(reading(), reservation_id, today()))
    return departure(reservation_id, form, found=_preview_notice(reservation_id, form))


def _preview_notice(reservation_id: str, form: NoticeForm) -> ShownPrices[NoticePreview]:
    """Return the cost of leaving on the day filled in; empty if no notice can be filed for it."""
    day = form.moveOutDate.data
    if day is None:
        return ShownPrices()
    try:
        return ShownPrices(
            notice_plans.preview_notice(
                reading(), clock(), reservation_id=reservation_id, move_out_on=day
            )
        )
    except Refused:
        return ShownPrices()


def departure(
    reservation_id: str,
    form: NoticeForm | None = None,
    *,
    expected_form: ExpectedForm | None = None,
    state_form: VersionForm | None = None,
    found: ShownPrices[NoticePreview] | None = None,
    block: str = "tab",
) -> Response:
    """Show the tab with the given forms."""
    facts = departures.departure_facts(reading(), reservation_id, today())
    state = facts.month_to_month
    return render_reservation_tab(
        reservation_id,
        "dashboard/reservations/departure.html",
        tab="reservation_departure",
        block=block,
        header=reservation_headers.reservation_header(reading(), reservation_id, today()),
        facts=facts,
        form=form or notice_form(facts),
        expected_form=expected_form or _expected_form(facts),
        state_form=state_form or VersionForm(formdata=None, data={"version": facts.version}),
        unforceable=refusal_text(state.unforceable) if state and state.unforceable else None,
        month_end=month_last(today()),
        now_on=today(),
        found=found or ShownPrices(),
        move_out=(move_out := move_outs.move_out_record(reading(), reservation_id)),
        keys=key_handovers.keys_of_tenancy(reading(), reservation_id) if move_out else None,
        is_preview=block == "preview",
    )


def notice_form(facts: DepartureFacts) -> NoticeForm:
    """Return the form of a first notice, or of an edit of the notice in force."""
    if facts.notice is None:
        return NoticeForm(
            formdata=None, data={"version": facts.version, "moveOutDate": facts.free_on}
        )
    notice = facts.notice
    return NoticeForm(
        formdata=None, data={"version": notice.version, "moveOutDate": notice.move_out_on}
    )


def _expected_form(facts: DepartureFacts) -> ExpectedForm:
    expected_on = readable(facts.expected_departure_on)
    return ExpectedForm(
        formdata=None, data={"version": facts.version, "expectedDepartureDate": expected_on}
    )


@dashboard.post("/reservations/<reservation_id>/forced-month-to-month", roles=OFFICE)
def force_month_to_month(reservation_id: str) -> Response:
    """Bill full months from today on without an end, and keep the unit taken."""
    message = _("The tenancy is month to month until you clear this setting.")
    return _submit_forced_flag(
        reservation_id, month_to_month.force_month_to_month, message, "clear_month_to_month"
    )


@dashboard.post("/reservations/<reservation_id>/followed-dates", roles=OFFICE)
def clear_month_to_month(reservation_id: str) -> Response:
    """Let the tenancy follow its dates again."""
    message = _("The tenancy follows its contract dates again.")
    return _submit_forced_flag(
        reservation_id, month_to_month.clear_forced_month_to_month, message, "force_month_to_month"
    )


@dashboard.post("/reservations/<reservation_id>/expected-departure", roles=OFFICE)
def expect_departure(reservation_id: str) -> Response:
    """Record the day the resident said they will leave, or remove it."""
    form = ExpectedForm()
    before = readable(
        departures.departure_facts(reading(), reservation_id, today()).expected_departure_on
    )
    fields = {"expectedDepartureDate": before.isoformat() if before else ""}
    undo = Undo(url_for("dashboard.expect_departure", reservation_id=reservation_id), fields)
    return submitted(
        form,
        act=lambda work: expected_departures.record_expected_departure(
            work,
            reservation_id=reservation_id,
            expected_departure_on=form.expectedDepartureDate.data,
            expected_version=form.version.seen_value,
        ),
        then=lambda _done: _return_with_undo(reservation_id, _("Expected departure saved."), undo),
        again=lambda: departure(reservation_id, expected_form=form),
    )


def _submit_forced_flag(
    reservation_id: str, verb: Callable[..., Any], message: str, opposite_endpoint: str
) -> Response:
    form = VersionForm()
    opposite = url_for(f"dashboard.{opposite_endpoint}", reservation_id=reservation_id)
    return submitted(
        form,
        act=lambda work: verb(
            work, reservation_id=reservation_id, expected_version=form.version.seen_value
        ),
        then=lambda _done: _return_with_undo(reservation_id, message, Undo(opposite, {})),
        again=lambda: departure(reservation_id, state_form=form),
    )


def _return_with_undo(reservation_id: str, message: str, undo: Undo) -> Response:
    address = url_for("dashboard.reservation_departure", reservation_id=reservation_id)
    return go(address, message=message, undo=undo)


@dashboard.post("/reservations/<reservation_id>/notice/preview", roles=OFFICE)
def preview_notice(reservation_id: str) -> Response:
    """Show what leaving on a day would cost, and why."""
    form = NoticeForm()
    found = None
    if form.validate():
        found = show_or_refuse(
            form,
            lambda: notice_plans.preview_notice(
                reading(),
                clock(),
                reservation_id=reservation_id,
                move_out_on=form.moveOutDate.data,
                filed_at=form.filed_at(today()),
            ),
        )
    return departure(reservation_id, form, found=found, block="preview")


@dashboard.post("/reservations/<reservation_id>/notice", roles=OFFICE)
def file_notice(reservation_id: str) -> Response:
    """File a first notice."""
    form = NoticeForm()

    file = file_notice_giving_back if form.givesBack.data else notices.file_notice
    return submitted(
        form,
        act=lambda work: file(
            work,
            reservation_id=reservation_id,
            move_out_on=form.moveOutDate.data,
            filed_at=form.filed_at(today()),
            expected_version=form.version.seen_value,
        ),
        then=lambda _done: _return_to_departure(reservation_id, _("Notice filed.")),
        again=lambda: departure(reservation_id, form),
    )


@dashboard.post("/reservations/<reservation_id>/move-out", roles=OFFICE)
def reschedule_move_out(reservation_id: str) -> Response:
    """Change the day of the notice in force."""
    form = NoticeForm()
    return submitted(
        form,
        act=lambda work: notices.reschedule_move_out(
            work,
            reservation_id=reservation_id,
            move_out_on=form.moveOutDate.data,
            filed_at=form.filed_at(today()),
            version=form.version.seen_value,
        ),
        then=lambda _done: _return_to_departure(reservation_id, _("Move-out date changed.")),
        again=lambda: departure(reservation_id, form),
    )


@dashboard.get("/reservations/<reservation_id>/withdrawal", roles=OFFICE)
def reservation_withdrawal(reservation_id: str) -> Response:
    """Show what withdrawing the notice does."""
    return _render_withdrawal(reservation_id, VersionForm())


@dashboard.post("/reservations/<reservation_id>/withdrawal", roles=OFFICE)
def withdraw_notice(reservation_id: str) -> Response:
    """Withdraw the notice."""
    form = VersionForm()
    return submitted(
        form,
        act=lambda work: notices.withdraw_notice(
            work, reservation_id=reservation_id, version=form.version.seen_value
        ),
        then=lambda _done: _return_to_departure(reservation_id, _("Notice withdrawn.")),
        again=lambda: _render_withdrawal(reservation_id, form),
    )


def _render_withdrawal(reservation_id: str, form: VersionForm) -> Response:
    return render_reservation_tab(
        reservation_id,
        "dashboard/reservations/withdrawal.html",
        tab="reservation_departure",
        header=reservation_headers.reservation_header(reading(), reservation_id, today()),
        facts=departures.departure_facts(reading(), reservation_id, today()),
        form=form,
    )


def _return_to_departure(reservation_id: str, message: str) -> Response:
    return go(
        url_for("dashboard.reservation_departure", reservation_id=reservation_id), message=message
    )
