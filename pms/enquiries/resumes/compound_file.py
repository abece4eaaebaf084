"""Reads the directory of a compound file, the container of Word 97 to 2003, and of locked files."""

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

COMPOUND_START: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HEADER: Final = 512
_ENTRY: Final = 128
_MOST_SECTORS: Final = 4_096
_LAST: Final = 0xFFFF_FFFA
_IN_HEADER: Final = 109
_STORAGE, _STREAM, _ROOT = 1, 2, 5


class BrokenCompoundError(ValueError):
    """The container contradicts itself."""


class Part(NamedTuple):
    """One entry of the directory: a storage or a stream, where it starts, and its size in bytes."""

    name: str
    is_stream: bool
    sector: int
    size: int


class CompoundFile:
    """The table of sectors and the directory; nothing else is followed."""

    def __init__(self, content: bytes) -> None:
        if len(content) < _HEADER or not content.startswith(COMPOUND_START):
            raise BrokenCompoundError
        shift = _u16(content, 30)
        if shift not in (9, 12):
            raise BrokenCompoundError
        self._content, self._shift = content, shift
        self._tables = list(self._table_sectors())

    def parts(self) -> list[Part]:
        """Return the entries of the directory, in its order."""
        found: list[Part] = []
        for sector in self._chain(_u32(self._content, 48)):
            whole = self.sector(sector)
            found.extend(
                part
                for at in range(0, len(whole) - _ENTRY + 1, _ENTRY)
                if (part := _part(whole[at : at + _ENTRY])) is not None
            )
        return found

    def sector(self, number: int) -> bytes:
        """Return one sector's bytes; raise `BrokenCompoundError` for one that is not there."""
        begins = (number + 1) << self._shift
        if begins >= len(self._content):
            raise BrokenCompoundError
        return self._content[begins : begins + (1 << self._shift)]

    def _table_sectors(self) -> Iterator[int]:
        yield from _numbers(self._content[76 : 76 + 4 * _IN_HEADER])
        following, steps = _u32(self._content, 68), 0
        while following < _LAST:
            steps += 1
            if steps > _MOST_SECTORS:
                raise BrokenCompoundError
            *numbers, following = struct.unpack(
                f"<{(1 << self._shift) // 4}I", self._full(following)
            )
            yield from (number for number in numbers if number < _LAST)

    def _chain(self, first: int) -> Iterator[int]:
        number, steps = first, 0
        while number < _LAST:
            steps += 1
            if steps > _MOST_SECTORS:
                raise BrokenCompoundError
            yield number
            table, place = divmod(number, (1 << self._shift) // 4)
            if table >= len(self._tables):
                raise BrokenCompoundError
            number = _u32(self._full(self._tables[table]), 4 * place)

    def _full(self, number: int) -> bytes:
        whole = self.sector(number)
        if len(whole) != 1 << self._shift:
            raise BrokenCompoundError
        return whole


def _part(entry: bytes) -> Part | None:
    length, kind = _u16(entry, 64), entry[66]
    if kind not in (_STORAGE, _STREAM, _ROOT) or not 2 <= length <= 64:
        return None
    name = entry[: length - 2].decode("utf-16-le", "replace")
    return Part(name, kind == _STREAM, _u32(entry, 116), _u32(entry, 120))


def _numbers(table: bytes) -> Iterator[int]:
    numbers = struct.unpack(f"<{len(table) // 4}I", table)
    return (number for number in numbers if number < _LAST)


def _u16(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "little")


def _u32(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")
