"""Lists of collected bills, and the numbers with which bills are paid at stores."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.collections.models import Collection
from pms.foundation.clock import Clock
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.foundation.work import find_row
from pms.ledger.models import LedgerEntry
from pms.ledger.queries import standing_of
from pms.reservations.models import Reservation
from pms.rules.days import day_of
from pms.rules.enumerations import CollectionState, PaymentWay
from pms.statements.papers import StoreNumber


class CollectionRecord(NamedTuple):
    """One attempt to collect one bill, in whole yen."""

    id: str
    choice_id: str
    reservation_id: str
    entry_id: str
    way: PaymentWay
    attempt: int
    amount_yen: int
    due_on: date
    state: CollectionState
    intent: str | None
    failure: str | None
    stores: Mapping[str, Mapping[str, str]]
    url: str | None
    expires_at: datetime | None
    ended_at: datetime | None

    @property
    def is_of_other_amount(self) -> bool:
        """Whether the provider reported another amount, which a person has to look at."""
        return (
            self.state is CollectionState.ASKED
            and self.intent is not None
            and self.failure is not None
        )

    @property
    def store_number(self) -> StoreNumber:
        """The number for payment at stores, for a paper, a mail or a page."""
        pay_by = day_of(self.expires_at) if self.expires_at else None
        return StoreNumber(self.amount_yen, self.stores, pay_by)


class CollectionLine(NamedTuple):
    """A collection in a list, with its resident and its bill."""

    collection: CollectionRecord
    name: str
    building: Bilingual
    unit: str
    label: Bilingual


def collection_record(session: Session, collection_id: str) -> CollectionRecord:
    """Return one collection; raise `NotFound` for an unknown id."""
    row = find_row(session, Collection, collection_id)
    return _build_record(row)


def numbers_for_stores(session: Session, reservation_id: str) -> Mapping[str, CollectionRecord]:
    """Return the collections that can be paid at a store, by bill."""
    query = select(Collection).where(
        Collection.reservation_id == reservation_id, Collection.state == CollectionState.WAITING
    )
    return {row.entry_id: _build_record(row) for row in session.scalars(query)}


def list_collections(session: Session, paging: Paging) -> tuple[Sequence[CollectionLine], int]:
    """Return one page of the collections, the newest first, and the number of all."""
    total = session.scalar(select(func.count()).select_from(Collection)) or 0
    return collection_lines(session, paging.limit, skip=paging.offset), total


def collection_lines(
    session: Session, most: int, *which: ColumnElement[bool], skip: int = 0
) -> Sequence[CollectionLine]:
    """Return the collections that match all conditions, the newest first."""
    rows = session.execute(
        select(
            Collection,
            Reservation.name,
            Unit.name,
            Building.name,
            Building.name_en,
            LedgerEntry.label_ja,
            LedgerEntry.label_en,
        )
        .join(Reservation, refers_to(Collection.reservation_id, Reservation))
        .join(LedgerEntry, refers_to(Collection.entry_id, LedgerEntry))
        .join(Reservation.unit)
        .join(Unit.building)
        .where(*which)
        .order_by(Collection.planned_at.desc(), Collection.id.desc())
        .offset(skip)
        .limit(most)
    )
    return [
        CollectionLine(
            _build_record(row), name, Bilingual(building, building_en), unit, Bilingual(ja, en)
        )
        for row, name, unit, building, building_en, ja, en in rows
    ]


def store_number(clock: Clock, session: Session, entry_id: str) -> StoreNumber | None:
    """Return the number with which a bill can be paid at a store now; None without one.

    A number that has expired, or whose amount is no longer what is open of the bill, is left out.
    """
    row = session.scalars(
        select(Collection).where(
            Collection.entry_id == entry_id, Collection.state == CollectionState.WAITING
        )
    ).one_or_none()
    if row is None or not row.stores or (row.expires_at and row.expires_at <= clock.now()):
        return None
    standing = standing_of(session, row.reservation_id, entry_id, clock.today())
    is_wanted = not standing.is_voided and standing.open_yen == row.amount_yen
    return _build_record(row).store_number if is_wanted else None


def _build_record(row: Collection) -> CollectionRecord:
    values = {name: getattr(row, name) for name in CollectionRecord._fields}
    return CollectionRecord(**{**values, "stores": row.stores or {}})
