"""The texts of the assistant's answers."""

from collections.abc import Sequence
from typing import Final

from pms.foundation.mail_texts import format_day
from pms.foundation.translations import deferred_texts, translate
from pms.rules.visitor_wishes import Trait, Unlisted, VisitorWish
from pms.site.configuration import UNIT_TYPES, yen_text
from pms.site.visitor_facts import VisitorFacts

_TRAITS: Final = deferred_texts(
    {
        Trait.PETS: "pets allowed",
        Trait.WOMEN_ONLY: "women only",
        Trait.MEN_ONLY: "men only",
        Trait.PARKING: "with parking",
    }
)
_UNLISTED: Final = deferred_texts(
    {
        Unlisted.SMOKING: "smoking",
        Unlisted.INSTRUMENTS: "musical instruments",
        Unlisted.TWO_PEOPLE: "two people in a home",
        Unlisted.CHILDREN: "children",
        Unlisted.OVERNIGHT_GUESTS: "friends who stay overnight",
        Unlisted.GUARANTOR: "a guarantor",
        Unlisted.KEY_MONEY: "key money",
        Unlisted.NOISE: "how quiet it is",
    }
)


def unlisted_text(facts: VisitorFacts, wish: VisitorWish) -> str:
    """Return the sentences about wishes by which nothing was chosen; empty if there are none.

    Those are wishes that listings have no field for, and words that were not understood.
    """
    locale, lines = facts.locale, []
    comma = translate(", ", locale, "wishes")
    if wish.unlisted:
        what = comma.join(translate(_UNLISTED[trait], locale) for trait in wish.unlisted)
        lines.append(
            translate(
                "Our listings do not tell about {what}, so nothing was chosen by it; please ask us.",
                locale,
                what=what,
            )
        )
    if wish.unread:
        what = comma.join(wish.unread)
        lines.append(
            translate("I could not choose by “{what}”; please ask us about it.", locale, what=what)
        )
    return "\n".join(lines)


def contact_text(facts: VisitorFacts) -> str:
    """Return how to contact the operator; empty if nothing is published."""
    ways = " / ".join(way for way in (facts.contact_phone, facts.contact_email) if way)
    return translate("Please ask us: {how}", facts.locale, how=ways) if ways else ""


def wish_text(facts: VisitorFacts, wish: VisitorWish, places: Sequence[str]) -> str:
    """Return how a wish was understood, so that a misunderstanding is noticed."""
    locale, parts = facts.locale, list(places)
    if wish.type is not None:
        parts.append(translate(UNIT_TYPES[wish.type], locale))
    parts += wish.layouts
    if wish.bedrooms == 1:
        parts.append(translate("1 bedroom", locale))
    elif wish.bedrooms is not None:
        parts.append(translate("{count} bedrooms", locale, count=wish.bedrooms))
    if wish.price_min_yen is not None:
        least = yen_text(wish.price_min_yen, locale)
        parts.append(translate("rent from {least}", locale, least=least))
    if wish.price_max_yen is not None:
        most = yen_text(wish.price_max_yen, locale)
        parts.append(translate("rent up to {most}", locale, most=most))
    if wish.available_now:
        parts.append(translate("move in now", locale))
    elif wish.move_in_by is not None:
        day = format_day(wish.move_in_by, locale)
        parts.append(translate("move in by {day}", locale, day=day))
    parts += [translate(_TRAITS[trait], locale) for trait in wish.traits]
    parts += wish.features
    if wish.deposit_max_yen == 0:
        parts.append(translate("no deposit", locale))
    elif wish.deposit_max_yen is not None:
        most = yen_text(wish.deposit_max_yen, locale)
        parts.append(translate("deposit up to {most}", locale, most=most))
    parts += [translate("{name} station", locale, name=name.title()) for name in wish.stations]
    if wish.station_minutes is not None:
        parts.append(
            translate(
                "within {minutes} minutes' walk of a station", locale, minutes=wish.station_minutes
            )
        )
    if not parts:
        return translate("that can be offered", locale)
    wishes = translate(", ", locale).join(parts)
    return translate("that can be offered ({wish})", locale, wish=wishes)
