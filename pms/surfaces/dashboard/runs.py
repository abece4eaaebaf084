"""Long work: its progress and results; exports of the data, which are kept for seven days."""

from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_wtf import FlaskForm
from wtforms import Form

from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.phrases import phrase_of
from pms.foundation.readiness import SWEEP, last_done
from pms.foundation.runs import ask_run, ask_to_stop, newest_run, run_page, run_record
from pms.foundation.work import Work
from pms.ledger.billing import Unbillable
from pms.reservations.residents import subject_names
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import RunKind, StaffRole
from pms.statements.owner_months import PublishingBar
from pms.surfaces.dashboard.gate import OFFICE, OPERATOR, actor, current_member, dashboard, reading
from pms.surfaces.forms import asked_paging, submitted
from pms.surfaces.hypermedia import XLSX_TYPE, csv_answer, file_answer, go, page, page_or_block
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.labels.refusals import phrase_text
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock, database, files


@dashboard.get("/runs", roles=OFFICE, is_of_all_buildings=True)
def runs() -> Response:
    """Show the runs, the newest first."""
    paging = asked_paging()
    is_operator = current_member().role is StaffRole.OPERATOR
    return page(
        "dashboard/runs/index.html",
        found=run_page(reading(), paging),
        paging=paging,
        swept=last_done(reading(), SWEEP) if is_operator else None,
    )


@dashboard.get("/runs/<run_id>", roles=OFFICE, is_of_all_buildings=True)
def run(run_id: str) -> Response:
    """Show the progress of a run; htmx requests only its panel."""
    run = run_record(reading(), run_id)
    return page_or_block("dashboard/runs/run.html", "progress", run=run, undone=_run_facts(run))


@dashboard.post("/runs/<run_id>/stop", roles=OFFICE, is_of_all_buildings=True)
def stop_run(run_id: str) -> Response:
    """Stop the run after its current part."""
    return submitted(
        FlaskForm(),
        act=lambda work: ask_to_stop(work, run_id),
        then=lambda _run: go(
            _build_address(run_id), message=_("It will stop after the current part.")
        ),
        again=lambda: run(run_id),
    )


@dashboard.post("/runs/<run_id>/restart", roles=OFFICE, is_of_all_buildings=True)
def restart_run(run_id: str) -> Response:
    """Start a new run that continues where this one stopped."""
    former = run_record(reading(), run_id)
    return submitted(
        FlaskForm(),
        act=lambda work: ask_run(work, kind=former.kind, subject=former.subject, **former.asked).id,
        then=lambda new_id: go(_build_address(new_id), message=_("Resumed.")),
        again=lambda: run(run_id),
    )


@dashboard.get("/runs/<run_id>/problems.csv", roles=OFFICE, is_of_all_buildings=True)
def run_problems(run_id: str) -> Response:
    """Give the problems of a run as CSV."""
    run = run_record(reading(), run_id)
    rows = [
        [each.get("name") or each.get("row", ""), each.get("message", "")]
        for each in _run_facts(run)
    ]
    return csv_answer(f"run-{run.kind}-{run.subject}.csv", [_("About"), _("Reason")], rows)


def _run_facts(run: Any) -> list[dict[str, Any]]:
    """Return the problems of a run, each with whom it is about and its reason in words."""
    unbilled = [
        {**each, "message": label_of(Unbillable(each["reason"]))}
        for each in run.result.get("unbilled", ())
    ]
    unpublished = [
        {**each, "message": label_of(PublishingBar(each["reason"]))}
        for each in run.result.get("unpublished", ())
    ]
    refused = [
        {**each, "message": phrase_text(phrase_of(each["sentence"]))}
        if "sentence" in each
        else each
        for each in run.result.get("refused", ())
    ]
    found = unbilled or unpublished or refused or run.result.get("problems") or []
    ids = {each["reservation"] for each in found if each.get("reservation")}
    names = subject_names(reading(), [("reservation", id_) for id_ in sorted(ids)]) if ids else {}
    language = chosen_language()
    return [
        {**each, "name": name.in_language(language)}
        if (name := names.get(("reservation", each.get("reservation", ""))))
        else each
        for each in found
    ]


def _build_address(run_id: str) -> str:
    return url_for("dashboard.run", run_id=run_id)


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
    made_file = next((kept for kept in made if kept["name"] == request.args.get("name")), None)
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
