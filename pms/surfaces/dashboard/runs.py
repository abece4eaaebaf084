"""Long work: what is running, its progress, and its results."""

from typing import Any

from flask import Response, url_for
from flask_babel import gettext as _
from flask_wtf import FlaskForm

from pms.foundation.phrases import phrase_of
from pms.foundation.runs import ask_run, ask_to_stop, run_page, run_record
from pms.ledger.billing import Unbillable
from pms.statements.owner_months import PublishingBar
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import csv_answer, go, page, page_or_block
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.labels.refusals import phrase_text
from pms.surfaces.paging import asked_paging


@dashboard.get("/runs", roles=OFFICE)
def runs() -> Response:
    """Show the runs, the newest first."""
    paging = asked_paging()
    return page("dashboard/runs/index.html", found=run_page(reading(), paging), paging=paging)


@dashboard.get("/runs/<run_id>", roles=OFFICE)
def run(run_id: str) -> Response:
    """Show the progress of a run; htmx requests only its panel."""
    run = run_record(reading(), run_id)
    return page_or_block("dashboard/runs/run.html", "progress", run=run, undone=_run_facts(run))


@dashboard.post("/runs/<run_id>/stop", roles=OFFICE)
def stop_run(run_id: str) -> Response:
    """Stop the run after its current part."""
    return submitted(
        FlaskForm(),
        act=lambda work: ask_to_stop(work, run_id),
        then=lambda _run: go(_address(run_id), message=_("It will stop after the current part.")),
        again=lambda: run(run_id),
    )


@dashboard.post("/runs/<run_id>/restart", roles=OFFICE)
def restart_run(run_id: str) -> Response:
    """Start a new run that continues where this one stopped."""
    former = run_record(reading(), run_id)
    return submitted(
        FlaskForm(),
        act=lambda work: ask_run(work, kind=former.kind, subject=former.subject, **former.asked).id,
        then=lambda new_id: go(_address(new_id), message=_("Resumed.")),
        again=lambda: run(run_id),
    )


@dashboard.get("/runs/<run_id>/problems.csv", roles=OFFICE)
def run_problems(run_id: str) -> Response:
    """Give the problems of a run as CSV."""
    run = run_record(reading(), run_id)
    rows = [
        [each.get("reservation") or each.get("row", ""), each.get("message", "")]
        for each in _run_facts(run)
    ]
    return csv_answer(f"run-{run.kind}-{run.subject}.csv", [_("About"), _("Reason")], rows)


def _run_facts(run: Any) -> list[dict[str, Any]]:
    """Return the problems of a run, each with its reason in the reader's language."""
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
    return unbilled or unpublished or refused or run.result.get("problems") or []


def _address(run_id: str) -> str:
    return url_for("dashboard.run", run_id=run_id)
