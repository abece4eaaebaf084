"""Makes a link to a project and shows it, this once."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from contextlib import nullcontext
from typing import Final

from flask import Response, current_app, request, url_for

from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.share_links.exposure import exposure_of
from pms.surfaces.dashboard.share_links.share_form import ShareForm
from pms.surfaces.hypermedia import page
from pms.surfaces.signed_in import doorway
from pms.upkeep.opened_link import named_link
from pms.upkeep.project_record import project_record
from pms.upkeep.share_links import share_link_record
from pms.upkeep.share_project import share_project as share_project_verb

_CREATED: Final = 201


@dashboard.get("/projects/<project_id>/share-links/new", roles=MAINTENANCE)
def new_share_link(project_id: str) -> Response:
    """Show the form, filled in where a link takes the place of another."""
    former = request.args.get("of", "")
    if former:
        link = share_link_record(reading(), former, today())
        return _form(project_id, ShareForm.again(link, today()))
    return _form(project_id, ShareForm.empty(today()))


@dashboard.post("/projects/<project_id>/share-links/new", roles=MAINTENANCE)
def share_project(project_id: str) -> Response:
    """Make the link."""
    form = ShareForm(request.form)
    return submitted(
        form,
        act=lambda session: share_project_verb(
            session,
            clock(),
            actor(),
            project_id=project_id,
            sealer=doorway().sealer,
            **form.shared,
        ),
        then=lambda token: _once(project_id, token),
        again=lambda: _form(project_id, form),
    )


def _form(project_id: str, form: ShareForm) -> Response:
    project = project_record(reading(), project_id)
    return page(
        "dashboard/share_links/new.html",
        form=form,
        project=project,
        exposure=exposure_of(project),
        today=today(),
    )


def _once(project_id: str, token: str) -> Response:
    named = named_link(lambda: nullcontext(reading()), doorway().sealer, token)
    link = share_link_record(reading(), named.link_id if named else "", today())
    response = page(
        "dashboard/share_links/once.html",
        link=link,
        project=project_record(reading(), project_id),
        address=current_app.config["BASE_URL"] + url_for("contractor_links.project", token=token),
    )
    response.status_code = _CREATED
    return response
