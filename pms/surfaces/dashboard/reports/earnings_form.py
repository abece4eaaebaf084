"""The filters of profit and loss: up to which month, and of which building."""

from collections.abc import Iterable
from datetime import date

from flask_babel import lazy_gettext
from wtforms import Form

from pms.rules.days import add_months, month_first, strict_day
from pms.surfaces.fields import ChoiceField, Optional
from pms.surfaces.page_words import month

_MONTHS_AHEAD, _MONTHS_BACK = 2, 60


class EarningsForm(Form):
    """Twelve months up to one."""

    month = ChoiceField(lazy_gettext("Twelve months up to"), [Optional()])
    building = ChoiceField(lazy_gettext("Building"), [Optional()])

    def offer(self, today: date, buildings: Iterable[tuple[str, str]]) -> None:
        """Fill the lists with what there is to choose."""
        first_on = month_first(today)
        months = [
            add_months(first_on, step) for step in range(_MONTHS_AHEAD, -_MONTHS_BACK - 1, -1)
        ]
        self.month.choices = [(f"{each:%Y-%m}", month(each)) for each in months]
        if not self.month.data:
            self.month.data = f"{first_on:%Y-%m}"
        self.building.choices = [("", lazy_gettext("All buildings")), *buildings]

    def last_month_on(self, today: date) -> date:
        """Return the first day of the last month asked for."""
        asked = None if self.month.errors else strict_day(f"{self.month.data}-01")
        return asked or month_first(today)
