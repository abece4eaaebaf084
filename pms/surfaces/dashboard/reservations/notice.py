"""Files, edits and withdraws a move-out notice, with its cost known before."""

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.arrivals.reservation_header import reservation_header
from pms.departures.departure_facts import departure_facts
from pms.departures.file_notice import file_notice
from pms.departures.filed_notice import FiledMoveOut
from pms.departures.preview_notice import preview_notice
from pms.departures.reschedule_move_out import reschedule_move_out
from pms.departures.withdraw_notice import withdraw_notice
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.reservations.departure import departure
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.dashboard.reservations.notice_form import NoticeForm
from pms.surfaces.dashboard.reservations.previewing import shown_or_refused
from pms.surfaces.dashboard.reservations.version_form import VersionForm
from pms.surfaces.hypermedia import go


def preview(reservation_id: str) -> Response:
    """Show what leaving on a day would cost, and why."""
    form = NoticeForm(request.form)
    found = None
    if form.validate():
        found = shown_or_refused(
            form,
            lambda: preview_notice(
                reading(),
                clock(),
                reservation_id=reservation_id,
                move_out_on=form.moveOutDate.data,
                filed_at=form.filed_at(today()),
            ),
        )
    return departure(reservation_id, form, found=found, block="preview")


def file(reservation_id: str) -> Response:
    """File a first notice."""
    form = NoticeForm(request.form)

    def act(session: WorkspaceSession) -> FiledMoveOut:
        return file_notice(
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


def reschedule(reservation_id: str) -> Response:
    """Edit the day of the notice in force."""
    form = NoticeForm(request.form)

    def act(session: WorkspaceSession) -> FiledMoveOut:
        return reschedule_move_out(
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


def check_withdrawal(reservation_id: str) -> Response:
    """Show what withdrawing the notice does."""
    return _withdrawal(reservation_id, VersionForm())


def withdraw(reservation_id: str) -> Response:
    """Take the notice back."""
    form = VersionForm(request.form)
    return submitted(
        form,
        act=lambda session: withdraw_notice(
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
