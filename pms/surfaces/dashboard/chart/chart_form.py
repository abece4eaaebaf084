"""What the chart is asked for: which days, which units."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.catalogue.building_names import NamedBuilding
from pms.surfaces.fields import ChoiceField, DayField, Optional, TextField
from pms.surfaces.reader_choice import chosen_language

DEFAULT_DAYS: Final = 28
_DAYS_BEFORE_TODAY: Final = 3
_SPANS: Final = (("28", _("4 weeks")), ("14", _("2 weeks")), ("56", _("8 weeks")))


class ChartForm(Form):
    """The filter above the chart; the arrows beside it move the first day."""

    buildingId = ChoiceField(_("Building"), [Optional()])
    q = TextField(_("Unit or building"), [Optional()])
    days = ChoiceField(_("Shown"), [Optional()], choices=_SPANS)
    startDate = DayField(_("From"), [Optional()])

    def offer(self, buildings: Sequence[NamedBuilding]) -> None:
        """Give the filter its buildings."""
        locale = chosen_language()
        named = [(building.id, building.name.said(locale) or "") for building in buildings]
        self.buildingId.choices = [("", _("All buildings")), *named]

    def span_days(self) -> int:
        """Return how many days are shown."""
        return DEFAULT_DAYS if self.days.errors else int(self.days.data or DEFAULT_DAYS)

    def first_on(self, today: date) -> date:
        """Return the first day shown; a few days before today unless asked."""
        return self.startDate.data or today - timedelta(days=_DAYS_BEFORE_TODAY)
