"""The contracts of a workspace as a rent roll that the take-over reads back, exact to the yen."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.arrivals.takeover.own_terms import (
    VERSION,
    ExportedDebt,
    ExportedDiscount,
    ExportedFee,
    ExportedPrice,
    OwnTerms,
    terms_text,
)
from pms.catalogue.models import Building, Unit
from pms.departures.models import MoveOutNotice
from pms.foundation.prepared import one_of
from pms.foundation.spreadsheet import Cell
from pms.ledger.models import LedgerEntry
from pms.ledger.planned_entries import ITEM_WORDS
from pms.ledger.queries import deposit_moves, standings
from pms.ledger.repricing import RentFacts, read_rent_facts
from pms.pricing.prices import AgreedPrice, agreed_prices
from pms.reservations.models import CoOccupant, ForcedMonthToMonth, Reservation
from pms.rules.contract_dates import effective_day
from pms.rules.days import CorruptDay, RecordedDay, readable
from pms.rules.deposit import deposit_balance
from pms.rules.enumerations import (
    EntryKind,
    EsignStatus,
    Lifecycle,
    LineItem,
    Locale,
    PaymentStatus,
    RecurringItem,
    ReservationKind,
)
from pms.rules.ledger_entries import EntryBalance
from pms.rules.price_changes import period_on

HEADS: Final = (
    "建物 (building)",
    "部屋 (room)",
    "氏名 (name)",
    "フリガナ (reading)",
    "同居人 (others)",
    "電話 (phone)",
    "メール (email)",
    "契約開始日 (start)",
    "契約終了日 (end)",
    "賃料 (rent)",
    "共益費 (common fee)",
    "水道光熱費 (utilities)",
    "敷金 (deposit)",
    "預り敷金 (deposit held)",
    "請求済み最終日 (billed through)",
    "未収金 (unpaid)",
    "未収内訳 (unpaid for)",
    "過入金 (overpaid)",
    "備考 (note)",
    "契約データ (terms)",
)
_RUNNING: Final = (
    Lifecycle.BOOKED,
    Lifecycle.CONFIRMED,
    Lifecycle.LIVING,
    Lifecycle.NOTICE_FILED,
    Lifecycle.MOVED_OUT,
)
CHUNK: Final = 500
_LONGEST: Final = 30_000
_VACANT: Final = "空室"
_DAMAGED: Final = "日付を読み取れません (a date cannot be read)"


class _RoomOfSheet(NamedTuple):
    building: str
    room: str


class _Found(NamedTuple):
    """The stored data of some reservations, each by reservation id."""

    facts: Mapping[str, RentFacts]
    prices: Mapping[str, AgreedPrice]
    standing: Mapping[str, tuple[EntryBalance, ...]]
    held: Mapping[str, int]
    others: Mapping[str, Sequence[tuple[str, str | None]]]
    notices: Mapping[str, date]
    forced: Mapping[str, datetime]
    labels: Mapping[str, tuple[str, str, str]]


def contract_rows(session: Session, on: date) -> Iterator[list[Cell]]:
    """Yield a row for each running or future contract, then one for each vacant room."""
    let: set[str] = set()
    asked = select(Reservation.id).where(
        Reservation.lifecycle.in_(_RUNNING), Reservation.cancelled_at.is_(None)
    )
    ids = session.scalars(asked.order_by(Reservation.unit_id, Reservation.id)).all()
    for first in range(0, len(ids), CHUNK):
        part = ids[first : first + CHUNK]
        found = _read_contract_facts(session, part, on)
        places = _read_places(session, part)
        rows = session.scalars(select(Reservation).where(one_of(Reservation.id, part)))
        for row in sorted(rows, key=lambda row: (places[row.id], row.starts_on or on, row.id)):
            let.add(row.unit_id)
            yield _build_row(row, places[row.id], found, on)
    every_room = (
        select(Unit.id, Building.name, Unit.name, Unit.rent_yen)
        .join(Unit.building)
        .order_by(Building.name, Unit.name, Unit.id)
    )
    for id_, house, room, rent in session.execute(every_room):
        if id_ not in let:
            cells: dict[int, Any] = {0: house, 1: room, 2: _VACANT, 9: rent}
            yield [cells.get(place) for place in range(len(HEADS))]


def _read_places(session: Session, ids: Sequence[str]) -> Mapping[str, _RoomOfSheet]:
    asked = (
        select(Reservation.id, Building.name, Unit.name)
        .join(Reservation.unit)
        .join(Unit.building)
        .where(one_of(Reservation.id, ids))
    )
    return {id_: _RoomOfSheet(house, room) for id_, house, room in session.execute(asked)}


def _read_contract_facts(session: Session, ids: Sequence[str], on: date) -> _Found:
    standing = standings(session, ids, on)
    moves = deposit_moves(session, ids, on)
    others: defaultdict[str, list[tuple[str, str | None]]] = defaultdict(list)
    people = select(CoOccupant).where(one_of(CoOccupant.reservation_id, ids))
    for occupant in session.scalars(people.order_by(CoOccupant.position)):
        others[occupant.reservation_id].append((occupant.name, occupant.name_kana))
    notices = select(MoveOutNotice.reservation_id, MoveOutNotice.filed_on).where(
        one_of(MoveOutNotice.reservation_id, ids), MoveOutNotice.withdrawn_at.is_(None)
    )
    forced = select(ForcedMonthToMonth.reservation_id, ForcedMonthToMonth.set_at).where(
        one_of(ForcedMonthToMonth.reservation_id, ids), ForcedMonthToMonth.cleared_at.is_(None)
    )
    labels = select(
        LedgerEntry.id, LedgerEntry.kind, LedgerEntry.period, LedgerEntry.label_ja
    ).where(one_of(LedgerEntry.reservation_id, ids))
    return _Found(
        facts=read_rent_facts(session, ids, on).facts,
        prices=agreed_prices(session, ids),
        standing=standing,
        held={
            id_: deposit_balance(standing.get(id_, ()), moves.get(id_, ()), on).held_yen
            for id_ in ids
        },
        others=others,
        notices=dict(session.execute(notices).all()),
        forced=dict(session.execute(forced).all()),
        labels={id_: (kind, period, label) for id_, kind, period, label in session.execute(labels)},
    )


class _Money(NamedTuple):
    """The money of one contract on the day of the export."""

    through: date | None
    held: int
    overpaid: int
    debts: tuple[ExportedDebt, ...]


def _build_row(row: Reservation, place: _RoomOfSheet, found: _Found, on: date) -> list[Cell]:
    agreed = found.prices.get(row.id)
    price = {} if agreed is None else period_on(agreed.price.periods, on).amounts
    debts: list[ExportedDebt] = []
    for entry in found.standing.get(row.id, ()):
        if entry.unpaid_yen:
            kind, period, label = found.labels[entry.id]
            what = f"rent {period[:7]}" if kind == EntryKind.RENT else label
            debts.append(ExportedDebt(what, entry.unpaid_yen, entry.due_on))
    # The last day billed; for guests and owner residents, who have no rows, `on`.
    facts = found.facts.get(row.id)
    billed_through: date | None = on
    if row.kind == ReservationKind.RESIDENT:
        ends = [billed.row.last_on for billed in facts.rows if billed.row.last_on] if facts else []
        if row.billed_through_on is not None:
            ends.append(row.billed_through_on)
        billed_through = max(ends, default=None)
    money = _Money(
        billed_through,
        found.held[row.id],
        sum(bill.overpaid_yen for bill in found.standing.get(row.id, ())),
        tuple(debts),
    )
    return [
        place.building,
        place.room,
        row.name,
        row.name_kana,
        "、".join(name for name, _ in found.others.get(row.id, ())),
        row.phone,
        row.email,
        _day_cell(effective_day(row.move_in_date, row.override_move_in_date)),
        _day_cell(effective_day(row.contract_end_date, row.override_contract_end_date)),
        price.get(RecurringItem.BASE_RENT, 0),
        price.get(RecurringItem.BUILDING_MAINTENANCE, 0),
        price.get(RecurringItem.UTILITIES, 0),
        row.deposit_yen,
        money.held,
        money.through,
        sum(debt.yen for debt in money.debts),
        "、".join(f"{debt.what} {debt.yen}" for debt in money.debts)[:_LONGEST],
        money.overpaid,
        (row.note or "")[:_LONGEST],
        _format_terms(row, found, money),
    ]


def _day_cell(day: RecordedDay) -> Cell:
    return day.text if isinstance(day, CorruptDay) else day


def _format_terms(row: Reservation, found: _Found, money: _Money) -> str:
    """Return the exact contract as a cell; for unreadable dates, words no take-over accepts."""
    days = (
        row.move_in_date,
        row.override_move_in_date,
        row.arrival_date,
        row.contract_end_date,
        row.override_contract_end_date,
        row.move_out_date,
    )
    damaged = [day.text for day in days if isinstance(day, CorruptDay)]
    if damaged or row.move_in_date is None:
        return f"{_DAMAGED}: {', '.join(damaged)}"
    move_in, override_in, arrival, end, override_end, out = (readable(day) for day in days)
    terms = OwnTerms(
        version=VERSION,
        kind=ReservationKind(row.kind),
        name=row.name,
        name_kana=row.name_kana,
        email=row.email,
        phone=row.phone,
        locale=Locale(row.locale),
        others=tuple(found.others.get(row.id, ())),
        move_in=move_in or row.created_at.date(),
        override_move_in=override_in,
        arrival=arrival,
        contract_end=end,
        override_contract_end=override_end,
        move_out=out,
        notice_filed_on=found.notices.get(row.id),
        forced_at=found.forced.get(row.id),
        payment_status=PaymentStatus(row.payment_status),
        esign_status=EsignStatus(row.esign_status),
        reservation_fee_yen=row.reservation_fee_yen,
        deposit_yen=row.deposit_yen,
        note=row.note,
        prices=_build_prices(found.prices.get(row.id)),
        discount=_build_discount(found.prices.get(row.id)),
        billed_through=money.through,
        deposit_held_yen=money.held,
        overpaid_yen=money.overpaid,
        debts=money.debts,
    )
    return terms_text(terms)


def _build_prices(agreed: AgreedPrice | None) -> tuple[ExportedPrice, ...]:
    if agreed is None:
        return ()
    return tuple(
        ExportedPrice(
            period.first_on,
            period.last_on,
            {item: period.amounts.get(item, 0) for item in RecurringItem},
            tuple(
                ExportedFee(
                    fee.code,
                    fee.label.ja or "",
                    fee.label.en or "",
                    fee.category,
                    fee.tax_treatment,
                    fee.amount_yen,
                )
                for fee in fees.values()
            ),
        )
        for period, fees in zip(agreed.price.periods, agreed.fees, strict=True)
    )


def _build_discount(agreed: AgreedPrice | None) -> ExportedDiscount | None:
    if agreed is None or agreed.price.discount is None:
        return None
    discount, label = agreed.price.discount, agreed.discount_label
    usual = ITEM_WORDS[LineItem.DISCOUNT]
    return ExportedDiscount(
        (label.ja if label else None) or usual.label_ja,
        (label.en if label else None) or usual.label_en,
        discount.percent,
        discount.yen,
        discount.is_recurring,
        discount.minimum_stay_days,
    )
