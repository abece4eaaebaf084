"""The fee catalogue: what the workspace charges, under codes that never change."""

from pms.surfaces.dashboard.fees import views
from pms.surfaces.dashboard.reach import OFFICE, OPERATOR, Address

ADDRESSES = (
    Address("/fees", "fees", views.index, OFFICE),
    Address("/fees/new", "new_fee", views.new, OPERATOR),
    Address("/fees", "add_fee", views.add, OPERATOR, "POST"),
    Address("/fees/<fee_id>", "fee", views.show, OPERATOR),
    Address("/fees/<fee_id>", "edit_fee", views.edit, OPERATOR, "POST"),
    Address("/fees/<fee_id>/removal", "remove_fee", views.remove, OPERATOR, "POST"),
)
