"""What residents found on arrival: the reports sent, those that are missing, one with its photos."""

from flask import Flask

from pms.surfaces.dashboard.condition_reports import lists, report
from pms.surfaces.dashboard.reach import MAINTENANCE, OFFICE, Address

_ALL = "/condition-reports"
_ONE = f"{_ALL}/<condition_report_id>"

ADDRESSES: tuple[Address, ...] = (
    Address(_ALL, "condition_reports", lists.show, MAINTENANCE),
    Address(_ONE, "condition_report", report.show, MAINTENANCE),
    Address(f"{_ONE}/reading", "see_condition_report", report.see, OFFICE, "POST"),
    Address(
        f"{_ONE}/photos/<condition_photo_id>/<int:width>",
        "condition_photo",
        report.picture,
        MAINTENANCE,
    ),
)


def install(app: Flask) -> None:
    """Give templates `condition_report_of(reservation_id)`."""
    app.jinja_env.globals["condition_report_of"] = lists.report_of
