"""Moves a viewing, calls it off, and notes what became of it."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.enquiries.cancel_viewing import cancel_viewing as cancel_viewing_verb
from pms.enquiries.end_viewing import end_viewing as end_viewing_verb
from pms.enquiries.move_viewing import move_viewing as move_viewing_verb
from pms.enquiries.viewing_list import ListedViewing, viewing_record
from pms.foundation.files import Files
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import ViewingStatus
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.viewings.result_form import ResultForm
from pms.surfaces.dashboard.viewings.shown_unit import shown_unit
from pms.surfaces.dashboard.viewings.viewing import shown
from pms.surfaces.dashboard.viewings.viewing_form import TimeForm
from pms.surfaces.hypermedia import go, page
from pms.surfaces.request_scope import database


@dashboard.get("/viewings/<viewing_id>/time", roles=OFFICE)
def viewing_time(viewing_id: str) -> Response:
    """Show when and by whom, ready to be changed."""
    one = viewing_record(reading(), viewing_id)
    return _changing(one, Edit.of(_form_of(one), one.version))


@dashboard.post("/viewings/<viewing_id>/time", roles=OFFICE)
def move_viewing(viewing_id: str) -> Response:
    """Move it, merged with what somebody else saved meanwhile; the visitor is told of a new time."""
    form = TimeForm(request.form)
    edit = Edit.typed(form, request.form)
    viewing = viewing_record(reading(), viewing_id)

    def act(session: WorkspaceSession) -> bool:
        one = viewing_record(session, viewing_id)
        edit.merge(
            session,
            Edit.of(_form_of(one), one.version),
            subject=("viewing", viewing_id),
            columns={
                "onDay": "starts_at",
                "atTime": "starts_at",
                "minutes": "duration_minutes",
            },
        )
        return move_viewing_verb(
            session,
            clock(),
            actor(),
            Files(database().settings),
            viewing_id=viewing_id,
            version=one.version,
            starts_at=form.starts_at,
            minutes=form.minutes.data,
            host_id=form.hostId.data or None,
            may_overlap=form.mayOverlap.data,
        )

    return submitted(
        form,
        act=act,
        then=lambda is_mailed: _back(
            viewing_id, edit.said(_told(_("The viewing is changed."), is_mailed))
        ),
        again=lambda: _changing(viewing, edit),
    )


@dashboard.post("/viewings/<viewing_id>/cancellation", roles=OFFICE)
def cancel_viewing(viewing_id: str) -> Response:
    """Call it off."""
    return submitted(
        Form(),
        act=lambda session: cancel_viewing_verb(
            session, clock(), actor(), Files(database().settings), viewing_id=viewing_id
        ),
        then=lambda is_mailed: _back(viewing_id, _told(_("The viewing is cancelled."), is_mailed)),
        again=lambda: shown(viewing_id, None),
    )


@dashboard.post("/viewings/<viewing_id>/result", roles=OFFICE)
def end_viewing(viewing_id: str) -> Response:
    """Note the result."""
    form = ResultForm(request.form)
    return submitted(
        form,
        act=lambda session: end_viewing_verb(
            session,
            clock(),
            actor(),
            viewing_id=viewing_id,
            result=ViewingStatus(form.result.data),
            note=form.note.data,
        ),
        then=lambda _none: _back(viewing_id, _("The result is noted.")),
        again=lambda: shown(viewing_id, form),
    )


def _form_of(one: ListedViewing) -> TimeForm:
    return TimeForm(
        data={
            "onDay": one.on,
            "atTime": one.there.time(),
            "minutes": one.minutes,
            "hostId": one.host_id,
        }
    )


def _changing(one: ListedViewing, edit: Edit) -> Response:
    unit = shown_unit(one.unit_id)
    return page("dashboard/viewings/change.html", one=one, form=edit.form, edit=edit, unit=unit)


def _told(words: str, is_mailed: bool) -> str:
    mailed = _("The visitor is mailed.") if is_mailed else _("No mail leaves.")
    return f"{words} {mailed}"


def _back(viewing_id: str, said: str) -> Response:
    return go(url_for("dashboard.viewing", viewing_id=viewing_id), said=said)
