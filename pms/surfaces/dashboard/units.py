"""The units: one unit with its tabs, adding and editing, and its blocks."""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, Self

from flask import Response, request, url_for
from flask_babel import LazyString, lazy_gettext
from flask_babel import gettext as _
from flask_wtf import FlaskForm

from pms.availability.units import explain_unit
from pms.catalogue import blocks, buildings, handbook, listed_units, records, units
from pms.catalogue.records import UnitRecord
from pms.catalogue.unit_fields import UNIT_FIELD, UNIT_FIELDS, UnitField, UnitFieldKind, WrittenUnit
from pms.catalogue.units import NewRoom
from pms.foundation.work import Work
from pms.reservations import residents
from pms.reservations.residents import ResidentSearch
from pms.rules.enumerations import BlockSource, UnitType
from pms.surfaces.dashboard.gate import EVERYBODY, OFFICE, current_member, dashboard, may, reading
from pms.surfaces.dashboard.handbooks import sees_codes
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.dashboard.unit_list import reason_words
from pms.surfaces.dashboard.work import visibility
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    HiddenField,
    LongTextField,
    Optional,
    Printable,
    Required,
    TextField,
    WholeNumberField,
    YenField,
)
from pms.surfaces.forms import asked_paging, submitted
from pms.surfaces.hypermedia import go, page, page_or_block
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.request_scope import today
from pms.upkeep import project_lists, task_days

_TABS: Final = (
    ("unit", lazy_gettext("Overview")),
    ("unit_reservations", lazy_gettext("Reservations")),
    ("unit_photos", lazy_gettext("Photos")),
    ("unit_blocks", lazy_gettext("Blocks")),
    ("unit_calendars", lazy_gettext("Calendars")),
)


class UnitTab(NamedTuple):
    """One tab as a link; the fields are in the order of the tabs macro."""

    text: LazyString
    href: str
    is_current: bool


def render_unit_tab(
    unit_id: str,
    template: str,
    *,
    tab: str | None = None,
    unit: UnitRecord | None = None,
    block: str = "tab",
    **shown: Any,
) -> Response:
    """Show a template that extends `dashboard/units/frame.html`, or a block of it for htmx."""
    found = unit or records.unit_record(reading(), unit_id)
    tabs = tuple(_list_tabs(unit_id, tab or (request.endpoint or "").rpartition(".")[2]))
    current = next((each.text for each in tabs if each.is_current), "")
    return page_or_block(template, block, unit=found, tabs=tabs, tab_text=current, **shown)


def _list_tabs(unit_id: str, current: str) -> Iterator[UnitTab]:
    for endpoint, text in _TABS:
        if may(endpoint):
            href = url_for(f"dashboard.{endpoint}", unit_id=unit_id)
            yield UnitTab(text, href, endpoint == current)


@dashboard.get("/units/<unit_id>/reservations", roles=OFFICE)
def unit_reservations(unit_id: str) -> Response:
    """Show the past, current and future residents of the unit."""
    unit = records.unit_record(reading(), unit_id)
    paging = asked_paging()
    found, total = residents.list_residents(reading(), ResidentSearch(unit=unit_id), paging)
    return render_unit_tab(
        unit_id,
        "dashboard/units/reservations.html",
        unit=unit,
        reservations=found,
        total=total,
        paging=paging,
    )


_FEW_TASKS: Final = 5


@dashboard.get("/units/<unit_id>", roles=EVERYBODY, is_secret=True)
def unit(unit_id: str) -> Response:
    """Show the unit; its prices, and the stay that decides its availability, are for the office."""
    listed = listed_units.unit_with_id(reading(), unit_id, today())
    explained = explain_unit(reading(), unit_id, today())
    is_office = current_member().is_office
    return render_unit_tab(
        unit_id,
        "dashboard/units/overview.html",
        listed=listed,
        availability=explained.availability,
        reason=explained.reason if is_office else None,
        reason_text=reason_words(explained.reason) if is_office else None,
        fees=records.unit_fee_records(reading(), unit_id) if is_office else (),
        own_handbook=handbook.handbook_of_unit(reading(), unit_id),
        handbook=None if is_office else handbook.handbook_of(reading(), listed.building.id),
        codes=sees_codes(listed.building.id),
        projects=project_lists.open_projects(reading(), listed.building.id, unit_id)
        if may("project")
        else (),
        work=task_days.tasks_of_unit(reading(), visibility(), unit_id, _FEW_TASKS),
        today=today(),
    )


_MOST_SQM = UNIT_FIELD["size_centi_sqm"].most // 100


class SizeField(WholeNumberField):
    """A size such as 25 or 25.42; `data` is in hundredths of a square metre."""

    def read(self, typed: str, given: str) -> int:
        found = re.fullmatch(r"([0-9]{1,5})(?:\.([0-9]{1,2}))?", typed)
        centi = int(found[1]) * 100 + int((found[2] or "").ljust(2, "0")) if found else 0
        if not centi:
            raise ValueError(
                _("Square metres such as 25 or 25.42, at most %(most)s.", most=_MOST_SQM)
            )
        return centi

    def format_value(self, value: int) -> str:
        return f"{value // 100}.{value % 100:02}"


def _number_field(column: str, label: Any) -> WholeNumberField:
    field = UNIT_FIELD[column]
    return WholeNumberField(label, [Optional()], least=field.least, most=field.most)


class UnitBuildingForm(FlaskForm):
    """The building of a new unit; fields are listed in the order in which they are declared."""

    building = ChoiceField(lazy_gettext("Building"), [Required()])


class UnitForm(FlaskForm):
    """The facts of a unit; features are one per line."""

    name = TextField(lazy_gettext("Room or unit"), [Required(), Printable()])
    nameKana = TextField(lazy_gettext("Reading"), [Optional()])
    type = ChoiceField(lazy_gettext("Type"), [Required()])
    layout = TextField(lazy_gettext("Layout"), [Optional()])
    bedrooms = _number_field("bedrooms", lazy_gettext("Bedrooms"))
    sizeSqm = SizeField(lazy_gettext("Size in m²"), [Optional()])
    floor = _number_field("floor", lazy_gettext("Floor"))
    rentYen = YenField(lazy_gettext("Rent a month (yen)"), [Optional()])
    depositYen = YenField(lazy_gettext("Deposit (yen)"), [Optional()])
    reservationFeeYen = YenField(lazy_gettext("Reservation fee (yen)"), [Optional()])
    minimumStayDays = _number_field("minimum_stay_days", lazy_gettext("Minimum stay in days"))
    features = LongTextField(lazy_gettext("Features in Japanese"), [Optional()])
    featuresEn = LongTextField(lazy_gettext("Features in English"), [Optional()])
    descriptionJa = LongTextField(lazy_gettext("Description in Japanese"), [Optional()])
    descriptionEn = LongTextField(lazy_gettext("Description in English"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.type.choices = choices(UnitType)

    @classmethod
    def of(cls, written: WrittenUnit) -> Self:
        """Return the form filled with the recorded unit."""
        return cls(
            formdata=None,
            data={
                field.name: _shown_value(getattr(written, field.column)) for field in UNIT_FIELDS
            },
        )

    @property
    def written_unit(self) -> WrittenUnit:
        """The unit of a valid form."""
        return WrittenUnit(
            **{field.column: _column_value(field, self[field.name].data) for field in UNIT_FIELDS}
        )


def _shown_value(value: Any) -> Any:
    """Return a recorded value as its field shows it; several values are one per line."""
    if isinstance(value, UnitType):
        return value.value
    return "\n".join(value) if isinstance(value, tuple) else value


def _column_value(field: UnitField, data: Any) -> Any:
    """Return the value of a field as its column stores it."""
    match field.kind:
        case UnitFieldKind.NAME:
            return data or ""
        case UnitFieldKind.TYPE:
            return UnitType(data)
        case UnitFieldKind.LINES:
            return tuple((data or "").splitlines())
        case _:
            return data


class NewUnitForm(UnitBuildingForm, UnitForm):
    """A unit and its building; `like` is the unit whose fees are copied."""

    like = HiddenField()

    @classmethod
    def first(cls) -> Self:
        """Return the first form: empty, or filled from a unit to copy or the building's newest."""
        like = request.args.get("like")
        building_id = request.args.get("building")
        if like is None and building_id:
            like = buildings.newest_unit(reading(), building_id)
        if like is None:
            return cls(data={"building": building_id, "type": UnitType.SHAREHOUSE, "bedrooms": 1})
        shown = {
            field.name: _shown_value(
                getattr(buildings.unit_to_copy(reading(), like).written, field.column)
            )
            for field in UNIT_FIELDS
        }
        building_id = records.unit_record(reading(), like).building_id
        return cls(data=shown | {"building": building_id, "like": like})


@dashboard.get("/units/new", roles=OFFICE)
def new_unit() -> Response:
    """Show the form, filled from the building's last unit or the one that is copied."""
    return _render_new(_offered_form(NewUnitForm.first()))


@dashboard.post("/units", roles=OFFICE)
def add_unit() -> Response:
    """Add the unit and show it, or the form for the next one."""
    form = _offered_form(NewUnitForm())

    def act(work: Work) -> str:
        like = form.like.data
        fees = buildings.unit_to_copy(work.session, like).fees if like else {}
        room = NewRoom(form.written_unit, fees)
        return units.add_unit_with_fees(work, form.building.data or "", room)

    return submitted(form, act=act, then=_answer_added, again=lambda: _render_new(form))


def _answer_added(unit_id: str) -> Response:
    if "next" in request.form:
        return go(url_for("dashboard.new_unit", like=unit_id), message=_("Unit added."))
    return go(url_for("dashboard.unit", unit_id=unit_id), message=_("Unit added."))


def _offered_form(form: NewUnitForm) -> NewUnitForm:
    form.building.choices = [("", _("Choose a building")), *building_choices()]
    return form


def _render_new(form: NewUnitForm) -> Response:
    return page("dashboard/units/new.html", form=form)


_COLUMNS = {"sizeSqm": "size_centi_sqm"}


@dashboard.get("/units/<unit_id>/facts", roles=OFFICE)
def unit_facts(unit_id: str) -> Response:
    """Show the form with the unit's facts."""
    record = records.unit_record(reading(), unit_id)
    return _render_edit(unit_id, Edit.of(UnitForm.of(record.written), record.version))


@dashboard.post("/units/<unit_id>/facts", roles=OFFICE)
def edit_unit(unit_id: str) -> Response:
    """Save the facts."""
    form = UnitForm()
    edit = Edit.from_typed(form, request.form)

    def act(work: Work) -> int:
        record = records.unit_record(work.session, unit_id)
        now = Edit.of(UnitForm.of(record.written), record.version)
        edit.merge(work, now, subject=("unit", unit_id), columns=_COLUMNS)
        return units.edit_unit(
            work, unit_id=unit_id, version=record.version, written=form.written_unit
        )

    return edit.save(
        act, url_for("dashboard.unit", unit_id=unit_id), again=lambda: _render_edit(unit_id, edit)
    )


def _render_edit(unit_id: str, edit: Edit) -> Response:
    unit = records.unit_record(reading(), unit_id)
    return page("dashboard/units/edit.html", form=edit.form, edit=edit, unit=unit)


class BlockForm(FlaskForm):
    """A new block; without a last day it has no end."""

    source = ChoiceField(lazy_gettext("Reason"), [Required()], default=BlockSource.OWNER_USE.value)
    firstOn = DayField(lazy_gettext("First day"), [Required()])
    lastOn = DayField(lazy_gettext("Last day"), [Optional()])
    summary = TextField(lazy_gettext("Note"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.source.choices = choices(BlockSource)


class BlockEndForm(FlaskForm):
    """The last day of a block."""

    lastOn = DayField(lazy_gettext("Last day"), [Required()])


@dashboard.get("/units/<unit_id>/blocks", roles=OFFICE)
def unit_blocks(unit_id: str) -> Response:
    """Show the current and future blocks."""
    return _render_blocks(unit_id, BlockForm())


@dashboard.post("/units/<unit_id>/blocks", roles=OFFICE)
def add_block(unit_id: str) -> Response:
    """Block days of the unit."""
    form = BlockForm()
    return submitted(
        form,
        act=lambda work: blocks.add_block(
            work,
            unit_id=unit_id,
            source=BlockSource(form.source.data),
            first_on=form.firstOn.data,
            last_on=form.lastOn.data,
            summary=form.summary.data,
        ),
        then=lambda _block_id: go(_unit_page(unit_id), message=_("Block added.")),
        again=lambda: _render_blocks(unit_id, form),
    )


@dashboard.get("/blocks/<block_id>/end", roles=OFFICE)
def block_end(block_id: str) -> Response:
    """Show the form for the last day of a block."""
    block = blocks.block_record(reading(), block_id)
    return _render_block_end(
        block_id, BlockEndForm(data={"lastOn": today() if not block.last_on else None})
    )


@dashboard.post("/blocks/<block_id>/end", roles=OFFICE)
def end_block(block_id: str) -> Response:
    """End a block."""
    form = BlockEndForm()
    return submitted(
        form,
        act=lambda work: blocks.end_block(work, block_id=block_id, last_on=form.lastOn.data),
        then=lambda unit_id: go(_unit_page(unit_id), message=_("Block ended.")),
        again=lambda: _render_block_end(block_id, form),
    )


def _unit_page(unit_id: str) -> str:
    return url_for("dashboard.unit_blocks", unit_id=unit_id)


def _render_blocks(unit_id: str, form: BlockForm) -> Response:
    unit = records.unit_record(reading(), unit_id)
    return render_unit_tab(
        unit_id,
        "dashboard/units/blocks.html",
        tab="unit_blocks",
        unit=unit,
        form=form,
        blocks=blocks.blocks_of(reading(), unit_id, today()),
    )


def _render_block_end(block_id: str, form: BlockEndForm) -> Response:
    block = blocks.block_record(reading(), block_id)
    return render_unit_tab(
        block.unit_id,
        "dashboard/units/block_end.html",
        tab="unit_blocks",
        form=form,
        ending=block,
    )
