"""Tells deeds the way people read them: who, what, about whom, and from what to what."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from flask import Flask

from pms.foundation.audit import Subject
from pms.foundation.audit_trail import DeedPage, DoneDeed
from pms.foundation.audit_trail import deeds as deeds_of
from pms.reservations.subject_names import subject_names
from pms.surfaces.dashboard.audit.deed_words import deed_word
from pms.surfaces.dashboard.audit.fact_values import SUBJECTS, Names, fact_value
from pms.surfaces.dashboard.audit.fact_words import fact_word
from pms.surfaces.dashboard.audit.subject_pages import kind_word, page_of
from pms.surfaces.dashboard.desk import reading
from pms.surfaces.dashboard.who import who
from pms.surfaces.reader_choice import chosen_language

_LATEST: Final = 10


class ToldChange(NamedTuple):
    """One fact; `before` is None where the deed only tells what is."""

    fact: str
    before: str | None
    after: str | None


class ToldDeed(NamedTuple):
    """One deed in the reader's language; `href` leads to what it is about, where one may go."""

    at: datetime
    who: str
    what: str
    kind: str
    name: str
    href: str | None
    changes: tuple[ToldChange, ...]


def install(app: Flask) -> None:
    """Give templates `deeds|told_deeds` and `latest_deeds(kind, id)`."""
    app.jinja_env.filters["told_deeds"] = told_deeds
    app.jinja_env.globals["latest_deeds"] = latest_deeds


def latest_deeds(kind: str, id_: str) -> DeedPage:
    """Return the newest deeds about a thing, as few as stand on its page."""
    return deeds_of(reading(), subject=(kind, id_), limit=_LATEST)


def told_deeds(deeds: Sequence[DoneDeed]) -> list[ToldDeed]:
    """Tell a page of deeds; the names in it are asked for once."""
    names = _names(deeds)
    return [_told(deed, names) for deed in deeds]


def _told(deed: DoneDeed, names: Names) -> ToldDeed:
    kind, id_ = subject = deed.subject_kind, deed.subject_id
    return ToldDeed(
        at=deed.at,
        who=who(deed.actor),
        what=deed_word(deed.deed),
        kind=kind_word(kind),
        name=names.get(subject, ""),
        href=page_of(kind, id_),
        changes=tuple(_changes(deed, names)),
    )


def _changes(deed: DoneDeed, names: Names) -> Iterator[ToldChange]:
    for name in dict.fromkeys((*deed.before, *deed.after)):
        before = _side(deed.before, name, names, is_after=False)
        after = _side(deed.after, name, names, is_after=True)
        # Ids of what has no name say nothing to a reader.
        is_told = not name.endswith("_id") or name in SUBJECTS or name == "person_id"
        if is_told and (before, after) != (None, None):
            yield ToldChange(fact_word(name), before, after)


def _side(facts: Mapping[str, Any], name: str, names: Names, *, is_after: bool) -> str | None:
    """What had no value before is told by its value after alone."""
    if name not in facts or (facts[name] is None and not is_after):
        return None
    return fact_value(name, facts[name], names)


def _names(deeds: Iterable[DoneDeed]) -> Names:
    asked = {subject for deed in deeds for subject in _subjects(deed)}
    locale = chosen_language()
    found = subject_names(reading(), asked)
    return {subject: name.said(locale) or "" for subject, name in found.items()}


def _subjects(deed: DoneDeed) -> Iterator[Subject]:
    yield deed.subject_kind, deed.subject_id
    for facts in (deed.before, deed.after):
        yield from ((kind, str(facts[name])) for name, kind in SUBJECTS.items() if name in facts)
