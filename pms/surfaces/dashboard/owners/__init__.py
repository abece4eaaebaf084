"""The owners: the list, one owner, adding and editing."""

from pms.surfaces.dashboard.owners import owner, owners
from pms.surfaces.dashboard.reach import OFFICE, Address

_ONE = "/owners/<owner_id>"

ADDRESSES: tuple[Address, ...] = (
    Address("/owners", "owners", owners.show, OFFICE),
    Address("/owners/new", "new_owner", owners.show_new, OFFICE),
    Address("/owners", "add_owner", owners.add, OFFICE, "POST"),
    Address(_ONE, "owner", owner.show, OFFICE),
    Address(f"{_ONE}/facts", "owner_facts", owner.show_facts, OFFICE),
    Address(f"{_ONE}/facts", "edit_owner", owner.save, OFFICE, "POST"),
)
