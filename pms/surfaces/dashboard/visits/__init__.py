"""Visits: one person, one building, one day, tasks in order."""

from typing import Final

from pms.surfaces.dashboard.reach import EVERYBODY, OFFICE, Address
from pms.surfaces.dashboard.visits import changing, handing, planning, visit, week

_ONE: Final = "/visits/<visit_id>"

ADDRESSES: tuple[Address, ...] = (
    Address("/visits", "visits", week.show, EVERYBODY),
    Address("/visits/new", "new_visit", planning.show, EVERYBODY),
    Address("/visits", "plan_visit", planning.plan, EVERYBODY, "POST"),
    Address(_ONE, "visit", visit.show, EVERYBODY),
    Address(f"{_ONE}/tasks", "add_to_visit", changing.add, EVERYBODY, "POST"),
    Address(f"{_ONE}/order", "order_visit", changing.order, EVERYBODY, "POST"),
    Address(f"{_ONE}/removals", "remove_from_visit", changing.remove, EVERYBODY, "POST"),
    Address(f"{_ONE}/day", "move_visit", changing.move, EVERYBODY, "POST"),
    Address(f"{_ONE}/person", "hand_visit", handing.hand, OFFICE, "POST"),
    Address(f"{_ONE}/cancellation", "cancel_visit", changing.cancel, EVERYBODY, "POST"),
)
