"""What residents found on arrival: the reports sent, those that are missing, one with its photos."""

from flask import Flask

from pms.surfaces.dashboard.condition_reports import lists, report
from pms.surfaces.dashboard.routes import MAINTENANCE, OFFICE
_ALL = "/condition-reports"
_ONE = f"{_ALL}/<condition_report_id>"




def install(app: Flask) -> None:
    """Give templates `condition_report_of(reservation_id)`."""
    app.jinja_env.globals["condition_report_of"] = lists.report_of
