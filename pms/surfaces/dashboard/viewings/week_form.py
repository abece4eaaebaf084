"""Which viewings a week shows."""

from collections.abc import Iterable

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.catalogue.building_names import NamedBuilding
from pms.enquiries.office_people import OfficePerson
from pms.surfaces.fields import ChoiceField, DayField, Optional
from pms.surfaces.reader_choice import chosen_language


class WeekForm(Form):
    """A day of the week, perhaps one building and one host."""

    fromOn = DayField(_("Week of"), [Optional()])
    buildingId = ChoiceField(_("Building"), [Optional()])
    hostId = ChoiceField(_("Shown by"), [Optional()])

    def offer(self, buildings: Iterable[NamedBuilding], people: Iterable[OfficePerson]) -> None:
        """Give the filters their choices."""
        language = chosen_language()
        houses = [(one.id, one.name.said(language) or "") for one in buildings]
        self.buildingId.choices = [("", str(_("All buildings"))), *houses]
        staff = [(one.person_id, one.name) for one in people]
        self.hostId.choices = [("", str(_("Everybody"))), *staff]
