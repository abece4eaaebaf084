"""What the chart is asked for: which days, which units."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.catalogue.building_names import NamedBuilding
from pms.rules.availability_view import UnknownKinds, read_excluded_kinds
from pms.rules.enumerations import ReservationKind
from pms.surfaces.dashboard.units.list_form import EXCLUDED, LEFT_OUT
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


class AvailabilityForm(ChartForm):
    """What the list is asked for; without a word owner residents are left out (Availability)."""

    excludeRecords = ChoiceField(
        _("Owner residents"), coerce=str, choices=EXCLUDED, default=LEFT_OUT
    )

    def excluded(self) -> frozenset[ReservationKind]:
        """Return the kinds of reservations whose units are left out."""
        kinds = read_excluded_kinds(
            None if self.excludeRecords.errors else self.excludeRecords.data
        )
        return frozenset() if isinstance(kinds, UnknownKinds) else kinds
