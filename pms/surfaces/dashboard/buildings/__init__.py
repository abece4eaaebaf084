"""The buildings: the list, one building with its handbook, adding and editing."""

from pms.surfaces.dashboard.buildings import (
    address,
    building,
    buildings,
    code,
    editing,
    handbook,
    owner,
)
from pms.surfaces.dashboard.reach import EVERYBODY, OFFICE, Address

_ONE = "/buildings/<building_id>"
_PAGE = "/handbook/<page_id>"

ADDRESSES: tuple[Address, ...] = (
    Address("/buildings", "buildings", buildings.show, OFFICE),
    Address("/buildings/new", "new_building", buildings.show_new, OFFICE),
    Address("/buildings", "add_building", buildings.add, OFFICE, "POST"),
    Address(_ONE, "building", building.show, EVERYBODY),
    Address(f"{_ONE}/facts", "building_facts", editing.show, OFFICE),
    Address(f"{_ONE}/facts", "edit_building", editing.save, OFFICE, "POST"),
    Address(f"{_ONE}/address", "building_address", address.show_of_building, OFFICE),
    Address(f"{_ONE}/address", "change_building_address", address.save_of_building, OFFICE, "POST"),
    Address("/units/<unit_id>/address", "unit_address", address.show_of_unit, OFFICE),
    Address(
        "/units/<unit_id>/address", "change_unit_address", address.save_of_unit, OFFICE, "POST"
    ),
    Address(f"{_ONE}/owner", "building_owner", owner.show, OFFICE),
    Address(f"{_ONE}/owner", "name_building_owner", owner.save, OFFICE, "POST"),
    Address(f"{_ONE}/handbook/new", "new_handbook_page", handbook.show_new, OFFICE),
    Address(f"{_ONE}/handbook", "add_handbook_page", handbook.add, OFFICE, "POST"),
    Address("/units/<unit_id>/handbook/new", "new_unit_page", handbook.show_new_of_unit, OFFICE),
    Address("/units/<unit_id>/handbook", "add_unit_page", handbook.add_to_unit, OFFICE, "POST"),
    Address(_PAGE, "handbook_page", handbook.show, OFFICE),
    Address(_PAGE, "edit_handbook_page", handbook.save, OFFICE, "POST"),
    Address(f"{_PAGE}/removal", "handbook_page_removal", handbook.check_removal, OFFICE),
    Address(f"{_PAGE}/removal", "remove_handbook_page", handbook.remove, OFFICE, "POST"),
    # Who works on site sees codes on days with a task of theirs there.
    Address(f"{_PAGE}/code", "reveal_code", code.reveal, EVERYBODY, "POST"),
)
