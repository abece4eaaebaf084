"""The pages of a building or a unit: written, edited, taken away; a code is shown by tap."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.catalogue.add_handbook_page import add_handbook_page as add_handbook_page_verb, add_unit_page as add_unit_page_verb
from pms.catalogue.edit_handbook_page import edit_handbook_page as edit_handbook_page_verb
from pms.catalogue.handbook import PageRecord, page_record
from pms.catalogue.records import building_record, unit_record
from pms.catalogue.remove_handbook_page import remove_handbook_page as remove_handbook_page_verb
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import HandbookTopic
from pms.surfaces.dashboard.buildings.page_form import DROP, NewPageForm, PageForm
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.hypermedia import go, page
from pms.surfaces.reader_choice import chosen_language


@dashboard.get("/buildings/<building_id>/handbook/new", roles=OFFICE)
def new_handbook_page(building_id: str) -> Response:
    """Show an empty page about the topic one comes for."""
    return _new_of_building(building_id, NewPageForm(data={"topic": _asked_topic()}))


@dashboard.get("/units/<unit_id>/handbook/new", roles=OFFICE)
def new_unit_page(unit_id: str) -> Response:
    """Show an empty page about one unit."""
    return _new_of_unit(unit_id, NewPageForm(data={"topic": _asked_topic()}))


@dashboard.post("/buildings/<building_id>/handbook", roles=OFFICE)
def add_handbook_page(building_id: str) -> Response:
    """Add the page at the end of the handbook."""
    form = NewPageForm(request.form)
    return submitted(
        form,
        act=lambda session: add_handbook_page_verb(
            session, clock(), actor(), building_id=building_id, written=form.written
        ),
        then=lambda _page_id: go(_home(building_id, None), said=_("Page added.")),
        again=lambda: _new_of_building(building_id, form),
    )


@dashboard.post("/units/<unit_id>/handbook", roles=OFFICE)
def add_unit_page(unit_id: str) -> Response:
    """Add a page about one unit alone."""
    form = NewPageForm(request.form)
    return submitted(
        form,
        act=lambda session: add_unit_page_verb(
            session, clock(), actor(), unit_id=unit_id, written=form.written
        ),
        then=lambda _page_id: go(_home("", unit_id), said=_("Page added.")),
        again=lambda: _new_of_unit(unit_id, form),
    )


@dashboard.get("/handbook/<page_id>", roles=OFFICE)
def handbook_page(page_id: str) -> Response:
    """Show a page, ready to be corrected; its code stays out of sight."""
    record = page_record(reading(), page_id)
    return _shown(page_id, Edit.of(PageForm.of(record), record.version))


@dashboard.post("/handbook/<page_id>", roles=OFFICE)
def edit_handbook_page(page_id: str) -> Response:
    """Save a page."""
    form = PageForm(request.form)
    edit = Edit.typed(form, request.form)

    def act(session: WorkspaceSession) -> PageRecord:
        record = page_record(session, page_id)
        now = Edit.of(PageForm.of(record), record.version)
        edit.merge(session, now, subject=("handbook_page", page_id))
        form.refuse_unseen_code(record)
        if form.codeChange.data == DROP:
            form.guardedCode.data = None
        edit_handbook_page_verb(
            session,
            clock(),
            actor(),
            page_id=page_id,
            version=record.version,
            written=form.written,
            is_code_kept=form.is_code_kept,
        )
        return record

    return submitted(
        form,
        act=act,
        then=lambda record: go(home_of_page(record), said=edit.said(_("Saved."))),
        again=lambda: _shown(page_id, edit),
    )


@dashboard.get("/handbook/<page_id>/removal", roles=OFFICE)
def handbook_page_removal(page_id: str) -> Response:
    """Ask once more: a code that is taken away cannot be had back."""
    return _check(page_id, Form())


@dashboard.post("/handbook/<page_id>/removal", roles=OFFICE)
def remove_handbook_page(page_id: str) -> Response:
    """Take the page away."""
    form = Form(request.form)
    home = home_of_page(page_record(reading(), page_id))
    return submitted(
        form,
        act=lambda session: remove_handbook_page_verb(session, clock(), actor(), page_id=page_id),
        then=lambda _building_id: go(home, said=_("Page removed.")),
        again=lambda: _check(page_id, form),
    )


def home_of_page(record: PageRecord) -> str:
    """Return where a page stands: in the handbook of its building, or of its unit."""
    return _home(record.building_id, record.unit_id)


def _home(building_id: str, unit_id: str | None) -> str:
    if unit_id:
        return url_for("dashboard.unit", unit_id=unit_id) + "#handbook"
    return url_for("dashboard.building", building_id=building_id) + "#handbook"


def _asked_topic() -> str:
    asked = request.args.get("topic", "")
    return asked if asked in list(HandbookTopic) else HandbookTopic.OTHER.value


def _new_of_building(building_id: str, form: NewPageForm) -> Response:
    building = building_record(reading(), building_id)
    return _new(
        form,
        name=building.name.said(chosen_language()),
        action=url_for("dashboard.add_handbook_page", building_id=building_id),
        back=_home(building_id, None),
    )


def _new_of_unit(unit_id: str, form: NewPageForm) -> Response:
    return _new(
        form,
        name=_unit_name(unit_id),
        action=url_for("dashboard.add_unit_page", unit_id=unit_id),
        back=_home("", unit_id),
    )


def _new(form: NewPageForm, **shown: object) -> Response:
    return page("dashboard/buildings/page_new.html", form=form, **shown)


def _shown(page_id: str, edit: Edit) -> Response:
    record = page_record(reading(), page_id)
    return page(
        "dashboard/buildings/page_edit.html",
        form=edit.form,
        edit=edit,
        name=_place_name(record),
        back=home_of_page(record),
        record=record,
    )


def _check(page_id: str, form: Form) -> Response:
    record = page_record(reading(), page_id)
    return page(
        "dashboard/buildings/page_removal.html",
        form=form,
        record=record,
        name=_place_name(record),
    )


def _place_name(record: PageRecord) -> str:
    if record.unit_id:
        return _unit_name(record.unit_id)
    building = building_record(reading(), record.building_id)
    return building.name.said(chosen_language()) or ""


def _unit_name(unit_id: str) -> str:
    unit = unit_record(reading(), unit_id)
    return f"{unit.building.said(chosen_language())} {unit.written.name}"
