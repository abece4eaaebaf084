"""Matches again what a change of bills or transfers may touch, in the bank's order."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.bank.bank_day import book_of, is_still_known
from pms.bank.kept_verdicts import (
    KeptVerdict,
    are_taken_back,
    load_readings,
    load_verdicts,
    number_key,
    payees_of,
    payer_asked,
    payers_of,
    readings_of_keys,
    transfers_of_readings,
)
from pms.foundation.prepared import one_of
from pms.reservations.models import Reservation
from pms.rules.invoices import transfer_reference
from pms.rules.kept_readings import KeptReader, NotReadError, numbers_one_digit_off
from pms.rules.people_index import plain_reference
from pms.rules.transfer_matching import TransferMatcher

_MOST_AGAIN: Final = 300
_MOST_OFFERS: Final = 20_000
"""The people looked at for all transfers together: a surname alone may be that of hundreds."""


Place = tuple[str, str, int, str | None]
"""A waiting transfer in the bank's order: its id, state and yen, and its stored verdict, if any."""


class Changes(NamedTuple):
    """The residents whose bills changed, and the transfers that came or went."""

    bills: frozenset[str]
    transfers: frozenset[str]


class Replayed(NamedTuple):
    """The verdicts that were made again; from the place `cut` on, more is needed for that."""

    made: Mapping[str, KeptVerdict]
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
    number_of = {place[0]: number for number, place in enumerate(places)}
    left = [id_ for id_ in changes.transfers if id_ not in number_of]
    # A correction of a transfer that has left may reverse another one.
    if are_taken_back(session, left):
        return Replayed({}, 0)
    residents = {*changes.bills, *payees_of(session, left)}
    if not _are_plain_residents(session, on, residents):
        return Replayed({}, 0)
    readings = readings_of_keys(session, residents)
    again = transfers_of_readings(session, readings) & number_of.keys()
    unread = {id_ for id_, _, _, verdict in places if verdict is None}
    unread |= _find_renumbered(session, on, changes.bills, readings)
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
        read = {
            payer_asked(kept.match.row): kept.reading_id
            for kept in self._stored.values()
            if kept.reading_id
        }
        readings = load_readings(session, set(read.values()))
        named = {id_: reading.person_ids for id_, reading in readings.items()}
        offers = sum(len(named.get(kept.reading_id or "", ())) for kept in self._stored.values())
        if most is not None and offers > _MOST_OFFERS:
            raise _TooManyError
        asked = {person_id for ids in named.values() for person_id in ids}
        others = (payers_of(session, asked) & number_of.keys()) - set(again)
        by_payer = {payer: readings[id_] for payer, id_ in read.items() if id_ in readings}
        self._stored |= load_verdicts(session, others)
        bills = book_of(session, on, asked).bills
        self._matcher = TransferMatcher((), bills, fees, KeptReader(by_payer))

    def match_again(self) -> Mapping[str, KeptVerdict]:
        made: dict[str, KeptVerdict] = {}
        for kept in sorted(
            self._stored.values(), key=lambda kept: self._number_of[kept.transfer_id]
        ):
            if kept.transfer_id not in self._again:
                self._matcher.take_match(kept.match.verdict, kept.match.first_parts)
                continue
            try:
                match = self._matcher.match(kept.match.row)
            except NotReadError:
                raise _StuckError(kept.transfer_id) from None
            made[kept.transfer_id] = kept._replace(match=match)
        return made

    def find_touched(self, made: Mapping[str, KeptVerdict]) -> set[str]:
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
        readings = readings_of_keys(self._session, since)
        touched = transfers_of_readings(self._session, readings)
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
    session: Session, on: date, reservation_ids: Collection[str], readings: Collection[str]
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
    numbered = readings_of_keys(session, map(number_key, numbers | near)) | set(readings)
    renumbered = {
        id_
        for id_, reading in load_readings(session, numbered).items()
        if reading.numbers
        and any(reading.is_changed_by(who, some) for who, some in references.items())
    }
    return transfers_of_readings(session, renumbered)
