"""Classifies the lines of a rent roll, and reads what its titles say about the whole sheet.

A line is a room, a vacant room, a total, a count, a building's name above its rooms, or a note.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

from pms.rules.days import MONTH_NAMES, add_months, month_last
from pms.rules.roll_cells import plain
from pms.rules.roll_dates import days_in, whole_day, whole_month
from pms.rules.roll_line_kinds import is_floor, is_total, squeeze_cell

_MARKED_HEADING: Final = re.compile(r"^[■□◆◇●○▼▽★☆【\[<《「・]+\s*(.+?)\s*[】\]>》」]*$")
_EXPLAINS: Final = r"網掛|色付|着色|斜線|取消線|(?:色|字|者|分|済|済み)は"
_NO_HEADING: Final = re.compile(
    r"[。※を]|(?:家賃|賃料|振込|支払)は|払い|引落|振込|^(?:注|凡例|備考|以上|作成|印|担当|単位|page|note)|確認印|担当|ございま|します|です$|ください|印$"
    rf"|{_EXPLAINS}",
    re.IGNORECASE,
)
_REPORT: Final = re.compile(
    r"一覧|レントロール|管理表|台帳|名簿|明細|状況|リスト|報告|集計|家賃表|契約表|入居者表|賃料表|rent ?roll|tenants?\b|list\b|schedule|summary|report"
    r"|管理物件|物件一覧|入金表|収支|ledger|集金|送金|精算|^(?:.{0,4}家賃|賃貸|賃料|入金|入居者?|契約)(?:管理|表)",
    re.IGNORECASE,
)
_ENGLISH_REPORT: Final = re.compile(
    r"(?:\s*[-–—|:/])?\s+(?:monthly )?(?:rent ?roll|(?:tenant|resident)s? (?:list|ledger)|rent schedule)\b.*$",
    re.IGNORECASE,
)
_REPORT_TAIL: Final = re.compile(
    r"(?:の)?(?:入居者|契約者|賃貸借|賃貸|家賃|賃料|入金|集金|契約)?(?:契約|状況|管理|入居)*(?:一覧表?|レントロール|管理表|台帳|名簿|明細書?|リスト)$"
)
# What a list is of, and not the name of a house.
_ONLY_KINDS: Final = re.compile(
    r"(?:(?:現|旧)?(?:入居|退去|居住|契約|解約)(?:済み?)?者?|住戸|居室|部屋|空室|駐車場|駐輪場|[・、,/&+と\s])+"
)
_OFFICE: Final = re.compile(
    r"不動産|株式会社|有限会社|[㈱㈲]|\([株有]\)|御中|様$|管理者|管理会社|作成者|realty|co\.|ltd",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    r"(?:物件名?|建物名?|物件名称|建物名称|棟名|アパート名|マンション名|buildings?|propert(?:y|ies)|houses?)\s*[:：=]\s*(.+)",
    re.IGNORECASE,
)
_GENERIC_SHEET: Final = re.compile(
    r"sheet\s*\d*|シート\s*\d*|テーブル\s*\d*|table\s*\d*|data|データ|master|マスタ.*|main|入力|原本|\d+|.*(?:一覧|レントロール|名簿|台帳|管理表|rent ?roll|tenants?|入居者|契約者|契約|一覧表|リスト|list|最新|現在).*",
    re.IGNORECASE,
)
_AS_OF: Final = re.compile(r"^\s*(?:日)?\s*(?:現在|時点|付|末現在|末時点|基準|締)")
_AS_OF_BEFORE: Final = re.compile(
    r"(?:作成日?|基準日?|現在日?|出力日?|印刷日?|更新日|as\s?of|as\s?at|dated?|created|printed|on)\s*[:：]?\s*$",
    re.IGNORECASE,
)
_YEAR_LAST_AS_OF: Final = re.compile(
    r"(?:as\s?of|as\s?at|dated?|created|printed|on)\s*[:：]?\s*(\d{1,2}([/.\-])\d{1,2}\2(?:19|20)\d\d)(?!\d)",
    re.IGNORECASE,
)
_MONTH_END_AS_OF: Final = re.compile(r"(\S*?\d{1,2}月)末?(?:日)?\s*(?:現在|時点)")
_BILLED: Final = re.compile(
    r"(?:(?:(?P<year>20\d\d)|(?:令和|R)\s?(?P<era>\d{1,2}))[年/.\-]\s?)?(?P<month>1[0-2]|0?[1-9])月(?:分|度|末)?(?:賃料|家賃)?(?:まで|迄)?"
    r"(?:の)?(?:、|は|を|賃料|家賃)?.{0,4}?(?:請求|調定|発行|引落|徴収|締)(?:[・、及びと]*入金)?(?:書)?(?:発行)?(?:反映|処理)?(?:済|完了|締め)",
    re.IGNORECASE,
)
_CLOSED: Final = re.compile(r"締め?[^0-9]{0,4}?(1[0-2]|0?[1-9])月分まで")
_BILLED_EN: Final = re.compile(
    r"(?:billed|invoiced|charged)\s*(?:through|thru|to|until|up to|for)?[\s:]*(?:the end of\s*)?(?P<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,?\s*(?P<year>20\d\d)?",
    re.IGNORECASE,
)
_BILLED_DAY: Final = re.compile(
    r"(?:billed|invoiced)\s*(?:through|thru|to|until)|まで(?:請求|発行)済", re.IGNORECASE
)
_SAYS_A_DAY: Final = re.compile(
    r"[(\[]?(?:(?:令和|平成|R|H)\s?\d{1,2}|20\d\d)[年/.\-]\d{1,2}(?:月末?|[/.\-])(?:\d{1,2}日?)?(?:分|度)?\s*(?:現在|時点|付|作成)?[)\]]?",
    re.IGNORECASE,
)
_SHEET_MONTH: Final = re.compile(
    r"(?:(?P<year>20\d\d)\s?[年/.\-_]|(?:令和|R)\s?(?P<era>\d{1,2})\s?[年/.\-_])?\s*(?P<month>1[0-2]|0?[1-9])\s?(?:月|$)(?:分|度)?",
    re.IGNORECASE,
)
_TITLE_MONTH: Final = re.compile(_SHEET_MONTH.pattern + r"(?=分|度)", re.IGNORECASE)
_OF_MONEY: Final = re.compile(r"管理表|入金|集金|送金|請求|家賃")
_TITLES: Final = 6
_SHEET_MONTH_EN: Final = re.compile(
    r"(?P<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?[\s\-_']*(?P<year>20\d\d|\d\d)?",
    re.IGNORECASE,
)
_NO_TITLE: Final = re.compile(
    rf"[:：※。]|単位|{_EXPLAINS}|{_BILLED_EN.pattern}|{_BILLED_DAY.pattern}", re.IGNORECASE
)
_LONGEST_SECTION: Final = 24
_OF_A_LEAP_YEAR: Final = date(2024, 1, 1)
_DUE: Final = re.compile(
    r"(前|当|翌)月\s*(末|\d{1,2})日?\s*(?:まで|迄)?(?:に)?\s*(?:払|支払|振込|引落|口座)"
)


@dataclass(frozen=True, slots=True)
class DueRule:
    """When a month's rent is due: a day of the month, some months later; None is the last day."""

    months: int = -1
    day: int | None = None

    def of_month(self, month: date) -> date:
        """The day on which the rent of a month is due; `month` may be any day of it."""
        moved = add_months(month, self.months)
        last = month_last(moved)
        return last if self.day is None else moved.replace(day=min(self.day, last.day))


@dataclass(slots=True)
class Facts:
    """What the titles of a sheet say about the whole of it."""

    as_of: date | None = None
    billed_through: date | None = None
    building: str | None = None
    month: date | None = None
    due: DueRule | None = None
    factor: int = 1


def heading_of(cells: Sequence[str]) -> str | None:
    """The building named above its rooms; None for any other kind of line."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    if (
        len(filled) != 1
        or _NO_HEADING.search(filled[0])
        or len(filled[0]) > 40
        or "\n" in filled[0]
    ):
        return None
    named = _NAMED.match(plain(filled[0]))
    if named is None and re.search("[:：]", filled[0]):
        return None
    bare = named[1] if named else filled[0]
    marked = _MARKED_HEADING.match(bare.strip())
    bare = marked[1] if marked else bare
    if _says_a_day(bare) or is_total([bare]) or is_floor([bare]):
        return None
    return _read_house_name(bare)


class RollSection(StrEnum):
    """What the rows below a heading are, where they are no tenants."""

    FORMER = "former"
    PARKING = "parking"


def _section_words(subject: str) -> re.Pattern[str]:
    """The whole heading of a section: its subject alone, with a house or a list's word around it."""
    return re.compile(
        r"\W*(?:(?!入居|住戸|住居|居住|室|部屋|現|and\b|current)[^・、,/&+]){0,16}?(?<!と)"
        rf"(?:{subject})(?:[・、,/と]?(?:{subject}|バイク置き?場))*(?:の?(?:方|部|欄|分|契約者?|利用者?|使用者|入居者|物件|部屋|区画|履歴|情報|データ|使用料|利用料|料金))?\s*"
        r"(?:一覧表?|リスト|名簿|台帳|明細|list)?(?:\s+[\d年月日/.令和RH現在時点末分度まで~\-]+)?\W*(?:[(\[【].*[)\]】]\W*)?",
        re.IGNORECASE,
    )


_SECTIONS: Final = (
    (
        RollSection.FORMER,
        _section_words(
            r"(?:退去|解約|転出)(?:済み?|者|した|(?=一覧|リスト))|(?:過去|以前|旧|前)の?(?:入居者|契約者)"
            r"|(?:former|past|previous|moved.?out) (?:tenant|resident)s?"
        ),
    ),
    (
        RollSection.PARKING,
        _section_words(
            r"(?:駐車場|駐輪場|パーキング)"
            r"|parking(?:\s?(?:space|lot|bay)s?)?"
        ),
    ),
)


def section_of(cells: Sequence[str]) -> RollSection | None:
    """What a heading alone in its line says that the rows below it are: former tenants, spaces."""
    filled = [cell for cell in cells if cell.strip()]
    if len(filled) != 1 or len(text := plain(filled[0])) > _LONGEST_SECTION:
        return None
    return next((section for section, words in _SECTIONS if words.fullmatch(text)), None)


def _says_a_day(text: str) -> bool:
    return next(days_in(text, _OF_A_LEAP_YEAR), None) is not None


def _read_house_name(words: str) -> str | None:
    bare = re.sub(r"\s*[(（【\[].*?[)）】\]]\s*$", "", words.strip()).strip()
    bare = _ENGLISH_REPORT.sub("", bare)
    parts = [part for part in re.split(r"[\s　]+", bare) if part]
    while len(parts) > 1 and _REPORT.search(parts[0]) and not _REPORT.search(parts[-1]):
        parts.pop(0)
    while parts and (
        _REPORT.search(parts[-1])
        or re.fullmatch(
            r"(?:\S*年)?\d{1,2}月(?:分|度)?\S*|\S*現在|\S*年度|(?:20\d\d|令和\d{1,2}|R\d{1,2})年?",
            plain(parts[-1]),
        )
    ):
        tail = _REPORT_TAIL.sub("", parts[-1])
        if len(parts) == 1 and tail and tail != parts[-1] and not _REPORT.search(tail):
            parts = [tail]
            break
        parts.pop()
    found = " ".join(parts)
    if _ONLY_KINDS.fullmatch(plain(found)):
        return None
    return found if found and not _OFFICE.search(plain(found)) else None


def facts_of(titles: Iterable[Sequence[str]], sheet: str, near: date) -> Facts:
    """What the lines above and below a table, and the sheet's name, say about the whole."""
    facts = Facts()
    titles = list(titles)
    cells = [cell for row in titles for cell in row if cell.strip()]
    for cell in cells:
        text = plain(cell)
        facts.as_of = facts.as_of or _as_of(text, near)
        facts.due = facts.due or _read_due_rule(text)
    facts.factor = unit_of(cells)
    if facts.as_of is None:
        # A day alone in a cell beside the title is the day of the sheet.
        facts.as_of = next((day for cell in cells[:_TITLES] if (day := whole_day(cell))), None)
    near_by = facts.as_of or near
    facts.month = _sheet_month(sheet, cells, near_by)
    for cell in cells:
        facts.billed_through = facts.billed_through or _billed_through(plain(cell), near_by)
    facts.building = _find_building(cells, sheet)
    return facts


def unit_of(cells: Iterable[str]) -> int:
    """How many yen a 1 is by the words around a table: 単位：千円."""
    texts = [plain(cell) for cell in cells]
    units = [text for text in texts if "単位" in text or "unit:" in text.lower()]
    found = [10_000 if "万円" in text else 1_000 for text in units if re.search("[千万]円", text)]
    return found[-1] if found else 1


def _as_of(text: str, near: date) -> date | None:
    if year_last := _YEAR_LAST_AS_OF.search(text):
        return whole_day(year_last[1])
    for found in days_in(text, near):
        if _AS_OF.match(text[found.end :]) or _AS_OF_BEFORE.search(text[: found.start]):
            return found.day
    month = _MONTH_END_AS_OF.search(text)
    first = whole_month(month[1]) if month else None
    return None if first is None else month_last(first)


def _billed_through(text: str, near: date) -> date | None:
    if found := _BILLED.search(text):
        year = 2018 + int(found["era"]) if found["era"] else int(found["year"] or 0)
        return _month_end(year, int(found["month"]), near)
    if closed := _CLOSED.search(text):
        return _month_end(0, int(closed[1]), near)
    if named := _BILLED_EN.search(text):
        number = MONTH_NAMES.index(named["name"].lower()) + 1
        return _month_end(int(named["year"] or 0), number, near)
    if _BILLED_DAY.search(text):
        return next((found.day for found in days_in(text, near)), None)
    return None


def _month_end(year: int, month: int, near: date) -> date:
    return month_last(date(year, month, 1) if year else nearest_month(month, near))


def nearest_month(month: int, near: date) -> date:
    """The first day of the month with a number that is nearest to a day."""
    years = (near.year - 1, near.year, near.year + 1)
    return min(
        (date(year, month, 1) for year in years), key=lambda day: abs((day - near).days + 15)
    )


def _sheet_month(sheet: str, cells: Sequence[str], near: date) -> date | None:
    found = _SHEET_MONTH.match(plain(sheet))
    if found and ("月" in sheet or found["year"] or found["era"]):
        return _first_of(found, near)
    if named := _SHEET_MONTH_EN.fullmatch(plain(sheet)):
        year = int(named["year"] or 0)
        number = MONTH_NAMES.index(named["name"].lower()) + 1
        return date(year % 100 + 2000, number, 1) if year else nearest_month(number, near)
    is_of_money = any(_OF_MONEY.search(plain(cell)) for cell in cells[:_TITLES])
    for cell in cells:
        text = plain(cell)
        found = _TITLE_MONTH.search(text)
        is_alone = found is not None and found[0] == re.sub(r"(?:分|度)$", "", text)
        is_meant = bool(_OF_MONEY.search(text)) or (is_alone and is_of_money)
        if found and is_meant and not _BILLED.search(text):
            return _first_of(found, near)
    return None


def _first_of(found: re.Match[str], near: date) -> date:
    month = int(found["month"])
    if found["era"]:
        return date(2018 + int(found["era"]), month, 1)
    return date(int(found["year"]), month, 1) if found["year"] else nearest_month(month, near)


def _read_due_rule(text: str) -> DueRule | None:
    found = _DUE.search(text)
    if found is None:
        return None
    day = None if found[2] == "末" else int(found[2])
    return DueRule({"前": -1, "当": 0, "翌": 1}[found[1]], day)


def _find_building(cells: Sequence[str], sheet: str) -> str | None:
    for cell in cells:
        if named := _NAMED.search(plain(cell)):
            return _read_house_name(re.split(r"\s{2,}|[,、]", named[1])[0])
    name = plain(sheet)
    is_generic = not name or bool(_GENERIC_SHEET.fullmatch(name)) or bool(_sheet_is_month(name))
    if not is_generic and any(name in plain(cell) for cell in cells):
        return sheet.strip()
    for cell in cells[:3]:
        house = None if _REPORT.fullmatch(squeeze_cell(cell)) else _title_house(cell)
        if house is not None:
            return house
    return None if is_generic else sheet.strip()


def _sheet_is_month(name: str) -> bool:
    is_year = re.fullmatch(r"(?:20\d\d|(?:令和|R)\s?\d{1,2})(?:年度?)?", name)
    return bool(is_year or _SHEET_MONTH.fullmatch(name) or _SHEET_MONTH_EN.fullmatch(name))


def _title_house(cell: str) -> str | None:
    undated = _SAYS_A_DAY.sub("", _BILLED.sub("", plain(cell))).strip()
    text = _MARKED_HEADING.sub(r"\1", undated)
    if _says_a_day(text) or _NO_TITLE.search(text) or _DUE.search(text) or is_total([text]):
        return None
    if not _REPORT.search(text) and len(text) > 20:
        return None
    return _read_house_name(text)
