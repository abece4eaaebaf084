"""Shows and saves what the website says on every page, merged with what somebody else saved."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.foundation.tenancy import WorkspaceSession
from pms.site.desk_content import SiteRecord, missing_languages, site_record
from pms.site.set_site_configuration import set_site_configuration
from pms.surfaces.dashboard.content.website_form import WebsiteForm
from pms.surfaces.dashboard.desk import actor, clock, desk, reading, submitted
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.hypermedia import go, page


@dashboard.get("/content/website", roles=OFFICE, endpoint="website")
def show_website() -> Response:
    """Show the website's own words."""
    return _shown(_edit_of(site_record(reading())))


@dashboard.post("/content/website", roles=OFFICE)
def set_website() -> Response:
    """Save them; every address of the website follows."""
    form = WebsiteForm(request.form)
    edit = Edit.typed(form, request.form)

    def act(session: WorkspaceSession) -> int:
        record = site_record(session)
        if record is not None:
            subject = ("site_configuration", desk().workspace_id)
            edit.merge(session, _edit_of(record), subject=subject)
        return set_site_configuration(
            session,
            clock(),
            actor(),
            written=form.written,
            version=record.version if record else None,
        )

    return submitted(
        form,
        act=act,
        then=lambda _version: go(url_for("dashboard.website"), said=edit.said(_("Saved."))),
        again=lambda: _shown(edit),
    )


def _edit_of(record: SiteRecord | None) -> Edit:
    return Edit.of(WebsiteForm.of(record), record.version if record else 0)


def _shown(edit: Edit) -> Response:
    record = site_record(reading())
    missing = missing_languages(record.title, record.tagline, record.address) if record else ()
    return page(
        "dashboard/content/website.html",
        form=edit.form,
        edit=edit,
        record=record,
        missing=missing,
    )
