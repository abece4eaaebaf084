"""Files that take far more to read than to send: what anybody could upload."""

import io
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from PIL import Image

_HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>'
_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OF_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_LAUGHS: Final = (
    '<!DOCTYPE x [<!ENTITY a0 "ha">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    + "]>"
)
_SHEET: Final = "xl/worksheets/sheet1.xml"


def workbook(
    *,
    rows: Iterator[str] | str = "",
    shared: str = "",
    doctype: str = "",
    sheets: int = 1,
    more: Mapping[str, bytes] | None = None,
) -> bytes:
    """Return a workbook whose sheets all show the same rows."""
    names = "".join(
        f'<sheet name="S{number}" sheetId="{number}" r:id="r1"/>' for number in range(1, sheets + 1)
    )
    relation = f'Id="r1" Type="{_OF_OFFICE}/worksheet" Target="worksheets/sheet1.xml"'
    strings = f'Id="r2" Type="{_OF_OFFICE}/sharedStrings" Target="sharedStrings.xml"'
    of_package = "http://schemas.openxmlformats.org/package/2006"
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as parts:
        parts.writestr(
            "[Content_Types].xml",
            f'{_HEAD}<Types xmlns="{of_package}/content-types">'
            '<Default Extension="xml" ContentType="application/xml"/></Types>',
        )
        parts.writestr(
            "_rels/.rels",
            f'{_HEAD}<Relationships xmlns="{of_package}/relationships"><Relationship Id="r1"'
            f' Type="{_OF_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        parts.writestr(
            "xl/workbook.xml",
            f'{_HEAD}{doctype}<workbook xmlns="{_MAIN}" xmlns:r="{_OF_OFFICE}">'
            f"<sheets>{names}</sheets></workbook>",
        )
        parts.writestr(
            "xl/_rels/workbook.xml.rels",
            f'{_HEAD}<Relationships xmlns="{of_package}/relationships">'
            f"<Relationship {relation}/><Relationship {strings}/></Relationships>",
        )
        parts.writestr(
            "xl/sharedStrings.xml", f'{_HEAD}{doctype}<sst xmlns="{_MAIN}">{shared}</sst>'
        )
        with parts.open(_SHEET, "w", force_zip64=True) as sheet:
            sheet.write(f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>'.encode())
            for row in rows if not isinstance(rows, str) else (rows,):
                sheet.write(row.encode())
            sheet.write(b"</sheetData></worksheet>")
        for name, data in (more or {}).items():
            parts.writestr(name, data)
    return content.getvalue()


def _lying_sizes() -> bytes:
    """A part that unpacks to more than the directory of the file says."""
    honest = workbook(rows=f'<row r="1"><c r="A1"><v>{"1" * 20_000_000}</v></c></row>')
    size = (20_000_000 + len(_HEAD)).to_bytes(4, "little")
    place = honest.rindex(_SHEET.encode())
    directory = honest.rindex(b"PK\x01\x02", 0, place)
    assert size not in honest[:directory]
    return honest[: directory + 24] + (1_000).to_bytes(4, "little") + honest[directory + 28 :]


def _rows(cell: str, columns: int, rows: int) -> Iterator[str]:
    row = f"<row>{cell * columns}</row>"
    return (row for _ in range(rows))


_OF_A_ROLL: Final = "建物名,号室,氏名,フリガナ,電話,メール,契約開始,契約終了,賃料,共益費,水道光熱費,駐車場,敷金,滞納額"


def roll(tenancies: int, beside: int = 0, cell: str = "") -> Iterator[str]:
    """Rows of tenancies under their headings, with columns beside; or with one cell everywhere."""
    titles = [*_OF_A_ROLL.split(","), *(f"その他{number}" for number in range(beside))]
    yield _row_of_texts(titles)
    for number in range(tenancies):
        house, room = f"ハイツ{number // 50 + 1}", f"{100 + number % 50}"
        person = (f"住人 太郎{number}", "ジュウニン タロウ", f"090-1234-{number % 10_000:04}")
        money = (f"{50_000 + number % 30 * 1_000}", "5000", "3000", "0", "50000", "50000")
        row = [house, room, *person, f"r{number}@example.jp", "2025/4/1", "2027/3/31", *money]
        row += [f"{number * 7 + place}" for place in range(beside)]
        yield _row_of_texts([cell or own for own in row])


def _row_of_texts(cells: Sequence[str]) -> str:
    return "".join(
        ("<row>", *(f'<c t="inlineStr"><is><t>{c}</t></is></c>' for c in cells), "</row>")
    )


def _list_of_a_bank() -> bytes:
    rows = (f"2026/11/02,振込 ヤマダ{number},,50000\n" for number in range(20_000))
    return ("日付,摘要,出金,入金\n" + "".join(rows)).encode()


BOMBS: Final[Mapping[str, Callable[[], bytes]]] = {
    "laughs among the names": lambda: workbook(doctype=_LAUGHS, rows="<row><c><v>1</v></c></row>"),
    "laughs among the texts": lambda: workbook(
        doctype=_LAUGHS,
        shared="<si><t>&a9;</t></si>",
        rows='<row r="1"><c r="A1" t="s"><v>0</v></c></row>',
    ),
    "half a million sheets": lambda: workbook(sheets=500_000),
    "a thousand sheets": lambda: workbook(sheets=1_000),
    "a cell in the far corner": lambda: workbook(
        rows='<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    ),
    "sizes that lie": _lying_sizes,
    "one long text in every cell": lambda: workbook(
        shared=f"<si><t>{'x' * 30_000}</t></si>",
        rows=_rows('<c t="s"><v>0</v></c>', 50, 4_000),
    ),
    "as many cells as are read": lambda: workbook(rows=_rows("<c><v>1</v></c>", 50, 9_900)),
    "cells of a take-over": lambda: workbook(rows=_rows("<c><v>1</v></c>", 30, 5_000)),
    "tenancies of a take-over": lambda: workbook(rows=roll(5_990, beside=11)),
    "tenancies with questions": lambda: workbook(rows=roll(6_000, cell="#N/A")),
    "more tenancies": lambda: workbook(rows=roll(20_000)),
    "millions of cells": lambda: workbook(rows=_rows("<c><v>1</v></c>", 100, 40_000)),
    "errors": lambda: workbook(rows=_rows('<c t="e"><v>#N/A</v></c>', 50, 9_900)),
    "elements without cells": lambda: workbook(rows=_rows("<x>", 1, 8_000_000)),
    "cells that never end": lambda: workbook(rows=_rows("<c><v>1", 1, 5_000_000)),
    "another sheet beside": lambda: workbook(
        more={"xl/other.xml": b"<sheetData>" + b"<c><v>1</v></c>" * 3_000_000}
    ),
    "rows of a bank": _list_of_a_bank,
    "commas": lambda: b"," * 9_900_000,
    "lines of commas": lambda: (b"," * 20 + b"\n") * 470_000,
    "lines": lambda: b"a\n" * 4_900_000,
    "quotation marks": lambda: b'"' * 9_900_000,
    "broken quotation marks": lambda: b'a,"b"c,"d\n' * 900_000,
    "one open quotation mark": lambda: b'a,b\n"' + b"c,d\n" * 200_000,
}


def _calendar(*events: str) -> bytes:
    body = "".join(f"BEGIN:VEVENT\r\n{event}\r\nEND:VEVENT\r\n" for event in events)
    return f"BEGIN:VCALENDAR\r\nPRODID:x\r\n{body}END:VCALENDAR\r\n".encode()


_STARTS: Final = "UID:1\r\nDTSTART:20261201"


def _rules(rule: str, most: int = 2_000) -> bytes:
    """Events that repeat since 2000, each by a rule of its own: `rule` has a number."""
    return _calendar(
        *(
            f"UID:{n}\r\nDTSTART;VALUE=DATE:200001{n % 28 + 1:02}\r\nRRULE:{rule.format(n + 1)}"
            for n in range(most)
        )
    )


CALENDARS: Final[Mapping[str, Callable[[], bytes]]] = {
    "versions of one event": lambda: _calendar(
        *(f"{_STARTS}\r\nDTSTAMP:20261101T{n % 24:02}0000Z" for n in range(2_000))
    ),
    "days since 2000": lambda: _rules("FREQ=DAILY;COUNT=9{:04}"),
    "days of every month": lambda: _rules(
        f"FREQ=DAILY;COUNT=9{{:04}};BYMONTHDAY={','.join(map(str, range(1, 32)))}"
    ),
    "days that never come": lambda: _rules(
        "FREQ=YEARLY;INTERVAL={};BYMONTH=2;BYMONTHDAY=29;BYDAY=MO"
    ),
    "positions in a year": lambda: _rules(
        "FREQ=YEARLY;COUNT=9{:04};BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS="
        + ",".join(map(str, range(1, 367))),
        most=1_000,
    ),
    "a long line": lambda: _calendar(f"{_STARTS}\r\nSUMMARY:{'x' * 2_000_000}"),
    "a list without end": lambda: _calendar(f"{_STARTS}\r\nCATEGORIES:{',' * 2_000_000}"),
    "many properties": lambda: _calendar(_STARTS + "\r\nSUMMARY:1" * 170_000),
    "other properties": lambda: _calendar(_STARTS + "\r\nX:1" * 370_000),
    "added days": lambda: _calendar(
        f"{_STARTS}\r\nRDATE;VALUE=DATE:{','.join(['20261202'] * 220_000)}"
    ),
    "components in components": lambda: _calendar(_STARTS + "\r\nBEGIN:VALARM" * 130_000),
    "busy times": lambda: (
        b"BEGIN:VCALENDAR\r\nBEGIN:VFREEBUSY\r\nFREEBUSY:"
        + b"20261201T000000Z/P1D," * 90_000
        + b"\r\nEND:VFREEBUSY\r\nEND:VCALENDAR\r\n"
    ),
}


def _png(side: int) -> bytes:
    made = io.BytesIO()
    Image.new("1", (side, side)).save(made, "PNG")
    return made.getvalue()


PICTURES: Final[Mapping[str, Callable[[], bytes]]] = {
    "52 million pixels": lambda: _png(7_200),
    "400 million pixels": lambda: _png(20_000),
    "half a picture": lambda: _png(7_200)[:-4_000],
}
