"""Which building's occupancy is asked for."""

from typing import Any

from flask_babel import gettext as _
from flask_babel import lazy_gettext
from wtforms import Form

from pms.catalogue.building_names import building_names
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.fields import ChoiceField, Optional
from pms.surfaces.reader_choice import chosen_language


class OccupancyForm(Form):
    """Which building, or all of them."""

    buildingId = ChoiceField(lazy_gettext("Building"), [Optional()])

    def __init__(self, given: Any) -> None:
        super().__init__(given)
        locale = chosen_language()
        named = [(each.id, each.name.said(locale) or "") for each in building_names(reading())]
        self.buildingId.choices = [("", _("All buildings")), *named]
