"""The filters of the inbox of reports, as they stand in its address."""

from typing import Final

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.catalogue.building_names import building_names
from pms.rules.enumerations import RequestState
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import ChoiceField, Optional, TextField
from pms.surfaces.reader_choice import chosen_language
from pms.upkeep.request_list import RequestSearch

_ALL: Final = "all"


class InboxForm(Form):
    """The filters; the state stands in the tabs."""

    state = ChoiceField(_("State"), [Optional()])
    search = TextField(_("Words of the report, or room"), [Optional()])
    buildingId = ChoiceField(_("Building"), [Optional()])

    def offer(self) -> None:
        """Fill the lists with what there is to choose."""
        language = chosen_language()
        names = [(one.id, one.name.said(language) or "") for one in building_names(reading())]
        self.buildingId.choices = [("", str(_("All buildings"))), *names]
        self.state.choices = [*choices(RequestState), (_ALL, str(_("All")))]

    @property
    def search_for(self) -> RequestSearch:
        """What a valid form asks for; without a state, what nobody decided about yet."""
        state = self.state.data or RequestState.REPORTED
        return RequestSearch(
            state=None if state == _ALL else RequestState(state),
            building_id=self.buildingId.data or None,
            text=self.search.data or "",
        )
