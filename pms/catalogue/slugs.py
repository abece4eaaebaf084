"""Slugs: present and former web addresses of buildings and units."""

import re
from collections.abc import Container, Iterable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple
from unicodedata import normalize

from sqlalchemy import ColumnElement, select, union_all
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.catalogue.checks import count_change, flush_or_collide
from pms.catalogue.models import Building, FormerSlug, Unit
from pms.catalogue.romanising import has_kanji, is_kana, romanise
from pms.foundation.audit import note_change
from pms.foundation.errors import Collision, Refused, no_such
from pms.foundation.ids import is_slug, new_id
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent

MOST_CHARACTERS: Final = 80
_NO_WORD: Final = re.compile(r"[^a-z0-9]+")
_SLUG: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST: Final = 60
_KANA_WORDS: Final = re.compile(r"[ァ-ヺー]{2,}|[ぁ-ゖー]{2,}")


# Former slugs of a row are stored, redirect to it, and cannot be taken by another: one statement
# queries both tables, and each table has its own constraint.
class FormerAddress(NamedTuple):
    """A former slug, and the present one of the same building or unit."""

    section: str
    slug: str
    now: str


def slug_of(name: str, fallback: str, taken: set[str]) -> str:
    """Return a slug that is not in `taken`, and add it there.

    A Japanese name has no letters for a URL, so `fallback` is used for it.
    """
    word = latin_word(name) or fallback
    slug, number = word, 1
    while slug in taken:
        number += 1
        slug = f"{word}-{number}"
    taken.add(slug)
    return slug


def latin_word(name: str) -> str:
    """Return the letters and digits of a name in the form of a slug; empty when it has none."""
    ascii_name = normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return _NO_WORD.sub("-", ascii_name).strip("-")[:_LONGEST].strip("-")


def word_of_place(name: str, reading: str | None = None, name_en: str | None = None) -> str:
    """Return the slug's word of a place; empty when a person has to type it.

    The English name is used first, then a name in Latin letters, then the reading; a name in kana
    is its own reading. A name with kanji gives none, as its Latin letters alone would mean nothing.
    """
    if name_en and latin_word(name_en):
        return latin_word(name_en)
    plain = normalize("NFKC", name)
    if not has_kanji(plain) and not is_kana(plain):
        return latin_word(plain)
    if reading:
        return latin_word(romanise(reading, plain))
    return "" if has_kanji(plain) else latin_word(romanise(plain))


def word_without_reading(name: str) -> str:
    """Return the slug's word of a name in kanji whose reading is not known yet.

    That is what can be read of it, its words in kana, else one by chance: it says nothing wrong, and
    gives way to the reading once somebody enters it.
    """
    kana = _KANA_WORDS.findall(normalize("NFKC", name))
    return latin_word(romanise(" ".join(kana))) or f"house-{new_id()[-6:]}"


def is_provisional(slug: str, name: str) -> bool:
    """Whether an import made a slug for want of a reading, and nobody has chosen another one."""
    kana = latin_word(romanise(" ".join(_KANA_WORDS.findall(normalize("NFKC", name)))))
    readable = rf"|{re.escape(kana)}(?:-\d+)?" if kana else ""
    made = re.fullmatch(rf"(?:building|unit)(?:-\d+)?|house-[0-9a-f]{{6}}{readable}", slug)
    return made is not None and has_kanji(name)


def slug_of_room(building_slug: str, name: str, reading: str | None = None) -> str:
    """Return the slug's word of a room: its building's and its own, or `unit` without one."""
    own = word_of_place(name, reading) or latin_word(name)
    return f"{building_slug}-{own}" if own else f"{building_slug}-unit"


def free_slug(session: Session, model: type[Building] | type[Unit], word: str) -> str:
    """Return a slug for one new building or unit: the word, numbered where it is taken."""
    return slug_of(word, word, set(_find_slug_owners(session, model, word)))


def check_slug(typed: str, most_characters: int = MOST_CHARACTERS) -> str:
    """Return a typed slug in lower case; raise `Refused` for an invalid one."""
    slug = typed.strip().lower()
    if len(slug) > most_characters or not _SLUG.fullmatch(slug):
        raise Refused(
            "slug: '{value}' cannot be an address. Use lower-case letters, digits and single "
            "hyphens, at most {most_characters}.",
            value=slug[:60],
            most_characters=most_characters,
        )
    return slug


def slug_to_take(
    session: Session, model: type[Building] | type[Unit], typed: str, own_id: str | None = None
) -> str:
    """Return a typed slug that is free; `Collision` names whose it is or was."""
    slug = check_slug(typed)
    owner_id = _find_slug_owners(session, model, slug).get(slug)
    if owner_id in (None, own_id):
        return slug
    row = session.execute(select(model.slug, model.name).where(model.id == owner_id)).one()
    if row.slug == slug:
        raise Collision(
            "slug: '{value}' is already the address of {name}.", value=slug, name=row.name
        )
    raise Collision(
        "slug: '{value}' was the address of {name} and still redirects there. Choose another one.",
        value=slug,
        name=row.name,
    )


def change_building_slug(
    work: Work, *, building_id: str, typed: str, with_units: bool = False
) -> list[str]:
    """Change a building's slug and return the slugs that now redirect.

    `with_units`: units whose slug begins with the building's get the new beginning.
    """
    building = locked(work.session, Building, building_id)
    before = building.slug
    given_up = _change_slug(work, building, typed)
    if not with_units or not given_up:
        return given_up
    units = select(Unit).where(
        Unit.building_id == building_id, Unit.slug.startswith(f"{before}-", autoescape=True)
    )
    for unit in work.session.scalars(units.order_by(Unit.id).with_for_update(key_share=True)):
        wanted = f"{building.slug}{unit.slug.removeprefix(before)}"
        if _find_slug_owners(work.session, Unit, wanted).get(wanted) not in (None, unit.id):
            wanted = free_slug(work.session, Unit, wanted)
        given_up += _change_slug(work, unit, wanted)
    return given_up


def change_unit_slug(work: Work, *, unit_id: str, typed: str) -> list[str]:
    """Change a unit's slug and return the slug that now redirects, if it changed."""
    unit = locked(work.session, Unit, unit_id)
    return _change_slug(work, unit, typed)


def place_with_slug(session: Session, model: type[Building] | type[Unit], slug: str) -> str | None:
    """Return the id of the building or unit that has, or had, this slug."""
    if not is_slug(slug):
        return None
    found = session.scalar(select(model.id).where(model.slug == slug))
    if found is not None:
        return found
    return session.scalar(
        select(_subject_column(model)).where(FormerSlug.slug == slug, _is_of(model))
    )


def former_slugs_of(session: Session, row_id: str) -> list[str]:
    """Return the former slugs of a building or unit, newest first."""
    asked = select(FormerSlug.slug).where(
        (FormerSlug.building_id == row_id) | (FormerSlug.unit_id == row_id)
    )
    return list(session.scalars(asked.order_by(FormerSlug.id.desc())))


def former_addresses(session: Session) -> list[FormerAddress]:
    """Return every former slug, with its section of the website."""
    found: list[FormerAddress] = []
    for section, model in (("buildings", Building), ("units", Unit)):
        asked = (
            select(FormerSlug.slug, model.slug)
            .join(
                model,
                (model.workspace_id == FormerSlug.workspace_id)
                & (model.id == _subject_column(model)),
            )
            .order_by(FormerSlug.slug)
        )
        found += [FormerAddress(section, old, now) for old, now in session.execute(asked)]
    return found


def all_slugs(session: Session, model: type[Building] | type[Unit]) -> Iterable[str]:
    """Return every present or former slug of buildings or units."""
    former = select(FormerSlug.slug).where(_is_of(model))
    return session.scalars(union_all(select(model.slug), former))


def _change_slug(work: Work, row: Building | Unit, typed: str) -> list[str]:
    audit_event = (
        AuditEvent.BUILDING_EDITED if isinstance(row, Building) else AuditEvent.UNIT_EDITED
    )
    slug, before = slug_to_take(work.session, type(row), typed, row.id), row.slug
    if slug == before:
        return []
    own = FormerSlug.building_id if isinstance(row, Building) else FormerSlug.unit_id
    # A slug it takes again is no longer a former one.
    again = work.session.scalar(select(FormerSlug).where(own == row.id, FormerSlug.slug == slug))
    if again is not None:
        work.session.delete(again)
    work.session.add(
        FormerSlug(id=new_id(), **{own.key: row.id}, slug=before, given_up_at=work.clock.now())
    )
    row.slug = slug
    count_change(row, work.clock)
    note_change(work, audit_event, row)
    flush_or_collide(work.session)
    return [before]


def _find_slug_owners(
    session: Session, model: type[Building] | type[Unit], word: str
) -> dict[str, str | None]:
    """Return the owner of each present or former slug beginning with a word, with one statement."""
    now = select(model.slug, model.id).where(model.slug.startswith(word, autoescape=True))
    before = select(FormerSlug.slug, _subject_column(model)).where(
        FormerSlug.slug.startswith(word, autoescape=True), _is_of(model)
    )
    with session.no_autoflush:
        found: Sequence[Any] = session.execute(union_all(now, before)).all()
    return {row[0]: row[1] for row in found}


def _subject_column(model: type[Building] | type[Unit]) -> InstrumentedAttribute[str | None]:
    return FormerSlug.building_id if model is Building else FormerSlug.unit_id


def _is_of(model: type[Building] | type[Unit]) -> ColumnElement[bool]:
    return _subject_column(model).is_not(None)


def unit_with_slug(session: Session, slug: str) -> str:
    """Return the id of the unit that has or had this slug; raise `NotFound` for an unknown one."""
    unit_id = place_with_slug(session, Unit, slug)
    if unit_id is None:
        raise no_such("unit", slug)
    return unit_id


def areas(session: Session) -> list[Bilingual]:
    """Return the areas that have buildings, each once, in order."""
    rows = session.execute(
        select(Building.area, Building.area_en).distinct().order_by(Building.area, Building.area_en)
    )
    return [Bilingual(ja, en) for ja, en in rows]


def listed_slugs(session: Session, unit_ids: Container[str]) -> list[tuple[str, str, datetime]]:
    """Return (section, slug, last change) of every building, and of these units."""
    buildings = session.execute(select(Building.slug, Building.updated_at).order_by(Building.slug))
    asked = select(Unit.id, Unit.slug, Unit.updated_at).order_by(Unit.slug)
    units = (row for row in session.execute(asked) if row[0] in unit_ids)
    return [
        *(("buildings", slug, updated_at) for slug, updated_at in buildings),
        *(("units", slug, updated_at) for _id, slug, updated_at in units),
    ]
