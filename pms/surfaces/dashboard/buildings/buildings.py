"""The list of buildings, and adding one."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from wtforms import Form

from pms.catalogue.add_building import add_building as add_building_verb
from pms.catalogue.lists import building_lines
from pms.surfaces.dashboard.buildings.building_form import NewBuildingForm
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.paging import asked_paging
from pms.surfaces.fields import Optional, TextField
from pms.surfaces.hypermedia import go, page, page_or_block


class SearchForm(Form):
    """What the list is searched for."""

    search = TextField(lazy_gettext("Name, area, address"), [Optional()])


@dashboard.get("/buildings", roles=OFFICE)
def buildings() -> Response:
    """Show one page of the buildings."""
    form = SearchForm(request.args)
    text = (form.search.data or "") if form.validate() else ""
    paging = asked_paging()
    lines, total = building_lines(reading(), paging, text)
    return page_or_block(
        "dashboard/buildings/list.html",
        "results",
        form=form,
        lines=lines,
        total=total,
        paging=paging,
    )


@dashboard.get("/buildings/new", roles=OFFICE)
def new_building() -> Response:
    """Show the empty form."""
    return _shown(NewBuildingForm())


@dashboard.post("/buildings", roles=OFFICE)
def add_building() -> Response:
    """Add the building and go to it."""
    form = NewBuildingForm(request.form)
    return submitted(
        form,
        act=lambda session: add_building_verb(
            session, clock(), actor(), written=form.written, typed_slug=form.slug.data
        ),
        then=lambda building_id: go(
            url_for("dashboard.building", building_id=building_id), said=_("Building added.")
        ),
        again=lambda: _shown(form),
    )


def _shown(form: NewBuildingForm) -> Response:
    return page("dashboard/buildings/new.html", form=form)
