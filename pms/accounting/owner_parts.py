"""Journals of buildings with several owners: owners' postings are entered by share."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from pms.catalogue.owners import SharesFrom, owner_names, shares_of_buildings
from pms.foundation.mail_texts import format_month
from pms.foundation.translations import translate
from pms.rules.days import add_months, month_last
from pms.rules.journals import (
    LEASE_RENT,
    MANAGEMENT_FEE,
    OWNERS_COSTS,
    OWNERS_MONEY,
    Journal,
    Posting,
)
from pms.rules.owner_income import OwnerShare, RunningPart, parts_of
from pms.statements.owner_figures import brought_forward

_OF_OWNERS = frozenset({OWNERS_MONEY, OWNERS_COSTS, MANAGEMENT_FEE, LEASE_RENT})
_Shares = tuple[OwnerShare, ...]


def name_owners(
    session: Session,
    journals: Sequence[Journal],
    month_on: date,
    building_names: Mapping[str, str],
) -> Sequence[Journal]:
    """Return the journals of a month with owners' postings split by share.

    Each part names its owner. A journal is split by the shares on the last day of the month whose
    statement it belongs to. The running total begins with what the statement brought forward, and a
    payout has parts of its own, so that the books owe every owner what the statements say, to the
    yen. Where the statement divides that balance otherwise than the month before, a journal moves
    the difference between the owners. A building of a single owner has one liability, which needs
    no name.
    """
    splits = _build_splits(
        session, journals, month_on, _find_divided_buildings(session, building_names, month_on)
    )
    found = [
        splits[journal.building_id].journal(journal) if journal.building_id in splits else journal
        for journal in journals
    ]
    moves = (split.make_redivision(id_, building_names[id_]) for id_, split in splits.items())
    return [*(journal for journal in moves if journal.postings), *found]


def _find_divided_buildings(
    session: Session, building_ids: Collection[str], month_on: date
) -> Mapping[str, Sequence[SharesFrom]]:
    """Return the shares of the buildings that had several owners by the end of a month."""
    return {
        id_: sets
        for id_, sets in shares_of_buildings(session, building_ids).items()
        if any(
            len(shares_from.shares) > 1
            for shares_from in sets
            if shares_from.from_on <= month_last(month_on)
        )
    }


def _build_splits(
    session: Session,
    journals: Sequence[Journal],
    month_on: date,
    history: Mapping[str, Sequence[SharesFrom]],
) -> Mapping[str, "_Split"]:
    if not history:
        return {}
    every_share = [
        share for sets in history.values() for shares_from in sets for share in shares_from.shares
    ]
    names = owner_names(session, every_share)
    forward = brought_forward(session, list(history), month_on)
    by_building: defaultdict[str, list[Journal]] = defaultdict(list)
    for journal in journals:
        by_building[journal.building_id].append(journal)
    return {
        id_: _Split(
            names,
            sets,
            _Balance(month_on, forward[id_].closed_yen, forward[id_].opening_yen),
            by_building[id_],
        )
        for id_, sets in history.items()
    }


class _Balance(NamedTuple):
    """What a month of a building brought forward, and the month before closed with, in yen."""

    month_on: date
    closed_yen: int
    opening_yen: int


def _shares_on(day: date, sets: Sequence[SharesFrom]) -> _Shares:
    """Return the shares in force; none for a single owner."""
    in_force = [shares_from.shares for shares_from in sets if shares_from.from_on <= day]
    return in_force[-1] if in_force and len(in_force[-1]) > 1 else ()


class _Split:
    """Divides the postings of one month of a building, in the order of its journals."""

    def __init__(
        self,
        names: Mapping[str, str],
        sets: Sequence[SharesFrom],
        balance: _Balance,
        journals: Collection[Journal],
    ) -> None:
        self._names, self._sets, self._balance = names, sets, balance
        self._shares = _shares_on(month_last(balance.month_on), sets)
        self._shares_before = _shares_on(month_last(add_months(balance.month_on, -1)), sets)
        # The figures include corrections of closed months, which are entered only in this one.
        late_yen = sum(journal.owners_yen for journal in journals if journal.is_late)
        self._booked_yen = balance.closed_yen - late_yen
        self._running: dict[tuple[str, bool, _Shares], dict[str, RunningPart]] = {}
        self._late_parts: defaultdict[str, int] = defaultdict(int)

    def journal(self, journal: Journal) -> Journal:
        shares = _shares_on(month_last(journal.statement_month_on), self._sets)
        postings: list[Posting] = []
        for posting in journal.postings:
            if posting.role in _OF_OWNERS and shares:
                parts = list(self._split_posting(journal, posting, shares))
            else:
                parts = [posting]
            postings += parts
            if journal.is_late and posting.role == OWNERS_MONEY:
                for part in parts:
                    self._late_parts[part.owner] -= part.yen
        return replace(journal, postings=postings)

    def make_redivision(self, building_id: str, building_name: str) -> Journal:
        """Return the journal that divides the balance brought forward as the statement does."""
        month_on, closed_yen, opening_yen = self._balance
        booked = self._owner_amounts(self._shares_before, self._booked_yen)
        sent = self._owner_amounts(self._shares_before, closed_yen - opening_yen)
        wanted = self._owner_amounts(self._shares, opening_yen)
        moved = {
            name: wanted.get(name, 0)
            - booked.get(name, 0)
            + sent.get(name, 0)
            - self._late_parts.get(name, 0)
            for name in dict.fromkeys((*wanted, *booked, *sent, *self._late_parts))
        }
        postings = [
            Posting(OWNERS_MONEY, -yen, owner=name)
            for name, yen in sorted(moved.items(), key=lambda owner_and_yen: owner_and_yen[1])
            if yen
        ]
        memo = translate(
            "Owners' brought forward, divided {month} {building}",
            "ja",
            "journal",
            month=format_month(month_on, "ja"),
            building=building_name,
        )
        key = f"brought-forward/{building_id}/{month_on}"
        return Journal(key, month_on, building_id, building_id, memo, postings)

    def _owner_amounts(self, shares: _Shares, yen: int) -> Mapping[str, int]:
        if not shares:
            return {"": yen}
        return {self._names[id_]: part for id_, part in parts_of(shares, yen).items()}

    def _split_posting(
        self, journal: Journal, posting: Posting, shares: _Shares
    ) -> Iterator[Posting]:
        if journal.is_payout:
            parts = parts_of(shares, posting.yen)
        else:
            running = self._running_of(posting.role, journal.is_late, shares)
            parts = {id_: of_owner.take(posting.yen) for id_, of_owner in running.items()}
        for owner_id, yen in parts.items():
            if yen:
                yield posting._replace(yen=yen, owner=self._names[owner_id])

    def _running_of(self, role: str, is_late: bool, shares: _Shares) -> Mapping[str, RunningPart]:
        place = (role, is_late, shares)
        if place not in self._running:
            self._running[place] = {
                share.owner_id: RunningPart(shares, [share.owner_id]) for share in shares
            }
            start_yen = 0
            if role == OWNERS_MONEY and not is_late:
                start_yen = self._balance.opening_yen
            elif role == OWNERS_MONEY and shares == self._shares_before:
                start_yen = self._booked_yen
            for of_owner in self._running[place].values():
                of_owner.take(-start_yen)
        return self._running[place]
