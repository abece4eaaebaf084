"""Verdicts as stored: rows of waiting transfers with what they would pay, and why."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from pms.bank.bank_day import TRANSFERS, MatchedAnew, row_of
from pms.bank.models import BankTransfer, BankVerdict, BankVerdictKey
from pms.foundation.prepared import one_of
from pms.foundation.stored_forms import read_stored
from pms.rules.bank_statements import BankRow
from pms.rules.kept_readings import Reading
from pms.rules.payer_search import PayerCandidates, PayerReason
from pms.rules.transfer_matching import Match, MatchCertainty, MatchDoubt, Offer


class KeptVerdict(NamedTuple):
    """A transfer with its stored match and reading."""

    transfer_id: str
    match: Match
    reading: Reading | None


def number_key(number: str) -> str:
    """Return the key by which verdicts of transfers with a number are found."""
    return f"#{number}"


_COLUMNS: Final = TRANSFERS.add_columns(
    BankVerdict.verdict, BankVerdict.match, BankVerdict.reading
).join(
    BankVerdict,
    (BankVerdict.workspace_id == BankTransfer.workspace_id) & (BankVerdict.id == BankTransfer.id),
)


def load_verdicts(session: Session, transfer_ids: Iterable[str]) -> Mapping[str, KeptVerdict]:
    """Return the stored verdicts of some transfers; those without one are left out."""
    rows = session.execute(_COLUMNS.where(one_of(BankTransfer.id, transfer_ids)))
    return {
        row.id: KeptVerdict(
            row.id, _read_match(row_of(row), row.verdict, row.match), _read_reading(row.reading)
        )
        for row in rows
    }


def readers_of(session: Session, keys: Iterable[str], *, pays: bool = False) -> set[str]:
    """Return the transfers whose verdicts depend on one of the keys, or pay the resident's bills."""
    found = select(BankVerdictKey.verdict_id).where(one_of(BankVerdictKey.key, keys))
    return set(session.scalars(found.where(BankVerdictKey.pays) if pays else found))


def payees_of(session: Session, transfer_ids: Iterable[str]) -> set[str]:
    """Return the residents whose bills the stored verdicts pay."""
    return set(
        session.scalars(
            select(BankVerdictKey.key).where(
                one_of(BankVerdictKey.verdict_id, transfer_ids), BankVerdictKey.pays
            )
        )
    )


def are_taken_back(session: Session, transfer_ids: Iterable[str]) -> bool:
    """Whether one of the stored verdicts is that a correction reversed the transfer."""
    matches = session.scalars(select(BankVerdict.match).where(one_of(BankVerdict.id, transfer_ids)))
    return any(match[1] == MatchDoubt.TAKEN_BACK for match in matches)


def store_verdicts(
    session: Session, made: Collection[MatchedAnew], gone: Collection[str], *, is_all: bool
) -> None:
    """Replace the verdicts that were made anew; `gone` wait no more, nor others if these are all.

    A verdict that came out as it was is not written again.
    """
    known = select(BankVerdict.id, BankVerdict.verdict, BankVerdict.match, BankVerdict.reading)
    if not is_all:
        known = known.where(one_of(BankVerdict.id, [anew.transfer_id for anew in made]))
    before = {
        id_: (verdict, match, reading) for id_, verdict, match, reading in session.execute(known)
    }
    keys_before: dict[str, dict[str, bool]] = {}
    keys = select(BankVerdictKey.verdict_id, BankVerdictKey.key, BankVerdictKey.pays)
    if not is_all:
        keys = keys.where(one_of(BankVerdictKey.verdict_id, list(before)))
    for id_, key, pays in session.execute(keys):
        keys_before.setdefault(id_, {})[key] = pays
    verdicts, new_keys, outdated = [], [], set(gone)
    if is_all:
        outdated |= before.keys() - {anew.transfer_id for anew in made}
    for anew in made:
        stored = anew.match.verdict, _write_match(anew.match), _write_reading(anew.reading)
        depends_on = _keys_of(anew)
        is_known = anew.transfer_id in before
        if (
            is_known
            and before[anew.transfer_id] == stored
            and keys_before.get(anew.transfer_id, {}) == depends_on
        ):
            continue
        if is_known:
            outdated.add(anew.transfer_id)
        verdict, match, reading = stored
        verdicts.append(
            {"id": anew.transfer_id, "verdict": verdict, "match": match, "reading": reading}
        )
        new_keys += [
            {"verdict_id": anew.transfer_id, "key": key, "pays": pays}
            for key, pays in depends_on.items()
        ]
    if outdated:
        session.execute(delete(BankVerdictKey).where(one_of(BankVerdictKey.verdict_id, outdated)))
        session.execute(delete(BankVerdict).where(one_of(BankVerdict.id, outdated)))
    if verdicts:
        session.execute(insert(BankVerdict), verdicts)
    if new_keys:
        session.execute(insert(BankVerdictKey), new_keys)


def _keys_of(anew: MatchedAnew) -> dict[str, bool]:
    payees = {part.resident_id for part in anew.match.first_parts}
    keys = {id_: id_ in payees for id_ in anew.asked}
    numbers = anew.reading.numbers if anew.reading else ()
    return keys | {number_key(number): False for number in numbers}


def _write_match(match: Match) -> list[Any]:
    offers = [
        [
            list(offer.person_ids),
            [list(part) for part in offer.parts],
            offer.payer_reason.value,
            offer.amount_reason.value,
            offer.held_yen,
            offer.fee_yen,
        ]
        for offer in match.offers
    ]
    return [match.payer_reason.value, match.doubt.value, offers]


_KEPT_MATCH: Final = tuple[PayerReason, MatchDoubt, tuple[Offer, ...]]


def _read_match(row: BankRow, verdict: MatchCertainty, stored: Any) -> Match:
    return Match(row, verdict, *read_stored(_KEPT_MATCH, stored, is_part=True))


def _write_reading(reading: Reading | None) -> list[Any]:
    if reading is None:
        return []
    nearest = reading.nearest
    return [
        _write_found(reading.found),
        None if nearest is None else [_write_found(found) for found in nearest],
        {number: list(ids) for number, ids in reading.numbers.items()},
        sorted(reading.latin),
        {id_: list(ids) for id_, ids in reading.namesakes.items()},
    ]


def _read_reading(stored: Any) -> Reading | None:
    return read_stored(Reading, stored, is_part=True) if stored else None


def _write_found(found: PayerCandidates) -> list[Any]:
    return [
        found.reason.value,
        list(found.person_ids),
        found.is_certain,
        found.needs_full_bill,
        list(found.longer_names),
    ]
