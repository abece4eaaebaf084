"""Suppliers' orders, which become purchases of projects."""

from typing import Final

from pms.surfaces.dashboard.reach import MAINTENANCE, Address
from pms.surfaces.dashboard.supplier_orders import matching, order, orders

_ONE: Final = "/supplier-orders/<order_id>"

ADDRESSES: tuple[Address, ...] = (
    Address("/supplier-orders", "supplier_orders", orders.show, MAINTENANCE),
    Address(_ONE, "supplier_order", order.show, MAINTENANCE),
    Address(f"{_ONE}/project", "match_order", matching.match, MAINTENANCE, "POST"),
    Address(f"{_ONE}/project/removal", "unmatch_order", matching.unmatch, MAINTENANCE, "POST"),
    Address(f"{_ONE}/aside", "set_order_aside", matching.set_aside, MAINTENANCE, "POST"),
    Address(f"{_ONE}/return", "take_order_back", matching.take_back, MAINTENANCE, "POST"),
)
