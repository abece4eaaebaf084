"""The checklists that tasks of each kind begin with, and the look at finished cleanings."""

from typing import Final

from pms.rules.enumerations import StaffRole
from pms.surfaces.dashboard.checklists import inspecting, views
from pms.surfaces.dashboard.reach import OFFICE, Address

_INSPECTORS: Final = OFFICE | {StaffRole.HOUSEKEEPING}

ADDRESSES: tuple[Address, ...] = (
    Address("/checklists", "checklists", views.index, OFFICE),
    Address("/checklist", "checklist", views.show, OFFICE),
    Address("/checklist", "write_checklist", views.write, OFFICE, "POST"),
    Address("/checklist/removal", "remove_checklist", views.remove, OFFICE, "POST"),
    Address("/inspections", "inspections", inspecting.index, _INSPECTORS),
    Address(
        "/tasks/<task_id>/inspections", "inspect_task", inspecting.inspect, _INSPECTORS, "POST"
    ),
)
