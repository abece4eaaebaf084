"""Which rows of a bank's files are one transfer, however each file writes it.

A transfer is its account, day, direction, amount, payer, and its count among equals of that day.
The balance after it, the bank's wording, its number and its place in the file are no part of it:
a bank changes them when it lists a day anew, and files of other forms write them otherwise.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Final, NamedTuple
from unicodedata import normalize

from pms.rules.bank_statements import BankRow, MoneyMove
from pms.rules.payer_names import fold_name, without_legal_form, without_voice

_DAYS_APART: Final = timedelta(days=4)
"""A transfer of a holiday: one form has the day it was sent, another the next business day."""
_SHORTEST_PART: Final = 2
# What banks put before a payer's name in some forms of a list; fold_name has made kana large.
_ANNOUNCED: Final = re.compile(
    r"^(?:電信|給与|フリコミニユウキン|フリコミ|振込入金|振込|お振込|オ振込|入金)[ＩI]?[0-9]?(?:[*:/\s-]+(?=.)|$)"
)
_NOT_LETTERS: Final = re.compile(r"[\W_]+")


def payer_identity(text: str) -> str:
    """Return a payer's name in the spelling in which all forms of a bank's files agree.

    Full and half width, small and large kana, spaces, dashes, dots, legal forms of companies and
    words such as 振込＊ before the name make no difference. "" for a row without a payer.
    """
    # Some lists write the voiced mark as a letter of its own, in full width: カ゛.
    plain = re.sub(r"[ \u3000]*([゛゜\u3099\u309a])", r"\1", text)
    plain = plain.replace("゛", "\u3099").replace("゜", "\u309a")
    plain = _ANNOUNCED.sub("", fold_name(normalize("NFC", plain)).strip())
    return _NOT_LETTERS.sub("", without_legal_form(plain))


def transfer_keys(rows: Iterable[BankRow]) -> list[str]:
    """Return the key of each row of an account, the same in every file that contains it again.

    Rows that are equal in all of it are separate movements and are counted.
    """
    seen: Counter[str] = Counter()
    found = []
    for row in rows:
        key = transfer_key(row.booked_on, _signed_yen(row), payer_identity(row.payer))
        seen[key] += 1
        found.append(f"{key}|{seen[key]}")
    return found


def transfer_key(booked_on: date, signed_yen: int, payer: str) -> str:
    """Return the key of a transfer without its count; `payer` is its `payer_identity`."""
    return f"{booked_on.isoformat()}|{signed_yen}|{payer}"


def free_key(key: str, taken: Collection[str]) -> str:
    """Return a key with the next count that is not taken."""
    stem, _, count = key.rpartition("|")
    number = int(count)
    while f"{stem}|{number}" in taken:
        number += 1
    return f"{stem}|{number}"


class KnownTransfer(NamedTuple):
    """A transfer of an earlier file; `keys` are its own and those it was said to be the same as."""

    id: str
    import_id: str
    keys: Sequence[str]
    booked_on: date
    is_deposit: bool
    move: MoneyMove
    yen: int
    payer: str
    text: str


def known_of_rows(import_id: str, rows: Iterable[tuple[str, BankRow]]) -> list[KnownTransfer]:
    """Return new rows with their keys as the transfers that they will be."""
    return [
        KnownTransfer(
            f"{import_id} {key}",
            import_id,
            (key,),
            row.booked_on,
            row.is_deposit,
            row.move,
            row.yen,
            row.payer,
            row.text,
        )
        for key, row in rows
    ]


class DoubtfulRow(NamedTuple):
    """A row that may be a known transfer: the same amount, with another payer or on another day."""

    key: str
    row: BankRow
    known: KnownTransfer


class SameTransfer(NamedTuple):
    """A row that is a known transfer, perhaps in other words."""

    key: str
    row: BankRow
    known: KnownTransfer

    @property
    def is_reworded(self) -> bool:
        """Whether the transfer is not yet known by these words."""
        return self.key not in self.known.keys


@dataclass(frozen=True, slots=True)
class ComparedRows:
    """The rows of a file by what is known of them; `new` are with their keys."""

    new: list[tuple[str, BankRow]] = field(default_factory=list)
    same: list[SameTransfer] = field(default_factory=list)
    doubtful: list[DoubtfulRow] = field(default_factory=list)

    @property
    def reworded(self) -> list[SameTransfer]:
        """The known rows whose words are not known yet."""
        return [match for match in self.same if match.is_reworded]


def compare_rows(rows: Sequence[BankRow], known: Sequence[KnownTransfer]) -> ComparedRows:
    """Compare the rows of a file with the known transfers of its account.

    A row with the key of a known transfer is that transfer. Of the others, rows and transfers of
    one day, direction and amount are the same if their payers may be one; if not, or if only the
    day differs by a few days, that is doubtful. A transfer counts once.
    """
    found = ComparedRows()
    by_key = {key: transfer for transfer in known for key in transfer.keys}
    used: set[str] = set()
    rest = []
    for key, row in zip(transfer_keys(rows), rows, strict=True):
        transfer = by_key.get(key)
        if transfer is not None and transfer.id not in used:
            used.add(transfer.id)
            found.same.append(SameTransfer(key, row, transfer))
        elif row.yen:
            rest.append((key, row))
    left: defaultdict[tuple[bool, int], list[KnownTransfer]] = defaultdict(list)
    for transfer in known:
        if transfer.id not in used:
            left[transfer.is_deposit, transfer.yen].append(transfer)
    same = _match_reworded(rest, left, _nameless_imports(known), nameless=_is_nameless(rows))
    found.same.extend(SameTransfer(*rest[place], same[place]) for place in sorted(same))
    days = {row.booked_on for row in rows}
    first_on, last_on = min(days, default=date.max), max(days, default=date.min)
    taken = {key for transfer in known for key in transfer.keys}
    for place, (key, row) in enumerate(rest):
        if place in same:
            continue
        doubtful = _find_doubtful(row, left[row.is_deposit, row.yen], first_on, last_on)
        own_key = free_key(key, taken)
        taken.add(own_key)
        if doubtful is None:
            found.new.append((own_key, row))
        else:
            left[row.is_deposit, row.yen].remove(doubtful)
            found.doubtful.append(DoubtfulRow(own_key, row, doubtful))
    return found


def is_mostly_known(rows: Sequence[BankRow], compared: ComparedRows) -> bool:
    """Whether more than half of the payments of a file are known: it is of the same period."""
    paying = [row for row in rows if row.is_awaited]
    unknown = {row.line for _, row in compared.new} | {
        doubt.row.line for doubt in compared.doubtful
    }
    return 2 * sum(row.line not in unknown for row in paying) > len(paying)


def _match_reworded(
    rest: Sequence[tuple[str, BankRow]],
    left: dict[tuple[bool, int], list[KnownTransfer]],
    nameless_imports: Collection[str],
    *,
    nameless: bool,
) -> dict[int, KnownTransfer]:
    """Match rows with transfers of the same day and amount, the surest first; by place."""
    same: dict[int, KnownTransfer] = {}
    for way in (_are_names_alike, _may_be_nameless):
        for place, (_, row) in enumerate(rest):
            if place in same:
                continue
            candidates = left.get((row.is_deposit, row.yen), [])
            for transfer in candidates:
                is_nameless = nameless, transfer.import_id in nameless_imports
                if transfer.booked_on == row.booked_on and way(row, transfer, is_nameless):
                    same[place] = transfer
                    candidates.remove(transfer)
                    break
    return same


def _are_names_alike(row: BankRow, transfer: KnownTransfer, _nameless: tuple[bool, bool]) -> bool:
    """Whether two names are one: cut off, with more words around, or without its voiced marks."""
    shorter, longer = sorted(
        (without_voice(payer_identity(row.payer)), without_voice(payer_identity(transfer.payer))),
        key=len,
    )
    return len(shorter) >= _SHORTEST_PART and shorter in longer


def _may_be_nameless(row: BankRow, transfer: KnownTransfer, nameless: tuple[bool, bool]) -> bool:
    """Whether two rows of one day and amount are one although a name is missing or differs.

    Money out pays no bill, so its wording is not asked about. A payer may be missing in a file that
    names none at all.
    """
    unsure = {MoneyMove.OTHER, MoneyMove.TRANSFER}
    if not row.is_deposit or (row.move is transfer.move and row.move not in unsure):
        return True
    if row.move is not transfer.move and not unsure & {row.move, transfer.move}:
        return False
    has_no_name = not payer_identity(row.payer), not payer_identity(transfer.payer)
    return all(has_no_name) or any(
        missing and is_whole_file
        for missing, is_whole_file in zip(has_no_name, nameless, strict=True)
    )


def _is_nameless(rows: Iterable[BankRow]) -> bool:
    return not any(row.is_deposit and payer_identity(row.payer) for row in rows)


def _nameless_imports(known: Sequence[KnownTransfer]) -> Collection[str]:
    named = {
        transfer.import_id
        for transfer in known
        if transfer.is_deposit and payer_identity(transfer.payer)
    }
    return {transfer.import_id for transfer in known} - named


def _find_doubtful(
    row: BankRow, candidates: Sequence[KnownTransfer], first_on: date, last_on: date
) -> KnownTransfer | None:
    """Return the known transfer that a payment may be, which the file itself does not contain."""
    if not row.is_awaited:
        return None
    for transfer in candidates:
        if transfer.booked_on == row.booked_on:
            return transfer
    for transfer in candidates:
        is_near = abs(transfer.booked_on - row.booked_on) <= _DAYS_APART
        is_covered = first_on <= transfer.booked_on <= last_on
        if is_near and is_covered and _are_names_alike(row, transfer, (False, False)):
            return transfer
    return None


def _signed_yen(row: BankRow) -> int:
    return row.yen if row.is_deposit else -row.yen
