"""Matching of bank transfers with payers and their open bills, by certainty."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from pms.bank.models import BankAccountRow, BankPlacement, BankTransfer
from pms.bank.payers import known_fees, remembered_payers
from pms.catalogue.models import Building, Unit
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import CATALOGUE, LEDGER, OCCUPANCY, KeptAnswers
from pms.ledger.debts import unsettled_standings
from pms.ledger.models import LedgerEntry
from pms.reservations.models import Reservation
from pms.rules.bank_statements import BankRow
from pms.rules.enumerations import TransferState
from pms.rules.invoices import transfer_reference
from pms.rules.open_bills import OpenBill
from pms.rules.people_index import Person
from pms.rules.transfer_matching import Match, TransferMatcher, Verdict
from pms.workspaces.queries import counters

# A former resident may still pay, or pay once too often, for about this long.
_REMEMBERED_DAYS: Final = 180
_MATCHED: Final = KeptAnswers(most=4)


class Resident(NamedTuple):
    """A resident as shown on bank day."""

    name: str
    building: Bilingual
    unit: str


class BillShown(NamedTuple):
    """An open bill as shown on bank day."""

    label: Bilingual
    due_on: date
    open_yen: int


class Book(NamedTuple):
    """The people and bills for the rules, and their display data by id."""

    people: tuple[Person, ...]
    bills: tuple[OpenBill, ...]
    residents: Mapping[str, Resident]
    shown: Mapping[str, BillShown]


def open_book(session: Session, on: date) -> Book:
    """Return present, coming, recently departed and owing residents, in five queries."""
    standing = {
        entry.id: (reservation_id, entry)
        for reservation_id, entries in unsettled_standings(session, on).items()
        for entry in entries
        if not (entry.is_voided or entry.is_credit) and entry.open_yen > 0
    }
    debtors = {reservation_id for reservation_id, _ in standing.values()}
    entries = session.execute(
        select(
            LedgerEntry.id, LedgerEntry.issued_on, LedgerEntry.label_ja, LedgerEntry.label_en
        ).where(one_of(LedgerEntry.id, standing))
    ).all()
    bills, shown = [], {}
    references: dict[str, list[str]] = {}
    for entry_id, issued_on, label_ja, label_en in entries:
        reservation_id, entry = standing[entry_id]
        bills.append(OpenBill(entry_id, reservation_id, entry.due_on, issued_on, entry.open_yen))
        shown[entry_id] = BillShown(Bilingual(label_ja, label_en), entry.due_on, entry.open_yen)
        reference = transfer_reference(reservation_id, entry_id)
        references.setdefault(reservation_id, []).append(reference)
    people, residents = _people(session, on, debtors, references)
    return Book(tuple(people), tuple(bills), residents, shown)


def _select_residents(session: Session, on: date, debtors: set[str]) -> Sequence[Any]:
    """Return the rows of present, coming, recently departed and owing residents."""
    is_remembered = or_(
        Reservation.ends_on.is_(None),
        Reservation.ends_on >= on - timedelta(days=_REMEMBERED_DAYS),
    )
    return session.execute(
        select(
            Reservation.id,
            Reservation.name,
            Reservation.name_kana,
            Reservation.email_key,
            Reservation.payment_reference,
            Unit.name,
            Building.name,
            Building.name_en,
        )
        .join(Reservation.unit)
        .join(Unit.building)
        .where(
            or_(
                Reservation.cancelled_at.is_(None) & is_remembered,
                one_of(Reservation.id, debtors),
            )
        )
        .order_by(Reservation.id)
    ).all()


def _people(
    session: Session, on: date, debtors: set[str], references: Mapping[str, list[str]]
) -> tuple[list[Person], Mapping[str, Resident]]:
    payers = remembered_payers(session)
    rows = _select_residents(session, on, debtors)
    # A resident who moved counts once: an earlier tenancy without open bills is no namesake.
    last_of = {row.email_key: row.id for row in rows}
    last_of |= {row.email_key: row.id for row in rows if row.id in debtors}
    earlier_rows = [
        row for row in rows if row.id not in debtors and row.id != last_of[row.email_key]
    ]
    before: dict[str, list[str]] = {}
    for row in earlier_rows:
        if row.email_key and row.payment_reference:
            before.setdefault(row.email_key, []).append(row.payment_reference)
    people, residents = [], {}
    for id_, name, kana, email, reference, unit, building, building_en in rows:
        if email and id_ not in debtors and last_of[email] != id_:
            continue
        earlier = before.get(email, ()) if email and last_of[email] == id_ else ()
        people.append(
            Person(
                id_,
                (kana, name) if kana else (name,),
                unit,
                tuple(filter(None, (reference, *earlier, *references.get(id_, ())))),
                tuple(remembered.payer for remembered in payers.get(id_, ())),
            )
        )
        residents[id_] = Resident(name, Bilingual(building, building_en), unit)
    return people, residents


class Matched(NamedTuple):
    """A waiting transfer, and the result of the rules."""

    transfer_id: str
    match: Match


class BankDay(NamedTuple):
    """All waiting transfers by certainty, with the people and bills they refer to."""

    certain: tuple[Matched, ...]
    likely: tuple[Matched, ...]
    unknown: tuple[Matched, ...]
    kept: tuple[Matched, ...]
    book: Book

    @property
    def every_one(self) -> tuple[Matched, ...]:
        """All of them, the most certain first."""
        return (*self.certain, *self.likely, *self.unknown, *self.kept)


class WaitingTotal(NamedTuple):
    """The number of transfers in a state, and their sum in yen."""

    transfers: int
    yen: int


def waiting_totals(session: Session, on: date) -> Mapping[TransferState, WaitingTotal]:
    """Return the totals of waiting and of suspense transfers; states without any are left out.

    A transfer that the bank dates after `on` is not counted.
    """
    rows = session.execute(
        select(BankTransfer.state, func.count(), func.sum(BankTransfer.yen))
        .where(
            BankTransfer.state.in_((TransferState.WAITING, TransferState.KEPT)),
            BankTransfer.booked_on <= on,
        )
        .group_by(BankTransfer.state)
    )
    found = {TransferState(state): WaitingTotal(count, int(yen)) for state, count, yen in rows}
    return {state: found[state] for state in TransferState if state in found}


def match_waiting(session: Session, on: date) -> BankDay:
    """Return what waiting and suspense transfers would pay; nothing is written.

    A transfer that the bank dates after `on` is left out until its day.

    While residents, bills, payers and transfers are unchanged, the result of the day is cached.
    """
    state = counters(session, CATALOGUE, OCCUPANCY, LEDGER)
    return _MATCHED.answer(session, on, state, lambda: _match_waiting(session, on))


# Columns, not objects: a long statement has thousands of rows.
_TRANSFERS: Final = select(
    BankTransfer.id,
    BankTransfer.state,
    BankTransfer.line,
    BankTransfer.number,
    BankTransfer.booked_on,
    BankTransfer.is_deposit,
    BankTransfer.move,
    BankTransfer.yen,
    BankTransfer.payer,
    BankTransfer.message,
    BankTransfer.text,
    BankTransfer.bank_name,
    BankTransfer.branch_name,
    BankTransfer.balance_yen,
    BankTransfer.is_broken,
).order_by(BankTransfer.booked_on, BankTransfer.id)


def _match_waiting(session: Session, on: date) -> BankDay:
    book = open_book(session, on)
    rows = session.execute(
        _TRANSFERS.where(
            BankTransfer.state.in_((TransferState.WAITING, TransferState.KEPT)),
            BankTransfer.booked_on <= on,
        )
    ).all()
    # The withdrawal that undoes a deposit may be in a later file.
    undoing = session.execute(
        _TRANSFERS.where(
            BankTransfer.is_deposit.is_(False),
            BankTransfer.booked_on >= min((row.booked_on for row in rows), default=on),
        )
    ).all()
    in_order = sorted([*rows, *undoing], key=lambda row: (row.booked_on, row.id))
    matcher = TransferMatcher(book.people, book.bills, known_fees(session))
    matches = matcher.match_all([_row_of(row) for row in in_order])
    waiting = [row for row in in_order if row.is_deposit]
    found = [
        (row.state, Matched(row.id, match)) for row, match in zip(waiting, matches, strict=True)
    ]
    open_ones = [matched for state, matched in found if state is TransferState.WAITING]
    return BankDay(
        tuple(matched for matched in open_ones if matched.match.verdict is Verdict.CERTAIN),
        tuple(matched for matched in open_ones if matched.match.verdict is Verdict.LIKELY),
        tuple(matched for matched in open_ones if matched.match.verdict is Verdict.UNKNOWN),
        tuple(matched for state, matched in found if state is TransferState.KEPT),
        book,
    )


def _row_of(row: Any) -> BankRow:
    return BankRow(
        row.line,
        row.number,
        row.booked_on,
        row.is_deposit,
        row.move,
        row.yen,
        row.payer,
        row.message,
        row.text,
        row.bank_name,
        row.branch_name,
        row.balance_yen,
        row.is_broken,
    )


class PlacedPart(NamedTuple):
    """The part of a transfer that was recorded for one reservation."""

    reservation_id: str
    name: str
    yen: int
    placed_at: datetime
    placed_by: str


class TransferRecord(NamedTuple):
    """One transfer with the data of its page."""

    id: str
    row: BankRow
    account: str
    state: TransferState
    match: Match | None
    book: Book | None
    placed: tuple[PlacedPart, ...]

    @property
    def yen(self) -> int:
        """The amount of the transfer, in yen."""
        return self.row.yen


def transfer_record(session: Session, transfer_id: str, on: date) -> TransferRecord:
    """Return a transfer with what it paid and, while it waits, the result of the rules."""
    found = None
    if is_id(transfer_id):
        found = session.execute(
            select(BankTransfer, BankAccountRow.name)
            .join(BankAccountRow, refers_to(BankTransfer.account_id, BankAccountRow))
            .where(BankTransfer.id == transfer_id)
        ).one_or_none()
    if found is None:
        raise no_such("transfer", transfer_id)
    row, account = found
    match, book = None, None
    if row.state in {TransferState.WAITING, TransferState.KEPT}:
        day = match_waiting(session, on)
        book = day.book
        match = next(
            (matched.match for matched in day.every_one if matched.transfer_id == row.id), None
        )
    placed = _read_placed_parts(session, BankPlacement.transfer_id == transfer_id)
    return TransferRecord(
        row.id, _row_of(row), account, row.state, match, book, tuple(part for _, part in placed)
    )


def list_recent_transfers(
    session: Session, most: int = 20
) -> tuple[tuple[str, BankRow, tuple[PlacedPart, ...]], ...]:
    """Return the transfers recorded last, with their reservations."""
    placed = _read_placed_parts(session, BankPlacement.taken_off_at.is_(None), most)
    parts: dict[str, list[PlacedPart]] = {}
    for transfer_id, part in placed:
        parts.setdefault(transfer_id, []).append(part)
    rows = session.scalars(select(BankTransfer).where(BankTransfer.id.in_(list(parts)))).all()
    by_id = {row.id: row for row in rows}
    return tuple((id_, _row_of(by_id[id_]), tuple(found)) for id_, found in parts.items())


def _read_placed_parts(
    session: Session, which: ColumnElement[bool], most: int = 200
) -> list[tuple[str, PlacedPart]]:
    found = session.execute(
        select(
            BankPlacement.transfer_id,
            BankPlacement.reservation_id,
            Reservation.name,
            BankPlacement.yen,
            BankPlacement.placed_at,
            BankPlacement.placed_by,
        )
        .join(Reservation, refers_to(BankPlacement.reservation_id, Reservation))
        .where(which, BankPlacement.taken_off_at.is_(None))
        .order_by(BankPlacement.id.desc())
        .limit(most)
    )
    return [(row[0], PlacedPart(*row[1:])) for row in found]
