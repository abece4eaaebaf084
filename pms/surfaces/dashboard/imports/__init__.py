"""Bringing data in: send a sheet, look at what it would do, then write it."""

from typing import Final

from pms.surfaces.dashboard.imports import columns, sheet, views
from pms.surfaces.dashboard.reach import OFFICE, Address

_MOST_OF_A_SHEET: Final = 12 * 1024 * 1024

ADDRESSES = (
    Address("/import", "import", views.show, OFFICE),
    Address("/import", "send_sheet", views.send, OFFICE, "POST", _MOST_OF_A_SHEET),
    Address("/import/<sheet_id>", "sheet", sheet.show, OFFICE),
    Address("/import/<sheet_id>/columns", "name_sheet_columns", columns.save, OFFICE, "POST"),
    Address("/import/<sheet_id>/confirmed", "confirm_rows", columns.confirm, OFFICE, "POST"),
    Address("/import/<sheet_id>/refused.csv", "refused_rows", sheet.refused, OFFICE),
    Address("/import/<sheet_id>/run", "import_sheet", sheet.write, OFFICE, "POST"),
)
