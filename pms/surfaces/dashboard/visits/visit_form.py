"""What is chosen for a visit: who, where, when, and which tasks."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from flask_babel import gettext
from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.surfaces.dashboard.reservations.version_form import VersionForm
from pms.surfaces.enumeration_words import word
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    FlagField,
    HiddenField,
    LongTextField,
    ManyField,
    Optional,
    Required,
)
from pms.surfaces.page_words import plain_day
from pms.upkeep.assignees import Assignee
from pms.upkeep.plannable_tasks import PlannableTask


class TasksForm(Form):
    """Tasks to take along; those of another visit only when that is meant."""

    taskIds = ManyField(_("Tasks"))
    takesOver = FlagField(_("Take over tasks of another visit"))

    def offer_tasks(self, tasks: Iterable[PlannableTask]) -> Mapping[str, str]:
        """Give the form its tasks, and return what to say below each."""
        offered = list(tasks)
        self.taskIds.choices = [
            (one.card.id, one.card.title or word(one.card.kind)) for one in offered
        ]
        return {one.card.id: _told(one) for one in offered}


class DayForm(Form):
    """Another day for a visit."""

    onDay = DayField(_("Day"), [Required()])


class PersonForm(Form):
    """Who makes a visit."""

    personId = ChoiceField(_("Who goes"), [Required()])

    def offer_people(self, people: Sequence[Assignee]) -> None:
        """Give the form the people who may go."""
        named: list[tuple[str, Any]] = [(one.person_id, one.name) for one in people]
        self.personId.choices = [("", _("Choose a person")), *named] if len(named) > 1 else named


class HandForm(PersonForm, VersionForm):
    """Another person for a visit as it was seen."""


class VisitForm(TasksForm, PersonForm):
    """A person, a building, a day, tasks, and perhaps a note."""

    buildingId = HiddenField()
    onDay = DayField(_("Day"), [Required()])
    note = LongTextField(_("Note"), [Optional()])


def _told(one: PlannableTask) -> str:
    parts = [one.card.unit_name or gettext("Shared areas")]
    if one.card.due_on:
        parts.append(gettext("Until %(day)s", day=plain_day(one.card.due_on)))
    if one.held_by and one.held_on:
        told = {"name": one.held_by, "day": plain_day(one.held_on)}
        parts.append(gettext("In the visit of %(name)s on %(day)s", **told))
    return " · ".join(parts)
