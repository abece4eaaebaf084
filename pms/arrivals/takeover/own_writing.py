"""Reading exported contracts back, and the rows that a taken-over tenancy is written as."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from pms.arrivals.sheets.listed_rows import ResidentRow
from pms.arrivals.takeover.own_terms import OwnTerms, fees_of, read_terms
from pms.arrivals.takeover.taken import ReadTenancy, ReadUnit
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.pricing.models import FrozenDiscount, PeriodFee, PricePeriod, PricingSnapshot
from pms.reservations.models import CoOccupant, ForcedMonthToMonth, Reservation
from pms.rules.days import day_of
from pms.rules.enumerations import (
    EsignStatus,
    FeeCategory,
    Locale,
    PaymentStatus,
    RecurringItem,
    ReservationKind,
    TaxTreatment,
)
from pms.rules.roll_heads import Meaning, head_of
from pms.sheets.tables import Table

CHUNK: Final = 500
Row = dict[str, Any]


def tables_of_export(tables: Sequence[Table]) -> Sequence[Table]:
    """Return only the sheet of contracts for an export, else all tables."""
    return [table for table in tables if _has_terms(table)] or tables


def _has_terms(table: Table) -> bool:
    first = next(table.records(), None)
    cells = first.cells if first is not None else ()
    return any(head_of(cell).meaning is Meaning.OWN_TERMS for cell in cells)


def exported_tenancy(at: str, building: str | None, room: str, cell: str) -> ReadTenancy:
    """Return the contract of an export's row; raise `UnreadableTermsError` for any other row."""
    own = read_terms(cell)
    start = own.override_move_in or own.move_in
    price = own.price_on(max(start, own.billed_through or start))
    found = ReadTenancy(at, building, room, own.people, own.phone, own.email, start)
    found.end = own.override_contract_end or own.contract_end
    found.rent = price.amounts.get(RecurringItem.BASE_RENT, 0) if price else None
    found.fees = dict(fees_of(own, price.first_on)) if price else {}
    found.deposit, found.deposit_held = own.deposit_yen, own.deposit_held_yen
    found.billed_through, found.unpaid, found.overpaid = (
        own.billed_through,
        own.unpaid,
        own.overpaid_yen,
    )
    found.note, found.own = own.note or "", own
    return found


def resident_row(own: OwnTerms, building: str, room: str) -> ResidentRow:
    """Return the record as an import row; prices and people are written separately."""
    return ResidentRow(
        kind=own.kind,
        name=own.name,
        name_kana=own.name_kana,
        email=own.email,
        phone=own.phone,
        building=building,
        unit=room,
        move_in_date=own.move_in,
        contract_end_date=own.contract_end,
        override_move_in_date=own.override_move_in,
        override_contract_end_date=own.override_contract_end,
        arrival_date=own.arrival,
        move_out_date=own.move_out,
        rent_yen=None,
        utilities_yen=None,
        building_maintenance_yen=None,
        deposit_yen=own.deposit_yen,
        payment_status=own.payment_status,
        esign_status=own.esign_status,
        co_occupants=(),
        locale=own.locale,
        note=own.note,
    )


def write_own_terms(work: Work, terms: Mapping[str, OwnTerms]) -> None:
    """Write prices, discounts, co-occupants and forced flags, by reservation."""
    rows: dict[type[Any], list[Row]] = {
        model: []
        for model in (
            PricingSnapshot,
            PricePeriod,
            PeriodFee,
            FrozenDiscount,
            CoOccupant,
            ForcedMonthToMonth,
        )
    }
    for id_, own in terms.items():
        _price_rows(id_, own, work.clock.now(), rows)
        rows[CoOccupant] += [
            {"reservation_id": id_, "position": place, "name": name, "name_kana": kana}
            for place, (name, kana) in enumerate(own.others, start=1)
        ]
        if own.forced_at is not None:
            rows[ForcedMonthToMonth].append(
                {"reservation_id": id_, "set_at": own.forced_at, "set_by": work.actor}
            )
    for model, found in rows.items():
        if found:
            work.session.execute(insert(model), found)
    _mark_columns(work.session, terms)


def _price_rows(
    reservation_id: str, own: OwnTerms, now: datetime, rows: dict[type[Any], list[Row]]
) -> None:
    for place, price in enumerate(own.prices):
        amounts = {f"{item}_yen": price.amounts.get(item, 0) for item in RecurringItem}
        if place == 0:
            frozen = {"reservation_id": reservation_id, "frozen_at": now, **amounts}
            rows[PricingSnapshot].append(frozen)
        period_id = new_id()
        period = {"id": period_id, "reservation_id": reservation_id, **amounts}
        rows[PricePeriod].append(period | {"first_on": price.first_on, "last_on": price.last_on})
        rows[PeriodFee] += [
            {
                "period_id": period_id,
                "code": fee.code,
                "label_ja": fee.ja,
                "label_en": fee.en,
                "category": fee.category,
                "tax_treatment": fee.tax,
                "amount_yen": fee.yen,
            }
            for fee in price.fees
        ]
    if own.discount is not None:
        rows[FrozenDiscount].append(
            {
                "reservation_id": reservation_id,
                "label_ja": own.discount.ja,
                "label_en": own.discount.en,
                "percent": None if own.discount.percent is None else str(own.discount.percent),
                "monthly_yen": own.discount.monthly_yen,
                "is_recurring": own.discount.is_recurring,
                "minimum_stay_days": own.discount.minimum_stay_days,
            }
        )


def _mark_columns(session: Session, terms: Mapping[str, OwnTerms]) -> None:
    """Set what an import of residents does not set: the reservation fee and the forced day."""
    wanted = {id_: own for id_, own in terms.items() if own.forced_at or own.reservation_fee_yen}
    ids = list(wanted)
    for first in range(0, len(ids), CHUNK):
        found = select(Reservation).where(Reservation.id.in_(ids[first : first + CHUNK]))
        for row in session.scalars(found):
            own = wanted[row.id]
            row.reservation_fee_yen = own.reservation_fee_yen
            row.forced_on = None if own.forced_at is None else day_of(own.forced_at)
    session.flush()


FEE_LABELS: Final = {
    Meaning.PARKING.value: ("駐車場", "Parking", TaxTreatment.TAXABLE_10),
    Meaning.NEIGHBOURHOOD.value: ("町会費", "Neighbourhood association", TaxTreatment.EXEMPT),
    Meaning.OTHER_FEE.value: ("その他月額", "Other monthly fees", TaxTreatment.EXEMPT),
    Meaning.GUEST_SURCHARGE.value: ("同居人追加料金", "Guest surcharge", TaxTreatment.EXEMPT),
}


def period_fee(period_id: str, code: str, yen: int) -> dict[str, Any]:
    ja, en, tax = FEE_LABELS[code]
    return {
        "period_id": period_id,
        "code": code,
        "label_ja": ja,
        "label_en": en,
        "category": FeeCategory.OTHER,
        "tax_treatment": tax,
        "amount_yen": yen,
    }


def resident_of_tenancy(let: ReadTenancy) -> ResidentRow:
    if let.own is not None:
        return resident_row(let.own, let.building or "", let.room)
    holder = let.people[0]
    fees = Counter(let.fees)
    return ResidentRow(
        kind=ReservationKind.RESIDENT,
        name=holder.name,
        name_kana=holder.kana,
        email=let.email,
        phone=let.phone,
        building=let.building or "",
        unit=let.room,
        move_in_date=let.start or date.min,
        contract_end_date=let.end,
        rent_yen=let.rent,
        utilities_yen=fees[Meaning.UTILITIES.value],
        building_maintenance_yen=fees[Meaning.COMMON_FEE.value],
        deposit_yen=let.deposit,
        co_occupants=tuple(person.name for person in let.people[1:]),
        co_occupants_kana=tuple(person.kana for person in let.people[1:]),
        note=let.note or None,
        **_SETTLED,
    )


def resident_of_owner(unit: ReadUnit, today: date) -> ResidentRow:
    return ResidentRow(
        kind=ReservationKind.OWNER_RESIDENT,
        name=unit.owner_name,
        name_kana=None,
        email=None,
        phone=None,
        building=unit.building or "",
        unit=unit.room,
        move_in_date=today,
        contract_end_date=None,
        rent_yen=None,
        utilities_yen=None,
        building_maintenance_yen=None,
        deposit_yen=None,
        co_occupants=(),
        note=None,
        **_SETTLED,
    )


# Such contracts were signed elsewhere; their money is in the opening entries.
_SETTLED: Final[dict[str, Any]] = {
    "override_move_in_date": None,
    "override_contract_end_date": None,
    "arrival_date": None,
    "move_out_date": None,
    "payment_status": PaymentStatus.PAID,
    "esign_status": EsignStatus.SIGNED,
    "locale": Locale.JA,
}
