"""A move-out notice as staff file it, or the edit of one."""

from datetime import date, datetime, time

from flask_babel import lazy_gettext

from pms.rules.days import JAPAN
from pms.surfaces.dashboard.reservations.version_form import VersionForm
from pms.surfaces.fields import DayField, Optional, Required


class NoticeForm(VersionForm):
    """The day of leaving; `version` is the notice's where one is filed, else the reservation's."""

    moveOutDate = DayField(lazy_gettext("Moves out on"), [Required()])
    filedAt = DayField(lazy_gettext("Notice was given on"), [Optional()])

    def filed_at(self, today: date) -> datetime | None:
        """The instant the notice counts from; today is now."""
        day = self.filedAt.data
        if day is None or day == today:
            return None
        return datetime.combine(day, time(12), JAPAN)


class ExpectedForm(VersionForm):
    """When a resident said they will leave; empty takes it back."""

    expectedDepartureDate = DayField(lazy_gettext("Expected departure"), [Optional()])
