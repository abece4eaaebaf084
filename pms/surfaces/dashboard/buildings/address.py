"""Changes the address of a building or a unit on the website; the old one leads to the new."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
import re
from collections.abc import Callable
from typing import Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import ngettext

from pms.catalogue.records import building_record, unit_record
from pms.catalogue.slugs import (
    change_building_slug,
    change_unit_slug,
    former_slugs_of,
    slug_of_room,
    word_of_place,
)
from pms.foundation.tenancy import WorkspaceSession
from pms.site.desk_content import site_record
from pms.surfaces.dashboard.buildings.building_form import AddressForm, BuildingAddressForm
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.reader_choice import chosen_language

_UNSAID: Final = re.compile(r"(building|unit)(-[0-9]+)?")


class _Place(NamedTuple):
    """A building or a unit whose address is looked at."""

    id: str
    name: str
    slug: str
    folder: str
    proposed: str
    back: str
    save: str


@dashboard.get("/buildings/<building_id>/address", roles=OFFICE)
def building_address(building_id: str) -> Response:
    """Show the address of a building, ready to be changed."""
    place = _building(building_id)
    form = BuildingAddressForm(data={"slug": _first(place), "withUnits": True})
    return _shown(place, form)


@dashboard.post("/buildings/<building_id>/address", roles=OFFICE)
def change_building_address(building_id: str) -> Response:
    """Give a building another address."""
    form = BuildingAddressForm(request.form)
    place = _building(building_id)

    def act(session: WorkspaceSession) -> list[str]:
        return change_building_slug(
            session,
            clock(),
            actor(),
            building_id=building_id,
            typed=form.slug.data or "",
            with_units=form.withUnits.data,
        )

    return _saved(place, form, act)


@dashboard.get("/units/<unit_id>/address", roles=OFFICE)
def unit_address(unit_id: str) -> Response:
    """Show the address of a unit, ready to be changed."""
    place = _unit(unit_id)
    return _shown(place, AddressForm(data={"slug": _first(place)}))


@dashboard.post("/units/<unit_id>/address", roles=OFFICE)
def change_unit_address(unit_id: str) -> Response:
    """Give a unit another address."""
    form = AddressForm(request.form)
    place = _unit(unit_id)

    def act(session: WorkspaceSession) -> list[str]:
        return change_unit_slug(
            session, clock(), actor(), unit_id=unit_id, typed=form.slug.data or ""
        )

    return _saved(place, form, act)


def _building(building_id: str) -> _Place:
    record = building_record(reading(), building_id)
    written = record.written
    return _Place(
        record.id,
        record.name.said(chosen_language()) or "",
        record.slug,
        "buildings",
        word_of_place(written.name, written.name_kana, written.name_en),
        url_for("dashboard.building", building_id=building_id),
        url_for("dashboard.change_building_address", building_id=building_id),
    )


def _unit(unit_id: str) -> _Place:
    record = unit_record(reading(), unit_id)
    building = building_record(reading(), record.building_id)
    written = record.written
    return _Place(
        record.id,
        f"{record.building.said(chosen_language())} {written.name}",
        record.slug,
        "units",
        slug_of_room(building.slug, written.name, written.name_kana),
        url_for("dashboard.unit", unit_id=unit_id),
        url_for("dashboard.change_unit_address", unit_id=unit_id),
    )


def _first(place: _Place) -> str:
    """Return what the field says at first: a slug that says nothing gives way to the proposal."""
    return place.proposed if _UNSAID.fullmatch(place.slug) and place.proposed else place.slug


def _saved(
    place: _Place, form: AddressForm, act: Callable[[WorkspaceSession], list[str]]
) -> Response:
    return submitted(
        form,
        act=act,
        then=lambda gone: go(place.back, said=_said(gone)),
        again=lambda: _shown(place, form),
    )


def _said(gone: list[str]) -> str:
    if not gone:
        return str(_("The address is as it was."))
    return str(
        ngettext(
            "Saved. The old address leads to the new one.",
            "Saved. The %(num)s old addresses lead to the new ones.",
            len(gone),
        )
    )


def _shown(place: _Place, form: AddressForm) -> Response:
    site = site_record(reading())
    return page(
        "dashboard/buildings/address.html",
        form=form,
        place=place,
        base_url=site.base_url if site else "",
        former=former_slugs_of(reading(), place.id),
    )
