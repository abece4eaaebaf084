"""The sentences of the assistant in both languages; it writes no others by itself."""

from collections.abc import Sequence
from typing import Final

from pms.foundation.wording import said_day
from pms.rules.enumerations import Locale, UnitType
from pms.rules.visitor_wishes import Wish
from pms.site.home_words import yen_said
from pms.site.visitor_facts import VisitorFacts

_WORDS: Final = {
    Locale.JA: {
        "hello": "こんにちは、{name}です。お部屋、空室、料金、入居の手続きについてお答えします。",
        "found": "{wish}お部屋は{count}件あります。",
        "none": "{wish}お部屋は、いまご案内できるものがありません。",
        "rest": "ほかに{count}件あります。ご希望の条件を添えてお尋ねください。",
        "maybe": "なお、次のお部屋は空く可能性がありますが、時期はお約束できません。",
        "nothing": "申し訳ありません。ご質問へのお答えは、こちらでご案内している内容の中に見つかりませんでした。",
        "people": "お住まいの方など個人についての情報は持っておらず、お答えできません。",
        "no_room": "そのお部屋は、当社のご案内の中に見つかりませんでした。",
        "contact": "お問い合わせ: {how}",
        "all": "ご案内できる",
        "with": "ご希望({wish})の",
    },
    Locale.EN: {
        "hello": "Hello, this is {name}. Ask me about rooms, what is free, prices and moving in.",
        "found": "Homes {wish}: {count}.",
        "none": "There is no home {wish} right now.",
        "rest": "And {count} more: tell me more of what you are looking for.",
        "maybe": "These may become free, but no date can be promised:",
        "nothing": "Sorry, I found no answer to this in what is published here.",
        "people": "I know nothing about the people who live in our homes, and cannot answer that.",
        "no_room": "I found no such room among those published here.",
        "contact": "Please ask us: {how}",
        "all": "that can be offered",
        "with": "that can be offered ({wish})",
    },
}
_TYPES: Final = {
    Locale.JA: {UnitType.APARTMENT: "アパート", UnitType.SHAREHOUSE: "シェアハウス"},
    Locale.EN: {UnitType.APARTMENT: "apartment", UnitType.SHAREHOUSE: "share house"},
}


def said(facts: VisitorFacts, word: str, **values: object) -> str:
    """Return one of the sentences, filled."""
    return _WORDS[facts.locale][word].format(**values)


def contact_said(facts: VisitorFacts) -> str:
    """Return how the operator is reached, empty when it says nowhere."""
    ways = [way for way in (facts.contact_phone, facts.contact_email) if way]
    return said(facts, "contact", how=" / ".join(ways)) if ways else ""


def wish_said(facts: VisitorFacts, wish: Wish, places: Sequence[str]) -> str:
    """Return what was understood of a wish, so that a misunderstanding shows."""
    is_ja, locale = facts.locale == Locale.JA, facts.locale
    told = list(places)
    if wish.type is not None:
        told.append(_TYPES[locale][wish.type])
    told += wish.layouts
    if wish.price_min_yen is not None:
        least = yen_said(wish.price_min_yen, locale)
        told.append(f"家賃{least}以上" if is_ja else f"rent from {least}")
    if wish.price_max_yen is not None:
        most = yen_said(wish.price_max_yen, locale)
        told.append(f"家賃{most}以下" if is_ja else f"rent up to {most}")
    if wish.available_now:
        told.append("すぐに入居" if is_ja else "available now")
    elif wish.move_in_by is not None:
        day = said_day(wish.move_in_by, locale)
        told.append(f"{day}までに入居" if is_ja else f"move in by {day}")
    joined = ("、" if is_ja else ", ").join(told)
    return said(facts, "with", wish=joined) if joined else said(facts, "all")
