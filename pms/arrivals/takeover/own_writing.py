"""Reading exported contracts back, and the rows that a taken-over tenancy is written as."""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from pms.arrivals.sheets.listed_rows import ResidentRow
from pms.arrivals.takeover.own_terms import OwnTerms, fees_of, read_terms
from pms.arrivals.takeover.taken import ReadTenancy, ReadUnit
from pms.foundation.translations import translate_both
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


FEE_LABELS: Final = {
    Meaning.PARKING.value: (translate_both("Parking"), TaxTreatment.TAXABLE_10),
    Meaning.NEIGHBOURHOOD.value: (
        translate_both("Neighbourhood association"),
        TaxTreatment.OUT_OF_SCOPE,
    ),
    Meaning.OTHER_FEE.value: (translate_both("Other monthly fees"), TaxTreatment.EXEMPT),
    Meaning.GUEST_SURCHARGE.value: (translate_both("Guest surcharge"), TaxTreatment.EXEMPT),
}


def period_fee(period_id: str, code: str, yen: int) -> dict[str, Any]:
    label, tax = FEE_LABELS[code]
    return {
        "period_id": period_id,
        "code": code,
        "label_ja": label.ja,
        "label_en": label.en,
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
