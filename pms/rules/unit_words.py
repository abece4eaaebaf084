"""Writes a unit's layout in Japanese or English (specification, List units: `layout`).

Terms of the trade are translated by rule: ワンルーム, 個室, 和室6畳, 1LDK(和6・洋8). A layout with
any other word is free text: it stays as typed and is marked as Japanese.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import normalize


class LabelledText(NamedTuple):
    """A text for a reader; `lang` is its language where it differs from the reader's."""

    text: str
    lang: str | None = None


_HEADS: Final = {
    "ワンルーム": "studio",
    "スタジオ": "studio",
    "半個室": "semi-private room",
    "個室": "private room",
    "相部屋": "shared room",
    "ドミトリー": "dormitory",
    "ドミ": "dormitory",
    "シングルルーム": "single room",
    "シングル": "single room",
    "ツインルーム": "twin room",
    "ツイン": "twin room",
    "ダブルルーム": "double room",
    "ダブル": "double room",
    "トリプル": "triple room",
    "ファミリールーム": "family room",
    "ファミリー": "family room",
    "和洋室": "Japanese-Western room",
    "和室": "Japanese-style room",
    "洋室": "Western-style room",
    "和": "Japanese-style room",
    "洋": "Western-style room",
    "ロフト": "loft",
    "メゾネット": "maisonette",
    "納戸": "storage room",
    "サービスルーム": "storage room",
    "一戸建て": "detached house",
    "一戸建": "detached house",
    "戸建て": "detached house",
    "戸建": "detached house",
    "一軒家": "detached house",
    "テラスハウス": "terraced house",
    "町家": "town house",
    "リビング": "living room",
    "キッチン": "kitchen",
    "二段ベッド": "bunk bed",
    "2段ベッド": "bunk bed",
}
_BEFORE: Final = {
    "女性専用": "women-only",
    "女性限定": "women-only",
    "女性用": "women-only",
    "男性専用": "men-only",
    "男性限定": "men-only",
    "男性用": "men-only",
    "男女共用": "mixed",
    "男女混合": "mixed",
    "家具家電付き": "furnished",
    "家具家電付": "furnished",
    "家具付き": "furnished",
    "家具付": "furnished",
    "角部屋": "corner",
}
_KINDS_OF_HOME: Final = {"maisonette", "detached house", "terraced house", "town house", "loft"}
_WITH: Final = {"ロフト": "loft", "バルコニー": "balcony", "庭": "garden", "納戸": "storage room"}
_KANJI_DIGITS: Final = {kanji: str(digit) for digit, kanji in enumerate("〇一二三四五六七八九")}
_NUMBER: Final = r"(?:\d+(?:\.\d+)?|[一二三四五六七八九十]+半?)"
_FIGURE: Final = r"\d+(?:\.\d+)?(?![\d.人SLDKR])(?:畳|帖|jo)?"
_TOKEN: Final = re.compile(
    rf"(?P<separator>[・/+＋、,&])|(?P<open>\()|(?P<close>\))"
    rf"|(?P<before>{'|'.join(sorted(_BEFORE, key=len, reverse=True))})の?"
    rf"|(?P<with>{'|'.join(_WITH)})(?:付き|付|あり|有)の?"
    rf"|(?P<for>\d+)人(?:部屋|用|室)?"
    rf"|(?P<size>{_NUMBER})\s*(?:畳|帖|jo)半?(?:間)?"
    rf"|(?P<code>(?:[1-9]\d?)?S?(?:LDK|LK|DK|K|R|L|D)(?:\+S)?(?![A-Z]))(?P<of>{_FIGURE})?"
    rf"|(?P<head>{'|'.join(sorted(_HEADS, key=len, reverse=True))})(?P<figure>{_FIGURE})?",
    re.IGNORECASE,
)
_HALF_MAT: Final = re.compile(rf"({_NUMBER})(?:畳|帖)半")
_BLANKS: Final = re.compile(r"\s+")
_JAPANESE: Final = re.compile(r"[぀-ヿ㐀-鿿豈-﫿ｦ-ﾝ々〆]")
_TO_JAPANESE: Final = {
    "studio": "ワンルーム",
    "private room": "個室",
    "semi-private room": "半個室",
    "shared room": "相部屋",
    "dormitory": "ドミトリー",
    "dorm": "ドミトリー",
    "single room": "シングルルーム",
    "twin room": "ツインルーム",
    "double room": "ダブルルーム",
    "family room": "ファミリールーム",
    "japanese-style room": "和室",
    "japanese room": "和室",
    "western-style room": "洋室",
    "western room": "洋室",
    "loft": "ロフト",
    "maisonette": "メゾネット",
    "detached house": "一戸建て",
    "town house": "町家",
}


def is_japanese(text: str) -> bool:
    """Tell whether a text holds kana or kanji."""
    return _JAPANESE.search(text) is not None


@lru_cache(maxsize=4096)
def describe_layout(layout: str, locale: str) -> LabelledText:
    """Return a layout for readers of a language; free text stays as typed, with its language."""
    if locale == "ja":
        return LabelledText(_TO_JAPANESE.get(_normalise_text(layout).casefold(), layout))
    if not is_japanese(_normalise_text(layout)):
        return LabelledText(_normalise_text(layout))
    english = _in_english(layout)
    return LabelledText(layout, "ja") if english is None else LabelledText(english)


@lru_cache(maxsize=4096)
def layout_key(layout: str) -> str:
    """Return the key that all spellings of one layout share (個室 and Private room, ワンルーム and 1R)."""
    key = _normalise_text(describe_layout(layout, "en").text).casefold()
    return _normalise_text(describe_layout(_TO_JAPANESE.get(key, ""), "en").text).casefold() or (
        "studio" if key == "1r" else key
    )


def _normalise_text(text: str) -> str:
    return _BLANKS.sub(" ", normalize("NFKC", text)).strip()


class _Part:
    """The part between two separators: words before, a head, a size, words after."""

    def __init__(self) -> None:
        self.before: list[str] = []
        self.head = self.size = ""
        self.after: list[str] = []

    def text(self) -> str:
        head = self.head
        if self.size and head[:1].isdigit():
            head = f"{head} ({self.size} jo)"
        elif self.size and head:
            head = f"{self.size}-jo {head}"
        elif self.size:
            head = f"{self.size} jo (tatami mats)"
        with_all = f"with {' and '.join(self.after)}" if self.after else ""
        return " ".join(word for word in (*self.before, head, with_all) if word)


def _in_english(layout: str) -> str | None:
    """Return the layout in English, or None where a part of it is not a known term."""
    text, english, part = _normalise_text(layout), "", _Part()
    text = _HALF_MAT.sub(r"\g<1>半畳", text)
    place = 0
    while place < len(text):
        if text[place] == " ":
            place += 1
            continue
        found = _TOKEN.match(text, place)
        if found is None:
            return None
        mark = found["separator"] or found["open"] or found["close"]
        if mark:
            english += part.text() + {"(": " (", ")": ")", "+": " + "}.get(mark, " / ")
            part = _Part()
        else:
            if part.size and part.head and (found["head"] or found["code"]):
                # Rooms listed one after another: 和6 洋8.
                english, part = f"{english}{part.text()} / ", _Part()
            if not _add_word(part, found):
                return None
        place = found.end()
    english = _BLANKS.sub(" ", (english + part.text()).replace("( ", "(")).strip()
    return english[:1].upper() + english[1:]


def _add_word(part: _Part, found: re.Match[str]) -> bool:
    """Add a word to a part; return whether there was a place for it."""
    if found["before"]:
        part.before.append(_BEFORE[found["before"]])
    elif found["with"]:
        part.after.append(_WITH[found["with"]])
    elif found["for"]:
        return _add_persons(part, found)
    elif found["size"]:
        if part.size:
            return False
        part.size = _write_mats_in_digits(found["size"])
    else:
        return _add_head(part, found)
    return True


def _add_head(part: _Part, found: re.Match[str]) -> bool:
    """Add a room or a code such as 2LDK; a kind of home may accompany its code."""
    head = found["code"].upper() if found["code"] else _HEADS[found["head"]]
    if part.head in _KINDS_OF_HOME and found["code"]:
        head = f"{head} {part.head}"
    elif head in _KINDS_OF_HOME and part.head:
        head = f"{part.head} {head}"
    elif part.head:
        return False
    figure = found["of"] or found["figure"]
    if part.size and figure:
        return False
    part.head, part.size = head, part.size or (figure or "").rstrip("畳帖joJO")
    return True


def _add_persons(part: _Part, found: re.Match[str]) -> bool:
    if "部屋" in found[0] or "室" in found[0]:
        part.head = part.head or "room"
    part.before.append(f"{found['for']}-person")
    return True


def _write_mats_in_digits(written: str) -> str:
    """Return a number of mats in digits: 6, 4.5, 六, 十二, 四半 (四畳半)."""
    if written[0].isdigit():
        return written
    whole = written.removesuffix("半")
    tens, ten, ones = whole.partition("十")
    if ten:
        number = str(int(_KANJI_DIGITS.get(tens, "1")) * 10 + int(_KANJI_DIGITS.get(ones, "0")))
    else:
        number = "".join(_KANJI_DIGITS[kanji] for kanji in whole)
    return f"{number}.5" if written.endswith("半") else number


_FACILITIES: Final = {
    "エアコン": "Air conditioning",
    "冷暖房": "Air conditioning",
    "床暖房": "Floor heating",
    "バルコニー": "Balcony",
    "ベランダ": "Balcony",
    "ロフト": "Loft",
    "オートロック": "Auto-lock entrance",
    "宅配ボックス": "Parcel box",
    "エレベーター": "Lift",
    "駐輪場": "Bicycle parking",
    "駐車場": "Parking",
    "バイク置き場": "Motorcycle parking",
    "インターネット無料": "Free internet",
    "ネット無料": "Free internet",
    "インターネット": "Internet",
    "光ファイバー": "Fibre internet",
    "wi-fi": "Wi-Fi",
    "無料wi-fi": "Free Wi-Fi",
    "家具付き": "Furnished",
    "家具付": "Furnished",
    "家電付き": "Appliances included",
    "家具家電付き": "Furnished, with appliances",
    "家具・家電付き": "Furnished, with appliances",
    "ベッド": "Bed",
    "机": "Desk",
    "冷蔵庫": "Refrigerator",
    "洗濯機": "Washing machine",
    "乾燥機": "Dryer",
    "浴室乾燥機": "Bathroom dryer",
    "電子レンジ": "Microwave",
    "テレビ": "Television",
    "室内洗濯機置場": "Washing machine space indoors",
    "室内洗濯機置き場": "Washing machine space indoors",
    "バス・トイレ別": "Separate bath and toilet",
    "バストイレ別": "Separate bath and toilet",
    "独立洗面台": "Separate washbasin",
    "温水洗浄便座": "Washlet",
    "追い焚き": "Bath reheating",
    "追い焚き機能": "Bath reheating",
    "都市ガス": "City gas",
    "ガスコンロ": "Gas stove",
    "ihコンロ": "Induction stove",
    "システムキッチン": "Fitted kitchen",
    "カウンターキッチン": "Counter kitchen",
    "クローゼット": "Closet",
    "ウォークインクローゼット": "Walk-in closet",
    "収納": "Storage",
    "フローリング": "Wooden floor",
    "畳": "Tatami",
    "南向き": "Facing south",
    "東向き": "Facing east",
    "西向き": "Facing west",
    "北向き": "Facing north",
    "角部屋": "Corner room",
    "最上階": "Top floor",
    "日当たり良好": "Sunny",
    "防犯カメラ": "Security cameras",
    "tvモニター付きインターホン": "Video intercom",
    "ペット可": "Pets allowed",
    "楽器可": "Instruments allowed",
    "女性専用": "Women only",
    "2人入居可": "Two people allowed",
    "二人入居可": "Two people allowed",
    "保証人不要": "No guarantor needed",
    "浴室": "Bathroom",
    "庭": "Garden",
    "専用庭": "Private garden",
    "共用キッチン": "Shared kitchen",
    "共用ラウンジ": "Shared lounge",
    "シャワー": "Shower",
}


@lru_cache(maxsize=4096)
def name_facility(typed: str) -> LabelledText:
    """Return a facility typed in Japanese for readers of English."""
    plain = "".join(normalize("NFKC", typed).casefold().split())
    english = _FACILITIES.get(plain)
    if english is not None:
        return LabelledText(english)
    return LabelledText(typed, "ja" if is_japanese(typed) else None)


def name_facilities(typed: Iterable[str]) -> tuple[list[str], str | None]:
    """Return facilities for readers of English, and `ja` when one of them is left in Japanese."""
    named = [name_facility(each) for each in typed]
    return [each.text for each in named], next((each.lang for each in named if each.lang), None)
