"""Suppliers' orders, which become purchases of projects."""

from typing import Final

from pms.surfaces.dashboard.routes import MAINTENANCE
from pms.surfaces.dashboard.supplier_orders import matching, order, orders

_ONE: Final = "/supplier-orders/<order_id>"


