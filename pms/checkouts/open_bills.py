"""Bills that can be paid online."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.checkouts.models import Checkout
from pms.foundation.ids import is_id
from pms.foundation.outbox import ProviderCall
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.ledger.debts import unsettled_standings
from pms.ledger.models import LedgerEntry
from pms.ledger.queries import entries_of, standings
from pms.reservations.models import Reservation
from pms.rules.enumerations import IntegrationKind
from pms.rules.ledger_entries import EntryBalance
from pms.rules.search_text import fold, has_terms, terms
from pms.statements.transfer_account import TransferDetails, transfer_of_day
from pms.workspaces.integrations import has_integration


def lock_checkout(session: Session, checkout_id: str) -> Checkout:
    """Lock a visit and return it as it is now stored."""
    wanted = select(Checkout).where(Checkout.id == checkout_id).with_for_update()
    return session.scalars(wanted.execution_options(populate_existing=True)).one()


class BillToPlace(NamedTuple):
    """One open bill, in whole yen."""

    entry_id: str
    reservation_id: str
    name: str
    name_kana: str | None
    building: Bilingual
    unit: str
    label: Bilingual
    due_on: date
    open_yen: int


def bills_to_place(
    session: Session,
    on: date,
    *,
    amount_yen: int,
    words: str = "",
    most: int = 20,
    without: Collection[str] = (),
) -> Sequence[BillToPlace]:
    """Return open bills of residents whose name, kana or unit contains the words, the likeliest first.

    Entries in `without` are left out.
    """
    found = unsettled_standings(session, on)
    likeliest = sorted(
        (
            standing
            for standings in found.values()
            for standing in standings
            if not standing.is_voided and standing.open_yen > 0 and standing.id not in without
        ),
        key=lambda standing: _rank_bill(standing, amount_yen),
    )
    wanted = terms(words)
    # Names are read of all only to look for words in them.
    still_open = {standing.id: standing for standing in (likeliest if wanted else likeliest[:most])}
    bills = [_build_bill(row, still_open) for row in session.execute(_bills_query(still_open))]
    named = [
        bill
        for bill in bills
        if has_terms(fold(f"{bill.name} {bill.name_kana or ''} {bill.unit}"), wanted)
    ]
    places = {id_: place for place, id_ in enumerate(still_open)}
    return sorted(named, key=lambda bill: places[bill.entry_id])[:most]


def bills_by_entry(
    session: Session, on: date, entries: Sequence[tuple[str, str]]
) -> Sequence[BillToPlace]:
    """Return the bills, given by reservation and entry, that are still open, in their order."""
    found = standings(
        session, {reservation_id for reservation_id, _ in entries if is_id(reservation_id)}, on
    )
    asked = {entry_id for _, entry_id in entries}
    still_open = {
        standing.id: standing
        for theirs in found.values()
        for standing in theirs
        if standing.id in asked and not standing.is_voided and standing.open_yen > 0
    }
    bills = {
        row[0]: _build_bill(row, still_open) for row in session.execute(_bills_query(still_open))
    }
    return [bills[entry_id] for _, entry_id in dict.fromkeys(entries) if entry_id in bills]


def _rank_bill(bill: EntryBalance, amount_yen: int) -> tuple[bool, int, str]:
    # Then the latest due bill: old debts are seldom what is paid today.
    return bill.open_yen != amount_yen, -bill.due_on.toordinal(), bill.id


def _bills_query(still_open: Mapping[str, EntryBalance]) -> Select[*tuple[Any, ...]]:
    return (
        select(
            LedgerEntry.id,
            LedgerEntry.reservation_id,
            Reservation.name,
            Reservation.name_kana,
            Building.name,
            Building.name_en,
            Unit.name,
            LedgerEntry.label_ja,
            LedgerEntry.label_en,
        )
        .join(Reservation, Reservation.id == LedgerEntry.reservation_id)
        .join(Reservation.unit)
        .join(Unit.building)
        .where(one_of(LedgerEntry.id, still_open))
    )


def _build_bill(row: Sequence[Any], still_open: Mapping[str, EntryBalance]) -> BillToPlace:
    entry_id, reservation_id, name, kana, building, building_en, unit, label_ja, label_en = row
    standing = still_open[entry_id]
    return BillToPlace(
        entry_id,
        reservation_id,
        name,
        kana,
        Bilingual(building, building_en),
        unit,
        Bilingual(label_ja, label_en),
        standing.due_on,
        standing.open_yen,
    )


class OpenEntry(NamedTuple):
    """One entry with an open amount, in whole yen."""

    entry_id: str
    label: Bilingual
    due_on: date
    open_yen: int
    transfer: TransferDetails


def open_bills(session: Session, reservation_id: str, on: date) -> Sequence[OpenEntry]:
    """Return the open bills of a day, the oldest due first."""
    labels = {entry.id: entry.label for entry in entries_of(session, reservation_id)}
    found = standings(session, [reservation_id], on).get(reservation_id, ())
    waiting = [bill for bill in found if not bill.is_voided and bill.open_yen > 0]
    if not waiting:
        return ()
    transfer = transfer_of_day(session, reservation_id, on)
    return [
        OpenEntry(bill.id, labels[bill.id], bill.due_on, bill.open_yen, transfer)
        for bill in sorted(waiting, key=lambda bill: (bill.due_on, bill.id))
    ]


LOOKING: Final = "payments.lookup"
"""The kind of provider call that asks for the state of a visit."""


def pays_online(session: Session) -> bool:
    """Return whether the session's workspace takes payments through a provider."""
    return has_integration(session, IntegrationKind.PAYMENTS)


def next_look(checkout_id: str) -> Select[ProviderCall]:
    """Return the query of a visit's next look-up; a running or failed one does not count."""
    return select(ProviderCall).where(
        ProviderCall.subject_id == checkout_id,
        ProviderCall.kind == LOOKING,
        ProviderCall.due_at.is_not(None),
        ProviderCall.attempts == 0,
    )


def awaits_look(session: Session, checkout_id: str) -> bool:
    """Return whether the next look-up of a visit can be brought forward, which is done once."""
    call = session.scalar(next_look(checkout_id))
    return call is not None and "is_back" not in call.facts
