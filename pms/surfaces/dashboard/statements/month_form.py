"""The filter of the owners' months."""

from datetime import date

from flask_babel import lazy_gettext
from wtforms import Form

from pms.rules.days import add_months, month_first
from pms.surfaces.dashboard.statements.asked_month import name_of
from pms.surfaces.fields import ChoiceField, Optional
from pms.surfaces.page_words import month as said_month

_MONTHS_BACK = 36


class MonthForm(Form):
    """One month, the present one and those before it."""

    month = ChoiceField(lazy_gettext("Month"), [Optional()])

    def offer(self, month_on: date, today: date) -> None:
        """Fill the list with what there is to choose, the month that is shown among it."""
        months = [add_months(month_first(today), -back) for back in range(_MONTHS_BACK)]
        wanted = months if month_on in months else [month_on, *months]
        self.month.choices = [(name_of(one), said_month(one)) for one in wanted]
        self.month.data = name_of(month_on)
