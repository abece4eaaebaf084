"""Matching of bank transfers with payers and their open bills, by certainty."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from pms.bank.models import BankPlacement, BankTransfer
from pms.bank.payers import remembered_payers
from pms.bank.write_offs import known_fees
from pms.catalogue.models import Building, Unit
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.ledger.debts import unsettled_standings, unsettled_standings_of
from pms.ledger.models import LedgerEntry
from pms.reservations.models import Reservation
from pms.rules.bank_statements import BankRow
from pms.rules.enumerations import TransferState
from pms.rules.invoices import transfer_reference
from pms.rules.kept_readings import PayerAsked, Reading, ReadingRecorder
from pms.rules.open_bills import OpenBill
from pms.rules.payer_search import PayerIndex
from pms.rules.people_index import RentPayer
from pms.rules.transfer_matching import Match, TransferMatcher, find_taken_back

# A former resident may still pay, or pay once too often, for about this long.
_REMEMBERED_DAYS: Final = 180


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


class MatchingBook(NamedTuple):
    """The people and bills for the rules, and their display data by id."""

    people: tuple[RentPayer, ...]
    bills: tuple[OpenBill, ...]
    residents: Mapping[str, Resident]
    shown: Mapping[str, BillShown]


def open_book(session: Session, on: date) -> MatchingBook:
    """Return present, coming, recently departed and owing residents, in five queries."""
    bills, shown, debtors = _open_bills(session, on, None)
    references: dict[str, list[str]] = {}
    for bill in bills:
        reference = transfer_reference(bill.resident_id, bill.id)
        references.setdefault(bill.resident_id, []).append(reference)
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
            RentPayer(
                id_,
                (kana, name) if kana else (name,),
                unit,
                tuple(filter(None, (reference, *earlier, *references.get(id_, ())))),
                tuple(remembered.payer for remembered in payers.get(id_, ())),
            )
        )
        residents[id_] = Resident(name, Bilingual(building, building_en), unit)
    return MatchingBook(tuple(people), tuple(bills), residents, shown)


def book_of(session: Session, on: date, reservation_ids: Collection[str]) -> MatchingBook:
    """Return the open bills of some residents, and how these are shown."""
    bills, shown, _ = _open_bills(session, on, reservation_ids)
    rows = session.execute(
        select(Reservation.id, Reservation.name, Unit.name, Building.name, Building.name_en)
        .join(Reservation.unit)
        .join(Unit.building)
        .where(one_of(Reservation.id, reservation_ids))
    )
    residents = {
        id_: Resident(name, Bilingual(building, building_en), unit)
        for id_, name, unit, building, building_en in rows
    }
    return MatchingBook((), tuple(bills), residents, shown)


def _open_bills(
    session: Session, on: date, reservation_ids: Collection[str] | None
) -> tuple[list[OpenBill], Mapping[str, BillShown], set[str]]:
    """Return the open bills of some residents, or of all, by their ids, and who owes them."""
    standings = (
        unsettled_standings(session, on)
        if reservation_ids is None
        else unsettled_standings_of(session, on, reservation_ids)
    )
    standing = {
        entry.id: (reservation_id, entry)
        for reservation_id, entries in standings.items()
        for entry in entries
        if not (entry.is_voided or entry.is_credit) and entry.open_yen > 0
    }
    entries = session.execute(
        select(
            LedgerEntry.id, LedgerEntry.issued_on, LedgerEntry.label_ja, LedgerEntry.label_en
        ).where(one_of(LedgerEntry.id, standing))
    ).all()
    bills, shown = [], {}
    for entry_id, issued_on, label_ja, label_en in entries:
        reservation_id, entry = standing[entry_id]
        bills.append(OpenBill(entry_id, reservation_id, entry.due_on, issued_on, entry.open_yen))
        shown[entry_id] = BillShown(Bilingual(label_ja, label_en), entry.due_on, entry.open_yen)
    return bills, shown, {reservation_id for reservation_id, _ in standing.values()}


def _select_residents(session: Session, on: date, debtors: set[str]) -> Sequence[Any]:
    """Return the rows of present, coming, recently departed and owing residents."""
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
                is_still_known(on),
                one_of(Reservation.id, debtors),
            )
        )
        .order_by(Reservation.id)
    ).all()


def is_still_known(on: date) -> ColumnElement[bool]:
    """Return the condition that a resident may pay whether or not a bill is open."""
    is_remembered = or_(
        Reservation.ends_on.is_(None),
        Reservation.ends_on >= on - timedelta(days=_REMEMBERED_DAYS),
    )
    return Reservation.cancelled_at.is_(None) & is_remembered


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


# Columns, not objects: a long statement has thousands of rows.
TRANSFERS: Final = select(
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


class Matched(NamedTuple):
    """A waiting transfer, and the result of the rules."""

    transfer_id: str
    match: Match


class AllMatched(NamedTuple):
    """All waiting transfers in the bank's order, and whose each payer may be.

    `people` is the number of those they were compared with.
    """

    transfers: Sequence[Matched]
    readings: Mapping[PayerAsked, Reading]
    people: int


def match_all_anew(session: Session, on: date) -> AllMatched:
    """Match all waiting and suspense transfers with everybody; nothing is written.

    A transfer that the bank dates after `on` is left out until its day.
    """
    book = open_book(session, on)
    rows = session.execute(
        TRANSFERS.where(
            BankTransfer.is_deposit,
            BankTransfer.state.in_((TransferState.WAITING, TransferState.KEPT)),
            BankTransfer.booked_on <= on,
        )
    ).all()
    # The withdrawal that undoes a deposit may be in a later file.
    undoing = session.execute(
        TRANSFERS.where(
            BankTransfer.is_deposit.is_(False),
            BankTransfer.booked_on >= min((row.booked_on for row in rows), default=on),
        )
    ).all()
    in_order = sorted([*rows, *undoing], key=lambda row: (row.booked_on, row.id))
    of_bank = [row_of(row) for row in in_order]
    taken_back = find_taken_back(of_bank)
    recorder = ReadingRecorder(PayerIndex(book.people))
    matcher = TransferMatcher((), book.bills, known_fees(session), recorder)
    found = []
    for place, (row, bank_row) in enumerate(zip(in_order, of_bank, strict=True)):
        if row.is_deposit:
            match = matcher.match(bank_row, is_taken_back=place in taken_back)
            found.append(Matched(row.id, match))
    return AllMatched(found, recorder.readings, len(book.people))


def row_of(row: Any) -> BankRow:
    """Return a transfer as the rules read it."""
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


def list_recent_transfers(
    session: Session, most: int = 20
) -> tuple[tuple[str, BankRow, tuple[PlacedPart, ...]], ...]:
    """Return the transfers recorded last, with their reservations."""
    placed = read_placed_parts(session, BankPlacement.taken_off_at.is_(None), most)
    parts: dict[str, list[PlacedPart]] = {}
    for transfer_id, part in placed:
        parts.setdefault(transfer_id, []).append(part)
    rows = session.scalars(select(BankTransfer).where(BankTransfer.id.in_(list(parts)))).all()
    by_id = {row.id: row for row in rows}
    return tuple((id_, row_of(by_id[id_]), tuple(found)) for id_, found in parts.items())


def read_placed_parts(
    session: Session, which: ColumnElement[bool], most: int = 200
) -> list[tuple[str, PlacedPart]]:
    """Return recorded parts with their transfers, the latest first."""
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
