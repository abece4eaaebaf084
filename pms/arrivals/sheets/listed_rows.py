"""Reads sheets of residents, owner residents and guests into typed rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from pms.arrivals.sheets import cells, oddities
from pms.arrivals.sheets.cells import amount
from pms.arrivals.sheets.columns import (
    FAMILY_NAMES,
    FAMILY_READINGS,
    GIVEN_NAMES,
    GIVEN_READINGS,
    TERMS,
    SheetColumn,
)
from pms.arrivals.sheets.oddities import (
    building_of,
    contract_days,
    look_at_days,
    look_at_letters,
    look_at_rent,
    note_formulas,
    unit_of,
)
from pms.arrivals.sheets.reading import SheetRow, read_rows
from pms.rules.contract_dates import effective_day
from pms.rules.enumerations import EsignStatus, Locale, PaymentStatus, ReservationKind
from pms.rules.room_names import building_key, room_key

RESIDENT_COLUMNS: Final = (
    SheetColumn("kind", ("区分", "種別", "契約種別")),
    SheetColumn(
        "name", ("resident name", "full name", "氏名", "入居者名", "契約者名", "名前"), True
    ),
    SheetColumn("family_name", FAMILY_NAMES, part_of="name"),
    SheetColumn("given_name", GIVEN_NAMES, part_of="name"),
    SheetColumn("name_kana", ("kana", "フリガナ", "ふりがな", "カナ", "氏名カナ")),
    SheetColumn("family_name_kana", FAMILY_READINGS, part_of="name_kana"),
    SheetColumn("given_name_kana", GIVEN_READINGS, part_of="name_kana"),
    SheetColumn("email", ("e mail", "mail", "email address", "メール", "メールアドレス")),
    SheetColumn("phone", ("telephone", "phone number", "tel", "電話", "電話番号", "連絡先")),
    SheetColumn(
        "building", ("building name", "property", "物件名", "物件", "建物名", "建物"), True
    ),
    SheetColumn("unit", ("room", "room no", "unit no", "部屋番号", "号室", "部屋", "室番号"), True),
    SheetColumn("term", TERMS, stands_for=("move_in_date", "contract_end_date")),
    SheetColumn(
        "move_in_date", ("move in", "start date", "入居日", "契約開始日", "契約開始"), True
    ),
    SheetColumn(
        "contract_end_date", ("contract end", "end date", "契約終了日", "契約満了日", "契約終了")
    ),
    SheetColumn("override_move_in_date", ("訂正入居日", "入居日訂正")),
    SheetColumn("override_contract_end_date", ("訂正契約終了日", "契約終了日訂正")),
    SheetColumn("arrival_date", ("arrival", "到着日", "来日日")),
    SheetColumn("move_out_date", ("move out", "退去日", "退去予定日")),
    SheetColumn("base_rent", ("rent", "monthly rent", "賃料", "家賃")),
    SheetColumn("utilities", ("utility fee", "水道光熱費", "光熱費")),
    SheetColumn(
        "building_maintenance",
        ("maintenance", "common fee", "management fee", "共益費", "管理費", "管理費・共益費"),
    ),
    SheetColumn("deposit", ("security deposit", "敷金", "保証金", "デポジット")),
    SheetColumn("payment_status", ("payment", "入金状況", "支払状況")),
    SheetColumn("esign_status", ("esign", "contract signature", "署名状況", "契約署名")),
    SheetColumn("co_occupants", ("co occupant", "同居人", "同居者")),
    SheetColumn("locale", ("language", "言語")),
    SheetColumn("note", ("notes", "remark", "remarks", "備考", "メモ")),
)
_OTHER_DAYS: Final = (
    "override_move_in_date",
    "override_contract_end_date",
    "arrival_date",
    "move_out_date",
)
_KINDS: Final = {
    "入居者": ReservationKind.RESIDENT,
    "オーナー": ReservationKind.OWNER_RESIDENT,
    "オーナー居住": ReservationKind.OWNER_RESIDENT,
    "ゲスト": ReservationKind.GUEST,
}
_LOCALES: Final = {
    "日本語": Locale.JA,
    "japanese": Locale.JA,
    "英語": Locale.EN,
    "english": Locale.EN,
}


@dataclass(frozen=True, slots=True)
class ResidentRow:
    """One tenancy as its row states it; None where the sheet does not say."""

    kind: ReservationKind
    name: str
    name_kana: str | None
    email: str | None
    phone: str | None
    building: str
    unit: str
    move_in_date: date
    contract_end_date: date | None
    override_move_in_date: date | None
    override_contract_end_date: date | None
    arrival_date: date | None
    move_out_date: date | None
    rent_yen: int | None
    utilities_yen: int | None
    building_maintenance_yen: int | None
    deposit_yen: int | None
    payment_status: PaymentStatus
    esign_status: EsignStatus
    co_occupants: tuple[str, ...]
    locale: Locale
    note: str | None
    co_occupants_kana: tuple[str | None, ...] = ()
    """The readings of the co-occupants in their order, where the source has them."""

    @property
    def unit_key(self) -> tuple[str, str]:
        """The key that different spellings of the same unit share."""
        return building_key(self.building), room_key(self.unit)

    @property
    def start_on(self) -> date:
        """The effective start (specification, Contract dates)."""
        return effective_day(self.move_in_date, self.override_move_in_date)

    @property
    def end_on(self) -> date | None:
        """The effective contract end (specification, Contract dates)."""
        return effective_day(self.contract_end_date, self.override_contract_end_date)


def read_resident_rows(rows: Sequence[SheetRow]) -> dict[int, ResidentRow]:
    """Return the readable rows by line; the others keep their problems."""
    return read_rows(rows, _resident_row, _add_notes)


def _resident_row(row: SheetRow) -> ResidentRow | None:
    kind = ReservationKind(row.read("kind", _read_kind) or ReservationKind.RESIDENT)
    name = row.read("name", cells.text)
    if name is None and not row.problems:
        row.refuse("name", "name_missing")
    move_in_date, contract_end_date = contract_days(row, "move_in_date", "contract_end_date")
    values = ResidentRow(
        kind=kind,
        name=name or "",
        name_kana=row.read("name_kana", cells.kana),
        email=row.read("email", cells.email),
        phone=row.read("phone", cells.phone),
        building=building_of(row) or "",
        unit=unit_of(row) or "",
        move_in_date=move_in_date or date.min,
        contract_end_date=contract_end_date,
        override_move_in_date=row.read("override_move_in_date", oddities.read_day),
        override_contract_end_date=row.read("override_contract_end_date", oddities.read_day),
        arrival_date=row.read("arrival_date", oddities.read_day),
        move_out_date=row.read("move_out_date", oddities.read_day),
        rent_yen=row.read("base_rent", amount),
        utilities_yen=row.read("utilities", amount),
        building_maintenance_yen=row.read("building_maintenance", amount),
        deposit_yen=row.read("deposit", amount),
        payment_status=PaymentStatus(
            row.read("payment_status", _read_payment_status) or PaymentStatus.PENDING
        ),
        esign_status=EsignStatus(
            row.read("esign_status", _read_esign_status) or EsignStatus.PENDING
        ),
        co_occupants=row.read("co_occupants", cells.names) or (),
        locale=Locale(row.read("locale", _read_locale) or Locale.JA),
        note=row.read("note", cells.remark),
    )
    if not row.problems:
        start, end, out = values.start_on, values.end_on, values.move_out_date
        shown = start.isoformat()
        if end is not None and end < start:
            row.refuse(end_column(row, values), "end_before_start", first=shown)
        if out is not None and out < start:
            row.refuse("move_out_date", "end_before_start", first=shown)
        if values.kind is ReservationKind.GUEST and end is None and out is None:
            row.refuse("contract_end_date", "missing_date")
        if values.kind is ReservationKind.RESIDENT and values.rent_yen is None:
            row.refuse("base_rent", "tenancy_without_rent")
    return None if row.problems else values


def end_column(row: SheetRow, resident: ResidentRow) -> str:
    """Return the column that states the effective contract end."""
    if resident.override_contract_end_date is not None:
        return "override_contract_end_date"
    return "contract_end_date" if cells.trim(row.cell("contract_end_date")) else "term"


def _add_notes(row: SheetRow, resident: ResidentRow) -> None:
    look_at_days(row, *_OTHER_DAYS)
    look_at_letters(row)
    if resident.kind is ReservationKind.RESIDENT:
        look_at_rent(row, "base_rent", resident.rent_yen)
    if resident.email is None:
        row.note("email", "no_email")
    if cells.has_lost_its_zero(resident.phone):
        row.note("phone", "lost_zero")
    if resident.move_out_date is not None:
        row.note("move_out_date", "notice_day_unknown")
    note_formulas(row, "name", "note")


def _read_kind(cell: str) -> str | None:
    return _choice_or_none(cell, [kind.value for kind in ReservationKind], _KINDS)


def _read_payment_status(cell: str) -> str | None:
    return _choice_or_none(cell, [status.value for status in PaymentStatus], {})


def _read_esign_status(cell: str) -> str | None:
    return _choice_or_none(cell, [status.value for status in EsignStatus], {})


def _read_locale(cell: str) -> str | None:
    return _choice_or_none(cell, [locale.value for locale in Locale], _LOCALES)


def _choice_or_none(cell: str, allowed: list[str], also: Mapping[str, str]) -> str | None:
    return cells.choice(cell, allowed, also) if cells.trim(cell) else None
