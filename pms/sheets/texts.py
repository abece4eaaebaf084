"""Bytes of a file as text: its encoding, its size and its separator."""

import io
import re
from itertools import islice
from typing import Final

from pms.sheets.refusals import SheetRefused

MOST_BYTES: Final = 10 * 1024 * 1024
MOST_CELLS: Final = 500_000
DELIMITERS: Final = (",", "\t", ";")

_UTF8_MARK: Final = b"\xef\xbb\xbf"
_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
# Python's cp932 accepts bytes that no Japanese text has: they mean another encoding.
_NOT_IN_CP932: Final = re.compile("[\x80-\x9f\xa0\uf8f0-\uf8f3]")
# Kana and kanji are three bytes in UTF-8; cp932 text rarely forms such a run by chance.
_FIRST_OF_THREE_BYTES: Final = 0x800
_REPLACEMENT: Final = "\ufffd"


# A wrong guess would store wrong names unnoticed, so anything that is not clearly UTF-8, UTF-16
# with a byte order mark, or cp932 is refused.
def decode(data: bytes, most_bytes: int = MOST_BYTES) -> tuple[str, str]:
    """Return the text and the name of its encoding; refuse bytes that are no text of a sheet."""
    refuse_size(data, most_bytes)
    text, encoding = _decode_sheet(data)
    if "\x00" in text:
        raise SheetRefused("nul_byte", line=_line_of(text, text.index("\x00")))
    if not text.strip("\ufeff \t\r\n\u3000"):
        raise SheetRefused("empty_file")
    # Counted before they are made: a megabyte of commas would take a hundred of memory.
    if max(map(text.count, DELIMITERS)) + text.count("\n") > MOST_CELLS:
        raise SheetRefused("too_many_cells", most=MOST_CELLS)
    return text, encoding


def refuse_size(data: bytes, most_bytes: int = MOST_BYTES) -> None:
    """Refuse an empty file, and one above the size limit."""
    if not data:
        raise SheetRefused("empty_file")
    if len(data) > most_bytes:
        raise SheetRefused("file_too_large", most=most_bytes // (1024 * 1024))


def _decode_sheet(data: bytes) -> tuple[str, str]:
    if data.startswith(_UTF16_MARKS):
        return _utf16(data), "utf-16"
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError as broken:
        _refuse_broken_utf8(data, broken)
    try:
        text = data.decode("cp932")
    except UnicodeDecodeError as broken:
        line = data.count(b"\n", 0, broken.start) + 1
        raise SheetRefused("unknown_encoding", line=line) from None
    if strange := _NOT_IN_CP932.search(text):
        raise SheetRefused("unknown_encoding", line=_line_of(text, strange.start()))
    return text, "cp932"


def _utf16(data: bytes) -> str:
    try:
        return data.decode("utf-16")
    except UnicodeDecodeError as broken:
        before = data[: broken.start].decode("utf-16", "ignore")
        raise SheetRefused("unknown_encoding", line=_line_of(before, len(before))) from None


def _refuse_broken_utf8(data: bytes, broken: UnicodeDecodeError) -> None:
    """Refuse UTF-8 with some broken bytes: read as cp932, its names would change."""
    line = data.count(b"\n", 0, broken.start) + 1
    replaced = data.decode("utf-8", "replace")
    first = chr(_FIRST_OF_THREE_BYTES)
    whole = sum(letter >= first for letter in replaced)
    bad = replaced.count(_REPLACEMENT)
    if data.startswith(_UTF8_MARK) or whole - bad > bad or _has_lone_surrogates(data):
        raise SheetRefused("broken_utf8", line=line)


def _has_lone_surrogates(data: bytes) -> bool:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def _line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


_LINES_SEARCHED: Final = 20


def delimiter_of(text: str) -> str:
    """Return the separator on most of the lines that may be the header, then the most frequent one.

    The header has no decimal commas, even where commas are decimal marks.
    """
    lines = list(islice(io.StringIO(text), _LINES_SEARCHED))
    counts = {delimiter: [line.count(delimiter) for line in lines] for delimiter in DELIMITERS}
    return max(
        DELIMITERS,
        key=lambda delimiter: (sum(map(bool, counts[delimiter])), sum(counts[delimiter])),
    )
