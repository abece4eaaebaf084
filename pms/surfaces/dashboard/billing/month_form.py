"""Which month is billed."""

import re
from datetime import date
from typing import Final

from flask_babel import lazy_pgettext
from wtforms import Form

from pms.rules.days import add_months, month_first, month_last, strict_day
from pms.surfaces.fields import ChoiceField, Optional
from pms.surfaces.page_words import month

_MONTHS_BACK: Final = 3
_is_month = re.compile(r"[0-9]{4}-[0-9]{2}").fullmatch


class MonthForm(Form):
    """The last month of a billing run; missed months before it are billed too."""

    month = ChoiceField(lazy_pgettext("month", "Through"), [Optional()])

    def offer(self, today: date, due_on: date) -> None:
        """Offer the next month and those just past; the one that is due stands first."""
        first_on = month_first(today)
        months = [add_months(first_on, step) for step in range(1, -_MONTHS_BACK - 1, -1)]
        due = month_first(due_on)
        months.sort(key=lambda each: each != due)
        self.month.choices = [(f"{each:%Y-%m}", month(each)) for each in months]

    def through_on(self) -> date | None:
        """Return the last day of the month asked for, else nothing."""
        asked = "" if self.month.errors else self.month.data or ""
        day = strict_day(f"{asked}-01") if _is_month(asked) else None
        return month_last(day) if day else None
