"""Tells the lines of a sheet that add up others from those that are a unit or a tenancy.

A total is known by its words in any cell, and by an amount that is the sum of the lines above it.
Where both are in doubt, the line is a row all the same and has to be confirmed.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pms.arrivals.sheets import cells
from pms.arrivals.sheets.cells import Record
from pms.arrivals.sheets.columns import Header

SUBTOTAL: Final = "subtotal"
TOTAL: Final = "total"
PERHAPS: Final = "perhaps_total"

_RENTS: Final = ("rent", "base_rent")
_FEES: Final = ("common_fee", "building_maintenance", "utilities", "deposit")
_DAYS: Final = frozenset({"start", "move_in_date", "term"})
# What is written here in so many words says nothing of the line.
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
    """What the lines above come to in one column, since some line."""

    yen: int = 0
    lines: int = 0

    def add(self, yen: int) -> None:
        self.yen += yen
        self.lines += 1

    @property
    def certain_yen(self) -> int:
        """The sum, or -1 when it is of so few lines that a row may be it by chance."""
        is_certain = self.lines >= _LEAST_LINES and self.yen >= _LEAST_SUM
        return self.yen if is_certain else -1


@dataclass(slots=True)
class LinesAbove:
    """The amounts of the rows above: of the whole sheet, and since the last subtotal."""

    header: Header
    _whole: dict[int, _Sum] = field(default_factory=dict)
    _part: dict[int, _Sum] = field(default_factory=dict)

    def kind_of(self, record: Record) -> str | None:
        """`subtotal` or `total`, `perhaps_total`, or nothing for a line like the others."""
        words = self._words(record)
        if words is not None and self._is_certain(record, words):
            self._part.clear()
            return SUBTOTAL if _OF_A_PART.search(_folded(words)) else TOTAL
        if self._has_day(record):
            return None
        is_count, is_sum = self._counts(record), self._is_sum(record)
        if is_count and is_sum:
            self._part.clear()
            return TOTAL
        return PERHAPS if words is not None or is_count or is_sum else None

    def add(self, record: Record) -> None:
        """Count the amounts of a row that is no total."""
        for place in self._places((*_RENTS, *_FEES)):
            figure = _figure(_cell(record, place))
            if figure is not None:
                for sums in (self._whole, self._part):
                    sums.setdefault(place, _Sum()).add(figure)

    def _words(self, record: Record) -> str | None:
        """The cell that says that this is a total."""
        free = {place for key in _FREE_TEXT for place in self.header.places.get(key, ())}
        said = [one for place, one in enumerate(record.cells) if place not in free and one.strip()]
        if said and not self._named(record, "unit") and _ENDING.search(_narrow(said[0])):
            return said[0]
        return next((cell for cell in said if _is_total_word(cell)), None)

    def _is_certain(self, record: Record, words: str) -> bool:
        """Whether nothing beside the words speaks for a row: a room, somebody who moved in."""
        room = self._named(record, "unit")
        if room and self._has_day(record):
            return False
        return not room or _is_total_word(room) or self._counts(record) or self._is_sum(record)

    def _has_day(self, record: Record) -> bool:
        return any(self._named(record, key) for key in _DAYS)

    def _counts(self, record: Record) -> bool:
        """Whether a count of rooms stands where a room or a name would."""
        places = (self._named(record, key) for key in ("building", "unit", "name"))
        return any(_COUNT.fullmatch(_narrow(cell)) for cell in places if cell)

    def _is_sum(self, record: Record) -> bool:
        return any(self._is_sum_since(sums, record) for sums in (self._whole, self._part))

    def _is_sum_since(self, sums: Mapping[int, _Sum], record: Record) -> bool:
        """Whether an amount, in whatever column, is the sum of the rents, or two are of the fees.

        Fees are few and round, so that one alone may be the sum of others by chance.
        """
        rents = {sums[place].certain_yen for place in self._places(_RENTS) if place in sums}
        unit = self.header.places.get("unit", ())
        figures = [_figure(cell) for place, cell in enumerate(record.cells) if place not in unit]
        if any(figure is not None and figure in rents for figure in figures):
            return True
        fees = (place for place in self._places(_FEES) if place in sums)
        same = [place for place in fees if _figure(_cell(record, place)) == sums[place].certain_yen]
        return len(same) > 1

    def _named(self, record: Record, key: str) -> str:
        places = self.header.places.get(key, ())
        return "".join(cells.trimmed(_cell(record, place)) for place in places)

    def _places(self, keys: Iterable[str]) -> Sequence[int]:
        return [place for key in keys for place in self.header.places.get(key, ())]


def _is_total_word(cell: str) -> bool:
    plain = _narrow(cell)
    return bool(
        _WORDS.search(_folded(cell)) or _SEPARATE_WORD.search(plain) or _ENGLISH.fullmatch(plain)
    )


def _narrow(cell: str) -> str:
    return unicodedata.normalize("NFKC", cells.trimmed(cell))


def _folded(cell: str) -> str:
    """Without blanks, since 合　計 is written apart."""
    return "".join(_narrow(cell).casefold().split())


def _figure(cell: str) -> int | None:
    match = _FIGURE.fullmatch(_narrow(cell))
    return None if match is None else int(match[1].replace(",", ""))


def _cell(record: Record, place: int) -> str:
    return record.cells[place] if place < len(record.cells) else ""
