"""The audit: every deed with who, when, what was before and what is after."""

from pms.surfaces.dashboard.audit import views
from pms.surfaces.dashboard.reach import OPERATOR, Address

ADDRESSES = (
    Address("/audit", "audit", views.index, OPERATOR),
    Address("/audit.csv", "audit_table", views.table, OPERATOR),
)
