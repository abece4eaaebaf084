"""Which days of visits are shown, and whose."""

from collections.abc import Iterable

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.surfaces.fields import ChoiceField, DayField, Optional
from pms.upkeep.assignees import Assignee


class WeekForm(Form):
    """A first day and perhaps one person."""

    fromOn = DayField(_("From"), [Optional()])
    personId = ChoiceField(_("Who"), [Optional()])

    def offer(self, people: Iterable[Assignee]) -> None:
        """Give the filter the staff."""
        named = [(person.person_id, person.name) for person in people]
        self.personId.choices = [("", _("Everybody")), *named]
