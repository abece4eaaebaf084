"""Answer a visitor from published content, without calling an external service.

The reasons are in docs/decisions/assistant.md.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from pms.availability.units import UnitSearch, search_units
from pms.catalogue.units import UnitFacts
from pms.foundation.translations import translate
from pms.rules.availability import Availability
from pms.rules.enumerations import Locale, UnitSort
from pms.rules.room_names import is_named
from pms.rules.search_text import asked_words, fold, words_of
from pms.rules.visitor_wishes import (
    VisitorWish,
    asks_for_people,
    is_greeting,
    mentions_trait,
    read_wish,
    tells_trait,
    unread_words,
    walk_minutes,
)
from pms.site.assistant_texts import contact_text, unlisted_text, wish_text
from pms.site.configuration import label_text, unit_text
from pms.site.passages import AnswerSource, Passage, PassageKind
from pms.site.visitor_facts import OfferedUnit, VisitorFacts

MOST_HOMES: Final = 5
MOST_POSSIBLE: Final = 2
MOST_SOURCES: Final = 3
LEAST_SHARE: Final = 0.3
_LONGEST_SNIPPET: Final = 150
_SENTENCE: Final = re.compile(r"[^。!?！？\n]+[。!?！？]?")


@dataclass(frozen=True)
class Retrieved:
    """An answer from published content, and the part of it that a language model may be given.

    Without `texts` there is nothing that a model could add.
    """

    reply: str
    sources: Sequence[AnswerSource]
    texts: Sequence[str] = ()


class _Named(NamedTuple):
    """The published places that a question names."""

    areas: Sequence[str]
    building_ids: frozenset[str]
    building_names: Sequence[str]
    homes: Sequence[OfferedUnit]
    is_room_unknown: bool = False


def answer_visitor(
    session: Session,
    facts: VisitorFacts,
    question: str,
    *,
    before: str | None = None,
    greeting: str = "",
) -> Retrieved:
    """Return the answer to a question from the facts; `before` is the previous question.

    A unit is offered only if it is confirmed today, from the day it may be offered.
    """
    if is_greeting(question):
        return Retrieved(
            greeting
            or translate(
                "Hello, this is {name}. Ask me about rooms, what is free, prices and moving in.",
                facts.locale,
                name=facts.name,
            ),
            (),
        )
    if asks_for_people(question):
        return Retrieved(
            _join_lines(
                translate(
                    "I know nothing about the people who live in our homes, and cannot answer that.",
                    facts.locale,
                ),
                contact_text(facts),
            ),
            (),
        )
    named = _find_named_places(facts, question)
    if named.homes:
        return _about_homes(facts, named.homes)
    if named.is_room_unknown:
        return Retrieved(
            _join_lines(
                translate("I found no such room among those published here.", facts.locale),
                contact_text(facts),
            ),
            (),
        )
    return _search_places(session, facts, question, named, before)


def _search_places(
    session: Session, facts: VisitorFacts, question: str, named: _Named, before: str | None
) -> Retrieved:
    wish, passages = _find_wish(facts, question), _find_passages(facts, question)
    is_place = bool(named.areas or named.building_ids)
    if wish.narrows or (
        wish.is_about_homes and (is_place or wish.unlisted or not _is_page_better(passages))
    ):
        wish, named = _with_the_rest(facts, question, wish, named)
        if before is not None:
            wish, named = _with_the_one_before(facts, wish, named, before)
        return _describe_found_places(
            session, facts, wish, named=named, question=question, passages=passages
        )
    if not passages:
        return Retrieved(
            _join_lines(
                translate(
                    "Sorry, I found no answer to this in what is published here.", facts.locale
                ),
                contact_text(facts),
            ),
            (),
        )
    shown = passages[:MOST_SOURCES]
    best = shown[0]
    place = facts.places.get(best.id or "")
    title = best.title if place is None else _write_place_line(facts, place, place.availability)
    reply = f"{title}\n{_find_snippet(best.text, question)}"
    texts = [
        f"{passage.title}\n{passage.text}"
        for passage in passages
        if not _is_unoffered(facts, passage)
    ]
    sources = [AnswerSource(passage.title, passage.url) for passage in shown]
    return Retrieved(_join_lines(reply), sources, texts)


def _find_wish(facts: VisitorFacts, question: str) -> VisitorWish:
    """Return the wish in a question, including features named as in the listings."""
    wish = read_wish(question, facts.today)
    asked = fold(question)
    named = [
        feature
        for feature in facts.features
        if re.search(rf"(?<![a-z0-9]){re.escape(fold(feature))}(?![a-z0-9])", asked)
        and not any(tells_trait(trait, [feature]) for trait in wish.traits)
    ]
    wish = wish._replace(features=tuple(named))
    return wish._replace(is_about_homes=wish.is_about_homes or wish.narrows)


def _with_the_rest(
    facts: VisitorFacts, question: str, wish: VisitorWish, named: _Named
) -> tuple[VisitorWish, _Named]:
    """Return the wish with the words nothing was made of; a word of an address is a place."""
    texts = {
        building.id: fold(" ".join(filter(None, (*building.address, *building.access))))
        for building in facts.buildings
    }
    known = [*wish.features, *_names_of_places(facts, question)]
    unread, places = [], []
    found: frozenset[str] = frozenset()
    for word in unread_words(question, facts.today, known):
        there = frozenset(id_ for id_, text in texts.items() if _stands_in(fold(word), text))
        if there:
            found |= there
            places.append(word if facts.locale == Locale.JA else word.title())
        else:
            unread.append(word)
    wish = wish._replace(unread=tuple(unread))
    if not places:
        return wish, named
    ids = found & named.building_ids if named.building_ids else found
    return wish, named._replace(
        building_ids=ids or found, building_names=[*named.building_names, *places]
    )


def _stands_in(word: str, text: str) -> bool:
    return re.search(rf"(?<![a-z]){re.escape(word)}(?![a-z])", text) is not None


def _names_of_places(facts: VisitorFacts, question: str) -> list[str]:
    """Return the parts of the names of areas and buildings that stand in a question."""
    names = {
        name
        for building in facts.buildings
        for name in (*building.area, *building.name)
        if name and is_named(name, question)
    }
    return [part for name in names for part in (name, *re.split(r"[\s・()（）]+", name)) if part]


def _find_named_places(facts: VisitorFacts, question: str) -> _Named:
    areas = list(
        dict.fromkeys(
            name
            for building in facts.buildings
            if any(area and is_named(area, question) for area in building.area)
            and (name := building.area.in_language(facts.locale))
        )
    )
    buildings = [
        building
        for building in facts.buildings
        if any(name and is_named(name, question) for name in building.name)
    ]
    ids = frozenset(building.id for building in buildings)
    rooms = facts.room_names.named_in(question)
    homes = [
        place
        for place in facts.places.values()
        if place.unit.name in rooms.names and (not ids or place.unit.building.id in ids)
    ]
    names = [name for building in buildings if (name := building.name.in_language(facts.locale))]
    return _Named(areas, ids, names, homes, rooms.has_unknown or bool(rooms.names))


def _with_the_one_before(
    facts: VisitorFacts, wish: VisitorWish, named: _Named, before: str
) -> tuple[VisitorWish, _Named]:
    """Complete a wish with what only the previous question named."""
    earlier, places = _find_wish(facts, before), _find_named_places(facts, before)
    if not (earlier.is_about_homes or places.areas or places.building_ids):
        return wish, named
    if not (named.areas or named.building_ids):
        named = places._replace(homes=())
    if wish.price_max_yen is None and wish.price_min_yen is None:
        wish = wish._replace(
            price_max_yen=earlier.price_max_yen, price_min_yen=earlier.price_min_yen
        )
    if not wish.available_now and wish.move_in_by is None:
        wish = wish._replace(available_now=earlier.available_now, move_in_by=earlier.move_in_by)
    if wish.deposit_max_yen is None:
        wish = wish._replace(deposit_max_yen=earlier.deposit_max_yen)
    if wish.station_minutes is None:
        wish = wish._replace(station_minutes=earlier.station_minutes, stations=earlier.stations)
    return wish._replace(
        type=wish.type or earlier.type,
        layouts=wish.layouts or earlier.layouts,
        bedrooms=earlier.bedrooms if wish.bedrooms is None else wish.bedrooms,
        traits=tuple(dict.fromkeys((*earlier.traits, *wish.traits))),
        features=tuple(dict.fromkeys((*earlier.features, *wish.features))),
        unlisted=tuple(dict.fromkeys((*earlier.unlisted, *wish.unlisted))),
    ), named


def _about_homes(facts: VisitorFacts, homes: Sequence[OfferedUnit]) -> Retrieved:
    shown = homes[:MOST_HOMES]
    lines = [_write_place_line(facts, home, home.availability) for home in shown]
    confirmed = [home for home in shown if home.availability.is_confirmed]
    is_open = len(confirmed) < len(shown)
    return Retrieved(
        _join_lines(*lines, contact_text(facts) if is_open else ""),
        [_build_source(facts, home) for home in shown][:MOST_SOURCES],
        # A model is not given units that must not be offered.
        [] if is_open else lines,
    )


_Match = tuple[OfferedUnit, Availability]


def _find_places(
    session: Session, facts: VisitorFacts, wish: VisitorWish, named: _Named
) -> tuple[Sequence[_Match], Sequence[_Match]]:
    """Return the units that can be offered, soonest first, and those that may become free.

    The latter are a substitute: there are none where several units can be offered.
    """
    search = UnitFacts(
        areas=tuple(named.areas),
        price_min_yen=wish.price_min_yen,
        price_max_yen=wish.price_max_yen,
        type=wish.type,
        layouts=wish.layouts,
        bedrooms=wish.bedrooms,
        sort=UnitSort.PRICE_ASC,
    )
    found = search_units(session, UnitSearch(search), facts.today).units
    match = [
        (place, unit.availability)
        for unit in found
        if (place := facts.places.get(unit.id))
        and (not named.building_ids or place.unit.building.id in named.building_ids)
        and _is_listed_so(facts, place, wish)
    ]
    offered = [offer for offer in match if _is_offered_in_time(offer[1], wish, facts)]
    offered.sort(key=lambda offer: offer[1].move_in_from or facts.today)
    possible = [] if len(offered) > 1 else [offer for offer in match if offer[1].is_possible]
    return offered, possible[:MOST_POSSIBLE]


def _describe_found_places(
    session: Session,
    facts: VisitorFacts,
    wish: VisitorWish,
    *,
    named: _Named,
    question: str,
    passages: Sequence[Passage],
) -> Retrieved:
    offered, possible = _find_places(session, facts, wish, named)
    words = wish_text(facts, wish, [*named.areas, *named.building_names])
    lines = [_write_place_line(facts, *offer) for offer in offered[:MOST_HOMES]]
    rest = len(offered) - len(lines)
    maybe = [_write_place_line(facts, *offer) for offer in possible]
    unlisted = unlisted_text(facts, wish)
    # If no unit can be offered, a page may still say how such a wish is met.
    page = (
        None
        if offered
        else next((passage for passage in passages if _is_page_of(passage, wish)), None)
    )
    texts = [
        translate("Homes {wish}: {count}.", facts.locale, wish=words, count=len(offered))
        if offered
        else translate("There is no home {wish} right now.", facts.locale, wish=words),
        *lines,
        translate(
            "And {count} more: tell me more of what you are looking for.", facts.locale, count=rest
        )
        if rest
        else "",
        translate("These may become free, but no date can be promised:", facts.locale)
        if maybe
        else "",
        *maybe,
        unlisted,
        f"{page.title}\n{_find_snippet(page.text, question)}" if page else "",
        "" if offered and not unlisted else contact_text(facts),
    ]
    shown = [place for place, _ in [*offered[:MOST_SOURCES], *possible]]
    sources = [_build_source(facts, place) for place in shown][:MOST_SOURCES]
    sources += [AnswerSource(page.title, page.url)] if page else []
    # The text must name the wishes that listings have no field for; a model does not know them.
    return Retrieved(_join_lines(*texts), sources, [] if unlisted else lines)


def _is_listed_so(facts: VisitorFacts, place: OfferedUnit, wish: VisitorWish) -> bool:
    """Whether the listing of a unit states everything wished for; a missing statement means no."""
    unit = place.unit
    features = [*unit.features[0], *unit.features[1]]
    texts = [*features, *filter(None, unit.description)]
    access = facts.access.get(unit.building.id, ())
    minutes = walk_minutes(access)
    folded = [fold(text) for text in access]
    return (
        all(tells_trait(trait, texts) for trait in wish.traits)
        and all(feature in features for feature in wish.features)
        and (
            wish.deposit_max_yen is None
            or (unit.deposit_yen is not None and unit.deposit_yen <= wish.deposit_max_yen)
        )
        and all(any(fold(name) in text for text in folded) for name in wish.stations)
        and (
            wish.station_minutes is None
            or (minutes is not None and minutes <= wish.station_minutes)
        )
    )


def _is_page_of(passage: Passage, wish: VisitorWish) -> bool:
    return _is_page(passage) and any(mentions_trait(trait, passage.text) for trait in wish.traits)


def _is_page(passage: Passage) -> bool:
    return passage.kind not in (PassageKind.UNIT, PassageKind.BUILDING)


def _is_offered_in_time(availability: Availability, wish: VisitorWish, facts: VisitorFacts) -> bool:
    offered_on = availability.move_in_from
    if offered_on is None:
        return False
    if wish.available_now:
        return offered_on <= facts.today
    return wish.move_in_by is None or offered_on <= wish.move_in_by


def _find_passages(facts: VisitorFacts, question: str) -> list[Passage]:
    """Return the passages that match, one for each page; too few common words are no match."""
    ranked = [
        match for match in facts.ranking.best(question, most=40) if match.share >= LEAST_SHARE
    ]
    fitting = [
        facts.passages[match.place] for match in ranked if match.score >= ranked[0].score / 2
    ]
    # Many listings share their words: one represents them, if possible one that can be offered.
    homes = [passage for passage in fitting if passage.kind == PassageKind.UNIT]
    shown = next((home for home in homes if not _is_unoffered(facts, home)), None) or next(
        iter(homes), None
    )
    found: dict[str, Passage] = {}
    for passage in fitting:
        shown_passage = shown if shown and passage.kind == PassageKind.UNIT else passage
        found.setdefault(shown_passage.url, shown_passage)
    return list(found.values())[: MOST_SOURCES + 2]


def _is_page_better(passages: Sequence[Passage]) -> bool:
    """Whether a page answers a question better than a list of units would."""
    return bool(passages) and _is_page(passages[0])


def _is_unoffered(facts: VisitorFacts, passage: Passage) -> bool:
    place = facts.places.get(passage.id or "")
    return place is not None and not place.availability.is_confirmed


def _find_snippet(text: str, question: str) -> str:
    """Return the sentence with most words of a question, and what follows it."""
    asked = {word for words in asked_words(question) for word in words}
    sentences = [match.group().strip() for match in _SENTENCE.finditer(text)]
    sentences = [sentence for sentence in sentences if sentence]
    if not sentences:
        return text[:_LONGEST_SNIPPET]
    fits = [len(asked & set(words_of(sentence))) for sentence in sentences]
    start = fits.index(max(fits))
    kept = sentences[start]
    for following in sentences[start + 1 :]:
        if len(kept) + len(following) > _LONGEST_SNIPPET:
            break
        kept += following if kept[-1] in "。！？" else f" {following}"
    return kept if len(kept) <= 2 * _LONGEST_SNIPPET else f"{kept[: 2 * _LONGEST_SNIPPET]}…"


def _write_place_line(facts: VisitorFacts, place: OfferedUnit, availability: Availability) -> str:
    unit = place.unit
    return translate(
        "- {building} {unit}: {availability} ({facts})",
        facts.locale,
        building=unit.building.name.in_language(facts.locale) or "",
        unit=unit.name,
        availability=label_text(availability, facts.locale),
        facts=unit_text(unit, facts.locale),
    )


def _build_source(facts: VisitorFacts, place: OfferedUnit) -> AnswerSource:
    house = place.unit.building.name.in_language(facts.locale) or ""
    return AnswerSource(f"{house} {place.unit.name}", place.url)


def _join_lines(*text: str) -> str:
    return "\n".join(line for line in text if line)
