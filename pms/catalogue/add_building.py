"""Adds a building by hand."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checked_facts import checked_building
from pms.catalogue.editing import add_row, refuse_taken
from pms.catalogue.models import Building
from pms.catalogue.names import building_key
from pms.catalogue.slugs import free_slug, slug_to_take, word_of_place
from pms.catalogue.written_facts import WrittenBuilding
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.rules.deeds import Deed


def add_building(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    written: WrittenBuilding,
    typed_slug: str | None = None,
) -> str:
    """Store a building and return its id; without a typed slug one is made of its names.

    Raises `Refused` for what cannot be kept, also when nothing tells how a name in kanji is read,
    and `Collision` for a name or a slug that is there already.
    """
    columns = checked_building(written)
    named_so = select(Building.id).where(Building.name_key == building_key(columns["name"]))
    refuse_taken(session, columns["name"], named_so)
    if typed_slug and typed_slug.strip():
        slug = slug_to_take(session, Building, typed_slug)
    else:
        word = word_of_place(columns["name"], columns["name_kana"], columns["name_en"])
        if not word:
            raise Refused(
                "nameKana: '{value}' has no letters for an address on the website; "
                "give its reading, its English name or an address.",
                value=columns["name"],
            )
        slug = free_slug(session, Building, word)
    now = clock.now()
    row = Building(**columns, slug=slug, created_at=now, updated_at=now)
    return add_row(session, clock, actor, Deed.BUILDING_ADDED, row)
