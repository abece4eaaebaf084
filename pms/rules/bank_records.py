"""Records of the Japanese Bankers Association: 200 bytes from a bank, 120 bytes to one.

Fields have the association's names, so that an error can be compared with the bank's own
documents. Every record is read by its layout or refused with its line, field and byte.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from pms.rules.bank_letters import (
    OF_BANKS,
    OF_MESSAGES,
    OF_NAMES,
    UnwritableLetter,
    bank_bytes,
    cut_bytes,
    read_bank_bytes,
)

HEADER, DATA, TRAILER, END = "1", "2", "8", "9"
LINE_END: Final = b"\r\n"
MOST_LINES: Final = 50_000
_LONGEST_LINE: Final = 4_000
"""How many bytes a record may have whose fields are separated and in quotation marks."""


class FileKind(StrEnum):
    """The purpose of a file: its kind of records (種別コード)."""

    STATEMENT = "03"
    NOTICE = "01"
    DEBIT = "91"
    PAYOUT = "21"


class RecordFault(StrEnum):
    """Why a file of records is refused as a whole."""

    NO_HEADER = "no_header"
    UNKNOWN_KIND = "unknown_kind"
    EBCDIC = "ebcdic"
    UTF8 = "utf8"
    LENGTH = "length"
    CELLS = "cells"
    QUOTES = "quotes"
    ORDER = "order"
    NOT_CLOSED = "not_closed"
    NOT_DIGITS = "not_digits"
    UNKNOWN_CODE = "unknown_code"
    NO_DAY = "no_day"
    TOTAL = "total"
    COUNT = "count"
    BALANCE = "balance"
    TOO_LARGE = "too_large"
    TOO_MANY = "too_many"
    LETTER = "letter"


class BankFileFault(ValueError):
    """Why a bank's file is refused: the place, what was found and what was expected.

    `line` counts records from 1, `byte` counts the bytes of that record from 1.
    """

    def __init__(
        self,
        fault: RecordFault,
        *,
        line: int = 0,
        byte: int = 0,
        field: str = "",
        found: str | int = "",
        wanted: str | int = "",
    ) -> None:
        self.fault, self.line, self.byte = fault, line, byte
        self.field, self.found, self.wanted = field, found, wanted
        super().__init__(
            f"{fault}: line {line}, byte {byte}, {field} is '{found}', wanted '{wanted}'"
        )


class LayoutField(NamedTuple):
    """One field of a layout: its name, whether it holds digits, its length, its first byte."""

    name: str
    is_number: bool
    length: int
    start: int


_SPECIFICATION: Final = """
03 1 データ区分 N1, 種別コード N2, コード区分 N1, 作成日 N6, 勘定日自 N6, 勘定日至 N6, 銀行コード N4, 銀行名 C15, 支店コード N3, 支店名 C15, ダミー1 N3, 預金種目 N1, 口座番号 N10, 口座名 C40, 貸越区分 N1, 通帳証書区分 N1, 取引前残高 N14, ダミー C71
03 2 データ区分 N1, 照会番号 N8, 勘定日 N6, 預入払出日 N6, 入払区分 N1, 取引区分 N2, 取引金額 N12, うち他店券 N12, 交換呈示日 N6, 不渡返還日 N6, 手形区分 N1, 手形番号 N7, 僚店番号 N3, 振込依頼人コード N10, 振込依頼人名 C48, 仕向銀行名 C15, 仕向店名 C15, 摘要内容 C20, EDI情報 C20, ダミー C1
03 8 データ区分 N1, 入金件数 N6, 入金額合計 N13, 出金件数 N6, 出金額合計 N13, 貸越区分 N1, 取引後残高 N14, データ件数 N7, ダミー C139
03 9 データ区分 N1, レコード総件数 N10, 口座数 N5, ダミー C184
01 1 データ区分 N1, 種別コード N2, コード区分 N1, 作成日 N6, 勘定日自 N6, 勘定日至 N6, 銀行コード N4, 銀行名 C15, 支店コード N3, 支店名 C15, 預金種目 N1, 口座番号 N7, 口座名 C40, ダミー C93
01 2 データ区分 N1, 照会番号 N6, 勘定日 N6, 起算日 N6, 金額 N10, うち他店券 N10, 振込依頼人コード N10, 振込依頼人名 C48, 仕向銀行名 C15, 仕向店名 C15, 取消区分 N1, EDI情報 C20, ダミー C52
01 8 データ区分 N1, 振込件数 N6, 振込金額 N12, 取消件数 N6, 取消金額 N12, ダミー C163
01 9 データ区分 N1, ダミー C199
91 1 データ区分 N1, 種別コード N2, コード区分 N1, 委託者コード N10, 委託者名 C40, 引落日 N4, 取引銀行番号 N4, 取引銀行名 C15, 取引支店番号 N3, 取引支店名 C15, 預金種目 N1, 口座番号 N7, ダミー C17
91 2 データ区分 N1, 引落銀行番号 N4, 引落銀行名 C15, 引落支店番号 N3, 引落支店名 C15, ダミー1 C4, 預金種目 N1, 口座番号 N7, 預金者名 C30, 引落金額 N10, 新規コード N1, 顧客番号 C20, 振替結果コード C1, ダミー C8
91 8 データ区分 N1, 合計件数 N6, 合計金額 N12, 振替済件数 N6, 振替済金額 N12, 振替不能件数 N6, 振替不能金額 N12, ダミー C65
91 9 データ区分 N1, ダミー C119
21 1 データ区分 N1, 種別コード N2, コード区分 N1, 依頼人コード N10, 依頼人名 C40, 取組日 N4, 仕向銀行番号 N4, 仕向銀行名 C15, 仕向支店番号 N3, 仕向支店名 C15, 預金種目 N1, 口座番号 N7, ダミー C17
21 2 データ区分 N1, 被仕向銀行番号 N4, 被仕向銀行名 C15, 被仕向支店番号 N3, 被仕向支店名 C15, 手形交換所 N4, 預金種目 N1, 口座番号 N7, 受取人名 C30, 振込金額 N10, 新規コード N1, 顧客コード1 C10, 顧客コード2 C10, 振込指定区分 N1, 識別表示 C1, ダミー C7
21 8 データ区分 N1, 合計件数 N6, 合計金額 N12, ダミー C101
21 9 データ区分 N1, ダミー C119
"""


def layouts_of(specification: str) -> dict[tuple[FileKind, str], tuple[LayoutField, ...]]:
    """Parse a layout with one record a line into the fields of each record, by file and place."""
    found: dict[tuple[FileKind, str], tuple[LayoutField, ...]] = {}
    for line in specification.strip().splitlines():
        kind, place, fields = line.split(" ", 2)
        start, layout = 0, []
        for field in fields.split(", "):
            name, shape = field.split(" ")
            layout.append(LayoutField(name, shape[0] == "N", int(shape[1:]), start))
            start += int(shape[1:])
        found[FileKind(kind), place] = tuple(layout)
    return found


LAYOUTS: Final = layouts_of(_SPECIFICATION)
LENGTH_OF: Final = {
    kind: LAYOUTS[kind, END][-1].start + LAYOUTS[kind, END][-1].length for kind in FileKind
}
_KINDS: Final = "|".join(FileKind)
_BEGINNING: Final = re.compile(rf'[\s"]*1"?[,\t]?"?(?:{_KINDS})'.encode("ascii"))
_CELLS: Final = re.compile(rb'"?1"?([,\t])')
_MARKS_OF_UTF8: Final = b"\xef\xbb\xbf"
_MARKS_OF_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
# Kana of half and of full width in UTF-8; no bank writes these bytes beside one another.
_KANA_OF_UTF8: Final = re.compile(rb"\xef[\xbd\xbe][\x80-\xbf]|\xe3[\x82\x83][\x80-\xbf]")
_FIELD_OF: Final = {
    (kind, place, field.name): field
    for (kind, place), fields in LAYOUTS.items()
    for field in fields
}


class BankRecord(NamedTuple):
    """One record that was read: its line, its type and its fields as text."""

    kind: FileKind
    line: int
    place: str
    fields: Mapping[str, str]
    broken: frozenset[str]
    raw: bytes

    def number(self, name: str) -> int:
        """The number in a field, 0 when blank; refuses anything but digits."""
        text = self.digits(name)
        return int(text) if text else 0

    def digits(self, name: str) -> str:
        """The digits of a field as written, "" when blank; refuses anything but digits."""
        text = self.fields[name].strip()
        if text and not text.isdigit():
            raise self.fault(RecordFault.NOT_DIGITS, name)
        return text

    def one_of(self, name: str, known: Iterable[str]) -> str:
        """The code in a field; refuses a code that is not in `known`."""
        wanted = tuple(known)
        if self.fields[name] not in wanted:
            raise self.fault(RecordFault.UNKNOWN_CODE, name, wanted=", ".join(wanted))
        return self.fields[name]

    def fault(
        self,
        fault: RecordFault,
        name: str,
        found: str | int | None = None,
        wanted: str | int = "",
    ) -> BankFileFault:
        """Return the error for a field of this record, with its line and byte."""
        field = _FIELD_OF[self.kind, self.place, name]
        return BankFileFault(
            fault,
            line=self.line,
            byte=field.start + 1,
            field=name,
            found=self.fields[name] if found is None else found,
            wanted=wanted,
        )


class AccountRecords(NamedTuple):
    """The records of one account: its header, its data and its trailer."""

    header: BankRecord
    data: tuple[BankRecord, ...]
    trailer: BankRecord


def is_record_file(data: bytes) -> bool:
    """Whether bytes begin like a file of records.

    So do records with commas between their fields, between quotation marks, or saved again in
    another encoding, which `read_groups` reads or refuses.
    """
    return _BEGINNING.match(_without_encoding(data)) is not None


def _without_encoding(data: bytes) -> bytes:
    """Return the bytes of a file that an editor saved in UTF-16 or with a mark, in UTF-8."""
    if data.startswith(_MARKS_OF_UTF16):
        return data.decode("utf-16", "replace").encode("utf-8")
    return data.removeprefix(_MARKS_OF_UTF8)


def _refuse_other_encoding(data: bytes) -> None:
    """Refuse records in UTF-8 or UTF-16: their kana take three bytes or two instead of one."""
    if data.startswith(_MARKS_OF_UTF16):
        raise BankFileFault(RecordFault.UTF8, line=1, byte=1, found="UTF-16")
    if data.startswith(_MARKS_OF_UTF8) or _KANA_OF_UTF8.search(data):
        raise BankFileFault(RecordFault.UTF8, line=1, byte=1, found="UTF-8")


def _unwrap_records(data: bytes) -> bytes:
    """Return records without the quotation marks that an editor put around whole records."""
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    bare = [line.strip(b" \t") for line in lines]
    is_wrapped = [
        len(line) > 1 and line[:1] == line[-1:] == b'"' and b'"' not in line[1:-1] for line in bare
    ]
    if not any(is_wrapped):
        return data
    return b"\r\n".join(
        trimmed[1:-1] if wrapped else line
        for line, trimmed, wrapped in zip(lines, bare, is_wrapped, strict=True)
    )


def read_groups(data: bytes) -> tuple[FileKind, tuple[AccountRecords, ...]]:
    """Return the accounts of a file in their order; one fault refuses the whole file."""
    records = _read_records(data)
    kind = records[0].kind
    groups: list[AccountRecords] = []
    header: BankRecord | None = None
    rows: list[BankRecord] = []
    is_ended = False
    for record in records:
        wanted = _places_after(header, is_ended=is_ended)
        if record.place not in wanted:
            raise record.fault(RecordFault.ORDER, "データ区分", wanted=", ".join(wanted))
        if record.place == HEADER:
            header, rows = record, []
        elif record.place == DATA:
            rows.append(record)
        elif header is not None:
            groups.append(AccountRecords(header, tuple(rows), record))
            header = None
        else:
            is_ended = True
    if not is_ended:
        raise BankFileFault(RecordFault.NOT_CLOSED, line=len(records), wanted=END)
    _check_end(records, len(groups))
    return kind, tuple(groups)


def _places_after(header: BankRecord | None, *, is_ended: bool) -> tuple[str, ...]:
    if is_ended:
        return ()
    return (HEADER, END) if header is None else (DATA, TRAILER)


def _check_end(records: Sequence[BankRecord], accounts: int) -> None:
    end = records[-1]
    if end.kind is not FileKind.STATEMENT:
        return
    # Banks that do not fill these in write zeros.
    for name, counted in (("レコード総件数", len(records)), ("口座数", accounts)):
        stated = end.number(name)
        if stated and stated != counted:
            raise end.fault(RecordFault.COUNT, name, stated, counted)


def _read_records(data: bytes) -> list[BankRecord]:
    if not is_record_file(data):
        raise BankFileFault(RecordFault.NO_HEADER, line=1, byte=1)
    _refuse_other_encoding(data)
    _refuse_many_lines(data)
    whole = _unwrap_records(data.lstrip(b" \t\r\n"))
    if found := _CELLS.match(whole):
        return list(_records_of_cells(whole, found[1].decode("ascii")))
    kind = _kind_of(whole[1:3])
    records = [
        _read_record(kind, line, raw)
        for line, raw in enumerate(_split_records(whole, LENGTH_OF[kind]), start=1)
    ]
    _refuse_other_letters(records[0])
    return records


def _refuse_many_lines(data: bytes) -> None:
    """Refuse a file before it is cut into more lines than a bank's file can have."""
    lines = max(data.count(b"\n"), data.count(b"\r"), len(data) // max(LENGTH_OF.values()))
    if lines > MOST_LINES:
        raise BankFileFault(RecordFault.TOO_MANY, found=lines, wanted=MOST_LINES)


def _kind_of(code: bytes) -> FileKind:
    text = code.decode("ascii", "replace")
    if text not in set(FileKind):
        raise BankFileFault(RecordFault.NO_HEADER, line=1, byte=2, found=text)
    return FileKind(text)


def _refuse_other_letters(header: BankRecord) -> None:
    if header.fields["コード区分"] == "1":
        raise header.fault(RecordFault.EBCDIC, "コード区分", wanted="0")


def _split_records(data: bytes, length: int) -> Iterator[bytes]:
    """Split bytes into records, with any line ending or none."""
    whole = data.rstrip(b"\x1a\x00")
    if b"\r" in whole or b"\n" in whole:
        lines = _filled_lines(whole)
    else:
        lines = [whole[start : start + length] for start in range(0, len(whole), length)]
    for line, raw in enumerate(lines, start=1):
        if len(raw) != length:
            raise BankFileFault(
                RecordFault.LENGTH, line=line, byte=len(raw) + 1, found=len(raw), wanted=length
            )
        yield raw


def _read_record(kind: FileKind, line: int, raw: bytes) -> BankRecord:
    place = raw[:1].decode("ascii", "replace")
    layout = _find_layout(kind, line, place)
    text, is_sound = read_bank_bytes(raw)
    if not is_sound:
        cells = [raw[field.start : field.start + field.length] for field in layout]
        return _fill_record(kind, line, place, cells, raw)
    # Each valid byte is one letter, so the fields of a sound record are parts of its text.
    fields = {
        field.name: text[field.start : field.start + field.length].rstrip(" ") for field in layout
    }
    return _with_digits(BankRecord(kind, line, place, fields, frozenset(), raw))


def _find_layout(kind: FileKind, line: int, place: str) -> Sequence[LayoutField]:
    if (layout := LAYOUTS.get((kind, place))) is None:
        raise BankFileFault(
            RecordFault.ORDER,
            line=line,
            byte=1,
            field="データ区分",
            found=place,
            wanted="1, 2, 8, 9",
        )
    return layout


def _fill_record(
    kind: FileKind, line: int, place: str, cells: Sequence[bytes], raw: bytes
) -> BankRecord:
    fields: dict[str, str] = {}
    broken: set[str] = set()
    for field, cell in zip(LAYOUTS[kind, place], cells, strict=True):
        fields[field.name], is_sound = read_bank_bytes(cell)
        if not is_sound:
            broken.add(field.name)
    return _with_digits(BankRecord(kind, line, place, fields, frozenset(broken), raw))


def _with_digits(record: BankRecord) -> BankRecord:
    """Return the record; refuse anything but digits in a field of a number."""
    for field in LAYOUTS[record.kind, record.place]:
        if field.is_number and not record.fields[field.name].isdigit():
            record.digits(field.name)
    return record


def _filled_lines(data: bytes) -> list[bytes]:
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return [line for line in lines if line.strip(b"\x1a ")]


def _records_of_cells(data: bytes, delimiter: str) -> Iterator[BankRecord]:
    """Read records whose fields are separated by commas or tabs; filler fields may be missing."""
    kind: FileKind | None = None
    for line, raw in enumerate(_filled_lines(data.rstrip(b"\x1a\x00")), start=1):
        if len(raw) > _LONGEST_LINE:
            raise BankFileFault(
                RecordFault.LENGTH,
                line=line,
                byte=_LONGEST_LINE + 1,
                found=len(raw),
                wanted=_LONGEST_LINE,
            )
        # Each byte is one letter of Latin-1, and comes back the same.
        text = raw.decode("latin-1")
        try:
            row = next(csv.reader([text], delimiter=delimiter, strict=True))
        except csv.Error:
            raise BankFileFault(RecordFault.QUOTES, line=line) from None
        cells = [cell.encode("latin-1") for cell in row]
        kind = kind or _kind_of(b"".join(cells[1:2]))
        place = cells[0].decode("ascii", "replace")
        layout = _find_layout(kind, line, place)
        if any(cell.strip() for cell in cells[len(layout) :]):
            raise BankFileFault(RecordFault.CELLS, line=line, found=len(cells), wanted=len(layout))
        if len(cells) == len(layout) - 1:
            wanted = list(layout[:-1])
        else:
            has_fillers = len(cells) >= len(layout)
            wanted = [f for f in layout if has_fillers or not f.name.startswith("ダミー")]
        given = dict(zip((field.name for field in wanted), cells, strict=False))
        record = _fill_record(kind, line, place, [given.get(f.name, b"") for f in layout], raw)
        if place == HEADER:
            _refuse_other_letters(record)
        yield record


_BANK_NAMES: Final = ("銀行名", "支店名")


def write_record(kind: FileKind, place: str, values: Mapping[str, str | int], line: int) -> bytes:
    """Return the bytes of a record: numbers right-aligned with 0, text left-aligned with blanks.

    A name that is too long is cut. A number that is too long, or a character that banks do not
    accept, is refused.
    """
    written = b""
    for field in LAYOUTS[kind, place]:
        value = values.get(field.name, place if field.name == "データ区分" else "")
        written += _encode_field(field, value, line)
    return written


def _encode_field(field: LayoutField, value: str | int, line: int) -> bytes:
    if field.is_number:
        digits = str(value) if value != "" else "0"
        if len(digits) > field.length:
            raise _build_field_fault(RecordFault.TOO_LARGE, field, line, digits, field.length)
        if not (digits.isascii() and digits.isdigit()):
            raise _build_field_fault(RecordFault.NOT_DIGITS, field, line, digits, field.length)
        return digits.rjust(field.length, "0").encode("ascii")
    try:
        letters = bank_bytes(str(value), _letters_of(field.name))
    except UnwritableLetter as refused:
        raise _build_field_fault(
            RecordFault.LETTER, field, line, refused.letter, refused.text
        ) from None
    return cut_bytes(letters, field.length).ljust(field.length)


def _build_field_fault(
    fault: RecordFault, field: LayoutField, line: int, found: str, wanted: str | int
) -> BankFileFault:
    return BankFileFault(
        fault, line=line, byte=field.start + 1, field=field.name, found=found, wanted=wanted
    )


def _letters_of(name: str) -> frozenset[str]:
    if name.endswith(_BANK_NAMES):
        return OF_BANKS
    return OF_MESSAGES if name.startswith(("顧客", "EDI")) else OF_NAMES
