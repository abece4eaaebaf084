"""The units: the list, one unit with its tabs, adding and editing."""

from pms.surfaces.dashboard.reach import EVERYBODY, OFFICE, Address
from pms.surfaces.dashboard.units import (
    adding,
    blocks,
    editing,
    fees,
    reservations,
    unit,
    units,
)

_ONE = "/units/<unit_id>"

ADDRESSES: tuple[Address, ...] = (
    Address("/units", "units", units.show, OFFICE),
    Address("/units/new", "new_unit", adding.show, OFFICE),
    Address("/units", "add_unit", adding.add, OFFICE, "POST"),
    Address(_ONE, "unit", unit.show, EVERYBODY),
    Address(f"{_ONE}/facts", "unit_facts", editing.show, OFFICE),
    Address(f"{_ONE}/facts", "edit_unit", editing.save, OFFICE, "POST"),
    Address(f"{_ONE}/fees", "unit_fees", fees.show, OFFICE),
    Address(f"{_ONE}/fees", "set_unit_fees", fees.save, OFFICE, "POST"),
    Address(f"{_ONE}/reservations", "unit_reservations", reservations.show, OFFICE),
    Address(f"{_ONE}/blocks", "unit_blocks", blocks.show, OFFICE),
    Address(f"{_ONE}/blocks", "add_block", blocks.add, OFFICE, "POST"),
    Address("/blocks/<block_id>/end", "block_end", blocks.show_end, OFFICE),
    Address("/blocks/<block_id>/end", "end_block", blocks.end, OFFICE, "POST"),
)
