"""One link: who holds it, when it was opened, and taking it back."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.share_links.exposure import exposure_of
from pms.surfaces.hypermedia import go, page
from pms.upkeep.project_record import project_record
from pms.upkeep.revoke_share_link import revoke_share_link as revoke_share_link_verb
from pms.upkeep.share_links import share_link_record


@dashboard.get("/share-links/<share_link_id>", roles=MAINTENANCE)
def share_link(share_link_id: str) -> Response:
    """Show the link; what opens it cannot be shown again."""
    return _shown("dashboard/share_links/link.html", share_link_id, Form())


@dashboard.get("/share-links/<share_link_id>/revocation", roles=MAINTENANCE)
def share_link_revocation(share_link_id: str) -> Response:
    """Show what revoking does before it is done."""
    return _shown("dashboard/share_links/revocation.html", share_link_id, Form())


@dashboard.post("/share-links/<share_link_id>/revocation", roles=MAINTENANCE)
def revoke_share_link(share_link_id: str) -> Response:
    """Take the link back; its next request is refused."""
    form = Form(request.form)
    return submitted(
        form,
        act=lambda session: revoke_share_link_verb(
            session, clock(), actor(), share_link_id=share_link_id
        ),
        then=lambda _project_id: go(
            url_for("dashboard.share_link", share_link_id=share_link_id),
            said=_("The link is revoked."),
        ),
        again=lambda: _shown("dashboard/share_links/revocation.html", share_link_id, form),
    )


def _shown(template: str, share_link_id: str, form: Form) -> Response:
    link = share_link_record(reading(), share_link_id, today())
    project = project_record(reading(), link.project_id)
    return page(template, form=form, link=link, project=project, exposure=exposure_of(project))
