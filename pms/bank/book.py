"""The people whose money is awaited and their open bills, as transfers are compared with them."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final, NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pms.bank.payers import remembered_payers
from pms.catalogue.models import Building, Unit
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.ledger.models import LedgerEntry
from pms.ledger.statement import unsettled_standings
from pms.reservations.models import Reservation
from pms.rules.invoices import transfer_reference
from pms.rules.open_bills import OpenBill
from pms.rules.payer_search import Person

# Somebody who left pays, or pays once too often, for about so long.
_REMEMBERED_DAYS: Final = 180


class Resident(NamedTuple):
    """Somebody as bank day shows them."""

    name: str
    building: Bilingual
    unit: str


class BillShown(NamedTuple):
    """An open bill as bank day shows it."""

    label: Bilingual
    due_on: date
    open_yen: int


class Book(NamedTuple):
    """The people and bills for the rules, and the same as they are shown, by their ids."""

    people: tuple[Person, ...]
    bills: tuple[OpenBill, ...]
    residents: Mapping[str, Resident]
    shown: Mapping[str, BillShown]


def open_book(session: Session, on: date) -> Book:
    """Return everybody who lives here, comes, left not long ago or owes something, in five questions."""
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


def _people(
    session: Session, on: date, debtors: set[str], references: Mapping[str, list[str]]
) -> tuple[list[Person], Mapping[str, Resident]]:
    payers = remembered_payers(session)
    rows = session.execute(
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
                Reservation.cancelled_at.is_(None)
                & or_(
                    Reservation.ends_on.is_(None),
                    Reservation.ends_on >= on - timedelta(days=_REMEMBERED_DAYS),
                ),
                one_of(Reservation.id, debtors),
            )
        )
        .order_by(Reservation.id)
    ).all()
    # Somebody who moved is one person: an earlier tenancy with nothing open is not a namesake.
    last_of = {row.email_key: row.id for row in rows}
    last_of |= {row.email_key: row.id for row in rows if row.id in debtors}
    before: dict[str, list[str]] = {}
    for row in rows:
        if (
            row.email_key
            and row.payment_reference
            and row.id not in {*debtors, last_of[row.email_key]}
        ):
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
                tuple(one.payer for one in payers.get(id_, ())),
            )
        )
        residents[id_] = Resident(name, Bilingual(building, building_en), unit)
    return people, residents
