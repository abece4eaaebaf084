"""A list as people work with it: its columns are declared once; sorting, paging and files follow.

DEBTS: Final = listing(
    "arrears",
    lazy_gettext("Arrears"),
    Column("resident", lazy_gettext("Resident"), lambda row: row.name, spot=Spot.NAME),
    Column("overdue", lazy_gettext("Overdue"), lambda row: row.overdue_yen, Kind.YEN),
)

asked = ask(DEBTS)
rows = asked.in_order(everybody)
if asked.file_type:
    return asked.file_of(rows)
page_or_block(..., asked=asked, rows=asked.page_of(rows), total=len(rows))

The template shows them by `list_table(asked, rows, total)`. `sort=name` and `sort=-name`, `columns=a,b`,
`rows=100` and `as=csv` are parameters of the address, so each state of a list has an address.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Any, Final, Generic, NamedTuple, TypeVar
from urllib.parse import parse_qsl, urlencode

from flask import Response, request, url_for
from flask_babel import LazyString, lazy_gettext

from pms.access.list_views import ListViews, views_of
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.spreadsheet import Cell, xlsx_file
from pms.rules.days import JAPAN, CorruptDay
from pms.surfaces.dashboard.current_member import current_member, reading
from pms.surfaces.downloads import csv_answer, file_answer
from pms.surfaces.labels.enumerations import label_of, tone
from pms.surfaces.page_texts import gettext as _
from pms.surfaces.paging import ROWS_A_PAGE, asked_page
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today

Row = TypeVar("Row")
Tags = Sequence[tuple[str, str]]

PAGE_LENGTHS: Final = (ROWS_A_PAGE, 100, 200)
MOST_IN_A_FILE: Final = 20_000
OF_A_VIEW: Final = ("sort", "columns", "rows")
"""What of an address says how a list is looked at, beside its filters."""
_NOT_OF_A_VIEW: Final = frozenset({"page", "as", "lang", "theme"})
_XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class Kind(StrEnum):
    """What a column holds, which decides how it is written, sorted and exported."""

    TEXT = "text"
    YEN = "yen"
    COUNT = "count"
    MEASURE = "measure"
    DAY = "day"
    INSTANT = "instant"
    TAGS = "tags"


class Spot(StrEnum):
    """Where a cell stands on a phone, in two lines: name and amount, place and state."""

    NAME = "name"
    AMOUNT = "amount"
    PLACE = "place"
    STATE = "state"


@dataclass(frozen=True)
class Column(Generic[Row]):
    """One column. `value` gives what is shown and exported: for tags, pairs of text and tone.

    `note` is a short addition to the cell, `href` where it leads, `sort` what it is sorted by
    where that is not the value.
    """

    key: str
    label: LazyString
    value: Callable[[Row], Any]
    kind: Kind = Kind.TEXT
    spot: Spot | None = None
    href: Callable[[Row], str | None] | None = None
    note: Callable[[Row], str | None] | None = None
    sort: Callable[[Row], Any] | None = None
    is_sortable: bool = True
    is_first_shown: bool = True

    @property
    def is_number(self) -> bool:
        """Whether it stands at the end of its cell."""
        return self.kind in (Kind.YEN, Kind.COUNT, Kind.MEASURE)

    def text(self, row: Row) -> Any:
        """Return the value in the reader's language."""
        value = self.value(row)
        return value.in_language(chosen_language()) if isinstance(value, Bilingual) else value

    def sort_key(self, row: Row) -> tuple[bool, Any]:
        """Return what sorts the row; nothing comes last."""
        value = (self.sort or self.text)(row)
        if self.kind is Kind.TAGS and not self.sort:
            value = "".join(text for text, _tone in value)
        is_nothing = value is None or value == "" or isinstance(value, CorruptDay)
        return is_nothing, None if is_nothing else value

    def cell(self, row: Row) -> Cell:
        """Return the value as a spreadsheet holds it."""
        value = self.text(row)
        if self.kind is Kind.TAGS:
            return ", ".join(text for text, _tone in value)
        if isinstance(value, datetime):
            return f"{value.astimezone(JAPAN):%Y-%m-%d %H:%M}"
        return value.text if isinstance(value, CorruptDay) else value


class Order(NamedTuple):
    """By which column a list is sorted."""

    key: str
    is_descending: bool


@dataclass(frozen=True)
class Listing(Generic[Row]):
    """A list: the endpoint that shows it, its title, its columns in their order."""

    endpoint: str
    title: LazyString
    columns: tuple[Column[Row], ...]
    has_views: bool = True
    """Whether columns and views are kept; those of one record are not."""


def tags_of(*states: StrEnum) -> Tags:
    """Return states as a column of tags holds them."""
    return [(label_of(state), tone(state)) for state in states]


LISTINGS: Final[dict[str, Listing[Any]]] = {}


def listing(
    endpoint: str, title: LazyString, *columns: Column[Any], has_views: bool = True
) -> Listing[Any]:
    """Declare the list that an endpoint shows."""
    found: Listing[Any] = Listing(endpoint, title, columns, has_views)
    if has_views:
        LISTINGS[endpoint] = found
    return found


def debtor_columns(href: Callable[[Any], str]) -> tuple[Column[Any], Column[Any]]:
    """Return the columns of a resident and their unit, of rows that name them as `who`."""
    resident: Column[Any] = Column(
        "resident",
        lazy_gettext("Resident"),
        lambda row: row.who and row.who.name,
        spot=Spot.NAME,
        href=href,
        sort=lambda row: row.who and (row.who.name_kana or row.who.name),
    )
    unit: Column[Any] = Column(
        "unit",
        lazy_gettext("Unit"),
        lambda row: row.who and f"{row.who.building.in_language(chosen_language())} {row.who.unit}",
        spot=Spot.PLACE,
    )
    return resident, unit


class Head(NamedTuple):
    """The head of a column: where a press on it leads, and how the list is sorted by it now."""

    column: Column[Any]
    href: str | None
    sorted: str


@dataclass(frozen=True)
class Asked(Generic[Row]):
    """A list as an address asks for it; what it cannot read asks for nothing."""

    listing: Listing[Row]
    given: Mapping[str, str]
    views: ListViews

    @cached_property
    def settings(self) -> Mapping[str, str]:
        """The parameters of the view: those of the address, else those the person keeps."""
        return {**dict(parse_qsl(self.views.own_query)), **self.given}

    @cached_property
    def columns(self) -> Sequence[Column[Row]]:
        """The columns that are shown; the first one always is."""
        wanted = self.settings.get("columns", "").split(",")
        first, *others = self.listing.columns
        chosen = [one for one in others if one.key in wanted]
        return [first, *(chosen or (one for one in others if one.is_first_shown))]

    @cached_property
    def order(self) -> Order | None:
        """By which column the list is sorted; none is the list's own order."""
        text = self.given.get("sort", "")
        key = text.removeprefix("-")
        known = any(one.key == key and one.is_sortable for one in self.listing.columns)
        return Order(key, text.startswith("-")) if known else None

    @cached_property
    def paging(self) -> Paging:
        """The page asked for and its length; a file holds everything."""
        if self.file_type:
            return Paging(1, MOST_IN_A_FILE)
        rows = self.settings.get("rows", "")
        known = {str(length): length for length in PAGE_LENGTHS}
        return Paging(asked_page(), known.get(rows, ROWS_A_PAGE))

    @property
    def file_type(self) -> str:
        """Which file is asked for, `csv` or `xlsx`, empty for the page."""
        wanted = self.given.get("as", "")
        return wanted if wanted in ("csv", "xlsx") else ""

    @property
    def kept(self) -> Mapping[str, str]:
        """The parameters that the filters of the list carry along."""
        return {name: self.given[name] for name in OF_A_VIEW if self.given.get(name)}

    @property
    def query(self) -> str:
        """The address of this view, as it may be saved."""
        return urlencode([pair for pair in self.given.items() if pair[0] not in _NOT_OF_A_VIEW])

    @property
    def unread(self) -> str:
        """What is wrong with the order asked for, empty where it can be read."""
        if self.order or not self.given.get("sort"):
            return ""
        return _(
            "sort: '%(given)s' is none of %(allowed)s; the list is in its usual order.",
            given=self.given["sort"][:40],
            allowed=", ".join(one.key for one in self.listing.columns if one.is_sortable),
        )

    def sorts_by(self, *keys: str) -> bool:
        """Whether the order needs one of these columns."""
        return self.order is not None and self.order.key in keys

    def in_order(self, rows: Iterable[Row]) -> Sequence[Row]:
        """Return the rows in the order asked for; those that are alike stay as they come."""
        found = list(rows)
        if self.order is None:
            return found
        key = next(one for one in self.listing.columns if one.key == self.order.key).sort_key
        some = [row for row in found if not key(row)[0]]
        none = [row for row in found if key(row)[0]]
        return [*sorted(some, key=key, reverse=self.order.is_descending), *none]

    def page_of(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return the rows of the page asked for."""
        return rows[self.paging.offset : self.paging.offset + self.paging.limit]

    def file_of(self, rows: Iterable[Row]) -> Response:
        """Return the rows, with the columns that are shown, as the file asked for."""
        heads = [str(column.label) for column in self.columns]
        cells = ([column.cell(row) for column in self.columns] for row in rows)
        name = f"{self.listing.endpoint.replace('_', '-')}-{today()}"
        if self.file_type == "csv":
            return csv_answer(f"{name}.csv", heads, cells)
        return file_answer(
            xlsx_file([heads, *cells], str(self.listing.title)[:31]), _XLSX, f"{name}.xlsx"
        )

    def heads(self) -> Sequence[Head]:
        """Return the heads; a press sorts upwards, the next one downwards."""
        return [self._head(column) for column in self.columns]

    def _head(self, column: Column[Row]) -> Head:
        order = self.order if self.order and self.order.key == column.key else None
        if not column.is_sortable:
            return Head(column, None, "")
        falls = (order is None and column.is_number) or (
            order is not None and not order.is_descending
        )
        href = self.at(sort=f"-{column.key}" if falls else column.key)
        return Head(column, href, _DIRECTIONS[order.is_descending] if order else "")

    def at(self, **changed: str | None) -> str:
        """Return the address of the list in another state, on its first page."""
        facts: dict[str, str | None] = {**self.given, **changed}
        kept = {
            name: text
            for name, text in facts.items()
            if text is not None and (name in changed or name not in _NOT_OF_A_VIEW)
        }
        return address_of(self.listing, urlencode(kept))


_DIRECTIONS: Final = ("ascending", "descending")


def ask(listing: Listing[Row]) -> Asked[Row]:
    """Return the list as the address and the person's own columns ask for it."""
    views = ListViews("", ())
    if listing.has_views:
        views = views_of(reading(), current_member().person_id, listing.endpoint)
    return Asked(listing, request.args.to_dict(), views)


def address_of(listing: Listing[Any], query: str) -> str:
    """Return the address of a list with these parameters."""
    of_record = {} if listing.has_views else request.view_args or {}
    here = url_for(f"dashboard.{listing.endpoint}", **of_record)
    return f"{here}?{query}" if query else here
