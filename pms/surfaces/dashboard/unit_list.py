"""The list of units, with its filters."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, lazy_pgettext, ngettext, pgettext

from pms.availability.units import FoundUnits, UnitSearch, search_units
from pms.catalogue import listed_units, slugs
from pms.catalogue.listed_units import ListedUnit
from pms.catalogue.units import UnitFacts
from pms.foundation.mail_texts import format_day
from pms.foundation.versions import CATALOGUE, OCCUPANCY, KeptAnswers
from pms.rules.availability import (
    Availability,
    ReasonKind,
    StayReason,
    UnknownKinds,
    read_excluded_kinds,
)
from pms.rules.days import CorruptDay
from pms.rules.enumerations import UnitSort, UnitType
from pms.surfaces.dashboard.filter_chips import (
    EXCLUDED,
    LEFT_OUT,
    OWNERS_LEFT_OUT,
    Chip,
    chip_links,
    chip_of,
)
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.listing import (
    ListColumn,
    Listing,
    ListRequest,
    Spot,
    ValueKind,
    ask,
    listing,
    tags_of,
)
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    FlagField,
    Optional,
    TextField,
    WholeNumberField,
    YenField,
)
from pms.surfaces.forms import QueryForm, mark_unaccepted
from pms.surfaces.hypermedia import page_or_block
from pms.surfaces.labels.enumerations import choices, label_of
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today
from pms.workspaces import queries


def reason_words(reason: StayReason) -> str:
    """Return the sentence for the fact that decided the availability, with its day."""
    if isinstance(reason.on, CorruptDay):
        unread = _("The saved date “%(text)s” cannot be read.", text=reason.on.text)
        return f"{_describe_reason_kind(reason.kind)} {unread}"
    if reason.on is None:
        return _describe_reason_kind(reason.kind)
    day = format_day(reason.on, chosen_language())
    texts = {
        ReasonKind.BLOCKED: _("The unit is blocked through %(day)s.", day=day),
        ReasonKind.NEXT_STAY: _("The next stay starts on %(day)s.", day=day),
        ReasonKind.AWAITED: _(
            "The booking started on %(day)s, but the move-in is not recorded yet.", day=day
        ),
        ReasonKind.NEXT_BLOCK: _("The unit is blocked from %(day)s.", day=day),
        ReasonKind.DEPARTURE_PASSED: _(
            "The expected departure on %(day)s passed without a notice, so it no longer applies.",
            day=day,
        ),
        ReasonKind.NO_END: _(
            "Occupied, no notice given. The contract end on %(day)s alone does not end the "
            "tenancy.",
            day=day,
        ),
        ReasonKind.DEPARTURE_EXPECTED: _(
            "The resident plans to leave on %(day)s but has not given notice. Use the day for "
            "the waitlist only.",
            day=day,
        ),
        ReasonKind.NOTICE_FILED: _("Notice filed: move-out on %(day)s.", day=day),
        ReasonKind.CHECK_OUT: _("The guest checks out on %(day)s.", day=day),
    }.get(reason.kind, _describe_reason_kind(reason.kind))
    return f"{texts} {_describe_turnover(reason.turnover_days)}".strip()


def _describe_reason_kind(kind: ReasonKind) -> str:
    facts: dict[ReasonKind, str] = {
        ReasonKind.FORCED: _(
            "The tenancy is set to month to month, so the unit has no date when it becomes free."
        ),
        ReasonKind.BLOCKED: _("The unit is blocked."),
        ReasonKind.NEXT_STAY: _("The next stay is booked."),
        ReasonKind.AWAITED: _("The booking has started, but the move-in is not recorded yet."),
        ReasonKind.NEXT_BLOCK: _("The unit will be blocked."),
        ReasonKind.OWNER_LIVES: _("The owner lives here, so the unit does not become free."),
        ReasonKind.DEPARTURE_PASSED: _("The expected move-out was removed."),
        ReasonKind.NO_END: _("Occupied, no notice given."),
        ReasonKind.DEPARTURE_EXPECTED: _("The resident plans to move out."),
        ReasonKind.NOTICE_FILED: pgettext("unit", "Notice filed."),
        ReasonKind.CHECK_OUT: _("The guest checks out."),
        ReasonKind.FREE: _("The unit is vacant, with no bookings and no blocks."),
    }
    return facts[kind]


def _describe_turnover(days: int) -> str:
    if not days:
        return ""
    kept = ngettext(
        "After that, %(num)s day is kept free.", "After that, %(num)s days are kept free.", days
    )
    return str(kept)


_ALL: Final = ("", lazy_gettext("All"))


class UnitFilterForm(QueryForm):
    """The filters of the list, the same as those of the catalogue API."""

    search = TextField(lazy_gettext("Name, place, feature"), [Optional()])
    building = ChoiceField(lazy_gettext("Building"))
    area = ChoiceField(lazy_gettext("Area"))
    type = ChoiceField(lazy_gettext("Type"))
    layouts = TextField(lazy_gettext("Layouts"), [Optional()])
    bedrooms = WholeNumberField(lazy_gettext("Bedrooms"), [Optional()], most=50)
    priceMin = YenField(lazy_gettext("Rent from"), [Optional()])
    priceMax = YenField(lazy_gettext("Rent up to"), [Optional()])
    moveInBy = DayField(lazy_gettext("Available by"), [Optional()])
    availableNow = FlagField(lazy_gettext("Available now"))
    hasCampaign = FlagField(lazy_gettext("With a campaign"))
    excludeRecords = ChoiceField(
        lazy_gettext("Owner residents"), coerce=str, choices=EXCLUDED, default=LEFT_OUT
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.type.choices = [_ALL, *choices(UnitType)]

    def offer(self, buildings: Iterable[tuple[str, str]], areas: Iterable[tuple[str, str]]) -> None:
        """Fill the lists with their choices."""
        self.building.choices = [_ALL, *buildings]
        self.area.choices = [_ALL, *areas]

    def search_for(self) -> UnitSearch:
        """Return the search of a valid form."""
        kinds = read_excluded_kinds(self.excludeRecords.data)
        area, layouts = self.area.data, self.layouts.data or ""
        facts = UnitFacts(
            areas=(area,) if area else (),
            price_min_yen=self.priceMin.data,
            price_max_yen=self.priceMax.data,
            type=UnitType(self.type.data) if self.type.data else None,
            layouts=tuple(layout.strip() for layout in layouts.split(",") if layout.strip()),
            bedrooms=self.bedrooms.data,
            has_campaign=self.hasCampaign.data,
            search=self.search.data,
            building=self.building.data,
        )
        return UnitSearch(
            facts=facts,
            available_now=self.availableNow.data,
            move_in_by=self.moveInBy.data,
            excluded=() if isinstance(kinds, UnknownKinds) else tuple(sorted(kinds)),
        )

    def chips(self) -> Iterator[Chip]:
        """Yield each filter that is set."""
        for each in self:
            is_asked = each.data is not None and each.data is not False
            if is_asked and each.name != self.excludeRecords.name:
                yield chip_of(each)
        if self.excludeRecords.data == LEFT_OUT:
            yield OWNERS_LEFT_OUT


_SEARCHES: Final = KeptAnswers()


class UnitLine(NamedTuple):
    """A unit with its availability; `unit` is None until the facts of the unit are read."""

    id: str
    availability: Availability
    unit: ListedUnit | None = None


def _name_home(line: UnitLine) -> str | None:
    unit = line.unit
    return unit and f"{unit.building.name.in_language(chosen_language())} {unit.name}"


def _describe_unit_type(line: UnitLine) -> str | None:
    if line.unit is None:
        return None
    text = line.unit.describe_layout(chosen_language())
    return " · ".join((*([text.text] if text else ()), label_of(line.unit.type)))


def _format_size(line: UnitLine) -> str | None:
    size = line.unit and line.unit.size_centi_sqm
    return f"{size / 100:.2f} m²" if size else None


UNITS: Final[Listing[UnitLine]] = listing(
    "units",
    lazy_gettext("Units"),
    ListColumn(
        "unit",
        lazy_gettext("Unit"),
        _name_home,
        spot=Spot.NAME,
        href=lambda line: url_for("dashboard.unit", unit_id=line.id),
    ),
    ListColumn("type", lazy_gettext("Type"), _describe_unit_type, spot=Spot.PLACE),
    ListColumn("size", lazy_gettext("Size"), _format_size, ValueKind.MEASURE),
    ListColumn(
        "rent",
        lazy_gettext("Rent"),
        lambda line: line.unit and line.unit.rent_yen,
        ValueKind.YEN,
        Spot.AMOUNT,
    ),
    ListColumn(
        "floor",
        lazy_gettext("Floor"),
        lambda line: line.unit and line.unit.floor,
        ValueKind.COUNT,
        is_first_shown=False,
    ),
    ListColumn(
        "deposit",
        lazy_gettext("Deposit"),
        lambda line: line.unit and line.unit.deposit_yen,
        ValueKind.YEN,
        is_first_shown=False,
    ),
    ListColumn(
        "availability",
        lazy_gettext("Availability"),
        lambda line: tags_of(line.availability.state),
        ValueKind.TAGS,
        Spot.STATE,
    ),
    ListColumn(
        "free",
        lazy_pgettext("unit", "Available from"),
        lambda line: line.availability.on,
        ValueKind.DAY,
    ),
)
_OF_SEARCH: Final = {"rent": "price", "size": "size"}
_OF_AVAILABILITY: Final = ("availability", "free")


@dashboard.get("/units", roles=OFFICE)
def units() -> Response:
    """Show one page of the filtered units, or give all of them as a file."""
    form, asked = UnitFilterForm(request.args), ask(UNITS)
    language = chosen_language()
    form.offer(
        building_choices(),
        (
            (area.ja or "", area.in_language(language) or "")
            for area in slugs.areas(reading())
            if area.ja
        ),
    )
    is_sound = form.validate()
    if is_sound:
        # All matching units; the result needs every unit, so it is cached until one changes.
        order = asked.order
        search, on = form.search_for(), today()
        if order and order.key in _OF_SEARCH:
            way = "desc" if order.is_descending else "asc"
            facts = search.facts._replace(sort=UnitSort(f"{_OF_SEARCH[order.key]}-{way}"))
            search = search._replace(facts=facts)
        state = queries.counters(reading(), CATALOGUE, OCCUPANCY)
        found = _SEARCHES.answer(
            reading(),
            (search, on),
            state,
            lambda: search_units(reading(), search, on),
        )
    else:
        found = FoundUnits((), 0, 0)
    lines = _list_page_lines(found, asked)
    if asked.file_type and is_sound:
        return asked.file_of(lines)
    response = page_or_block(
        "dashboard/units/list.html",
        "results",
        form=form,
        chips=chip_links(form.chips(), "dashboard.units") if is_sound else (),
        found=found,
        total=len(found.units),
        lines=lines,
        asked=asked,
    )
    return response if is_sound else mark_unaccepted(response)


def _list_page_lines(found: FoundUnits, asked: ListRequest[UnitLine]) -> Sequence[UnitLine]:
    """Return the lines of the page; only a sort by facts of units reads all units."""
    lines = [UnitLine(unit.id, unit.availability) for unit in found.units]
    if asked.order is None or asked.order.key in _OF_SEARCH:
        return _with_units(asked.page_of(lines))
    if asked.sorts_by(*_OF_AVAILABILITY):
        return _with_units(asked.page_of(asked.in_order(lines)))
    return asked.page_of(asked.in_order(_with_units(lines)))


def _with_units(lines: Sequence[UnitLine]) -> list[UnitLine]:
    rows = listed_units.unit_rows(reading(), [line.id for line in lines], today())
    return [line._replace(unit=listed_units.listed_unit(rows[line.id])) for line in lines]
