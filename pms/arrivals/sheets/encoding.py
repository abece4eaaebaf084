"""Turns the bytes of a sheet into text: UTF-8, UTF-16 with its mark, or the cp932 of Excel in Japan.

A guess that is wrong stores wrong names without anyone noticing, so whatever is not plainly one of
these is refused.
"""

import re
from typing import Final

from pms.arrivals.sheets.reasons import SheetRefused

MOST_BYTES: Final = 10 * 1024 * 1024

_UTF8_MARK: Final = b"\xef\xbb\xbf"
_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
# Python's cp932 lets bytes through that no Japanese text has: they betray another encoding.
_NOT_IN_CP932: Final = re.compile("[\x80-\x9f\xa0\uf8f0-\uf8f3]")
# Kana and kanji take three bytes in UTF-8; by chance cp932 text rarely forms such a run.
_FIRST_OF_THREE_BYTES: Final = 0x800
_REPLACEMENT: Final = "\ufffd"


def decode(data: bytes, most_bytes: int = MOST_BYTES) -> tuple[str, str]:
    """The text and the name of its encoding; refuses what is no sheet of text."""
    refuse_size(data, most_bytes)
    text, encoding = _decoded(data)
    if "\x00" in text:
        raise SheetRefused("nul_byte", line=_line_of(text, text.index("\x00")))
    if not text.strip("\ufeff \t\r\n\u3000"):
        raise SheetRefused("empty_file")
    return text, encoding


def refuse_size(data: bytes, most_bytes: int = MOST_BYTES) -> None:
    """Refuse a file without a byte in it, and one that is larger than what is read."""
    if not data:
        raise SheetRefused("empty_file")
    if len(data) > most_bytes:
        raise SheetRefused("file_too_large", most=most_bytes // (1024 * 1024))


def _decoded(data: bytes) -> tuple[str, str]:
    if data.startswith(_UTF16_MARKS):
        return _utf16(data), "utf-16"
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError as broken:
        _refuse_broken_utf8(data, broken)
    return _cp932(data), "cp932"


def _utf16(data: bytes) -> str:
    try:
        return data.decode("utf-16")
    except UnicodeDecodeError as broken:
        before = data[: broken.start].decode("utf-16", "ignore")
        raise SheetRefused("unknown_encoding", line=_line_of(before, len(before))) from None


def _refuse_broken_utf8(data: bytes, broken: UnicodeDecodeError) -> None:
    """A UTF-8 sheet with some broken bytes must not be read as cp932: its names would change."""
    line = data.count(b"\n", 0, broken.start) + 1
    replaced = data.decode("utf-8", "replace")
    whole = sum(1 for letter in replaced if letter >= chr(_FIRST_OF_THREE_BYTES))
    bad = replaced.count(_REPLACEMENT)
    if data.startswith(_UTF8_MARK) or whole - bad > bad or _has_lone_surrogates(data):
        raise SheetRefused("broken_utf8", line=line)


def _has_lone_surrogates(data: bytes) -> bool:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def _cp932(data: bytes) -> str:
    try:
        text = data.decode("cp932")
    except UnicodeDecodeError as broken:
        line = data.count(b"\n", 0, broken.start) + 1
        raise SheetRefused("unknown_encoding", line=line) from None
    if strange := _NOT_IN_CP932.search(text):
        raise SheetRefused("unknown_encoding", line=_line_of(text, strange.start()))
    return text


def _line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
