"""Adds a unit to a building."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.catalogue.add_unit import add_unit as add_unit_verb
from pms.catalogue.building_names import building_names
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.units.unit_form import NewUnitForm
from pms.surfaces.hypermedia import go, page
from pms.surfaces.reader_choice import chosen_language


@dashboard.get("/units/new", roles=OFFICE)
def new_unit() -> Response:
    """Show the empty form, with the building one comes from."""
    return _shown(_offered(NewUnitForm(data={"building": request.args.get("building")})))


@dashboard.post("/units", roles=OFFICE)
def add_unit() -> Response:
    """Add the unit and go to it."""
    form = _offered(NewUnitForm(request.form))
    return submitted(
        form,
        act=lambda session: add_unit_verb(
            session,
            clock(),
            actor(),
            building_id=form.building.data or "",
            written=form.written,
        ),
        then=lambda unit_id: go(url_for("dashboard.unit", unit_id=unit_id), said=_("Unit added.")),
        again=lambda: _shown(form),
    )


def _offered(form: NewUnitForm) -> NewUnitForm:
    language = chosen_language()
    named = ((one.id, one.name.said(language) or "") for one in building_names(reading()))
    form.building.choices = [("", _("Choose a building")), *named]
    return form


def _shown(form: NewUnitForm) -> Response:
    return page("dashboard/units/new.html", form=form)
