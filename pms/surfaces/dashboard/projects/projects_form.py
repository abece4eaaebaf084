"""The filters of the list of projects, as they stand in its address."""

from typing import Final

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.catalogue.building_names import building_names
from pms.rules.enumerations import ProjectState
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import ChoiceField, Optional, TextField
from pms.surfaces.reader_choice import chosen_language
from pms.upkeep.project_list import ProjectSearch

_ALL: Final = "all"


class ProjectsForm(Form):
    """The filters; the state stands in the tabs."""

    state = ChoiceField(_("State"), [Optional()])
    search = TextField(_("Number or words"), [Optional()])
    buildingId = ChoiceField(_("Building"), [Optional()])

    def offer(self) -> None:
        """Fill the lists with what there is to choose."""
        language = chosen_language()
        names = [(one.id, one.name.said(language) or "") for one in building_names(reading())]
        self.buildingId.choices = [("", str(_("All buildings"))), *names]
        self.state.choices = [*choices(ProjectState), (_ALL, str(_("All")))]

    @property
    def search_for(self) -> ProjectSearch:
        """What a valid form asks for; without a state, whose work goes on."""
        state = self.state.data or ProjectState.OPEN
        return ProjectSearch(
            state=None if state == _ALL else ProjectState(state),
            building_id=self.buildingId.data or None,
            text=self.search.data or "",
        )
