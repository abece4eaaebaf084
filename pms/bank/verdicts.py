"""The verdicts of bank day: kept, read, and made anew for what a change may touch.

A verdict is made by a job and kept with its transfer. The database notes each change that one may
depend on. Whoever reads makes a few anew in memory; where more would have to be made, they are
pending: shown as such, and neither certain nor likely until the job has been there.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Date, String, bindparam, delete, func, or_, select, type_coerce, union
from sqlalchemy.orm import Session

from pms.bank.bank_day import Matched, MatchingBook, book_of, is_still_known, match_all_anew
from pms.bank.kept_verdicts import (
    KeptVerdict,
    VerdictChanges,
    compare_all_verdicts,
    compare_verdicts,
    load_verdicts,
    split_changes,
    store_changes,
)
from pms.bank.models import BankChange, BankMatching, BankTransfer, BankVerdict
from pms.bank.replay import Changes, Place, replay
from pms.bank.write_offs import known_fees
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.db import insert_new, sees_one_state
from pms.foundation.errors import Collision
from pms.foundation.prepared import PreparedInWorkspace
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import locked
from pms.reservations.models import Reservation
from pms.rules.enumerations import TransferState
from pms.rules.kept_readings import PayerAsked, Reading
from pms.rules.transfer_matching import Match

MADE_AT_ONCE: Final = 1_000
"""The transfers and people matched while somebody waits; more are matched by the job."""
ROWS_AT_ONCE: Final = 3_000
"""The rows that a renewal writes in one transaction: SQLite is locked for 0.05 s."""
_MOST_CHANGES: Final = 200
_MOST_TRIES: Final = 5
Answer = TypeVar("Answer")


class Waiting(NamedTuple):
    """A waiting transfer in a list."""

    transfer_id: str
    yen: int


class WaitingDay(NamedTuple):
    """All waiting transfers by certainty, in the bank's order.

    What is `pending` may have changed and was not matched again yet. `made` are the verdicts that
    differ from the stored ones, or may.
    """

    certain: tuple[Waiting, ...]
    likely: tuple[Waiting, ...]
    unknown: tuple[Waiting, ...]
    kept: tuple[Waiting, ...]
    pending: tuple[Waiting, ...]
    made: Mapping[str, Match]


class BankDay(NamedTuple):
    """All waiting transfers by certainty, with the people and bills they refer to."""

    certain: tuple[Matched, ...]
    likely: tuple[Matched, ...]
    unknown: tuple[Matched, ...]
    kept: tuple[Matched, ...]
    book: MatchingBook

    @property
    def every_one(self) -> tuple[Matched, ...]:
        """All of them, the most certain first."""
        return (*self.certain, *self.likely, *self.unknown, *self.kept)


class _Current(NamedTuple):
    """The places of all waiting transfers, and what is true of them now.

    `made` are told instead of the stored matches: those that were made `again`, or all, together
    with new `readings`. From the place `cut` on, nothing is known. `seen` are the transactions
    whose notes were read; None where what is stored is as it would be made now.
    """

    places: Sequence[Place]
    made: Mapping[str, Match] = {}
    again: Collection[KeptVerdict] = ()
    readings: Mapping[PayerAsked, Reading] | None = None
    gone: Collection[str] = ()
    cut: int | None = None
    people: int | None = None
    seen: Collection[int] | None = None
    fees: Sequence[int] = ()


def waiting_day(session: Session, on: date, *, is_bounded: bool = True) -> WaitingDay:
    """Return what waits on a day, as it is now; nothing is written.

    Few transfers and people are matched again, or however many there are.
    """
    found = _find_current(session, on, MADE_AT_ONCE if is_bounded else None)
    lists: dict[str, list[Waiting]] = {name: [] for name in WaitingDay._fields[:5]}
    known = found.places if found.cut is None else found.places[: found.cut]
    for id_, state, yen, stored in known:
        made = found.made.get(id_)
        verdict = stored if made is None else made.verdict.value
        name = "kept" if state == TransferState.KEPT else str(verdict)
        lists[name].append(Waiting(id_, yen))
    lists["pending"] = [Waiting(id_, yen) for id_, _, yen, _ in found.places[len(known) :]]
    return WaitingDay(**{name: tuple(list_) for name, list_ in lists.items()}, made=found.made)


class DayShown(NamedTuple):
    """A day with the matches of some of its transfers, and what their offers refer to."""

    day: WaitingDay
    matched: Mapping[str, Matched]
    book: MatchingBook


def show_day(
    session: Session,
    on: date,
    choose: Callable[[WaitingDay], Iterable[Waiting]],
    *,
    is_bounded: bool = True,
) -> DayShown:
    """Return what waits on a day, with the matches of the transfers that are chosen."""

    def read() -> DayShown:
        day = waiting_day(session, on, is_bounded=is_bounded)
        ids = [waiting.transfer_id for waiting in choose(day)]
        stored = load_verdicts(session, [id_ for id_ in ids if id_ not in day.made])
        matches = {id_: day.made[id_] for id_ in ids if id_ in day.made}
        matches |= {id_: kept.match for id_, kept in stored.items()}
        matched = {id_: Matched(id_, match) for id_, match in matches.items()}
        offers = [offer for found in matched.values() for offer in found.match.offers]
        people = {id_ for offer in offers for id_ in offer.person_ids}
        return DayShown(day, matched, book_of(session, on, people))

    # What is read by several statements, none before and none after a renewal. PostgreSQL shows
    # each statement what was committed before it; SQLite shows all of a session the same.
    if sees_one_state(session):
        return read()
    for _ in range(_MOST_TRIES):
        before = session.scalars(select(BankMatching.number)).all()
        answer = read()
        if session.scalars(select(BankMatching.number)).all() == before:
            return answer
    raise Collision("transfers: they are being matched again. Try again in a moment.")


def match_waiting(session: Session, on: date) -> BankDay:
    """Return all that waits with its matches, however long that takes."""

    def choose(day: WaitingDay) -> Iterable[Waiting]:
        return (*day.certain, *day.likely, *day.unknown, *day.kept)

    day, matched, book = show_day(session, on, choose, is_bounded=False)
    certain, likely, unknown, kept = (
        tuple(matched[waiting.transfer_id] for waiting in some)
        for some in (day.certain, day.likely, day.unknown, day.kept)
    )
    return BankDay(certain, likely, unknown, kept, book)


def show_transfer(
    session: Session, transfer_id: str, on: date
) -> tuple[Match | None, MatchingBook]:
    """Return the match of a waiting transfer; None while it is pending, or does not wait."""

    def choose(day: WaitingDay) -> Iterable[Waiting]:
        known = (*day.certain, *day.likely, *day.unknown, *day.kept)
        return [waiting for waiting in known if waiting.transfer_id == transfer_id]

    shown = show_day(session, on, choose)
    found = shown.matched.get(transfer_id)
    return (found.match if found is not None else None), shown.book


def renew_verdicts(
    database: Database, clock: Clock, workspace_id: str, most: int | None = None
) -> int | None:
    """Make the verdicts of a workspace anew where something changed; return how many were made.

    Matching holds no lock: what is changed meanwhile is noted, and made anew the next time. Many
    verdicts are written in several transactions, of which the first marks all as not valid. Killed
    in the middle, it leaves the notes, and old verdicts or such as are not valid. With `most`, only
    so many transfers and people are matched; None where there was nothing to do, or too much.
    """
    today = clock.today()
    with database.reading(workspace_id) as session:
        if not _is_stale(session, today):
            return None
    number = database.write(workspace_id, _begin_renewal)
    with database.reading(workspace_id) as session:
        found = _find_current(session, today, most)
        changes = _compare_stored(session, found)
    # On SQLite, what was changed after this renewal began may have been changed again since it was
    # read, and bears the renewal's number.
    is_sqlite = database.settings.is_sqlite
    seen = [of for of in found.seen or () if not is_sqlite or of < number]

    if found.cut is not None:
        return None
    parts = split_changes(changes, ROWS_AT_ONCE)

    def store(session: WorkspaceSession, part: VerdictChanges, expected: int) -> int | None:
        row = locked(session, BankMatching, workspace_id)
        if row.number != expected:
            return None  # another renewal began later, and sees more
        store_changes(session, part)
        if part is parts[-1]:
            session.execute(delete(BankChange).where(BankChange.written_in.in_(seen)))
            row.number += 1
            row.made_on, row.fees = today, list(found.fees)
            row.people = found.people or row.people
        elif part is parts[0]:
            row.number += 1
            row.made_on = date.min
        session.flush()
        return row.number

    expected = number
    for part in parts:
        if part is not parts[0]:
            database.let_others_write()
        stored = database.write(workspace_id, partial(store, part=part, expected=expected))
        if stored is None:
            return None
        expected = stored
    return len(found.made)


def _compare_stored(session: Session, found: _Current) -> VerdictChanges:
    if found.readings is None:
        return compare_verdicts(session, found.again, found.gone)
    made = [Matched(id_, match) for id_, match in found.made.items()]
    return compare_all_verdicts(session, made, found.readings)


def renew_few_verdicts(database: Database, clock: Clock, workspace_id: str) -> None:
    """Make anew what somebody can wait for; more is left to the job."""
    renew_verdicts(database, clock, workspace_id, MADE_AT_ONCE)


def list_stale_workspaces(session: Session, today: date) -> Sequence[str]:
    """Return the workspaces with changes, or with verdicts of an earlier day.

    The session reads across workspaces.
    """
    changed = select(BankChange.workspace_id)
    earlier = select(BankMatching.workspace_id).where(BankMatching.made_on != today)
    return session.scalars(union(changed, earlier)).all()


def _begin_renewal(session: WorkspaceSession) -> int:
    id_ = str(session.workspace_id)
    first: dict[str, Any] = {"number": 0, "made_on": date.min, "fees": [], "people": 0}
    insert_new(session, BankMatching, [{"id": id_, **first}])
    row = locked(session, BankMatching, id_)
    row.number += 1
    session.flush()
    return row.number


class _Basis(NamedTuple):
    """What the stored verdicts were made of: whether of this day and its fees, of how many people.

    `seen` are the transactions that changed something since.
    """

    is_valid: bool
    seen: Sequence[int]
    fees: Sequence[int]
    people: int | None


def _read_basis(session: Session, on: date) -> _Basis:
    # First the notes: what is changed from here on is noted, and not taken for seen.
    seen = session.scalars(select(BankChange.written_in).distinct()).all()
    kept = session.execute(select(BankMatching.made_on, BankMatching.fees, BankMatching.people))
    made_on, fees_before, people = kept.one_or_none() or (None, [], None)
    fees = sorted(known_fees(session))
    return _Basis(made_on == on and fees_before == fees, seen, fees, people)


def _is_stale(session: Session, on: date) -> bool:
    basis = _read_basis(session, on)
    return bool(basis.seen) or not basis.is_valid


def _find_current(session: Session, on: date, most: int | None) -> _Current:
    basis = _read_basis(session, on)
    places = _PLACES.all(session, on=on)
    if basis.is_valid and not basis.seen and all(verdict for _, _, _, verdict in places):
        return _Current(places)
    fees = basis.fees
    found = _Current(places, cut=0, seen=basis.seen, fees=fees)
    changes = _read_changes(session) if basis.is_valid else None
    if changes is not None:
        replayed = replay(session, on, places, changes, fees, most=most)
        made = {id_: kept.match for id_, kept in replayed.made.items()}
        gone = changes.transfers - {place[0] for place in places}
        again = replayed.made.values()
        found = found._replace(made=made, again=again, gone=gone, cut=replayed.cut)
    if not places:
        return found._replace(made={}, readings={}, cut=None)
    if found.cut is None:
        return found
    if most is not None and len(places) + _count_people(session, on, basis.people) > most:
        return found
    everything = match_all_anew(session, on)
    return found._replace(
        made=dict(everything.transfers),
        readings=everything.readings,
        cut=None,
        people=everything.people,
    )


# Run on the driver: a long list has thousands of rows.
_PLACES: Final = PreparedInWorkspace(
    select(
        BankTransfer.id,
        type_coerce(BankTransfer.state, String),
        BankTransfer.yen,
        type_coerce(BankVerdict.verdict, String),
    )
    .join(
        BankVerdict,
        (BankVerdict.workspace_id == BankTransfer.workspace_id)
        & (BankVerdict.id == BankTransfer.id),
        isouter=True,
    )
    .where(
        BankTransfer.is_deposit,
        or_(
            type_coerce(BankTransfer.state, String) == TransferState.WAITING.value,
            type_coerce(BankTransfer.state, String) == TransferState.KEPT.value,
        ),
        BankTransfer.booked_on <= bindparam("on", type_=Date),
    )
    .order_by(BankTransfer.booked_on, BankTransfer.id)
)


def _read_changes(session: Session) -> Changes | None:
    """Return what was changed since the last renewal; None where it may touch every verdict."""
    notes = session.execute(
        select(BankChange.kind, BankChange.about).distinct().limit(_MOST_CHANGES + 1)
    ).all()
    of: dict[str, set[str]] = {"bills": set(), "transfer": set()}
    if len(notes) > _MOST_CHANGES or any(kind not in of for kind, _ in notes):
        return None
    for kind, about in notes:
        of[kind].add(about)
    return Changes(frozenset(of["bills"]), frozenset(of["transfer"]))


def _count_people(session: Session, on: date, before: int | None) -> int:
    if before is not None:
        return before
    return (
        session.scalar(select(func.count()).select_from(Reservation).where(is_still_known(on))) or 0
    )
