"""Puts photos under the header of what they show: a unit's tab, a building's page."""

from typing import Any

from flask import Response, url_for

from pms.catalogue.photos_hung import photos_hung
from pms.catalogue.records import building_record, unit_record
from pms.foundation.audit import Subject
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.dashboard.units.frame import framed
from pms.surfaces.hypermedia import page_or_block


def home_of(subject: Subject) -> str:
    """Return the address of the photos of a unit or a building."""
    kind, id_ = subject
    if kind == "unit":
        return url_for("dashboard.unit_photos", unit_id=id_)
    return url_for("dashboard.building_photos", building_id=id_)


def hung(subject: Subject, form: Any) -> Response:
    """Show the photos of a unit or a building, and the way to add some."""
    kind, id_ = subject
    if kind == "unit":
        unit = unit_record(reading(), id_)
        shown = _shown(subject, form)
        return framed(id_, "dashboard/photos/unit.html", tab="unit_photos", unit=unit, **shown)
    building = building_record(reading(), id_)
    shown = _shown(subject, form)
    return page_or_block("dashboard/photos/building.html", "tab", building=building, **shown)


def _shown(subject: Subject, form: Any) -> dict[str, Any]:
    return {"form": form, "home": home_of(subject), "photos": photos_hung(reading(), subject)}
