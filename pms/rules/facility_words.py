"""Translates facilities into English where only Japanese ones were typed (List units: `features`).

Terms of the trade are translated; other text stays as typed and is marked as Japanese.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final
from unicodedata import normalize

from pms.rules.unit_words import LabelledText, is_japanese

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
