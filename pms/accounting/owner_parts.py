"""Journals of buildings with several owners: owners' postings are entered by share."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sqlalchemy.orm import Session

from pms.catalogue.owners import owner_names, shares_of_buildings
from pms.rules.journals import (
    MANAGEMENT_FEE,
    OWNERS_COSTS,
    OWNERS_MONEY,
    Journal,
    Posting,
)
from pms.rules.owner_shares import OwnerShare, RunningPart

_OF_OWNERS = frozenset({OWNERS_MONEY, OWNERS_COSTS, MANAGEMENT_FEE})
_Place = tuple[str, str, tuple[OwnerShare, ...]]


def name_owners(session: Session, journals: Sequence[Journal]) -> Sequence[Journal]:
    """Return the journals of a month with owners' postings split by the shares of their day.

    Each part names its owner. Running totals of the month are divided, so that every owner's parts
    add up to the owner's part of the month's sum, to the yen. A building of a single owner has one
    liability, which needs no name.
    """
    buildings = {one.building_id for one in journals if _concerns_owners(one)}
    history = shares_of_buildings(session, buildings) if buildings else {}
    if not history:
        return journals
    every_share = [share for sets in history.values() for one in sets for share in one.shares]
    split = _Split(owner_names(session, every_share))
    found = []
    for journal in journals:
        sets = history.get(journal.building_id, ())
        in_force = [one.shares for one in sets if one.from_on <= journal.happened_on]
        is_shared = bool(in_force) and len(in_force[-1]) > 1
        found.append(split.journal(journal, in_force[-1]) if is_shared else journal)
    return found


def _concerns_owners(journal: Journal) -> bool:
    return any(posting.role in _OF_OWNERS for posting in journal.postings)


class _Split:
    """Divides the postings of one month, in the order of its journals."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._running: dict[_Place, dict[str, RunningPart]] = {}

    def journal(self, journal: Journal, shares: tuple[OwnerShare, ...]) -> Journal:
        postings: list[Posting] = []
        for posting in journal.postings:
            if posting.role in _OF_OWNERS:
                postings += self._parts((journal.building_id, posting.role, shares), posting)
            else:
                postings.append(posting)
        return replace(journal, postings=postings)

    def _parts(self, place: _Place, posting: Posting) -> Iterable[Posting]:
        shares = place[2]
        running = self._running.setdefault(
            place, {one.owner_id: RunningPart(shares, [one.owner_id]) for one in shares}
        )
        for owner_id, of_owner in running.items():
            yen = of_owner.take(posting.yen)
            if yen:
                yield posting._replace(yen=yen, owner=self._names[owner_id])
