"""Each unit's calendar as others read it: the address is the credential."""

from flask import Flask

from pms.surfaces.calendars import views


def install(app: Flask) -> None:
    """Give the application the address of calendars; its token never enters a log line."""
    app.add_url_rule("/calendar/<token>.ics", "calendars.calendar", views.show, methods=["GET"])
