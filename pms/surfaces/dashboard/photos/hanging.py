"""Shows the photos of a unit or a building and hangs new ones."""

from pms.surfaces.dashboard.routes import OFFICE, PHOTO_BYTES, dashboard
from flask import Response, request
from flask_babel import ngettext
from werkzeug.datastructures import CombinedMultiDict

from pms.catalogue.add_photo import add_photo
from pms.catalogue.records import building_record, unit_record
from pms.foundation.audit import Subject
from pms.foundation.files import Files
from pms.foundation.tenancy import WorkspaceSession
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.photos.frame import home_of, hung
from pms.surfaces.dashboard.photos.photos_form import PhotosForm
from pms.surfaces.hypermedia import go
from pms.surfaces.request_scope import database


@dashboard.get("/units/<unit_id>/photos", roles=OFFICE)
def unit_photos(unit_id: str) -> Response:
    """Show a unit's photos."""
    return hung(("unit", unit_id), PhotosForm(files=_files()))


@dashboard.get("/buildings/<building_id>/photos", roles=OFFICE)
def building_photos(building_id: str) -> Response:
    """Show a building's photos."""
    return hung(("building", building_id), PhotosForm(files=_files()))


@dashboard.post("/units/<unit_id>/photos", roles=OFFICE, most_bytes=PHOTO_BYTES)
def add_unit_photos(unit_id: str) -> Response:
    """Hang photos in a unit."""
    return _add(("unit", unit_record(reading(), unit_id).id))


@dashboard.post("/buildings/<building_id>/photos", roles=OFFICE, most_bytes=PHOTO_BYTES)
def add_building_photos(building_id: str) -> Response:
    """Hang photos on a building."""
    return _add(("building", building_record(reading(), building_id).id))


def _add(subject: Subject) -> Response:
    form = PhotosForm(CombinedMultiDict((request.files, request.form)), files=_files())

    def act(session: WorkspaceSession) -> int:
        for sized in form.sized:
            add_photo(session, clock(), actor(), subject=subject, sized=sized)
        return len(form.sized)

    return submitted(
        form,
        act=act,
        then=lambda count: go(
            home_of(subject),
            said=ngettext("%(num)s photo added.", "%(num)s photos added.", count),
        ),
        again=lambda: hung(subject, form),
    )


def _files() -> Files:
    return Files(database().settings)
