"""Matches again what a change of bills or transfers may touch, in the bank's order."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.bank.bank_day import MatchedAnew, book_of, is_still_known
from pms.bank.kept_verdicts import (
    KeptVerdict,
    are_taken_back,
    load_verdicts,
    number_key,
    payees_of,
    readers_of,
)
from pms.foundation.prepared import one_of
from pms.reservations.models import Reservation
from pms.rules.invoices import transfer_reference
from pms.rules.kept_readings import KeptReader, NotReadError, numbers_one_digit_off
from pms.rules.people_index import plain_reference
from pms.rules.transfer_matching import TransferMatcher

_MOST_AGAIN: Final = 300
_MOST_ASKED: Final = 2_000


class Place(NamedTuple):
    """A waiting transfer in the bank's order, in plain words; without a stored verdict it is new."""

    transfer_id: str
    state: str
    yen: int
    verdict: str | None


class Changes(NamedTuple):
    """The residents whose bills changed, and the transfers that came or went."""

    bills: frozenset[str]
    transfers: frozenset[str]


class Replayed(NamedTuple):
    """The verdicts that were made again; from the place `cut` on, more is needed for that."""

    made: Mapping[str, MatchedAnew]
    cut: int | None


def replay(
    session: Session,
    on: date,
    places: Sequence[Place],
    changes: Changes,
    fees: Sequence[int],
    *,
    most: int | None,
) -> Replayed:
    """Match again the transfers that looked at bills that changed, and those this changes in turn.

    Only bills are read, not all people: whose a transfer may be is in its stored reading. Where
    that may have changed too, nothing can be told from that transfer on.
    """
    number_of = {place.transfer_id: number for number, place in enumerate(places)}
    left = [id_ for id_ in changes.transfers if id_ not in number_of]
    # A correction of a transfer that has left may reverse another one.
    if are_taken_back(session, left):
        return Replayed({}, 0)
    residents = {*changes.bills, *payees_of(session, left)}
    if not _are_plain_residents(session, on, residents):
        return Replayed({}, 0)
    again = {id_ for id_ in readers_of(session, residents) if id_ in number_of}
    unread = {place.transfer_id for place in places if place.verdict is None}
    unread |= _find_renumbered(session, on, changes.bills, again)
    cut = min((number_of[id_] for id_ in unread if id_ in number_of), default=None)
    again -= unread
    while True:
        again = {id_ for id_ in again if cut is None or number_of[id_] < cut}
        try:
            if most is not None and len(again) > _MOST_AGAIN:
                raise _TooManyError
            passing = _Passing(session, on, fees, again, number_of=number_of, most=most)
            made = passing.match_again()
        except _TooManyError:
            return Replayed({}, min(map(number_of.__getitem__, again)))
        except _StuckError as stuck:
            cut = number_of[stuck.transfer_id]
            continue
        more = passing.find_touched(made) - again
        if not {id_ for id_ in more if cut is None or number_of[id_] < cut}:
            return Replayed(made, cut)
        again |= more


class _TooManyError(Exception):
    """So many have to be matched again that the job does it."""


class _StuckError(Exception):
    """A transfer that cannot be matched again by what is stored of it."""

    def __init__(self, transfer_id: str) -> None:
        super().__init__(transfer_id)
        self.transfer_id = transfer_id


class _Passing:
    """One passage through the transfers to match again, with all others that pay the same bills."""

    def __init__(
        self,
        session: Session,
        on: date,
        fees: Sequence[int],
        again: Collection[str],
        *,
        number_of: Mapping[str, int],
        most: int | None,
    ) -> None:
        self._session, self._number_of, self._again = session, number_of, again
        self._stored = dict(load_verdicts(session, again))
        self._readings = {
            (kept.match.row.payer, kept.match.row.message, kept.match.row.is_broken): kept.reading
            for kept in self._stored.values()
            if kept.reading is not None
        }
        asked = {id_ for reading in self._readings.values() for id_ in reading.person_ids}
        if most is not None and len(asked) > _MOST_ASKED:
            raise _TooManyError
        payers = readers_of(session, asked, pays=True) - set(again)
        self._stored |= load_verdicts(session, (id_ for id_ in payers if id_ in number_of))
        bills = book_of(session, on, asked).bills
        self._matcher = TransferMatcher((), bills, fees, KeptReader(self._readings))

    def match_again(self) -> Mapping[str, MatchedAnew]:
        made: dict[str, MatchedAnew] = {}
        for kept in sorted(
            self._stored.values(), key=lambda kept: self._number_of[kept.transfer_id]
        ):
            if kept.transfer_id in self._again:
                made[kept.transfer_id] = self._match_again(kept)
            else:
                self._matcher.take_match(kept.match.verdict, kept.match.first_parts)
        return made

    def _match_again(self, kept: KeptVerdict) -> MatchedAnew:
        try:
            match = self._matcher.match(kept.match.row)
        except NotReadError:
            raise _StuckError(kept.transfer_id) from None
        asked = frozenset(self._matcher.asked)
        return MatchedAnew(kept.transfer_id, match, kept.reading, asked)

    def find_touched(self, made: Mapping[str, MatchedAnew]) -> set[str]:
        """Return the later transfers that looked at bills which earlier ones now pay otherwise."""
        since: dict[str, int] = {}
        for id_, kept in made.items():
            before = self._stored[id_].match
            outcomes = [(match.verdict, match.first_parts) for match in (before, kept.match)]
            if outcomes[0] != outcomes[1]:
                for _, parts in outcomes:
                    for part in parts:
                        number = self._number_of[id_]
                        since[part.resident_id] = min(since.get(part.resident_id, number), number)
        touched = readers_of(self._session, since)
        first = min(since.values(), default=0)
        return {id_ for id_ in touched if self._number_of.get(id_, -1) > first}


def _are_plain_residents(session: Session, on: date, ids: Collection[str]) -> bool:
    """Whether residents are among the people whatever they owe, and nobody else with their mail.

    Of others, open bills decide whether they count, or whether an earlier tenancy of theirs does.
    """
    plain = select(Reservation.email_key).where(one_of(Reservation.id, ids), is_still_known(on))
    emails = session.scalars(plain).all()
    if len(emails) < len(ids):
        return False
    known = [email for email in emails if email]
    same = select(func.count(Reservation.id)).where(one_of(Reservation.email_key, known))
    return session.scalar(same) == len(known)


def _find_renumbered(
    session: Session, on: date, reservation_ids: Collection[str], readers: Collection[str]
) -> set[str]:
    """Return the transfers whose numbers refer to residents otherwise than when they were read."""
    references: dict[str, set[str]] = {id_: set() for id_ in reservation_ids}
    rows = session.execute(
        select(Reservation.id, Reservation.payment_reference).where(
            one_of(Reservation.id, reservation_ids), Reservation.payment_reference.is_not(None)
        )
    )
    for id_, reference in rows:
        references[id_].add(plain_reference(reference or ""))
    for bill in book_of(session, on, reservation_ids).bills:
        reference = transfer_reference(bill.resident_id, bill.id)
        references[bill.resident_id].add(plain_reference(reference))
    numbers = {number for some in references.values() for number in some}
    near = {other for number in numbers for other in numbers_one_digit_off(number)}
    numbered = readers_of(session, map(number_key, numbers | near)) | set(readers)
    return {
        id_
        for id_, kept in load_verdicts(session, numbered).items()
        if kept.reading
        and kept.reading.numbers
        and any(kept.reading.is_changed_by(who, some) for who, some in references.items())
    }
