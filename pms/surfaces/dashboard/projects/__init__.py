"""Maintenance projects: the work, its hours, purchases and cost."""

from typing import Final

from pms.surfaces.dashboard.projects import (
    charging,
    editing,
    ending,
    hours,
    opening,
    project,
    projects,
    purchases,
)
from pms.surfaces.dashboard.reach import MAINTENANCE, OFFICE, Address

_ONE: Final = "/projects/<project_id>"
_HOURS: Final = f"{_ONE}/hours"
_PURCHASES: Final = f"{_ONE}/purchases"
_MOST_BYTES: Final = 50 * 1024 * 1024

ADDRESSES: tuple[Address, ...] = (
    Address("/projects", "projects", projects.show, MAINTENANCE),
    Address("/projects/new", "new_project", opening.show, MAINTENANCE),
    Address("/projects/new", "open_project", opening.open_new, MAINTENANCE, "POST"),
    Address(_ONE, "project", project.show, MAINTENANCE),
    Address(f"{_ONE}/edit", "edit_project", editing.show, MAINTENANCE),
    Address(f"{_ONE}/edit", "save_project", editing.save, MAINTENANCE, "POST"),
    Address(f"{_ONE}/end", "check_ending", ending.check, MAINTENANCE),
    Address(f"{_ONE}/end", "end_project", ending.end, MAINTENANCE, "POST"),
    Address(f"{_ONE}/reopening", "check_reopening", ending.check_reopening, MAINTENANCE),
    Address(f"{_ONE}/reopening", "reopen_project", ending.reopen, MAINTENANCE, "POST"),
    Address(f"{_HOURS}/new", "new_hours", hours.show, MAINTENANCE),
    Address(f"{_HOURS}/new", "log_hours", hours.log, MAINTENANCE, "POST"),
    Address(f"{_HOURS}/<hours_id>/removal", "remove_hours", hours.remove, MAINTENANCE, "POST"),
    Address(f"{_PURCHASES}/new", "new_purchase", purchases.show, MAINTENANCE),
    Address(f"{_PURCHASES}/new", "add_purchase", purchases.add, MAINTENANCE, "POST", _MOST_BYTES),
    Address(
        f"{_PURCHASES}/<purchase_id>/removal",
        "remove_purchase",
        purchases.remove,
        MAINTENANCE,
        "POST",
    ),
    Address(f"{_ONE}/charge", "check_charging", charging.check, OFFICE),
    Address(f"{_ONE}/charge", "charge_project", charging.charge, OFFICE, "POST"),
)
