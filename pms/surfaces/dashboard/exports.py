"""Exports of a workspace's data: requested here, made by the worker, kept for seven days."""

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_wtf import FlaskForm
from wtforms import Form

from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.runs import ask_run, newest_run, run_record
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import RunKind
from pms.surfaces.dashboard.gate import OPERATOR, actor, current_member, dashboard, reading
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import XLSX_TYPE, file_answer, go, page
from pms.surfaces.request_scope import clock, database, files

_KIND = RunKind.EXPORT.value
_SUBJECT = "everything"
_MEDIA = {
    "xlsx": XLSX_TYPE,
    "zip": "application/zip",
}


@dashboard.get("/settings/export", roles=OPERATOR)
def export() -> Response:
    """Show what an export contains, and the files of the newest one."""
    return _render_exports(FlaskForm())


@dashboard.post("/settings/export", roles=OPERATOR)
def start_export() -> Response:
    """Queue an export; a worker starts it within seconds."""
    form = FlaskForm()
    return submitted(
        form,
        act=lambda work: ask_run(work, kind=_KIND, subject=_SUBJECT).id,
        then=lambda run_id: go(
            url_for("dashboard.run", run_id=run_id), message=_("The export has started.")
        ),
        again=lambda: _render_exports(form),
    )


@dashboard.get("/settings/export/<run_id>/file", roles=OPERATOR)
def exported_file(run_id: str) -> Response:
    """Give one file of an export, and record who downloaded it."""
    run = run_record(reading(), run_id)
    made = run.result.get("files", []) if run.kind == _KIND else []
    made_file = next((one for one in made if one["name"] == request.args.get("name")), None)
    content = files().get(made_file["key"]) if made_file else None
    if made_file is None or content is None:
        return go(url_for("dashboard.export"), message=_("We no longer have this file."))
    database().write(
        current_member().workspace_id,
        lambda session: note_audit_event(
            Work(session, clock(), actor()),
            AuditEvent.EXPORT_DOWNLOADED,
            of_workspace(session),
            after={"file": made_file["name"]},
        ),
    )
    name = made_file["name"]
    return file_answer(content, _MEDIA[name.rpartition(".")[2]], name)


def _render_exports(form: Form) -> Response:
    return page(
        "dashboard/exports/page.html", form=form, latest=newest_run(reading(), _KIND, _SUBJECT)
    )
