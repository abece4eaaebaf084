"""The form that asks for the day a ledger, a balance or a report is shown of."""

from datetime import date
from typing import Self

from flask_babel import lazy_gettext
from werkzeug.datastructures import MultiDict
from wtforms import Form

from pms.surfaces.fields import DayField, Optional


class OnForm(Form):
    """The day whose end is shown."""

    on = DayField(lazy_gettext("As of the end of"), [Optional()])

    @classmethod
    def asked(cls, given: MultiDict[str, str], today: date) -> Self:
        """Return the form as the address fills it, with today where it names no day."""
        return cls(given) if given.get("on") else cls(on=today)

    def day(self, today: date) -> date:
        """Return the day asked for, today where it cannot be read."""
        found: date | None = self.on.data if self.validate() else None
        return found or today
