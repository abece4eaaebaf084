"""The buildings: the list, adding, editing, copying, the address on the website and the owner."""

import re
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Final, NamedTuple, Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm

from pms.catalogue import buildings as catalogue_buildings
from pms.catalogue import owner_lists, postcodes, records, slugs
from pms.catalogue.checks import WrittenBuilding
from pms.foundation.work import Work
from pms.site import content
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.fields import (
    ChoiceField,
    FlagField,
    LongTextField,
    Optional,
    Printable,
    Required,
    TextField,
)
from pms.surfaces.forms import QueryForm, asked_paging, submitted
from pms.surfaces.hypermedia import go, page, page_or_block
from pms.surfaces.reader_choice import chosen_language

_NAMES = {
    "name": "name",
    "nameKana": "name_kana",
    "nameEn": "name_en",
    "area": "area",
    "areaEn": "area_en",
    "postcode": "postcode",
    "address": "address",
    "addressEn": "address_en",
    "accessJa": "access_ja",
    "accessEn": "access_en",
    "descriptionJa": "description_ja",
    "descriptionEn": "description_en",
}


class BuildingForm(FlaskForm):
    """The facts of a building in both languages."""

    name = TextField(lazy_gettext("Name in Japanese"), [Required(), Printable()])
    nameKana = TextField(lazy_gettext("Reading"), [Optional()])
    nameEn = TextField(lazy_gettext("Name in English"), [Optional(), Printable()])
    area = TextField(lazy_gettext("Area in Japanese"), [Required()])
    areaEn = TextField(lazy_gettext("Area in English"), [Optional()])
    postcode = TextField(lazy_gettext("Postcode"), [Optional()])
    address = TextField(lazy_gettext("Address in Japanese"), [Required(), Printable()])
    addressEn = TextField(lazy_gettext("Address in English"), [Optional(), Printable()])
    accessJa = LongTextField(lazy_gettext("Access in Japanese"), [Optional()])
    accessEn = LongTextField(lazy_gettext("Access in English"), [Optional()])
    descriptionJa = LongTextField(lazy_gettext("Description in Japanese"), [Optional()])
    descriptionEn = LongTextField(lazy_gettext("Description in English"), [Optional()])

    @classmethod
    def of(cls, written: WrittenBuilding) -> Self:
        """Return the form filled with the recorded facts."""
        facts = asdict(written)
        return cls(formdata=None, data={name: facts[column] for name, column in _NAMES.items()})

    @property
    def written_building(self) -> WrittenBuilding:
        """The facts of a valid form."""
        return WrittenBuilding(**{column: self[name].data for name, column in _NAMES.items()})


class NewBuildingForm(BuildingForm):
    """A new building, with the slug of its address on the website."""

    slug = TextField(lazy_gettext("Address on the website"), [Optional()])


class BuildingSlugForm(FlaskForm):
    """The slug of an address on the website."""

    slug = TextField(lazy_gettext("Address on the website"), [Required()])


class BuildingAddressForm(BuildingSlugForm):
    """The slug of a building, and whether its units' addresses change with it."""

    withUnits = FlagField(lazy_gettext("Change the addresses of its units as well"))


_UNSAID: Final = re.compile(r"(building|unit|house-[0-9a-f]{6})(-[0-9]+)?")


class _Place(NamedTuple):
    """A building or a unit whose address is edited."""

    id: str
    name: str
    slug: str
    folder: str
    proposed: str
    back: str
    save: str


@dashboard.get("/buildings/<building_id>/address", roles=OFFICE)
def building_address(building_id: str) -> Response:
    """Show the form for a building's address."""
    place = _read_building_place(building_id)
    form = BuildingAddressForm(data={"slug": _choose_first_slug(place), "withUnits": True})
    return _render_address(place, form)


@dashboard.post("/buildings/<building_id>/address", roles=OFFICE)
def change_building_address(building_id: str) -> Response:
    """Change the address of a building."""
    form = BuildingAddressForm()
    place = _read_building_place(building_id)

    def act(work: Work) -> list[str]:
        return slugs.change_building_slug(
            work,
            building_id=building_id,
            typed=form.slug.data or "",
            with_units=form.withUnits.data,
        )

    return _save_building(place, form, act)


@dashboard.get("/units/<unit_id>/address", roles=OFFICE)
def unit_address(unit_id: str) -> Response:
    """Show the form for a unit's address."""
    place = _read_unit_place(unit_id)
    return _render_address(place, BuildingSlugForm(data={"slug": _choose_first_slug(place)}))


@dashboard.post("/units/<unit_id>/address", roles=OFFICE)
def change_unit_address(unit_id: str) -> Response:
    """Change the address of a unit."""
    form = BuildingSlugForm()
    place = _read_unit_place(unit_id)

    def act(work: Work) -> list[str]:
        return slugs.change_unit_slug(work, unit_id=unit_id, typed=form.slug.data or "")

    return _save_building(place, form, act)


def _read_building_place(building_id: str) -> _Place:
    record = records.building_record(reading(), building_id)
    written = record.written
    return _Place(
        record.id,
        record.name.in_language(chosen_language()) or "",
        record.slug,
        "buildings",
        slugs.word_of_place(written.name, written.name_kana, written.name_en),
        url_for("dashboard.building", building_id=building_id),
        url_for("dashboard.change_building_address", building_id=building_id),
    )


def _read_unit_place(unit_id: str) -> _Place:
    record = records.unit_record(reading(), unit_id)
    building = records.building_record(reading(), record.building_id)
    written = record.written
    return _Place(
        record.id,
        f"{record.building.in_language(chosen_language())} {written.name}",
        record.slug,
        "units",
        slugs.slug_of_room(building.slug, written.name, written.name_kana),
        url_for("dashboard.unit", unit_id=unit_id),
        url_for("dashboard.change_unit_address", unit_id=unit_id),
    )


def _choose_first_slug(place: _Place) -> str:
    """Return the first value of the field: the slug, or the proposal if the slug is meaningless."""
    return place.proposed if _UNSAID.fullmatch(place.slug) and place.proposed else place.slug


def _save_building(
    place: _Place, form: BuildingSlugForm, act: Callable[[Work], list[str]]
) -> Response:
    return submitted(
        form,
        act=act,
        then=lambda gone: go(place.back, message=_saved_message(gone)),
        again=lambda: _render_address(place, form),
    )


def _saved_message(gone: list[str]) -> str:
    if not gone:
        return str(_("The address has not changed."))
    return str(
        ngettext(
            "Saved. The old address redirects to the new one.",
            "Saved. The %(num)s old addresses redirect to the new ones.",
            len(gone),
        )
    )


def _render_address(place: _Place, form: BuildingSlugForm) -> Response:
    site = content.site_record(reading())
    return page(
        "dashboard/buildings/address.html",
        form=form,
        place=place,
        base_url=site.base_url if site else "",
        former=slugs.former_slugs_of(reading(), place.id),
    )


@dashboard.get("/buildings/<building_id>/facts", roles=OFFICE)
def building_facts(building_id: str) -> Response:
    """Show the form with the building's facts."""
    record = records.building_record(reading(), building_id)
    return _render_edit(building_id, Edit.of(BuildingForm.of(record.written), record.version))


@dashboard.post("/buildings/<building_id>/facts", roles=OFFICE)
def edit_building(building_id: str) -> Response:
    """Save the facts."""
    form = BuildingForm()
    edit = Edit.from_typed(form, request.form)

    def act(work: Work) -> int:
        record = records.building_record(work.session, building_id)
        now = Edit.of(BuildingForm.of(record.written), record.version)
        edit.merge(work, now, subject=("building", building_id))
        return catalogue_buildings.edit_building(
            work, building_id=building_id, version=record.version, written=form.written_building
        )

    return edit.save(
        act,
        url_for("dashboard.building", building_id=building_id),
        again=lambda: _render_edit(building_id, edit),
    )


def _render_edit(building_id: str, edit: Edit) -> Response:
    building = records.building_record(reading(), building_id)
    return page("dashboard/buildings/edit.html", form=edit.form, edit=edit, building=building)


class BuildingSearchForm(QueryForm):
    """The search of the list."""

    search = TextField(lazy_gettext("Name, area, address"), [Optional()])


@dashboard.get("/buildings", roles=OFFICE)
def buildings() -> Response:
    """Show one page of the buildings."""
    form = BuildingSearchForm(request.args)
    text = (form.search.data or "") if form.validate() else ""
    paging = asked_paging()
    lines, total = records.building_lines(reading(), paging, text)
    return page_or_block(
        "dashboard/buildings/list.html",
        "results",
        form=form,
        lines=lines,
        total=total,
        paging=paging,
    )


@dashboard.get("/buildings/new", roles=OFFICE, is_of_all_buildings=True)
def new_building() -> Response:
    """Show the empty form for a building."""
    return _render_new(NewBuildingForm())


@dashboard.post("/buildings", roles=OFFICE, is_of_all_buildings=True)
def add_building() -> Response:
    """Add the building and show it."""
    form = NewBuildingForm()
    return submitted(
        form,
        act=lambda work: catalogue_buildings.add_building(
            work, written=form.written_building, typed_slug=form.slug.data
        ),
        then=lambda building_id: go(
            url_for("dashboard.building", building_id=building_id), message=_("Building added.")
        ),
        again=lambda: _render_new(form),
    )


class BuildingCopyForm(NewBuildingForm):
    """A new building with the facts of another one, with or without its units."""

    withUnits = FlagField(lazy_gettext("Copy its rooms, rents and fees (without residents)"))


@dashboard.get("/buildings/<building_id>/copy", roles=OFFICE, is_of_all_buildings=True)
def building_copy(building_id: str) -> Response:
    """Show the form for a copy of this building; the names are left empty."""
    written = asdict(records.building_record(reading(), building_id).written)
    kept = {name: written[column] for name, column in _NAMES.items() if "name" not in column}
    return _render_copy(building_id, BuildingCopyForm(data=kept | {"withUnits": True}))


@dashboard.post("/buildings/<building_id>/copy", roles=OFFICE, is_of_all_buildings=True)
def copy_building(building_id: str) -> Response:
    """Add the copy, with its units if they were asked for, and show it."""
    form = BuildingCopyForm()
    return submitted(
        form,
        act=lambda work: catalogue_buildings.copy_building(
            work,
            building_id=building_id,
            written=form.written_building,
            slug=form.slug.data,
            with_units=form.withUnits.data,
        ),
        then=lambda added: go(
            url_for("dashboard.building", building_id=added), message=_("Building added.")
        ),
        again=lambda: _render_copy(building_id, form),
    )


def _render_copy(building_id: str, form: BuildingCopyForm) -> Response:
    building = records.building_record(reading(), building_id)
    return page("dashboard/buildings/copy.html", form=form, building=building)


@dashboard.get("/postcode", roles=OFFICE)
def place_of_postcode() -> Response:
    """Return the area and address fields, the empty ones filled from the postcode.

    Where several towns share the postcode, they are offered, and the chosen one replaces what
    another had filled in.
    """
    form = BuildingForm(request.args)
    places = postcodes.places_of(form.postcode.data)
    chosen = fill_place(form, places, request.args.get("town", ""))
    return page("dashboard/buildings/place.html", form=form, places=places, chosen=chosen)


def fill_place(form: BuildingForm, places: Sequence[postcodes.PostcodePlace], town: str) -> str:
    """Fill area and address from the only place, or from the chosen one; return its address."""
    chosen = [place for place in places if place.address == town]
    if chosen or len(places) == 1:
        (place,) = chosen or places
        filled = {other.address for other in places} | {""}
        if (form.address.data or "") in filled:
            form.area.data, form.address.data = place.area, place.address
        form.area.data = form.area.data or place.area
        return place.address
    areas = {place.area for place in places}
    if len(areas) == 1:
        form.area.data = form.area.data or areas.pop()
    return ""


def _render_new(form: NewBuildingForm) -> Response:
    return page("dashboard/buildings/new.html", form=form)


class BuildingOwnerForm(FlaskForm):
    """The owner of a building, or none."""

    owner = ChoiceField(lazy_gettext("Owner"), [Optional()])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = [(owner.id, owner.name) for owner in owner_lists.owner_choices(reading())]
        self.owner.choices = [("", lazy_gettext("Not set")), *named]


@dashboard.get("/buildings/<building_id>/owner", roles=OFFICE)
def building_owner(building_id: str) -> Response:
    """Show the form for the building's owner."""
    record = records.building_record(reading(), building_id)
    form = BuildingOwnerForm(data={"owner": record.owner_id})
    return _render_owner(building_id, Edit.of(form, record.version))


@dashboard.post("/buildings/<building_id>/owner", roles=OFFICE)
def name_building_owner(building_id: str) -> Response:
    """Set the building's owner."""
    form = BuildingOwnerForm()
    edit = Edit.from_typed(form, request.form)

    def act(work: Work) -> int:
        record = records.building_record(work.session, building_id)
        now = Edit.of(BuildingOwnerForm(data={"owner": record.owner_id}), record.version)
        edit.merge(work, now, subject=("building", building_id), columns={"owner": "owner_id"})
        return catalogue_buildings.name_building_owner(
            work, building_id=building_id, owner_id=form.owner.data, version=record.version
        )

    return edit.save(
        act,
        url_for("dashboard.building", building_id=building_id),
        again=lambda: _render_owner(building_id, edit),
    )


def _render_owner(building_id: str, edit: Edit) -> Response:
    building = records.building_record(reading(), building_id)
    return page("dashboard/buildings/owner.html", form=edit.form, edit=edit, building=building)
