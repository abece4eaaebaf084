"""Reads one cell of a rent roll: an amount, months of rent, days, people, a telephone number.

Accepts what offices write (¥, ▲, 5万5千円, 敷1 礼1, R7.4.1, serial numbers) and returns how certain
it is; the take-over guide shows the result before anything is written.
"""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from enum import Enum, auto
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import normalize

from pms.rules.yen import round_half_away

MONTHS_WORD: Final = r"(?:[ヶケカヵか個箇]月|ヶ月|months?|mo\b)"
_NONE_WORDS: Final = frozenset(
    {
        "",
        "-",
        "--",
        "なし",
        "無し",
        "無",
        "ナシ",
        "none",
        "n/a",
        "na",
        "nil",
        "無料",
        "不要",
        "free",
        "定めなし",
        "定め無し",
        "期限なし",
    }
)
_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—―−ー－─", "-"))
_NUMERALS: Final = str.maketrans("一二三四五六七八九", "123456789")
_INCLUDED: Final = re.compile(
    r"[(\[]?(?:共益費|管理費|共|管)?(?:込み?|含む?)[)\]]?|[(\[]?incl(?:\.|uded|usive)?[^)]*[)\]]?",
    re.IGNORECASE,
)
_SIGNS: Final = re.compile(r"[¥\\￥]|円|yen|jpy|/月|也", re.IGNORECASE)
_COUNTED: Final = re.compile(
    r"(?:(?P<man>\d+(?:\.\d+)?)万)?(?:(?P<sen>\d+(?:\.\d+)?)千)?(?P<rest>\d{1,4})?"
)
_FIGURE: Final = re.compile(r"\d+(?:\.\d+)?|\d{1,3}(?:,\d{3})+(?:\.0+)?")
_SPACED: Final = re.compile(r"\d\s+\d")
_THIN: Final = re.compile(r"(?<![\d.,])\d{1,3}(?:\s\d{3})+(?![\d.,])")
_DOTTED: Final = re.compile(r"(\d{1,3}(?:\.\d{3})+)(?:,(?:0{1,2}|-))?")
_MONTHS: Final = re.compile(
    rf"(?P<n>\d+(?:\.\d+)?){MONTHS_WORD}分?|(?P<half>半[ヶケカヵか]?月分?)", re.IGNORECASE
)
_YEN_AND_MONTHS: Final = re.compile(
    rf"(?P<yen>[¥\\]?\d[\d,]{{3,}}円?)(?P<join>[(\[/])(?P<months>\d+(?:\.\d+)?{MONTHS_WORD}分?)[)\]]?",
    re.IGNORECASE,
)
_MONTHS_AND_YEN: Final = re.compile(
    rf"(?P<months>\d+(?:\.\d+)?{MONTHS_WORD}分?)(?P<join>[(\[/])(?P<yen>[¥\\]?\d[\d,]{{3,}}円?)[)\]]?",
    re.IGNORECASE,
)
_DEPOSIT_SHARE: Final = re.compile(r"敷金?[:]?(?P<n>\d[\d,]*(?:\.\d+)?|なし|-)")
_MOST_MONTHS: Final = 12
_LONGEST_NAME: Final = 200
_COMPANY: Final = re.compile(
    r"株式会社|有限会社|合同会社|合資会社|合名会社|[㈱㈲]|\((?:株|有|同|資)\)|社団法人|財団法人|医療法人|学校法人|宗教法人"
    r"|福祉法人|協同組合|\b(?:inc|ltd|llc|corp|gmbh|k\.k)\b",
    re.IGNORECASE,
)
# ㈱ and ① in a name are kept as written.
_KEPT: Final = re.compile("[^㈀-㏿①-⓿]+")
_KANA_RUN: Final = re.compile(r"[ァ-ヶーヽヾぁ-ゖｦ-ﾟ・\s]+")
_KATAKANA: Final = re.compile(r"[ァ-ヶーヽヾ・]+")
_READING_BESIDE: Final = re.compile(r"(.+?)\s*[(\[]([ァ-ヶーヽヾぁ-ゖ・\s]+)[)\]]\s*")
_KANJI: Final = re.compile(r"[一-鿿々〆髙﨑]")
_AND: Final = re.compile(r"\s*(?:[、;,&/／]|(?<=[一-鿿々])・(?=[一-鿿々])|\sと\s)\s*")
_BETWEEN_PEOPLE: Final = re.compile(r"\s+[/／&]\s+|\s*[;、]\s*")
_COMING: Final = re.compile(r"^(?:予約|申込|申込者|内定|新規|入居予定)[\s:：]+(?=\S)")
_HONORIFIC: Final = re.compile(r"\s*(?:様|さま|殿)$")
_OTHERS: Final = re.compile(r"\s*[(]?(?:他|外|ほか)\s*\d+\s*名[)]?$")


class Stated(Enum):
    """How an amount is stated."""

    NOTHING = auto()
    YEN = auto()
    COUNTED = auto()
    MONTHS = auto()
    WORD = auto()


class Money(NamedTuple):
    """The content of an amount cell: yen, months of rent, or a word that is no amount."""

    stated: Stated
    yen: int = 0
    months: Decimal = Decimal(0)
    is_included: bool = False


class PersonOfCell(NamedTuple):
    """A person named in the sheet, with the reading beside the name."""

    name: str
    kana: str | None
    is_company: bool


# The same few words and amounts occur in thousands of rows.
@lru_cache(maxsize=8192)
def plain(cell: str) -> str:
    """The cell in one width, without blanks around it."""
    return normalize("NFKC", cell.replace("〜", "~").replace("～", "~")).strip()


@lru_cache(maxsize=8192)
def is_nothing(cell: str) -> bool:
    """Whether the cell says that there is none: blank, a dash, なし."""
    return plain(cell).translate(_DASHES).casefold() in _NONE_WORDS


@lru_cache(maxsize=8192)
def money(cell: str, factor: int = 1) -> Money:
    """The amount in a cell, in yen; `factor` for columns in thousands."""
    if is_nothing(cell):
        return Money(Stated.NOTHING)
    written = plain(cell)
    if _SPACED.search(written) and not _THIN.search(written):
        return Money(Stated.WORD)
    written = re.sub(r"\s+", "", written)
    written = re.sub(r"[(\[]?(?:税込み?|税別|非課税)[)\]]?", "", written)
    bare = _INCLUDED.sub("", written)
    is_included = bare != written
    if not bare:
        return Money(Stated.NOTHING, is_included=True)
    bare = re.sub(r"[-]+$", "", _SIGNS.sub("", bare))
    is_negative = bool(re.match(r"[▲△\-−]", bare)) or bool(re.fullmatch(r"\([\d,]+\)", bare))
    bare = bare.strip("()▲△-−+")
    found = _read_yen(bare, factor)
    if found is not None:
        text, yen = found
        return Money(text, -yen if is_negative else yen, is_included=is_included)
    months = read_months(bare)
    if months is not None:
        return Money(Stated.MONTHS, months=months, is_included=is_included)
    return Money(Stated.WORD, is_included=is_included)


def _read_yen(bare: str, factor: int) -> tuple[Stated, int] | None:
    if factor == 1 and (dotted := _DOTTED.fullmatch(bare)):
        return Stated.COUNTED, int(dotted[1].replace(".", ""))
    if thousands := re.fullmatch(r"(\d{1,4}(?:\.\d{1,3})?)k", bare, re.IGNORECASE):
        return Stated.COUNTED, int(Decimal(thousands[1]) * 1_000)
    if _FIGURE.fullmatch(bare):
        exact = Decimal(bare.replace(",", "")) * factor
        return (Stated.YEN, int(exact)) if exact == int(exact) else None
    counted = _COUNTED.fullmatch(bare)
    if counted is None or not (counted["man"] or counted["sen"]):
        return None
    exact = (
        Decimal(counted["man"] or 0) * 10_000
        + Decimal(counted["sen"] or 0) * 1_000
        + Decimal(counted["rest"] or 0)
    )
    return Stated.COUNTED, int(exact)


def read_months(text: str) -> Decimal | None:
    """How many months of rent a text names: 1ヶ月, 1.5ヶ月, 三ヶ月分, 半月分."""
    found = _MONTHS.fullmatch(plain(text).translate(_NUMERALS))
    if found is None:
        return None
    try:
        return Decimal("0.5") if found["half"] else Decimal(found["n"])
    except InvalidOperation:
        return None


def deposit_money(cell: str, factor: int = 1) -> Money:
    """A deposit: an amount, months of rent, or the share of 敷 in 敷1 礼1."""
    cell = _KEPT_AT_THE_END.sub("", plain(cell))
    both = _months_and_yen(cell)
    if both is not None and not (both.re is _MONTHS_AND_YEN and both["join"] == "/"):
        return money(both["yen"], factor)
    share = _DEPOSIT_SHARE.search(re.sub(r"\s+", "", plain(cell)).translate(_NUMERALS))
    found = money(share["n"] if share else re.split(r"\s*/\s*", plain(cell))[0], factor)
    if found.stated is Stated.YEN and factor == 1 and 0 < found.yen <= _MOST_MONTHS:
        return Money(Stated.MONTHS, months=Decimal(found.yen))
    if found.stated is Stated.WORD and share and re.fullmatch(r"\d+\.\d+", share["n"]):
        return Money(Stated.MONTHS, months=Decimal(share["n"]))
    return found


_KEPT_AT_THE_END: Final = re.compile(
    r"\s*[(\[,、/]?\s*(?:内|うち)?\s*(?:償却|敷引き?|解約引き?|控除)[^)\]]*[)\]]?$"
)


def is_kept_in_part(cell: str) -> bool:
    """Whether a deposit says that a part of it is kept at the end: １ヶ月（償却１）."""
    return _KEPT_AT_THE_END.search(plain(cell)) is not None


def _months_and_yen(cell: str) -> re.Match[str] | None:
    written = re.sub(r"\s+", "", plain(cell))
    return _YEN_AND_MONTHS.fullmatch(written) or _MONTHS_AND_YEN.fullmatch(written)


def months_beside_yen(cell: str, factor: int = 1) -> tuple[Decimal, int] | None:
    """The months and the yen of a deposit written both ways: 1ヶ月/80,000 or 80,000(1ヶ月)."""
    both = _months_and_yen(cell)
    months = read_months(both["months"]) if both else None
    return None if both is None or months is None else (months, money(both["yen"], factor).yen)


def of_rent(months: Decimal, rent: int) -> int:
    """So many months of a rent, in whole yen."""
    numerator, denominator = months.as_integer_ratio()
    return round_half_away(Fraction(numerator * rent, denominator))


_HOUSE_AND_ROOM: Final = re.compile(
    r"(.*\D)[\s\-]+([A-Za-z]?-?\d[\w\-]{0,5}(?:号室|号|室)?)|(.*\D)(\d{1,5})(?:号室|号|室)"
)
_LONGEST_HOUSE: Final = 200
_DITTO: Final = re.compile(
    r"[〃々\"″“”ﾞ']{1,2}|同上|上に同じ|上と同じ|ditto|same as above|do\.", re.IGNORECASE
)
_SAME_PERSON: Final = re.compile(
    r"本人|契約者|同(?:左|上|じ|人)|契約者(?:本人|と?に?同じ)|same|self|ditto|〃", re.IGNORECASE
)


@lru_cache(maxsize=8192)
def is_ditto(cell: str) -> bool:
    """Whether a cell says that it repeats the one above: 〃, 同上, ditto."""
    return bool(_DITTO.fullmatch(cell.strip()))


def is_same_person(cell: str) -> bool:
    """Whether a cell says that who holds the contract lives there: 本人, 同左, same."""
    return bool(_SAME_PERSON.fullmatch(plain(cell)))


@lru_cache(maxsize=8192)
def read_room(cell: str) -> str:
    """A room in one width, without a trailing 号室, 号 or 室."""
    return re.sub(r"\s*(?:号室|号|室)$", "", plain(cell).removesuffix(".0")).strip()


def house_and_room(cell: str) -> tuple[str | None, str]:
    """The house and the room of a cell that tells both: グリーンコーポ 101号室, Kiri Court 2-B."""
    written = plain(cell)
    found = _HOUSE_AND_ROOM.fullmatch(written) if len(written) <= _LONGEST_HOUSE else None
    if found is None:
        return None, read_room(cell)
    return (found[1] or found[3]).strip(), read_room(found[2] or found[4])


def reading(cell: str) -> str | None:
    """A reading in full-width katakana; None when there is none."""
    text = re.sub(r"\s+", " ", plain(cell))
    if is_nothing(text):
        return None
    return "".join(chr(ord(letter) + 0x60) if "ぁ" <= letter <= "ゖ" else letter for letter in text)


@lru_cache(maxsize=4096)
def people_in(cell: str) -> tuple[PersonOfCell, ...]:
    """The people in a cell, each with the reading beside or below the name."""
    found: list[PersonOfCell] = []
    for line in re.split(r"[\r\n]+", cell):
        written = _KEPT.sub(lambda run: normalize("NFKC", run[0]), line).strip()
        if not written:
            continue
        if found and found[-1].kana is None and _KANA_RUN.fullmatch(written):
            found[-1] = found[-1]._replace(kana=reading(written))
            continue
        found += _people_of_line(written)
    return tuple(found)


def _people_of_line(line: str) -> Iterator[PersonOfCell]:
    if len(line) > _LONGEST_NAME:
        yield PersonOfCell(line, None, is_company=False)
        return
    beside = _READING_BESIDE.findall(line)
    if beside:
        for name, kana in beside:
            yield _read_person(name.strip(" /、&;・"), reading(kana))
        return
    several = [part for part in _BETWEEN_PEOPLE.split(line) if part]
    if len(several) > 1 and all(_KANJI.search(part) or " " in part for part in several):
        yield from (_read_person(part, None) for part in several)
        return
    name, kana = _name_and_reading(line)
    parts = [part for part in _AND.split(name) if part] if not is_company(name) else [name]
    if len(parts) > 1 and all(_KANJI.search(part) or " " in part for part in parts):
        yield from (_read_person(part, None) for part in parts)
    else:
        yield _read_person(name, kana)


def _name_and_reading(line: str) -> tuple[str, str | None]:
    words = line.split()
    at = next((n for n, word in enumerate(words) if _KATAKANA.fullmatch(word)), len(words))
    names, kana = words[:at], words[at:]
    if not names or not all(_KATAKANA.fullmatch(word) for word in kana):
        return line, None
    is_reading = len(kana) > 1 or (
        len(kana) == 1 and len(names) == 1 and len(names[0]) > 2 and len(kana[0]) > 4
    )
    return (" ".join(names), reading(" ".join(kana))) if is_reading else (line, None)


def _read_person(name: str, kana: str | None) -> PersonOfCell:
    if not is_company(name):
        name = re.sub(r"^[(\[][^)\]]*[)\]]\s*(?=\S)", "", _COMING.sub("", name))
    bare = _OTHERS.sub("", _HONORIFIC.sub("", re.sub(r"\s+", " ", name).strip()))
    return PersonOfCell(bare, kana, is_company(bare))


def is_company(name: str) -> bool:
    """Whether a name is that of a company or another organisation."""
    return bool(_COMPANY.search(plain(name)))


def telephone(cell: str) -> tuple[str | None, bool]:
    """The number as written in Japan, and whether its leading 0 had to be restored."""
    number = plain(cell).translate(_DASHES).removesuffix(".0")
    if is_nothing(number):
        return None, False
    digits = re.sub(r"\D", "", number)
    lost = bool(re.fullmatch(r"[1-9]\d{8,9}", number))
    digits = f"0{digits}" if lost else digits
    if re.fullmatch(r"0[5-9]0\d{8}", digits):
        return f"{digits[:3]}-{digits[3:7]}-{digits[7:]}", lost
    return (digits if lost else number), lost
