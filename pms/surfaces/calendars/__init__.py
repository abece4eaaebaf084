"""Each unit's calendar feed: the address is the credential."""

from flask import Flask

from pms.surfaces.calendars import views


def install(app: Flask) -> None:
    """Register the address of calendars; its token is never logged."""
    app.add_url_rule("/calendar/<token>.ics", "calendars.calendar", views.show, methods=["GET"])
