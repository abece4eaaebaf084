"""Search for people, units, projects and papers by a few words."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.lists import finds
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.ledger.models import LedgerEntry
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle
from pms.rules.name_sounds import hiragana_of
from pms.rules.search_text import terms
from pms.statements.models import Invoice
from pms.upkeep.project_lists import ProjectRecord, find_projects

_FEW: Final = 8


class FoundPerson(NamedTuple):
    """A tenancy of a person whose name, reading, address or number contains the words."""

    reservation_id: str
    name: str
    lifecycle: Lifecycle
    unit: str
    building: Bilingual


class FoundPlace(NamedTuple):
    """A unit, found by its name or its building's."""

    unit_id: str
    name: str
    building: Bilingual


class FoundHouse(NamedTuple):
    """A building, found by its name."""

    building_id: str
    name: Bilingual


class FoundPaper(NamedTuple):
    """An invoice, found by its number."""

    number: str
    entry_id: str
    name: str


class SearchResults(NamedTuple):
    """The first few results of each kind."""

    people: Sequence[FoundPerson] = ()
    units: Sequence[FoundPlace] = ()
    buildings: Sequence[FoundHouse] = ()
    papers: Sequence[FoundPaper] = ()
    projects: Sequence[ProjectRecord] = ()

    @property
    def is_nothing(self) -> bool:
        """Whether nothing of any kind was found."""
        return not any(self)


def search_workspace(
    session: Session, text: str, *, with_people: bool, with_projects: bool = False
) -> SearchResults:
    """Return the results for the words; people, papers and projects only if allowed."""
    if not terms(text):
        return SearchResults()
    unit_rows = session.execute(
        select(Unit.id, Unit.name, Building.name, Building.name_en)
        .join(Unit.building)
        .where(finds(text, Unit.name_text, Building.name_text))
        .order_by(Building.name, Unit.name_key)
        .limit(_FEW)
    )
    units = [FoundPlace(row[0], row[1], Bilingual(row[2], row[3])) for row in unit_rows]
    building_rows = session.execute(
        select(Building.id, Building.name, Building.name_en)
        .where(finds(text, Building.name_text))
        .order_by(Building.name)
        .limit(_FEW)
    )
    buildings = [FoundHouse(row[0], Bilingual(row[1], row[2])) for row in building_rows]
    projects = find_projects(session, text, _FEW) if with_projects else ()
    if not with_people:
        return SearchResults(units=units, buildings=buildings, projects=projects)
    words = terms(text)
    kana = [hiragana_of(word) if word.isascii() else word for word in words]
    as_typed = finds(text, Reservation.search_text)
    if None in kana or list(words) == kana:
        is_called = as_typed
    else:
        is_called = or_(as_typed, finds(" ".join(filter(None, kana)), Reservation.search_text))
    rows = session.execute(
        select(
            Reservation.id,
            Reservation.name,
            Reservation.lifecycle,
            Unit.name,
            Building.name,
            Building.name_en,
        )
        .join(Reservation.unit)
        .join(Unit.building)
        .where(is_called)
        .order_by(Reservation.id.desc())
        .limit(_FEW)
    )
    people = [FoundPerson(*row[:4], Bilingual(row[4], row[5])) for row in rows]
    return SearchResults(people, units, buildings, _find_papers(session, text), projects)


def _find_papers(session: Session, text: str) -> list[FoundPaper]:
    number = text.strip().upper()
    if not number[-1:].isdigit():
        return []  # every number of an invoice ends with a digit
    rows = session.execute(
        select(Invoice.number, Invoice.entry_id, Reservation.name)
        .join(LedgerEntry, refers_to(Invoice.entry_id, LedgerEntry))
        .join(Reservation, refers_to(LedgerEntry.reservation_id, Reservation))
        .where(or_(Invoice.number == number, Invoice.number.endswith(number, autoescape=True)))
        .order_by(Invoice.number.desc())
        .limit(_FEW)
    )
    return [FoundPaper(*row) for row in rows]
