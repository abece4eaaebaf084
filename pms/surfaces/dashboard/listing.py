"""Lists whose columns are declared once, with sorting, paging and export.

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

The template shows the rows with `list_table(asked, rows, total)`. The query arguments
`sort=name`, `sort=-name`, `columns=a,b`, `rows=100` and `as=csv` give each state of a list its
own address.
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
from pms.surfaces.dashboard.gate import current_member, reading
from pms.surfaces.forms import ROWS_A_PAGE, asked_page
from pms.surfaces.hypermedia import csv_answer, file_answer
from pms.surfaces.labels.enumerations import label_of, tone
from pms.surfaces.page_templates import gettext as _
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import today

Row = TypeVar("Row")
Tags = Sequence[tuple[str, str]]

PAGE_LENGTHS: Final = (ROWS_A_PAGE, 100, 200)
MOST_IN_A_FILE: Final = 20_000
OF_A_VIEW: Final = ("sort", "columns", "rows")
"""The query arguments that say how a list is shown, besides its filters."""
_NOT_OF_A_VIEW: Final = frozenset({"page", "as", "lang", "theme"})
_XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class ValueKind(StrEnum):
    """The kind of a column's values, which decides how they are shown, sorted and exported."""

    TEXT = "text"
    YEN = "yen"
    COUNT = "count"
    MEASURE = "measure"
    DAY = "day"
    INSTANT = "instant"
    TAGS = "tags"


class Spot(StrEnum):
    """The place of a cell on a phone, which has two lines: name and amount; place, day and state."""

    NAME = "name"
    AMOUNT = "amount"
    PLACE = "place"
    DAY = "day"
    STATE = "state"


@dataclass(frozen=True)
class ListColumn(Generic[Row]):
    """One column; `value` returns what is shown and exported, for tags pairs of text and tone.

    `note` is a short addition to the cell, `href` its link, and `sort` the sort key where that
    is not the value.
    """

    key: str
    label: LazyString
    value: Callable[[Row], Any]
    kind: ValueKind = ValueKind.TEXT
    spot: Spot | None = None
    href: Callable[[Row], str | None] | None = None
    note: Callable[[Row], str | None] | None = None
    sort: Callable[[Row], Any] | None = None
    is_sortable: bool = True
    is_first_shown: bool = True

    @property
    def is_number(self) -> bool:
        """Whether the value is aligned to the end of its cell."""
        return self.kind in (ValueKind.YEN, ValueKind.COUNT, ValueKind.MEASURE)

    def text(self, row: Row) -> Any:
        """Return the value in the reader's language."""
        value = self.value(row)
        return value.in_language(chosen_language()) if isinstance(value, Bilingual) else value

    def sort_key(self, row: Row) -> tuple[bool, Any]:
        """Return the sort key of the row; an empty value comes last."""
        value = (self.sort or self.text)(row)
        if self.kind is ValueKind.TAGS and not self.sort:
            value = "".join(text for text, _tone in value)
        is_nothing = value is None or value == "" or isinstance(value, CorruptDay)
        return is_nothing, None if is_nothing else value

    def cell(self, row: Row) -> Cell:
        """Return the value for a spreadsheet."""
        value = self.text(row)
        if self.kind is ValueKind.TAGS:
            return ", ".join(text for text, _tone in value)
        if isinstance(value, datetime):
            return f"{value.astimezone(JAPAN):%Y-%m-%d %H:%M}"
        return value.text if isinstance(value, CorruptDay) else value


class Order(NamedTuple):
    """The column a list is sorted by, and the direction."""

    key: str
    is_descending: bool


@dataclass(frozen=True)
class Listing(Generic[Row]):
    """A list: its endpoint, its title, and its columns in order."""

    endpoint: str
    title: LazyString
    columns: tuple[ListColumn[Row], ...]
    has_views: bool = True
    """Whether chosen columns and views are stored; not for the list of a single record."""


def tags_of(*states: StrEnum) -> Tags:
    """Return states as the value of a column of tags."""
    return [(label_of(state), tone(state)) for state in states]


LISTINGS: Final[dict[str, Listing[Any]]] = {}


def listing(
    endpoint: str, title: LazyString, *columns: ListColumn[Any], has_views: bool = True
) -> Listing[Any]:
    """Declare the list of an endpoint."""
    found: Listing[Any] = Listing(endpoint, title, columns, has_views)
    if has_views:
        LISTINGS[endpoint] = found
    return found


def debtor_columns(href: Callable[[Any], str]) -> tuple[ListColumn[Any], ListColumn[Any]]:
    """Return the columns of a resident and their unit, for rows with the resident in `who`."""
    resident: ListColumn[Any] = ListColumn(
        "resident",
        lazy_gettext("Resident"),
        lambda row: row.who and row.who.name,
        spot=Spot.NAME,
        href=href,
        sort=lambda row: row.who and (row.who.name_kana or row.who.name),
    )
    unit: ListColumn[Any] = ListColumn(
        "unit",
        lazy_gettext("Unit"),
        lambda row: row.who and f"{row.who.building.in_language(chosen_language())} {row.who.unit}",
        spot=Spot.PLACE,
    )
    return resident, unit


class ColumnHead(NamedTuple):
    """The head of a column: the address that sorts by it, and how the list is sorted by it now."""

    column: ListColumn[Any]
    href: str | None
    sorted: str


@dataclass(frozen=True)
class ListRequest(Generic[Row]):
    """A list as the query asks for it; unreadable arguments are ignored."""

    listing: Listing[Row]
    given: Mapping[str, str]
    views: ListViews

    @cached_property
    def settings(self) -> Mapping[str, str]:
        """The arguments of the view: the person's stored ones, overridden by the query."""
        return {**dict(parse_qsl(self.views.own_query)), **self.given}

    @cached_property
    def columns(self) -> Sequence[ListColumn[Row]]:
        """The columns that are shown; the first one always is."""
        wanted = self.settings.get("columns", "").split(",")
        first, *others = self.listing.columns
        chosen = [column for column in others if column.key in wanted]
        return [first, *(chosen or (column for column in others if column.is_first_shown))]

    @cached_property
    def order(self) -> Order | None:
        """The order that is asked for, or None for the list's own order."""
        text = self.given.get("sort", "")
        key = text.removeprefix("-")
        known = any(column.key == key and column.is_sortable for column in self.listing.columns)
        return Order(key, text.startswith("-")) if known else None

    @property
    def sorting(self) -> dict[str, Any]:
        """The order as the arguments of a search; without one, the list's own order."""
        order = self.order or Order("", is_descending=False)
        return {"sort": order.key, "is_descending": order.is_descending}

    @cached_property
    def paging(self) -> Paging:
        """The page and its length; a file has all rows."""
        if self.file_type:
            return Paging(1, MOST_IN_A_FILE)
        rows = self.settings.get("rows", "")
        known = {str(length): length for length in PAGE_LENGTHS}
        return Paging(asked_page(), known.get(rows, ROWS_A_PAGE))

    @property
    def file_type(self) -> str:
        """The file that is asked for, `csv` or `xlsx`, or empty for a page."""
        wanted = self.given.get("as", "")
        return wanted if wanted in ("csv", "xlsx") else ""

    @property
    def kept_arguments(self) -> Mapping[str, str]:
        """The query arguments that the filter form of the list carries along."""
        return {name: self.given[name] for name in OF_A_VIEW if self.given.get(name)}

    @property
    def query(self) -> str:
        """The query string of this view, as it can be saved."""
        return urlencode([pair for pair in self.given.items() if pair[0] not in _NOT_OF_A_VIEW])

    @property
    def unread(self) -> str:
        """The error message for an unknown `sort`, empty if there is none."""
        if self.order or not self.given.get("sort"):
            return ""
        return _(
            "sort: '%(given)s' is not possible. Choose %(allowed)s. The list is in its usual "
            "order.",
            given=self.given["sort"][:40],
            allowed=", ".join(column.key for column in self.listing.columns if column.is_sortable),
        )

    def sorts_by(self, *keys: str) -> bool:
        """Whether the list is sorted by one of these columns."""
        return self.order is not None and self.order.key in keys

    def in_order(self, rows: Iterable[Row]) -> Sequence[Row]:
        """Return the rows in the order asked for; equal rows keep their order."""
        found = list(rows)
        if self.order is None:
            return found
        key = next(
            column for column in self.listing.columns if column.key == self.order.key
        ).sort_key
        some = [row for row in found if not key(row)[0]]
        none = [row for row in found if key(row)[0]]
        return [*sorted(some, key=key, reverse=self.order.is_descending), *none]

    def page_of(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return the rows of the page asked for."""
        return rows[self.paging.offset : self.paging.offset + self.paging.limit]

    def file_of(self, rows: Iterable[Row]) -> Response:
        """Return the rows as a file, with the columns that are shown."""
        heads = [str(column.label) for column in self.columns]
        cells = ([column.cell(row) for column in self.columns] for row in rows)
        name = f"{self.listing.endpoint.replace('_', '-')}-{today()}"
        if self.file_type == "csv":
            return csv_answer(f"{name}.csv", heads, cells)
        return file_answer(
            xlsx_file([heads, *cells], str(self.listing.title)[:31]), _XLSX, f"{name}.xlsx"
        )

    def heads(self) -> Sequence[ColumnHead]:
        """Return the heads; the first press sorts ascending, the next one descending."""
        return [self._build_head(column) for column in self.columns]

    def _build_head(self, column: ListColumn[Row]) -> ColumnHead:
        order = self.order if self.order and self.order.key == column.key else None
        if not column.is_sortable:
            return ColumnHead(column, None, "")
        falls = (order is None and column.is_number) or (
            order is not None and not order.is_descending
        )
        href = self.at(sort=f"-{column.key}" if falls else column.key)
        return ColumnHead(column, href, _DIRECTIONS[order.is_descending] if order else "")

    def at(self, **changed: str | None) -> str:
        """Return the address of the list with changed arguments, on its first page."""
        facts: dict[str, str | None] = {**self.given, **changed}
        kept = {
            name: text
            for name, text in facts.items()
            if text is not None and (name in changed or name not in _NOT_OF_A_VIEW)
        }
        return address_of(self.listing, urlencode(kept))


_DIRECTIONS: Final = ("ascending", "descending")


def ask(listing: Listing[Row]) -> ListRequest[Row]:
    """Return the list as the query and the person's stored columns ask for it."""
    views = ListViews("", ())
    if listing.has_views:
        views = views_of(reading(), current_member().person_id, listing.endpoint)
    return ListRequest(listing, request.args.to_dict(), views)


def address_of(listing: Listing[Any], query: str) -> str:
    """Return the address of a list with the given query."""
    of_record = {} if listing.has_views else request.view_args or {}
    address = url_for(f"dashboard.{listing.endpoint}", **of_record)
    return f"{address}?{query}" if query else address
