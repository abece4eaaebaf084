"""Files, edits and withdraws a move-out notice, with its cost known before."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.arrivals.reservation_header import reservation_header
from pms.departures.departure_facts import departure_facts
from pms.departures.file_notice import file_notice as file_notice_verb
from pms.departures.filed_notice import FiledMoveOut
from pms.departures.preview_notice import preview_notice as preview_notice_verb
from pms.departures.reschedule_move_out import reschedule_move_out as reschedule_move_out_verb
from pms.departures.withdraw_notice import withdraw_notice as withdraw_notice_verb
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.reservations.departure import departure
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.dashboard.reservations.notice_form import NoticeForm
from pms.surfaces.dashboard.reservations.previewing import shown_or_refused
from pms.surfaces.dashboard.reservations.version_form import VersionForm
from pms.surfaces.hypermedia import go


@dashboard.post("/reservations/<reservation_id>/notice/preview", roles=OFFICE)
def preview_notice(reservation_id: str) -> Response:
    """Show what leaving on a day would cost, and why."""
    form = NoticeForm(request.form)
    found = None
    if form.validate():
        found = shown_or_refused(
            form,
            lambda: preview_notice_verb(
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
    form = NoticeForm(request.form)

    def act(session: WorkspaceSession) -> FiledMoveOut:
        return file_notice_verb(
            session,
            clock(),
            actor(),
            reservation_id=reservation_id,
            move_out_on=form.moveOutDate.data,
            filed_at=form.filed_at(today()),
            expected_version=form.seen,
        )

    return submitted(
        form,
        act=act,
        then=lambda _done: _back(reservation_id, _("The notice is filed.")),
        again=lambda: departure(reservation_id, form),
    )


@dashboard.post("/reservations/<reservation_id>/move-out", roles=OFFICE)
def reschedule_move_out(reservation_id: str) -> Response:
    """Edit the day of the notice in force."""
    form = NoticeForm(request.form)

    def act(session: WorkspaceSession) -> FiledMoveOut:
        return reschedule_move_out_verb(
            session,
            clock(),
            actor(),
            reservation_id=reservation_id,
            move_out_on=form.moveOutDate.data,
            filed_at=form.filed_at(today()),
            version=form.seen,
        )

    return submitted(
        form,
        act=act,
        then=lambda _done: _back(reservation_id, _("The move-out day is changed.")),
        again=lambda: departure(reservation_id, form),
    )


@dashboard.get("/reservations/<reservation_id>/withdrawal", roles=OFFICE)
def reservation_withdrawal(reservation_id: str) -> Response:
    """Show what withdrawing the notice does."""
    return _withdrawal(reservation_id, VersionForm())


@dashboard.post("/reservations/<reservation_id>/withdrawal", roles=OFFICE)
def withdraw_notice(reservation_id: str) -> Response:
    """Take the notice back."""
    form = VersionForm(request.form)
    return submitted(
        form,
        act=lambda session: withdraw_notice_verb(
            session, clock(), actor(), reservation_id=reservation_id, version=form.seen
        ),
        then=lambda _done: _back(reservation_id, _("The notice is withdrawn.")),
        again=lambda: _withdrawal(reservation_id, form),
    )


def _withdrawal(reservation_id: str, form: VersionForm) -> Response:
    return framed(
        reservation_id,
        "dashboard/reservations/withdrawal.html",
        tab="reservation_departure",
        header=reservation_header(reading(), reservation_id, today()),
        facts=departure_facts(reading(), reservation_id, today()),
        form=form,
    )


def _back(reservation_id: str, said: str) -> Response:
    return go(url_for("dashboard.reservation_departure", reservation_id=reservation_id), said=said)
