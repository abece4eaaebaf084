"""Reads a website visitor's wishes: a budget, a move-in day, a kind of home."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple, TypeVar

from pms.rules.dates_in_text import dates_in_text, plain
from pms.rules.enumerations import Locale, UnitType
from pms.rules.yen import LARGEST_YEN

Kind = TypeVar("Kind", bound=StrEnum)

_AMOUNT: Final = re.compile(
    r"(?P<sign>¥ ?)?(?<![\d,.])(?P<figures>\d{1,3}(?:,\d{3})+|\d{1,9})(?P<part>\.\d{1,3})?"
    r" ?(?P<scale>万(?:(?P<thousands>\d)千)?|k\b)?(?P<unit> ?(?:円|yen\b|jpy\b))?"
)
_AT_MOST: Final = re.compile(
    r"^ ?(?:以下|以内|未満|まで|くらい|ぐらい|程度|前後|or less|or under|or below|at most|max\b)"
)
_AT_LEAST: Final = re.compile(r"^ ?(?:以上|より上|から|or more|or over|and up|at least)")
_MOST_BEFORE: Final = re.compile(
    r"(?:under|below|less than|up to|at most|within|no more than|cheaper than|max(?:imum)?|budget"
    r"(?: is| of)?|予算(?:は|が)?|家賃(?:は|が)?|around|about|上限(?:は|が)?)[: ]*¥? ?$"
)
_LEAST_BEFORE: Final = re.compile(
    r"(?:over|above|more than|at least|from|minimum|between)[: ]*¥? ?$"
)
_RANGE: Final = re.compile(r"^ ?(?:[-~〜–から]+|to\b|and\b) ?¥? ?$")
_NOW: Final = re.compile(
    r"今すぐ|すぐに?(?:入居|住|入れ|引っ?越)|即日|即入居|直ちに|available now|right now|immediate"
    r"|right away|move in now|as soon as possible|\basap\b"
)
_FREE: Final = re.compile(
    r"空い?[室きてい]|あき部屋|入居(?:可|でき|した|希望|日|は)|引っ?越し?|借り|住みたい|部屋を探|物件"
    r"|お?部屋(?:は|が|を|って)|賃貸|家賃|\bavailab|\bvacan|\bfree (?:room|unit|now|from)"
    r"|\bmove[- ]?in\b|\brent\b|\brooms?\b|\bapartments?\b|share ?houses?\b|\bunits?\b|looking for"
)
_SHARED: Final = re.compile(r"シェアハウス|シェア ?ハウス|share ?d? ?houses?\b")
_ALONE: Final = re.compile(r"アパート|マンション|\bapartments?\b|\bflats?\b")
_LAYOUT: Final = re.compile(r"(?<![\d,.a-z])([1-5]s?l?d?k|[1-5]r)(?![a-z])|ワンルーム")
_NUMBERS_IN_WORDS: Final = {
    **{"一": 1, "二": 2, "三": 3, "四": 4, "五": 5},
    **{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5},
}
_BEDROOMS: Final = re.compile(
    r"(?P<ja>[1-9一二三四五])つ?の? ?(?:ベッド ?ルーム|寝室)"
    r"|(?:ベッド ?ルーム|寝室)(?:が|は)?(?P<late>[1-9一二三四五])(?:つ|室|部屋)"
    r"|\b(?P<en>[1-9]|one|two|three|four|five)[- ]?(?:bed(?:room)?s?\b|br\b|bdr?m?s?\b)"
)
_NOT_BEFORE: Final = re.compile(r"^ ?(?:から|以降|より|に入居|に引)")
_DEPOSIT_BEFORE: Final = re.compile(r"(?:敷金|保証金|デポジット|deposits?)[^。、.;]{0,16}$")
_DEPOSIT_AFTER: Final = re.compile(r"^ ?(?:の)?(?:敷金|保証金|デポジット|deposit)")
_NO_DEPOSIT: Final = re.compile(
    r"(?:敷金|保証金)(?:[・、/と]?礼金)?(?:は|が|の)?(?:なし|無し|ない|ゼロ|0(?!\d)|不要)"
    r"|\b(?:no|without(?: an?)?|zero) (?:security )?deposit|deposit[- ]free"
)
_NEAR_A_STATION: Final = re.compile(
    r"駅近|駅(?:から|に|の)?(?:近|すぐ|そば)|\b(?:near|close to|by)\b[^.,;]{0,24}?\bstations?\b"
)
_MINUTES: Final = re.compile(
    r"(?:駅|徒歩)[^。、0-9]{0,8}(?P<ja>\d{1,2}) ?分"
    r"|(?P<en>\d{1,2})[- ]?min[a-z']*[^.,;]{0,24}?\bstations?\b"
    r"|\bstations?\b[^.,;0-9]{0,24}(?P<late>\d{1,2})[- ]?min"
)
_STATION: Final = re.compile(
    r"(?P<ja>[々一-鿿ァ-ヶー]{1,10}|[ぁ-ゖ]{4,10})駅|\b(?P<en>[a-z][a-z-]{2,}) station\b"
)
_NO_STATION: Final = frozenset(
    [
        "各",
        "最寄",
        "当",
        "同",
        "全",
        "主要",
        "nearest",
        "closest",
        "train",
        "subway",
        "metro",
        "any",
        "the",
        "near",
    ]
)
# The usual meaning of 駅近 in Japanese listings.
_NEAR_MINUTES: Final = 10
_WALK: Final = re.compile(
    r"駅[^。、0-9]{0,6}徒歩 ?(\d{1,2}) ?分|(\d{1,2})[- ]min[a-z']* ?(?:on foot|walk)"
)
_ASKS_FIGURE: Final = re.compile(
    r"いくら|費用|料金|手数料|違約金|\bfees?\b|\bhow much\b|\bcosts?\b|\bpenalt"
)
_FROM: Final = re.compile(r"\b(?:from|since|on|starting)(?: the)? $")
_OF_PEOPLE: Final = re.compile(
    r"(?:入居者|住人|居住者|契約者)(?:さん)?(?:の(?:名前|氏名|連絡|メール|電話|情報|住所|一覧|リスト)"
    r"|は(?:誰|だれ|どんな|何)|一覧|リスト|全員)|住んでいる(?:人|方)(?:の|は)|住んで(?:います|る)か"
    r"|誰が|だれが|(?:さん|様|氏)の?.{0,12}(?:電話|メール|連絡先|住所|部屋|番号)"
    r"|\w's (?:phone|e-?mail|room|address|number|contact)"
    r"|\bwho (?:lives|is living|rents|stays)|\bwhere (?:does|do|is) .{1,40} liv"
    r"|\b(?:tenants?|residents?)(?:'s?)? (?:names?|e-?mails?|phones?|contacts?|list)\b"
    r"|\b(?:list|names? of|every|each|all|your) (?:the |your |of the )?(?:tenants?|residents?)\b"
)
_GREETING: Final = re.compile(
    r"(?:こんにち[はわ]|こんばん[はわ]|おはよう(?:ございます)?|はじめまして|やあ|どうも|hello|hi|hey"
    r"|good (?:morning|afternoon|evening))[!！。.、, ]*"
)


class Trait(StrEnum):
    """Something that a listing may say about a home in its features or its description."""

    PETS = "pets"
    WOMEN_ONLY = "women_only"
    MEN_ONLY = "men_only"
    PARKING = "parking"


class Unlisted(StrEnum):
    """Wishes that listings say nothing about, so that no home can be filtered by them."""

    SMOKING = "smoking"
    INSTRUMENTS = "instruments"
    TWO_PEOPLE = "two_people"
    CHILDREN = "children"
    OVERNIGHT_GUESTS = "overnight_guests"
    GUARANTOR = "guarantor"
    KEY_MONEY = "key_money"
    NOISE = "noise"


_ASKED: Final[Mapping[Trait, re.Pattern[str]]] = {
    Trait.PETS: re.compile(r"ペット|[犬猫]|\bpets?\b|\bdogs?\b|\bcats?\b"),
    Trait.WOMEN_ONLY: re.compile(
        r"女性(?:専用|限定|のみ|だけ)|\b(?:women|woman|female|ladies|girls)[- ](?:only|s)"
        r"|\bonly (?:for )?(?:women|females|ladies)"
    ),
    Trait.MEN_ONLY: re.compile(
        r"男性(?:専用|限定|のみ|だけ)|\b(?:men|male|gentlemen|boys)[- ]only|\bonly (?:for )?(?:men|males)\b"
    ),
    Trait.PARKING: re.compile(
        r"駐車|パーキング|(?<!bicycle )(?<!bike )(?<!motorbike )\bparking\b|\bpark (?:my|a|our) car"
    ),
}
_SAID: Final[Mapping[Trait, re.Pattern[str]]] = {
    **_ASKED,
    Trait.PETS: re.compile(
        r"ペット(?:と|も)?(?:の?飼育)?(?:可|ok|相談|歓迎|暮らせ)|\bpets?[- ](?:allowed|ok|okay|friendly|welcome)"
        r"|\ballows? pets"
    ),
}
_DENIED: Final = re.compile(
    r"(?:ペット|駐車場|駐車)[^。、]{0,6}(?:不可|なし|無し|ありません|ない)|\bno (?:pets?|parking)\b|\bpets? not\b"
)
_UNLISTED: Final[Mapping[Unlisted, re.Pattern[str]]] = {
    Unlisted.SMOKING: re.compile(r"喫煙|たばこ|タバコ|煙草|\bsmok"),
    Unlisted.INSTRUMENTS: re.compile(r"楽器|ピアノ|ギター|\binstruments?\b|\bpiano|\bguitar"),
    Unlisted.TWO_PEOPLE: re.compile(
        r"[2二]人(?:で|入居|暮らし|住)|同棲|カップル|夫婦|\bcouples?\b|\btwo people\b|\b(?:my|a) partner\b"
    ),
    Unlisted.CHILDREN: re.compile(r"子(?:供|ども|連れ)|\b(?:child(?:ren)?|kids?|baby)\b"),
    Unlisted.OVERNIGHT_GUESTS: re.compile(
        r"友(?:人|達|だち)[^。]{0,8}(?:泊|宿)|\bovernight\b|\bfriends? (?:can |to )?stay"
    ),
    Unlisted.GUARANTOR: re.compile(r"保証人|\bguarantor"),
    Unlisted.KEY_MONEY: re.compile(r"礼金|\bkey money\b"),
    Unlisted.NOISE: re.compile(r"静か|防音|\bquiet|\bsoundproof"),
}


class VisitorWish(NamedTuple):
    """What a visitor wishes; unset fields exclude nothing.

    `stations` are names; `unlisted` are wishes by which no home can be filtered; `unread` are words
    of the question that nothing was made of.
    """

    is_about_homes: bool = False
    available_now: bool = False
    move_in_by: date | None = None
    price_min_yen: int | None = None
    price_max_yen: int | None = None
    type: UnitType | None = None
    layouts: tuple[str, ...] = ()
    bedrooms: int | None = None
    deposit_max_yen: int | None = None
    station_minutes: int | None = None
    stations: tuple[str, ...] = ()
    traits: tuple[Trait, ...] = ()
    features: tuple[str, ...] = ()
    unlisted: tuple[Unlisted, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def narrows(self) -> bool:
        """Whether there is any wish by which homes can be filtered."""
        return self != VisitorWish(
            is_about_homes=self.is_about_homes, unlisted=self.unlisted, unread=self.unread
        )


def read_wish(text: str, today: date) -> VisitorWish:
    """Return the wishes in a question; whole yen, days in Japan (List units, Availability)."""
    plain_text = plain(text)
    least, most, deposit_most = _read_price_limits(plain_text)
    minutes = _station_minutes(plain_text)
    wish = VisitorWish(
        available_now=_NOW.search(plain_text) is not None,
        move_in_by=_move_in_by(plain_text, today),
        price_min_yen=least,
        price_max_yen=most,
        type=_read_unit_type(plain_text),
        layouts=_read_layouts(plain_text),
        bedrooms=_read_bedrooms(plain_text),
        deposit_max_yen=0 if _NO_DEPOSIT.search(plain_text) else deposit_most,
        station_minutes=minutes,
        stations=_read_stations(plain_text) if minutes is not None else (),
        traits=() if _ASKS_FIGURE.search(plain_text) else _list_matching_kinds(_ASKED, plain_text),
        unlisted=_list_matching_kinds(_UNLISTED, plain_text),
    )
    is_about_homes = wish.narrows or _FREE.search(plain_text) is not None
    return wish._replace(is_about_homes=is_about_homes)


# What the readers above make something of, and words that say nothing about a home.
_READ: Final = (
    *(_BEDROOMS, _LAYOUT, _AMOUNT, _NOW, _NO_DEPOSIT, _NEAR_A_STATION, _MINUTES, _STATION),
    *(_SHARED, _ALONE, *_ASKED.values(), *_UNLISTED.values()),
)
_PLAIN_JAPANESE: Final = re.compile(
    r"こんに[ちは]+|お?部屋|物件|賃貸|住宅|住居|住まい|家|入居|退去|引っ?越し?|家賃|賃料|料金|費用|予算|敷金|保証金"
    r"|月額|毎月|希望|条件|空室|空き?|空い|可能|不可|可|以内|以下|以上|未満|上限|下限|程度|前後|徒歩|最寄り?|各駅|駅"
    r"|近く|近い|近辺|付近|周辺|エリア|地域|地区|場所|案内|紹介|教え|願い|相談|連絡|問い?合わせ|質問|探し?|借り|住み|住む"
    r"|住|見つけ|見せ|見学|内見|内覧|予約|申し?込み?|今すぐ|即日|今日|明日|今週|来週|今月|来月|再来月|今年|来年|年内"
    r"|初旬|上旬|中旬|下旬|月末|月初|月|日|時期|期間|現在|一番|安い|安く|安|格安|高い|手頃|良い|他|別|方|(?<!外国)人|私|僕|自分"
    r"|一人暮らし|一人|万|円|年|何|件|室|中|内|間|前|後|一覧|情報|全部|全て|多く|少し|出来|致し|思い|考え|予定|大丈夫"
)
_NO_WISH: Final = """
    a about accommodation after afternoon all also am an and another any anything apartment
    apartments are around as asap ask at avail availability available be been before begin
    beginning below best between book but by can cheap cheaper cheapest close contract could
    date day days deposit do does don't early else end evening every find flat flats for free
    from get give good got have hello help hey hi home homes house houses how i i'd i'll i'm
    i've if immediately in is isn't it it's its japan jpy just know late later least less let
    like list live living long look looking low lower many max maximum may me mid min minimum
    minute minutes month monthly months more morning most move moving much must my near nearby
    nearest need next nice no not now of offer offered offers ok okay on one only open or other
    others our out over people per person place places please possible price prices rent rental
    rentals renting room rooms see share shared sharehouse sharehouses show single so some
    someone something soon space spaces start starting station stations stay still suitable tell
    than thank thanks that the their them there there's these they this those through to today
    tomorrow train under unit units until up us vacancies vacancy vacant very visit walk walking
    want wanted wants was way we week weeks what what's when where which who will with within
    without work would year years yen yes you your
"""
_PLAIN_ENGLISH: Final = frozenset(_NO_WISH.split())
_WORD: Final = re.compile(r"[々一-鿿]{2,}[きりみ]?|[ァ-ヶ][ァ-ヶー]+|[a-z][a-z'-]*[a-z]")
_MOST_UNREAD: Final = 5


def unread_words(text: str, today: date, known: Iterable[str]) -> tuple[str, ...]:
    """Return the words of a question that no reader makes anything of, in their order.

    `known` are names that were understood otherwise: places and features of listings.
    """
    left = plain(text)
    for day in dates_in_text(text, today):
        left = left[: day.start] + " " * (day.end - day.start) + left[day.end :]
    for name in sorted(map(plain, known), key=len, reverse=True):
        left = left.replace(name, " ") if len(name) > 1 else left
    for pattern in (*_READ, _PLAIN_JAPANESE):
        left = pattern.sub(" ", left)
    words = (found[0] for found in _WORD.finditer(left))
    kept = (word for word in words if word.removesuffix("'s") not in _PLAIN_ENGLISH)
    return tuple(dict.fromkeys(kept))[:_MOST_UNREAD]


def tells_trait(trait: Trait, texts: Iterable[str]) -> bool:
    """Whether a home's features or description say that it has a trait."""
    return any(
        _SAID[trait].search(text) is not None and _DENIED.search(text) is None
        for text in map(plain, texts)
    )


def mentions_trait(trait: Trait, text: str) -> bool:
    """Whether a text mentions a trait, positively or negatively."""
    return _ASKED[trait].search(plain(text)) is not None


def walk_minutes(access: Iterable[str]) -> int | None:
    """Return the minutes on foot to the nearest station in a building's access text."""
    found = [int(ja or en) for text in access for ja, en in _WALK.findall(plain(text))]
    return min(found, default=None)


def asks_for_people(text: str) -> bool:
    """Whether a question is about who lives somewhere, which the assistant never answers."""
    return _OF_PEOPLE.search(plain(text)) is not None


def is_greeting(text: str) -> bool:
    """Whether the text is only a greeting."""
    return _GREETING.fullmatch(plain(text).strip()) is not None


def _read_unit_type(text: str) -> UnitType | None:
    shared, alone = _SHARED.search(text), _ALONE.search(text)
    if bool(shared) == bool(alone):
        return None
    return UnitType.SHAREHOUSE if shared else UnitType.APARTMENT


def _read_layouts(text: str) -> tuple[str, ...]:
    found = (match[1].upper() if match[1] else "1R" for match in _LAYOUT.finditer(text))
    return tuple(dict.fromkeys(found))


def _read_bedrooms(text: str) -> int | None:
    found = _BEDROOMS.search(text)
    if found is None:
        return None
    number = found["ja"] or found["late"] or found["en"]
    return _NUMBERS_IN_WORDS.get(number) or int(number)


def _station_minutes(text: str) -> int | None:
    found = _MINUTES.search(text)
    if found is not None:
        return int(found["ja"] or found["en"] or found["late"])
    is_near = _NEAR_A_STATION.search(text) or _read_stations(text)
    return _NEAR_MINUTES if is_near else None


def _read_stations(text: str) -> tuple[str, ...]:
    names = (match["ja"] or match["en"] for match in _STATION.finditer(text))
    return tuple(dict.fromkeys(name for name in names if name and name not in _NO_STATION))


def _list_matching_kinds(patterns: Mapping[Kind, re.Pattern[str]], text: str) -> tuple[Kind, ...]:
    return tuple(kind for kind, pattern in patterns.items() if pattern.search(text))


def _read_price_limits(text: str) -> tuple[int | None, int | None, int | None]:
    """The lowest and highest rent wished for, and the highest deposit."""
    least: int | None = None
    most: int | None = None
    deposit_most: int | None = None
    before_end = 0
    for match in _AMOUNT.finditer(text):
        yen = _read_yen(match)
        before, after = text[before_end : match.start()], text[match.end() :]
        is_money = bool(match["sign"] or match["unit"] or (match["scale"] or "").startswith("万"))
        is_most = bool(_AT_MOST.search(after) or _MOST_BEFORE.search(before))
        is_least = bool(_AT_LEAST.search(after) or _LEAST_BEFORE.search(before))
        if yen is None or not (is_money or ((is_most or is_least) and yen >= 10_000)):
            continue
        if _DEPOSIT_BEFORE.search(before) or _DEPOSIT_AFTER.search(after):
            deposit_most = yen
        elif least is None and most is not None and _RANGE.search(before):
            least, most = most, yen
        elif is_least:
            least = yen
        else:
            most = yen
        before_end = match.end()
    if least is not None and most is not None and least > most:
        least, most = most, least
    return least, most, deposit_most


def _read_yen(match: re.Match[str]) -> int | None:
    whole = int(match["figures"].replace(",", ""))
    part = int(((match["part"] or ".0")[1:] + "000")[:3])
    if (match["scale"] or "").startswith("万"):
        yen = whole * 10_000 + part * 10 + int(match["thousands"] or 0) * 1_000
    elif match["scale"]:
        yen = whole * 1_000 + part
    else:
        yen = whole
    return yen if 0 < yen <= LARGEST_YEN else None


def _move_in_by(text: str, today: date) -> date | None:
    """The day a home must be free by: the first day told when it is the start, else the last."""
    for day in dates_in_text(text, today):
        if day.first_on is None or day.last_on is None or day.last_on < today:
            continue
        is_start = _NOT_BEFORE.search(text[day.end :]) or _FROM.search(text[: day.start])
        return max(day.first_on, today) if is_start and not day.is_relative else day.last_on
    return None


def spoken_locale(text: str) -> Locale | None:
    """Return the language a text is written in, `None` when it has letters of neither."""
    plain_text = plain(text)
    if re.search(r"[々〆぀-ヿ㐀-䶿一-鿿豈-﫿]", plain_text):
        return Locale.JA
    return Locale.EN if re.search(r"[a-z]", plain_text) else None
