"""Verdicts as stored: rows of waiting transfers with what they would pay, and why."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from pms.bank.bank_day import TRANSFERS, Matched, row_of
from pms.bank.models import (
    BankReading,
    BankReadingKey,
    BankTransfer,
    BankVerdict,
    BankVerdictPayee,
)
from pms.foundation.ids import new_id
from pms.foundation.prepared import one_of
from pms.foundation.stored_forms import read_stored
from pms.rules.bank_statements import BankRow
from pms.rules.kept_readings import PayerAsked, Reading
from pms.rules.payer_search import PayerCandidates, PayerReason
from pms.rules.transfer_matching import Match, MatchDoubt, Offer

_AT_ONCE: Final = 1_000


class KeptVerdict(NamedTuple):
    """A transfer with its stored match, and the row of its payer's reading."""

    transfer_id: str
    match: Match
    reading_id: str | None


def payer_asked(row: BankRow) -> PayerAsked:
    """Return by what a transfer's payer is read."""
    return row.payer, row.message, row.is_broken


def number_key(number: str) -> str:
    """Return the key by which readings of a number are found."""
    return f"#{number}"


_COLUMNS: Final = TRANSFERS.add_columns(
    BankVerdict.verdict, BankVerdict.match, BankVerdict.reading_id
).join(
    BankVerdict,
    (BankVerdict.workspace_id == BankTransfer.workspace_id) & (BankVerdict.id == BankTransfer.id),
)


def load_verdicts(session: Session, transfer_ids: Iterable[str]) -> Mapping[str, KeptVerdict]:
    """Return the stored verdicts of some transfers; those without one are left out."""
    ids = list(transfer_ids)
    rows = session.execute(_COLUMNS.where(one_of(BankTransfer.id, ids))) if ids else ()
    return {
        row.id: KeptVerdict(
            row.id,
            Match(row_of(row), row.verdict, *read_stored(_KEPT_MATCH, row.match, is_part=True)),
            row.reading_id,
        )
        for row in rows
    }


def load_readings(session: Session, reading_ids: Iterable[str]) -> Mapping[str, Reading]:
    """Return some readings by their ids."""
    found = select(BankReading.id, BankReading.reading).where(one_of(BankReading.id, reading_ids))
    return {
        id_: read_stored(Reading, reading, is_part=True) for id_, reading in session.execute(found)
    }


def readings_of_keys(session: Session, keys: Iterable[str]) -> set[str]:
    """Return the readings that name one of the residents or numbers."""
    return {
        id_
        for some in _split_keys(keys)
        for id_ in session.scalars(
            select(BankReadingKey.reading_id).where(BankReadingKey.key.in_(some))
        )
    }


def transfers_of_readings(session: Session, reading_ids: Iterable[str]) -> set[str]:
    """Return the transfers whose payers were read so."""
    found = select(BankVerdict.id).where(one_of(BankVerdict.reading_id, reading_ids))
    return set(session.scalars(found))


def payers_of(session: Session, residents: Iterable[str]) -> set[str]:
    """Return the transfers whose stored verdicts pay bills of some residents."""
    return set(
        session.scalars(
            select(BankVerdictPayee.verdict_id).where(one_of(BankVerdictPayee.payee, residents))
        )
    )


def payees_of(session: Session, transfer_ids: Iterable[str]) -> set[str]:
    """Return the residents whose bills the stored verdicts of some transfers pay."""
    return set(
        session.scalars(
            select(BankVerdictPayee.payee).where(one_of(BankVerdictPayee.verdict_id, transfer_ids))
        )
    )


def are_taken_back(session: Session, transfer_ids: Iterable[str]) -> bool:
    """Whether one of the stored verdicts is that a correction reversed the transfer."""
    matches = session.scalars(select(BankVerdict.match).where(one_of(BankVerdict.id, transfer_ids)))
    return any(match[1] == MatchDoubt.TAKEN_BACK for match in matches)


def _split_keys(keys: Iterable[str]) -> Iterator[list[str]]:
    """Yield so many keys as a statement may bind."""
    wanted = list(keys)
    for first in range(0, len(wanted), _AT_ONCE):
        yield wanted[first : first + _AT_ONCE]


class VerdictChanges(NamedTuple):
    """The rows to delete and to insert so that what is stored is as it was made.

    It is worked out before the transaction that writes, which then compares nothing.
    """

    outdated_readings: Collection[str]
    readings: Sequence[dict[str, Any]]
    keys: Sequence[dict[str, Any]]
    outdated_verdicts: Collection[str]
    verdicts: Sequence[dict[str, Any]]
    payees: Sequence[dict[str, Any]]


def compare_all_verdicts(
    session: Session, made: Iterable[Matched], readings: Mapping[PayerAsked, Reading]
) -> VerdictChanges:
    """Return what replaces everything that is stored; what came out as it was is left alone."""
    reading_ids, rows, keys = {}, [], []
    known = session.execute(
        select(
            BankReading.id,
            BankReading.payer,
            BankReading.message,
            BankReading.is_broken,
            BankReading.reading,
        )
    )
    before = {(payer, message, broken): (id_, kept) for id_, payer, message, broken, kept in known}
    for asked, reading in readings.items():
        nearest = reading.nearest
        stored = [
            _write_found(reading.found),
            None if nearest is None else [_write_found(found) for found in nearest],
            {number: list(ids) for number, ids in reading.numbers.items()},
            sorted(reading.latin),
            {id_: list(ids) for id_, ids in reading.namesakes.items()},
        ]
        id_, kept = before.get(asked, (None, None))
        if id_ is not None and kept == stored:
            reading_ids[asked] = id_
            continue
        reading_ids[asked] = new_id()
        payer, message, is_broken = asked
        facts = {"payer": payer, "message": message, "is_broken": is_broken, "reading": stored}
        rows.append({"id": reading_ids[asked], **facts})
        named = [*reading.person_ids, *map(number_key, reading.numbers)]
        keys += [{"reading_id": reading_ids[asked], "key": key} for key in named]
    verdicts = [
        KeptVerdict(id_, match, reading_ids[payer_asked(match.row)] if match.is_read else None)
        for id_, match in made
    ]
    gone = set(session.scalars(select(BankVerdict.id))) - {kept.transfer_id for kept in verdicts}
    used = set(reading_ids.values())
    outdated = [id_ for id_, _ in before.values() if id_ not in used]
    changes = compare_verdicts(session, verdicts, gone)
    return changes._replace(outdated_readings=outdated, readings=rows, keys=keys)


def compare_verdicts(
    session: Session, made: Collection[KeptVerdict], gone: Collection[str]
) -> VerdictChanges:
    """Return what replaces some verdicts; those of transfers that are `gone` are deleted."""
    known = select(BankVerdict.id, BankVerdict.verdict, BankVerdict.match, BankVerdict.reading_id)
    known = known.where(one_of(BankVerdict.id, [kept.transfer_id for kept in made]))
    before = {id_: tuple(facts) for id_, *facts in session.execute(known)}
    verdicts, payees, outdated = [], [], set(gone)
    for kept in made:
        offers = [
            [
                list(offer.person_ids),
                [list(part) for part in offer.parts],
                offer.payer_reason.value,
                offer.amount_reason.value,
                offer.held_yen,
                offer.fee_yen,
            ]
            for offer in kept.match.offers
        ]
        match = [kept.match.payer_reason.value, kept.match.doubt.value, offers]
        facts = kept.match.verdict, match, kept.reading_id
        if before.get(kept.transfer_id) == facts:
            continue
        outdated |= {kept.transfer_id} & before.keys()
        columns = ("verdict", "match", "reading_id")
        verdicts.append({"id": kept.transfer_id, **dict(zip(columns, facts, strict=True))})
        payees += [
            {"verdict_id": kept.transfer_id, "payee": payee}
            for payee in {part.resident_id for part in kept.match.first_parts}
        ]
    return VerdictChanges((), (), (), outdated, verdicts, payees)


def split_changes(changes: VerdictChanges, most: int) -> Sequence[VerdictChanges]:
    """Return the changes in parts of at most so many rows, in the order in which they are written."""
    if sum(map(len, changes)) <= most:
        return [changes]
    nothing = VerdictChanges((), (), (), (), (), ())
    # What refers to a row is deleted before it, and inserted after it.
    names = ("outdated_verdicts", "outdated_readings", "readings", "keys", "verdicts", "payees")
    parts = []
    for name in names:
        rows = list(getattr(changes, name))
        for first in range(0, len(rows), most):
            parts.append(nothing._replace(**{name: rows[first : first + most]}))
    return parts


def store_changes(session: Session, changes: VerdictChanges) -> None:
    """Delete and insert the rows."""
    for some in _split_keys(changes.outdated_verdicts):
        session.execute(delete(BankVerdictPayee).where(BankVerdictPayee.verdict_id.in_(some)))
        session.execute(delete(BankVerdict).where(BankVerdict.id.in_(some)))
    for some in _split_keys(changes.outdated_readings):
        session.execute(delete(BankReadingKey).where(BankReadingKey.reading_id.in_(some)))
        session.execute(delete(BankReading).where(BankReading.id.in_(some)))
    for model, rows in (
        (BankReading, changes.readings),
        (BankReadingKey, changes.keys),
        (BankVerdict, changes.verdicts),
        (BankVerdictPayee, changes.payees),
    ):
        if rows:
            session.execute(insert(model), rows)


_KEPT_MATCH: Final = tuple[PayerReason, MatchDoubt, tuple[Offer, ...]]


def _write_found(found: PayerCandidates) -> list[Any]:
    return [
        found.reason.value,
        list(found.person_ids),
        found.is_certain,
        found.needs_full_bill,
        list(found.longer_names),
    ]
