"""The handbook pages of a building or a unit: writing, editing, removing, and showing a code."""

from typing import Any, Self

from flask import Response, abort, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_babel import lazy_pgettext as worded
from flask_wtf import FlaskForm
from wtforms import Form

from pms.availability.units import unit_labels
from pms.catalogue import handbook, records
from pms.catalogue.buildings import building_with_id
from pms.catalogue.charted_units import charted_units
from pms.catalogue.checks import WrittenPage
from pms.catalogue.handbook import PageRecord
from pms.catalogue.slugs import is_provisional
from pms.contracts.contract_people import asked_of_building
from pms.foundation.errors import Collision
from pms.foundation.work import Work
from pms.rules.enumerations import HandbookTopic
from pms.statements.master_leases import lease_notices
from pms.surfaces.dashboard.gate import EVERYBODY, OFFICE, current_member, dashboard, may, reading
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.fields import (
    ChoiceField,
    Either,
    FlagField,
    HiddenField,
    LongTextField,
    Optional,
    Required,
    TextField,
)
from pms.surfaces.forms import asked_paging, submitted
from pms.surfaces.hypermedia import go, page, page_or_block
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today
from pms.upkeep import project_lists, task_visibility


def sees_codes(building_id: str) -> bool:
    """Whether this person may see the codes of a building.

    Office staff always may; staff on site only on days on which they have a task there.
    """
    if current_member().is_office:
        return True
    return building_id in task_visibility.todays_buildings(
        reading(), current_member().person_id, today()
    )


@dashboard.get("/buildings/<building_id>", roles=EVERYBODY, is_secret=True)
def building(building_id: str) -> Response:
    """Show the building; its owner and its units' prices are for office staff only."""
    record = records.building_record(reading(), building_id)
    paging = asked_paging()
    units = charted_units(reading(), building_id=building_id, text="", paging=paging)
    return page_or_block(
        "dashboard/buildings/building.html",
        "units",
        lease=next(iter(lease_notices(reading(), today(), building_id)), None),
        asked=asked_of_building(reading(), building_id),
        building=record,
        is_provisional=is_provisional(record.slug, record.written.name),
        listed=building_with_id(reading(), record.id),
        handbook=handbook.handbook_of(reading(), building_id),
        codes=sees_codes(building_id),
        units=units,
        labels=unit_labels(reading(), [unit.id for unit in units.units], today()),
        projects=project_lists.open_projects(reading(), building_id) if may("project") else (),
        paging=paging,
    )


class NewPageForm(FlaskForm):
    """A page in both languages; a code or password has its own field."""

    topic = ChoiceField(lazy_gettext("Topic"), [Required()], default=HandbookTopic.OTHER.value)
    titleJa = TextField(lazy_gettext("Title in Japanese"), [Either()])
    titleEn = TextField(lazy_gettext("Title in English"), [Either()])
    bodyJa = LongTextField(lazy_gettext("Text in Japanese"), [Optional()])
    bodyEn = LongTextField(lazy_gettext("Text in English"), [Optional()])
    guardedCode = TextField(lazy_gettext("Code or password"), [Optional()])
    isForContractors = FlagField(
        lazy_gettext("Contractors with a project link in this building"), default=True
    )
    isForResidents = FlagField(worded("handbook", "Residents"), default=True)
    isForGuests = FlagField(worded("handbook", "Guests"), default=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.topic.choices = choices(HandbookTopic)

    @property
    def written_page(self) -> WrittenPage:
        """The page of a valid form."""
        return WrittenPage(
            topic=HandbookTopic(self.topic.data),
            title_ja=self.titleJa.data or "",
            title_en=self.titleEn.data or "",
            body_ja=self.bodyJa.data or "",
            body_en=self.bodyEn.data or "",
            guarded_code=self.guardedCode.data,
            is_for_contractors=self.isForContractors.data,
            is_for_residents=self.isForResidents.data,
            is_for_guests=self.isForGuests.data,
        )


KEEP = "keep"
CHANGE = "change"
DROP = "drop"


class PageForm(NewPageForm):
    """An edit of a page; the stored code is not shown, and is kept unless the form replaces it."""

    codeChange = ChoiceField(
        lazy_gettext("Saved code"),
        [Optional()],
        choices=(
            (KEEP, lazy_gettext("Keep it")),
            (CHANGE, lazy_gettext("Replace it with the one below")),
            (DROP, lazy_gettext("Delete it")),
        ),
        default=KEEP,
    )
    codeSeen = HiddenField()

    @classmethod
    def of(cls, record: PageRecord) -> Self:
        """Return the form filled with the recorded page, without its code."""
        written = record.written
        return cls(
            formdata=None,
            data={
                "topic": written.topic.value,
                "titleJa": written.title_ja,
                "titleEn": written.title_en,
                "bodyJa": written.body_ja,
                "bodyEn": written.body_en,
                "isForContractors": written.is_for_contractors,
                "isForResidents": written.is_for_residents,
                "isForGuests": written.is_for_guests,
                "codeChange": KEEP,
                "codeSeen": _changed_text(record),
            },
        )

    def refuse_unseen_code(self, record: PageRecord) -> None:
        """Raise `Collision` if this edit would replace a code that was changed meanwhile."""
        now = _changed_text(record)
        if self.is_code_kept or self.codeSeen.data == now:
            return
        self.codeSeen.data, self.codeSeen.raw_data = now, None
        raise Collision(
            "guardedCode: a colleague changed the code on {at}. Save again to replace it.",
            at=record.code_changed_at,
        )

    @property
    def is_code_kept(self) -> bool:
        """Whether the stored code is kept; a typed code always replaces it."""
        return self.codeChange.data in (None, KEEP) and not self.guardedCode.data


def _changed_text(record: PageRecord) -> str:
    at = record.code_changed_at
    return at.isoformat() if at else ""


@dashboard.get("/buildings/<building_id>/handbook/new", roles=OFFICE, is_secret=True)
def new_handbook_page(building_id: str) -> Response:
    """Show the form for a page of the handbook, with the topic of the query."""
    return _new_of_building(building_id, NewPageForm(data={"topic": _asked_topic()}))


@dashboard.get("/units/<unit_id>/handbook/new", roles=OFFICE, is_secret=True)
def new_unit_page(unit_id: str) -> Response:
    """Show the form for a page about one unit, with the topic of the query."""
    return _new_of_unit(unit_id, NewPageForm(data={"topic": _asked_topic()}))


@dashboard.post("/buildings/<building_id>/handbook", roles=OFFICE)
def add_handbook_page(building_id: str) -> Response:
    """Add the page at the end of the handbook."""
    form = NewPageForm()
    return submitted(
        form,
        act=lambda work: handbook.add_handbook_page(
            work, building_id=building_id, written=form.written_page
        ),
        then=lambda _page_id: go(
            _build_handbook_address(building_id, None), message=_("Page added.")
        ),
        again=lambda: _new_of_building(building_id, form),
    )


@dashboard.post("/units/<unit_id>/handbook", roles=OFFICE)
def add_unit_page(unit_id: str) -> Response:
    """Add a page about one unit."""
    form = NewPageForm()
    return submitted(
        form,
        act=lambda work: handbook.add_unit_page(work, unit_id=unit_id, written=form.written_page),
        then=lambda _page_id: go(_build_handbook_address("", unit_id), message=_("Page added.")),
        again=lambda: _new_of_unit(unit_id, form),
    )


@dashboard.get("/handbook/<page_id>", roles=OFFICE, is_secret=True)
def handbook_page(page_id: str) -> Response:
    """Show the form of a page, without its code."""
    record = handbook.page_record(reading(), page_id)
    return _render_page(page_id, Edit.of(PageForm.of(record), record.version))


@dashboard.post("/handbook/<page_id>", roles=OFFICE)
def edit_handbook_page(page_id: str) -> Response:
    """Save a page."""
    form = PageForm()
    edit = Edit.from_typed(form, request.form)

    def act(work: Work) -> PageRecord:
        record = handbook.page_record(work.session, page_id)
        now = Edit.of(PageForm.of(record), record.version)
        edit.merge(work, now, subject=("handbook_page", page_id))
        form.refuse_unseen_code(record)
        if form.codeChange.data == DROP:
            form.guardedCode.data = None
        handbook.edit_handbook_page(
            work,
            page_id=page_id,
            version=record.version,
            written=form.written_page,
            is_code_kept=form.is_code_kept,
        )
        return record

    return submitted(
        form,
        act=act,
        then=lambda record: go(home_of_page(record), message=edit.message(_("Saved."))),
        again=lambda: _render_page(page_id, edit),
    )


@dashboard.get("/handbook/<page_id>/removal", roles=OFFICE)
def handbook_page_removal(page_id: str) -> Response:
    """Ask for confirmation: a removed code cannot be restored."""
    return _render_removal(page_id, FlaskForm())


@dashboard.post("/handbook/<page_id>/removal", roles=OFFICE)
def remove_handbook_page(page_id: str) -> Response:
    """Remove the page."""
    form = FlaskForm()
    home = home_of_page(handbook.page_record(reading(), page_id))
    return submitted(
        form,
        act=lambda work: handbook.remove_handbook_page(work, page_id=page_id),
        then=lambda _building_id: go(home, message=_("Page removed.")),
        again=lambda: _render_removal(page_id, form),
    )


def home_of_page(record: PageRecord) -> str:
    """Return the address of the handbook that the page is in, of its building or its unit."""
    return _build_handbook_address(record.building_id, record.unit_id)


def _build_handbook_address(building_id: str, unit_id: str | None) -> str:
    if unit_id:
        return url_for("dashboard.unit", unit_id=unit_id) + "#handbook"
    return url_for("dashboard.building", building_id=building_id) + "#handbook"


def _asked_topic() -> str:
    asked = request.args.get("topic", "")
    return asked if asked in list(HandbookTopic) else HandbookTopic.OTHER.value


def _new_of_building(building_id: str, form: NewPageForm) -> Response:
    building = records.building_record(reading(), building_id)
    return _render_new_page(
        form,
        name=building.name.in_language(chosen_language()),
        action=url_for("dashboard.add_handbook_page", building_id=building_id),
        back=_build_handbook_address(building_id, None),
    )


def _new_of_unit(unit_id: str, form: NewPageForm) -> Response:
    return _render_new_page(
        form,
        name=_unit_name(unit_id),
        action=url_for("dashboard.add_unit_page", unit_id=unit_id),
        back=_build_handbook_address("", unit_id),
    )


def _render_new_page(form: NewPageForm, **shown: object) -> Response:
    return page("dashboard/buildings/page_new.html", form=form, **shown)


def _render_page(page_id: str, edit: Edit) -> Response:
    record = handbook.page_record(reading(), page_id)
    return page(
        "dashboard/buildings/page_edit.html",
        form=edit.form,
        edit=edit,
        name=_place_name(record),
        back=home_of_page(record),
        record=record,
    )


def _render_removal(page_id: str, form: Form) -> Response:
    record = handbook.page_record(reading(), page_id)
    return page(
        "dashboard/buildings/page_removal.html",
        form=form,
        record=record,
        name=_place_name(record),
    )


def _place_name(record: PageRecord) -> str:
    if record.unit_id:
        return _unit_name(record.unit_id)
    building = records.building_record(reading(), record.building_id)
    return building.name.in_language(chosen_language()) or ""


def _unit_name(unit_id: str) -> str:
    unit = records.unit_record(reading(), unit_id)
    return f"{unit.building.in_language(chosen_language())} {unit.written.name}"


@dashboard.post("/handbook/<page_id>/code", roles=EVERYBODY)
def reveal_code(page_id: str) -> Response:
    """Show the code in place of its button; the response is never cached."""
    form = FlaskForm()
    if not sees_codes(handbook.page_record(reading(), page_id).building_id):
        abort(403)
    return submitted(
        form,
        act=lambda work: handbook.reveal_code(work, page_id=page_id),
        then=lambda code: _render_code(page_id, code),
        again=lambda: _render_code(page_id, None),
    )


def _render_code(page_id: str, code: str | None) -> Response:
    record = handbook.page_record(reading(), page_id)
    response = page_or_block(
        "dashboard/buildings/code.html",
        "code",
        form=FlaskForm(),
        record=record,
        code=code,
        back=home_of_page(record),
    )
    response.headers["Cache-Control"] = "no-store"
    return response
