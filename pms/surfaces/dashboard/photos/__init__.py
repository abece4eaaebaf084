"""The photos of units and buildings."""

from pms.surfaces.dashboard.photos import describing, hanging, ordering
from pms.surfaces.dashboard.reach import OFFICE, Address

_ONE = "/photos/<photo_id>"
_MOST_BYTES = 50 * 1024 * 1024

ADDRESSES: tuple[Address, ...] = (
    Address("/units/<unit_id>/photos", "unit_photos", hanging.of_unit, OFFICE),
    Address(
        "/units/<unit_id>/photos",
        "add_unit_photos",
        hanging.add_to_unit,
        OFFICE,
        "POST",
        _MOST_BYTES,
    ),
    Address("/buildings/<building_id>/photos", "building_photos", hanging.of_building, OFFICE),
    Address(
        "/buildings/<building_id>/photos",
        "add_building_photos",
        hanging.add_to_building,
        OFFICE,
        "POST",
        _MOST_BYTES,
    ),
    Address(f"{_ONE}/words", "photo_words", describing.show, OFFICE),
    Address(f"{_ONE}/words", "describe_photo", describing.save, OFFICE, "POST"),
    Address(f"{_ONE}/place", "move_photo", ordering.move, OFFICE, "POST"),
    Address(f"{_ONE}/removal", "remove_photo", ordering.remove, OFFICE, "POST"),
    Address(f"{_ONE}/return", "put_back_photo", ordering.put_back, OFFICE, "POST"),
)
