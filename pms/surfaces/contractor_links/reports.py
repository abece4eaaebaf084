"""Tells the office of another problem where the contractor works."""

from flask import Response, request
from werkzeug.datastructures import CombinedMultiDict

from pms.foundation.ids import new_id
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.contractor_links.holder import (
    clock,
    holder,
    home,
    key_of_form,
    shown,
    submitted,
)
from pms.surfaces.contractor_links.report_form import ReportForm
from pms.surfaces.hypermedia import go
from pms.surfaces.request_scope import files
from pms.upkeep.report_beside_work import report_beside_work


def show() -> Response:
    """Show the form."""
    return _form(ReportForm(data={"once": new_id()}, files=files()))


def report() -> Response:
    """Keep the report with its pictures."""
    form = ReportForm(CombinedMultiDict((request.files, request.form)), files=files())
    return submitted(
        form,
        act=lambda session: _reported(session, form),
        then=lambda _id: go(home(told="reported")),
        again=lambda: _form(form),
    )


def _reported(session: WorkspaceSession, form: ReportForm) -> str | None:
    return report_beside_work(
        session,
        clock(),
        holder().actor,
        project_id=holder().project_id,
        what=form.what.data,
        is_in_unit=not form.isOutside.data,
        photos=form.sized,
        key=key_of_form(),
    )


def _form(form: ReportForm) -> Response:
    return shown("report", form=form, project=holder().project())
