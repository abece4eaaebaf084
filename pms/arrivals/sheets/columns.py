"""The columns of a sheet by their names, and the rows of it that are totals."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from pms.arrivals.sheets import cells
from pms.sheets.refusals import SheetReason, SheetRefused
from pms.sheets.text_records import TextRecord

# Exports put a title or a print date above the header; further down there is no header.
_LAST_HEADER_RECORD: Final = 20
FAMILY_NAMES: Final = ("姓", "苗字", "名字", "氏", "last name", "surname", "family name")
GIVEN_NAMES: Final = ("名", "first name", "given name", "forename")
FAMILY_READINGS: Final = (
    "セイ",
    "姓カナ",
    "せい",
    "last name kana",
    "family name kana",
)
GIVEN_READINGS: Final = (
    "メイ",
    "名カナ",
    "めい",
    "first name kana",
    "given name kana",
)
TERMS: Final = (
    "契約期間",
    "契約期間開始終了",
    "入居期間",
    "賃貸借期間",
    "期間",
    "入居日〜契約満了",
    "入居日～契約満了",
    "contract period",
    "contract term",
    "lease period",
    "lease term",
    "period",
)
NO_VALUES: Final[Mapping[str, str]] = MappingProxyType({})
TWO_TITLES: Final = " + "
_UNIT_IN_BRACKETS: Final = re.compile(r"[(\[【].*?[)\]】]")
_SPACES_AND_JOINS: Final = re.compile(r"[\s_\-・.:*]+")


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """The meaning of a column, its known names, and whether the sheet is useless without it.

    `stands_for` are other columns that a sheet with this one does not need: a contract period has
    the start and the end of the contract. Columns that are `part_of` another are read together as
    that one.
    """

    key: str
    names: tuple[str, ...]
    is_required: bool = False
    stands_for: tuple[str, ...] = ()
    part_of: str = ""


@dataclass(frozen=True, slots=True)
class Header:
    """The places of the known columns, the header as written, and the columns that are not read.

    A value in two columns, such as a name, has two places, in the order of the sheet.
    """

    record: TextRecord
    places: dict[str, tuple[int, ...]]
    unread: tuple[str, ...]
    stood_for: frozenset[str] = frozenset()
    """The columns whose values are in another column."""
    remarks: tuple[SheetReason, ...] = ()
    """Remarks on the columns, to show before any row is written."""

    @property
    def width(self) -> int:
        return len(self.record.cells)

    def tells(self, key: str) -> bool:
        """Whether the sheet has values of a column, in its own cells or in another column's."""
        return key in self.places or key in self.stood_for

    def title(self, key: str) -> str:
        """Return the column's title as this sheet spells it."""
        places = self.places.get(key, ())
        return TWO_TITLES.join(self.record.cells[place].strip() for place in places) or key


def fold_name(name: str) -> str:
    """Return a column's name without case, width, spaces, joins or a unit in brackets."""
    plain = unicodedata.normalize("NFKC", name).casefold().strip("\ufeff \u3000")
    return _SPACES_AND_JOINS.sub("", _UNIT_IN_BRACKETS.sub("", plain))


def find_header(
    records: Iterable[TextRecord],
    columns: Sequence[SheetColumn],
    values: Mapping[str, str] = NO_VALUES,
) -> Header:
    """Return the first record that names the required columns; refuse a sheet without one.

    `values` gives the title a person chose for a column; then no other title counts for it.
    """
    known = {
        fold_name(name): column.key
        for column in columns
        if column.key not in values
        for name in (column.key, *column.names)
    }
    known |= {fold_name(title): key for key, title in values.items() if title}
    best: dict[str, int] = {}
    for record in records:
        if record.number > _LAST_HEADER_RECORD:
            break
        places: dict[str, int] = {}
        for place, name in enumerate(record.cells):
            if (key := known.get(fold_name(name))) is not None:
                places.setdefault(key, place)
        if len(places) > 1 and _list_missing_columns(places, columns) == ():
            return _build_header(record, places, known, columns, values)
        best = max(best, places, key=len)
    missing = _list_missing_columns(best, columns)
    no_header = SheetRefused("columns_missing", columns=", ".join(missing))
    raise no_header


def _build_header(
    record: TextRecord,
    found: dict[str, int],
    known: dict[str, str],
    columns: Sequence[SheetColumn],
    values: Mapping[str, str],
) -> Header:
    for place, name in enumerate(record.cells):
        key = known.get(fold_name(name))
        if key is not None and place != found[key]:
            first = record.cells[found[key]].strip()
            raise SheetRefused("column_twice", second=name.strip(), first=first, line=record.line)
    # The places of each column, those of a name in two columns together. A sheet with the whole
    # name ignores its parts. When a person chose the title of a part ("Last name") for the whole,
    # the other part is still added.
    column_places: dict[str, tuple[int, ...]] = {key: (place,) for key, place in found.items()}
    column_remarks: list[SheetReason] = []
    for whole in {column.part_of for column in columns if column.part_of}:
        parts = [column for column in columns if column.part_of == whole]
        named = {
            part.key: column_places.pop(part.key)[0] for part in parts if part.key in column_places
        }
        if whole in found:
            wanted = fold_name(record.cells[found[whole]])
            own = next((part for part in parts if wanted in map(fold_name, part.names)), None)
            if own is None or whole not in values:
                continue
            named[own.key] = found[whole]
        if named:
            column_places[whole] = tuple(sorted(named.values()))
            column_remarks += _remarks_on(record, parts, named)
    places, remarks = column_places, tuple(column_remarks)
    taken = {place for both in places.values() for place in both}
    unread = tuple(
        name.strip()
        for place, name in enumerate(record.cells)
        if place not in taken and name.strip()
    )
    stood_for = {other for column in columns if column.key in places for other in column.stands_for}
    return Header(record, places, unread, frozenset(stood_for), remarks)


def _remarks_on(
    record: TextRecord, parts: Sequence[SheetColumn], named: Mapping[str, int]
) -> list[SheetReason]:
    titles = [record.cells[place].strip() for place in sorted(named.values())]
    if len(titles) > 1:
        return [SheetReason("read_from_two", {"first": titles[0], "second": titles[1]})]
    missing = next(part for part in parts if part.key not in named)
    return [SheetReason("half_a_name", {"title": titles[0], "missing": _bilingual_name(missing)})]


def _list_missing_columns(
    places: Mapping[str, int], columns: Sequence[SheetColumn]
) -> tuple[str, ...]:
    there = {*places} | {
        other
        for column in columns
        if column.key in places
        for other in (*column.stands_for, column.part_of)
    }
    return tuple(
        _bilingual_name(column)
        for column in columns
        if column.is_required and column.key not in there
    )


def _bilingual_name(column: SheetColumn) -> str:
    japanese = next((name for name in column.names if not name.isascii()), column.key)
    return f"{column.key} ({japanese})"


def likely_titles(records: Iterable[TextRecord]) -> tuple[str, ...]:
    """Return the cells of the early record with the most titles, for a person to choose from."""
    best: tuple[str, ...] = ()
    for record in records:
        if record.number > _LAST_HEADER_RECORD:
            break
        titles = tuple(name.strip() for name in record.cells if name.strip())
        best = max(best, titles, key=len)
    return best


SUBTOTAL: Final = "subtotal"
TOTAL: Final = "total"
PERHAPS: Final = "perhaps_total"

_RENTS: Final = ("rent", "base_rent")
_FEES: Final = ("common_fee", "building_maintenance", "utilities", "deposit")
_DAYS: Final = frozenset({"start", "move_in_date", "term"})
# Words in these columns do not mark the line as a total.
_FREE_TEXT: Final = frozenset({"remark", "note", "features", "address", "layout", "email"})
_WORDS: Final = re.compile(
    r"(?:小計|合計|総計|累計|総額|平均|(?:棟|階|館|室|戸|件|部屋|物件|建物|全体|月|年|[0-9]f)計)"
    r"(?:[:：]|[（(【\[].*)?$|^[（(【\[]?計[)）】\]]?[:：]?$|計[:：]?[0-9]+(?:室|戸|件|部屋)$"
)
_SEPARATE_WORD: Final = re.compile(r"[\s)）」】・:：/]計$")
_ENGLISH: Final = re.compile(
    r"(?:.*[\s,/\-(])?(?:sub-?\s?|grand\s)?totals?(?:\s?[:(].*)?|sum|average", re.IGNORECASE
)
_OF_A_PART: Final = re.compile(r"小計|棟計|階計|館計|[0-9]f計|sub-?\s?total", re.IGNORECASE)
_COUNT: Final = re.compile(
    r"(?:全|計|入居)?\s*[0-9]+\s*(?:/\s*[0-9]+\s*)?(?:室|戸|部屋|件|rooms?|units?)", re.IGNORECASE
)
_FIGURE: Final = re.compile(r"[¥￥\\]?\s?([0-9][0-9,]*)(?:\.0+)?\s?円?")
_LEAST_SUM: Final = 10_000
_LEAST_LINES: Final = 3
_ENDING: Final = re.compile(r"計$|total$", re.IGNORECASE)


@dataclass(slots=True)
class _Sum:
    """The sum of the lines above in one column, from some line on."""

    yen: int = 0
    lines: int = 0

    def add(self, yen: int) -> None:
        self.yen += yen
        self.lines += 1

    @property
    def certain_yen(self) -> int:
        """The sum, or -1 when it is of so few lines that a row may equal it by chance."""
        is_certain = self.lines >= _LEAST_LINES and self.yen >= _LEAST_SUM
        return self.yen if is_certain else -1


@dataclass(slots=True)
class LinesAbove:
    """The sums of the rows above: of the whole sheet, and since the last subtotal."""

    header: Header
    _whole: dict[int, _Sum] = field(default_factory=dict)
    _part: dict[int, _Sum] = field(default_factory=dict)

    def kind_of(self, record: TextRecord) -> str | None:
        """Return `subtotal`, `total` or `perhaps_total`, or None for an ordinary line."""
        free = {place for key in _FREE_TEXT for place in self.header.places.get(key, ())}
        texts = [
            cell for place, cell in enumerate(record.cells) if place not in free and cell.strip()
        ]
        words = next((cell for cell in texts if _is_total_word(cell)), None)
        if (
            texts
            and not self._column_name(record, "unit")
            and _ENDING.search(_normalise_cell(texts[0]))
        ):
            words = texts[0]
        if words is not None and self._is_certain(record, words):
            self._part.clear()
            return SUBTOTAL if _OF_A_PART.search(_fold_cell(words)) else TOTAL
        if self._has_day(record):
            return None
        is_count, is_sum = self._has_room_count(record), self._is_sum(record)
        if is_count and is_sum:
            self._part.clear()
            return TOTAL
        return PERHAPS if words is not None or is_count or is_sum else None

    def add(self, record: TextRecord) -> None:
        """Add the amounts of a row that is no total."""
        for place in self._places_of_keys((*_RENTS, *_FEES)):
            figure = _read_figure(_cell_at(record, place))
            if figure is not None:
                for sums in (self._whole, self._part):
                    sums.setdefault(place, _Sum()).add(figure)

    def _is_certain(self, record: TextRecord, words: str) -> bool:
        """Whether nothing contradicts the word for a total: a room, or a day of a tenancy."""
        room = self._column_name(record, "unit")
        if room and self._has_day(record):
            return False
        return (
            not room or _is_total_word(room) or self._has_room_count(record) or self._is_sum(record)
        )

    def _has_day(self, record: TextRecord) -> bool:
        return any(self._column_name(record, key) for key in _DAYS)

    def _has_room_count(self, record: TextRecord) -> bool:
        """Whether there is a count of rooms in place of a room or a name."""
        places = (self._column_name(record, key) for key in ("building", "unit", "name"))
        return any(_COUNT.fullmatch(_normalise_cell(cell)) for cell in places if cell)

    def _is_sum(self, record: TextRecord) -> bool:
        return any(self._is_sum_since(sums, record) for sums in (self._whole, self._part))

    def _is_sum_since(self, sums: Mapping[int, _Sum], record: TextRecord) -> bool:
        """Whether any amount is the sum of the rents, or two amounts are sums of fees.

        Fees are few and round, so a single one may equal the sum of others by chance.
        """
        rents = {sums[place].certain_yen for place in self._places_of_keys(_RENTS) if place in sums}
        unit = self.header.places.get("unit", ())
        figures = [
            _read_figure(cell) for place, cell in enumerate(record.cells) if place not in unit
        ]
        if any(figure is not None and figure in rents for figure in figures):
            return True
        fees = (place for place in self._places_of_keys(_FEES) if place in sums)
        same = [
            place
            for place in fees
            if _read_figure(_cell_at(record, place)) == sums[place].certain_yen
        ]
        return len(same) > 1

    def _column_name(self, record: TextRecord, key: str) -> str:
        places = self.header.places.get(key, ())
        return "".join(cells.trim(_cell_at(record, place)) for place in places)

    def _places_of_keys(self, keys: Iterable[str]) -> Sequence[int]:
        return [place for key in keys for place in self.header.places.get(key, ())]


def _is_total_word(cell: str) -> bool:
    plain = _normalise_cell(cell)
    return bool(
        _WORDS.search(_fold_cell(cell)) or _SEPARATE_WORD.search(plain) or _ENGLISH.fullmatch(plain)
    )


def _normalise_cell(cell: str) -> str:
    return unicodedata.normalize("NFKC", cells.trim(cell))


def _fold_cell(cell: str) -> str:
    """Return the cell folded and without blanks, since 合　計 is written with one."""
    return "".join(_normalise_cell(cell).casefold().split())


def _read_figure(cell: str) -> int | None:
    match = _FIGURE.fullmatch(_normalise_cell(cell))
    return None if match is None else int(match[1].replace(",", ""))


def _cell_at(record: TextRecord, place: int) -> str:
    return record.cells[place] if place < len(record.cells) else ""
