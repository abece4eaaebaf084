"""What may be corrected of a project."""

from typing import Self

from flask_babel import gettext as _
from flask_babel import lazy_gettext
from wtforms import Form

from pms.catalogue.unit_names import unit_names
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.fields import ChoiceField, LongTextField, Optional, Required, TextField
from pms.upkeep.project_record import ProjectRecord


class EditingForm(Form):
    """What may change of a project; its building stays."""

    title = TextField(lazy_gettext("Title"), [Required()])
    description = LongTextField(lazy_gettext("What is to be done"), [Optional()])
    unitId = ChoiceField(lazy_gettext("Where"), [Optional()])

    @classmethod
    def of(cls, project: ProjectRecord) -> Self:
        """Return the form as the project is recorded."""
        form = cls(
            data={
                "title": project.title,
                "description": project.description,
                "unitId": project.unit_id,
            }
        )
        form.offer(project)
        return form

    def offer(self, project: ProjectRecord) -> None:
        """Give the form the places of its building."""
        units = unit_names(reading(), project.building_id)
        named = [(unit.id, unit.name) for unit in units]
        self.unitId.choices = [("", str(_("Shared areas"))), *named]
