"""Makes the words of an address out of a name, unique in its workspace."""

import re
from typing import Final
from unicodedata import normalize

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit

_NO_WORD: Final = re.compile(r"[^a-z0-9]+")
_LONGEST: Final = 60


def slug_of(name: str, fallback: str, taken: set[str]) -> str:
    """A slug that is not taken yet; it is added to those that are.

    A Japanese name has no letters an address takes plainly, so the fallback stands for it.
    """
    ascii_name = normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    word = _NO_WORD.sub("-", ascii_name).strip("-")[:_LONGEST].strip("-") or fallback
    slug, number = word, 1
    while slug in taken:
        number += 1
        slug = f"{word}-{number}"
    taken.add(slug)
    return slug


def free_slug(
    session: Session, model: type[Building] | type[Unit], name: str, fallback: str
) -> str:
    """A slug for one new building or unit."""
    word = slug_of(name, fallback, set())
    question = select(model.slug).where(model.slug.startswith(word, autoescape=True))
    return slug_of(name, fallback, set(session.scalars(question)))
