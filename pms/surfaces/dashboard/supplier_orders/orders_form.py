"""The filters of the suppliers' orders, as they stand in their address."""

from collections.abc import Iterable, Mapping
from typing import Final

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.catalogue.building_names import NamedBuilding
from pms.channels.order_list import OrderSearch
from pms.rules.channel_words import OrderState
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import ChoiceField, Optional, TextField
from pms.surfaces.reader_choice import chosen_language

_ALL: Final = "all"


class OrdersForm(Form):
    """Which orders: the state stands in the tabs, without one those that are to be matched."""

    state = ChoiceField(_("State"), [Optional()])
    search = TextField(_("Supplier, number, item, project"), [Optional()])
    buildingId = ChoiceField(_("Building"), [Optional()])

    def offer(self, buildings: Iterable[NamedBuilding]) -> None:
        """Give the filters their choices."""
        language = chosen_language()
        houses = [(one.id, one.name.said(language) or "") for one in buildings]
        self.state.choices = [*choices(OrderState), (_ALL, str(_("All")))]
        self.buildingId.choices = [("", str(_("All buildings"))), *houses]

    @property
    def is_narrowed(self) -> bool:
        """Whether anything besides the state hides orders."""
        return bool(self.search.data or self.buildingId.data)

    @property
    def narrowing(self) -> Mapping[str, str]:
        """What an address carries to keep the filters while the state changes."""
        return {each.name: each.data for each in self if each.data and each is not self.state}

    @property
    def wanted(self) -> OrderSearch:
        """What a valid form asks for."""
        chosen = self.state.data or OrderState.NEW.value
        return OrderSearch(
            state=None if chosen == _ALL else OrderState(chosen),
            building_id=self.buildingId.data or None,
            text=self.search.data or "",
        )
