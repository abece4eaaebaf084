"""The filters of the board and of the list of a day, as they stand in the address."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Any

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.catalogue.building_names import NamedBuilding
from pms.foundation.ids import is_id
from pms.foundation.wording import said_day
from pms.rules.enumerations import TaskKind
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import ChoiceField, DayField, Optional
from pms.surfaces.reader_choice import chosen_language
from pms.upkeep.assignees import Assignee
from pms.upkeep.task_filter import NOBODY, TaskFilter


class WorkForm(Form):
    """Which tasks are shown; empty is all of them."""

    day = DayField(_("Day"), [Optional()])
    buildingId = ChoiceField(_("Building"), [Optional()])
    personId = ChoiceField(_("Who"), [Optional()])
    kind = ChoiceField(_("Kind"), [Optional()])

    def offer(self, buildings: Sequence[NamedBuilding], people: Iterable[Assignee]) -> None:
        """Give the filters what there is to choose."""
        language = chosen_language()
        houses = [(house.id, house.name.said(language) or "") for house in buildings]
        staff = [(person.person_id, person.name) for person in people]
        self.buildingId.choices = [("", _("All buildings")), *houses]
        self.personId.choices = [("", _("Everybody")), (NOBODY, _("Nobody yet")), *staff]
        self.kind.choices = [("", _("All kinds")), *choices(TaskKind)]

    def asked(self, day: date | None = None) -> TaskFilter:
        """Return what the filters ask for; `day` is the one meant when none is named.

        What nobody could mean asks for nothing: a page says so, a tap on a card is not held up.
        """
        kind, person_id = self.kind.data, self.personId.data
        return TaskFilter(
            on=self.day.data or day,
            building_id=_id_or_none(self.buildingId.data),
            person_id=NOBODY if person_id == NOBODY else _id_or_none(person_id),
            kind=TaskKind(kind) if kind in list(TaskKind) else None,
        )

    def in_force(self) -> Iterator[tuple[str, str]]:
        """Give each filter that hides something by its name, in a few words."""
        for field in self:
            if field.data:
                yield field.name, f"{field.label.text}: {_shown(field)}"


def _id_or_none(text: str | None) -> str | None:
    return text if text and is_id(text) else None


def _shown(field: Any) -> str:
    if isinstance(field.data, date):
        return said_day(field.data, chosen_language())
    return next((str(text) for value, text, *_ in field.iter_choices() if value == field.data), "")
