"""The texts of the assistant's answers."""

from collections.abc import Sequence
from typing import Final

from pms.foundation.mail_texts import format_day
from pms.rules.enumerations import Locale, UnitType
from pms.rules.visitor_wishes import Trait, Unlisted, VisitorWish
from pms.site.configuration import yen_text
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
        "unlisted": "「{what}」については掲載情報に記載がなく、この条件では絞り込んでいません。お問い合わせください。",
        "unread": "「{what}」は条件として読み取れなかったため、絞り込みに使っていません。お問い合わせください。",
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
        "unlisted": "Our listings do not tell about {what}, so nothing was chosen by it; please ask us.",
        "unread": "I could not choose by “{what}”; please ask us about it.",
        "contact": "Please ask us: {how}",
        "all": "that can be offered",
        "with": "that can be offered ({wish})",
    },
}
_TYPES: Final = {
    Locale.JA: {UnitType.APARTMENT: "アパート", UnitType.SHAREHOUSE: "シェアハウス"},
    Locale.EN: {UnitType.APARTMENT: "apartment", UnitType.SHAREHOUSE: "share house"},
}
_TRAITS: Final = {
    Locale.JA: {
        Trait.PETS: "ペット可",
        Trait.WOMEN_ONLY: "女性専用",
        Trait.MEN_ONLY: "男性専用",
        Trait.PARKING: "駐車場あり",
    },
    Locale.EN: {
        Trait.PETS: "pets allowed",
        Trait.WOMEN_ONLY: "women only",
        Trait.MEN_ONLY: "men only",
        Trait.PARKING: "with parking",
    },
}
_UNLISTED: Final = {
    Locale.JA: {
        Unlisted.SMOKING: "喫煙",
        Unlisted.INSTRUMENTS: "楽器",
        Unlisted.TWO_PEOPLE: "二人入居",
        Unlisted.CHILDREN: "お子さまとの入居",
        Unlisted.OVERNIGHT_GUESTS: "ご友人の宿泊",
        Unlisted.GUARANTOR: "保証人",
        Unlisted.KEY_MONEY: "礼金",
        Unlisted.NOISE: "静かさ・防音",
    },
    Locale.EN: {
        Unlisted.SMOKING: "smoking",
        Unlisted.INSTRUMENTS: "musical instruments",
        Unlisted.TWO_PEOPLE: "two people in a home",
        Unlisted.CHILDREN: "children",
        Unlisted.OVERNIGHT_GUESTS: "friends who stay overnight",
        Unlisted.GUARANTOR: "a guarantor",
        Unlisted.KEY_MONEY: "key money",
        Unlisted.NOISE: "how quiet it is",
    },
}


def unlisted_text(facts: VisitorFacts, wish: VisitorWish) -> str:
    """Return the sentences about wishes by which nothing was chosen; empty if there are none.

    Those are wishes that listings have no field for, and words that were not understood.
    """
    comma = "・" if facts.locale == Locale.JA else ", "
    unlisted = comma.join(_UNLISTED[facts.locale][trait] for trait in wish.unlisted)
    unread = comma.join(wish.unread)
    lines = [
        assistant_text(facts, "unlisted", what=unlisted) if unlisted else "",
        assistant_text(facts, "unread", what=unread) if unread else "",
    ]
    return "\n".join(line for line in lines if line)


def assistant_text(facts: VisitorFacts, word: str, **values: object) -> str:
    """Return one of the fixed sentences with its values filled in."""
    return _WORDS[facts.locale][word].format(**values)


def contact_text(facts: VisitorFacts) -> str:
    """Return how to contact the operator; empty if nothing is published."""
    ways = [way for way in (facts.contact_phone, facts.contact_email) if way]
    return assistant_text(facts, "contact", how=" / ".join(ways)) if ways else ""


def wish_text(facts: VisitorFacts, wish: VisitorWish, places: Sequence[str]) -> str:
    """Return how a wish was understood, so that a misunderstanding is noticed."""
    is_ja, locale = facts.locale == Locale.JA, facts.locale
    parts = list(places)
    if wish.type is not None:
        parts.append(_TYPES[locale][wish.type])
    parts += wish.layouts
    if wish.bedrooms is not None:
        parts.append(_bedrooms_text(wish.bedrooms, locale))
    if wish.price_min_yen is not None:
        least = yen_text(wish.price_min_yen, locale)
        parts.append(f"家賃{least}以上" if is_ja else f"rent from {least}")
    if wish.price_max_yen is not None:
        most = yen_text(wish.price_max_yen, locale)
        parts.append(f"家賃{most}以下" if is_ja else f"rent up to {most}")
    if wish.available_now:
        parts.append("すぐに入居" if is_ja else "available now")
    elif wish.move_in_by is not None:
        day = format_day(wish.move_in_by, locale)
        parts.append(f"{day}までに入居" if is_ja else f"move in by {day}")
    parts += [_TRAITS[locale][trait] for trait in wish.traits]
    parts += wish.features
    if wish.deposit_max_yen is not None:
        parts.append(_deposit_text(wish.deposit_max_yen, locale))
    parts += [f"{name}駅" if is_ja else f"{name.title()} station" for name in wish.stations]
    if wish.station_minutes is not None:
        minutes = wish.station_minutes
        parts.append(
            f"駅徒歩{minutes}分以内" if is_ja else f"within {minutes} minutes' walk of a station"
        )
    joined = ("、" if is_ja else ", ").join(parts)
    return assistant_text(facts, "with", wish=joined) if joined else assistant_text(facts, "all")


def _bedrooms_text(count: int, locale: Locale) -> str:
    if locale == Locale.JA:
        return f"寝室{count}つ"
    return "1 bedroom" if count == 1 else f"{count} bedrooms"


def _deposit_text(most_yen: int, locale: Locale) -> str:
    if not most_yen:
        return "敷金なし" if locale == Locale.JA else "no deposit"
    most = yen_text(most_yen, locale)
    return f"敷金{most}以下" if locale == Locale.JA else f"deposit up to {most}"
