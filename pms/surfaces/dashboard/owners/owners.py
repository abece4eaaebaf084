"""The list of owners, and adding one."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from collections.abc import Mapping, Sequence
from datetime import datetime

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.access.portal_sessions import last_sign_ins
from pms.catalogue.add_owner import add_owner as add_owner_verb
from pms.catalogue.lists import owner_lines
from pms.rules.addresses import folded_address
from pms.rules.enumerations import Door, Locale
from pms.surfaces.dashboard.desk import actor, clock, desk, reading, submitted
from pms.surfaces.dashboard.owners.owner_form import OwnerForm
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.hypermedia import go, page, page_or_block
from pms.surfaces.signed_in import doorway


@dashboard.get("/owners", roles=OFFICE)
def owners() -> Response:
    """Show one page of the owners with what they own."""
    paging = asked_paging()
    lines, total = owner_lines(reading(), paging)
    return page_or_block(
        "dashboard/owners/list.html",
        "results",
        lines=lines,
        total=total,
        paging=paging,
        came_in=_came_in([line.email for line in lines]),
    )


@dashboard.get("/owners/new", roles=OFFICE)
def new_owner() -> Response:
    """Show the empty form."""
    return _shown(OwnerForm(data={"locale": Locale.JA.value}))


@dashboard.post("/owners", roles=OFFICE)
def add_owner() -> Response:
    """Add the owner and go to them."""
    form = OwnerForm(request.form)
    return submitted(
        form,
        act=lambda session: add_owner_verb(session, clock(), actor(), written=form.written),
        then=lambda owner_id: go(
            url_for("dashboard.owner", owner_id=owner_id), said=_("Owner added.")
        ),
        again=lambda: _shown(form),
    )


def _came_in(emails: Sequence[str | None]) -> Mapping[str, datetime]:
    """When whoever has one of these addresses last signed in to the portal, by the address."""
    with doorway().reading() as session:
        known = last_sign_ins(session, door=Door.OWNER, workspace_id=desk().workspace_id)
    folded = {email: known.get(folded_address(email)) for email in emails if email}
    return {email: at for email, at in folded.items() if at is not None}


def _shown(form: OwnerForm) -> Response:
    return page("dashboard/owners/new.html", form=form)
