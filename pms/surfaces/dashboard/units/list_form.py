"""The filters of the list of units, as they stand in its address; their names are the API's."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from flask_babel import LazyString, lazy_gettext
from wtforms import Field, Form

from pms.availability.search_units import UnitSearch
from pms.catalogue.find_units import UnitFacts
from pms.rules.availability_view import UnknownKinds, read_excluded_kinds
from pms.rules.enumerations import UnitSort, UnitType
from pms.surfaces.dashboard.field_texts import plain_text
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    FlagField,
    Optional,
    TextField,
    WholeNumberField,
    YenField,
)

LEFT_OUT: Final = "owner_resident"
_ALL: Final = ("", lazy_gettext("All"))
EXCLUDED: Final = (
    (LEFT_OUT, lazy_gettext("Leave out owner residents")),
    ("", lazy_gettext("Leave out nobody")),
)


class Chip(NamedTuple):
    """One filter in a few words; `without` is the change of the address that takes it away."""

    text: str | LazyString
    without: dict[str, str | None]


class ListForm(Form):
    """Every filter of the catalogue API."""

    search = TextField(lazy_gettext("Name, place, feature"), [Optional()])
    building = ChoiceField(lazy_gettext("Building"))
    area = ChoiceField(lazy_gettext("Area"))
    type = ChoiceField(lazy_gettext("Type"))
    layouts = TextField(lazy_gettext("Layouts"), [Optional()])
    bedrooms = WholeNumberField(lazy_gettext("Bedrooms"), [Optional()], most=50)
    priceMin = YenField(lazy_gettext("Rent from"), [Optional()])
    priceMax = YenField(lazy_gettext("Rent up to"), [Optional()])
    moveInBy = DayField(lazy_gettext("Free by"), [Optional()])
    availableNow = FlagField(lazy_gettext("Available now"))
    hasCampaign = FlagField(lazy_gettext("With a campaign"))
    excludeRecords = ChoiceField(
        lazy_gettext("Owner residents"), coerce=str, choices=EXCLUDED, default=LEFT_OUT
    )
    sort = ChoiceField(lazy_gettext("Order"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.type.choices = [_ALL, *choices(UnitType)]
        self.sort.choices = [("", lazy_gettext("As added")), *choices(UnitSort)]

    def offer(self, buildings: Iterable[tuple[str, str]], areas: Iterable[tuple[str, str]]) -> None:
        """Fill the lists with what there is to choose."""
        self.building.choices = [_ALL, *buildings]
        self.area.choices = [_ALL, *areas]

    def search_for(self) -> UnitSearch:
        """Return what a valid form asks for."""
        kinds = read_excluded_kinds(self.excludeRecords.data)
        return UnitSearch(
            facts=self._facts(),
            available_now=self.availableNow.data,
            move_in_by=self.moveInBy.data,
            excluded=() if isinstance(kinds, UnknownKinds) else tuple(sorted(kinds)),
        )

    def _facts(self) -> UnitFacts:
        area, layouts = self.area.data, self.layouts.data or ""
        return UnitFacts(
            areas=(area,) if area else (),
            price_min_yen=self.priceMin.data,
            price_max_yen=self.priceMax.data,
            type=UnitType(self.type.data) if self.type.data else None,
            layouts=tuple(one.strip() for one in layouts.split(",") if one.strip()),
            bedrooms=self.bedrooms.data,
            has_campaign=self.hasCampaign.data,
            search=self.search.data,
            building=self.building.data,
            sort=UnitSort(self.sort.data) if self.sort.data else None,
        )

    def chips(self) -> Iterator[Chip]:
        """Give each filter that hides something."""
        for each in self:
            is_asked = each.data is not None and each.data is not False
            if is_asked and each.name not in (self.excludeRecords.name, self.sort.name):
                yield Chip(_told(each), {each.name: None})
        if self.excludeRecords.data == LEFT_OUT:
            # Cleared is a state of its own: nobody is left out.
            text = lazy_gettext("Owner residents are left out")
            yield Chip(text, {self.excludeRecords.name: ""})


def _told(each: Field) -> str:
    label = str(each.label.text)
    if each.data is True:
        return label
    if isinstance(each, ChoiceField):
        chosen = (str(text) for value, text, *_ in each.iter_choices() if value == each.data)
        return f"{label}: {next(chosen, '')}"
    return f"{label}: {plain_text(each)}"
