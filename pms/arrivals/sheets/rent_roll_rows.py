"""Rows of a rent roll."""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple
from unicodedata import normalize

from pms.arrivals.sheets import cells
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
    look_at_unit,
    note_formulas,
    unit_of,
)
from pms.arrivals.sheets.reading import SheetRow, read_rows
from pms.rules.days import ONE_DAY
from pms.rules.room_names import building_key, room_key
from pms.sheets.refusals import Unreadable

# The two columns before the refused rows of an import: such a sheet holds only corrections.
REFUSED_LINE: Final = "line"
REFUSED_REASON: Final = "reason"

COLUMNS: Final = (
    SheetColumn(
        "building", ("物件名", "building name", "property", "物件", "建物名", "建物"), True
    ),
    SheetColumn("unit", ("部屋番号", "room", "room no", "unit no", "号室", "部屋", "室番号"), True),
    SheetColumn("layout", ("間取り", "間取", "floor plan")),
    SheetColumn("size_sqm", ("面積", "専有面積", "size", "area")),
    SheetColumn("status", ("状態", "状況", "入居状況", "契約状況", "ステータス")),
    SheetColumn(
        "name", ("入居者名", "契約者名", "氏名", "入居者", "契約者", "tenant", "resident"), True
    ),
    SheetColumn("family_name", FAMILY_NAMES, part_of="name"),
    SheetColumn("given_name", GIVEN_NAMES, part_of="name"),
    SheetColumn("kana", ("フリガナ", "ふりがな", "カナ", "氏名カナ", "name_kana")),
    SheetColumn("family_name_kana", FAMILY_READINGS, part_of="kana"),
    SheetColumn("given_name_kana", GIVEN_READINGS, part_of="kana"),
    SheetColumn("term", TERMS, stands_for=("start", "end")),
    SheetColumn(
        "start", ("契約開始日", "契約開始", "入居日", "contract start", "start date"), True
    ),
    SheetColumn(
        "end", ("契約終了日", "契約満了日", "契約終了", "満了日", "contract end", "end date")
    ),
    SheetColumn("rent", ("賃料", "家賃", "月額賃料", "base_rent", "monthly rent"), True),
    SheetColumn(
        "common_fee", ("共益費", "管理費", "共益費・管理費", "管理費・共益費", "maintenance")
    ),
    SheetColumn("utilities", ("水道光熱費", "光熱費", "水光熱費")),
    SheetColumn("deposit", ("敷金", "保証金", "デポジット", "security deposit")),
    SheetColumn("payment_method", ("支払方法", "支払い方法", "入金方法")),
    SheetColumn("email", ("メール", "メールアドレス", "e mail", "mail")),
    SheetColumn("phone", ("電話", "電話番号", "連絡先", "tel", "telephone")),
    SheetColumn("remark", ("備考", "メモ", "特記事項", "note", "remarks")),
    SheetColumn(REFUSED_LINE, ("行",)),
    SheetColumn(REFUSED_REASON, ("理由",)),
)


class TenancyState(StrEnum):
    """The state of a tenancy by the 状態 of its row."""

    LIVING = "living"
    COMING = "coming"
    LEAVING = "leaving"
    ENDED = "ended"
    VACANT = "vacant"


_STANDINGS: Final = (
    (TenancyState.VACANT, ("空", "募集中", "vacant", "available")),
    (TenancyState.LEAVING, ("退去予定", "解約予定", "解約通知", "退去届", "解約申入", "notice")),
    (TenancyState.ENDED, ("退去", "解約", "契約終了", "終了", "ended", "moved out", "terminated")),
    (TenancyState.COMING, ("予約", "申込", "入居予定", "入居待", "契約済", "reserved", "booked")),
    (
        TenancyState.LIVING,
        ("入居", "契約中", "居住", "賃貸中", "occupied", "living", "let", "rented"),
    ),
)
_WANTED: Final = "入居中, 予約, 退去予定, 退去済, 空室"
_VACANT_NAMES: Final = ("空室", "空き", "空", "vacant", "募集中")


@dataclass(frozen=True, slots=True)
class RollTenancy:
    """The occupant of the unit, and the terms."""

    name: str
    kana: str | None
    start_on: date
    end_on: date | None
    email: str | None
    phone: str | None
    payment_method: str | None
    deposit_yen: int


@dataclass(frozen=True, slots=True)
class RentRollRow:
    """One unit of a rent roll, let or vacant; the rent of a vacant one is the asking rent."""

    building: str
    unit: str
    layout: str | None
    size_centi_sqm: int | None
    standing: TenancyState
    status: str | None
    rent_yen: int | None
    common_fee_yen: int
    utilities_yen: int
    remark: str | None
    tenancy: RollTenancy | None

    @property
    def unit_key(self) -> tuple[str, str]:
        """The key that different spellings of the same unit share."""
        return building_key(self.building), room_key(self.unit)


def read_rent_roll_rows(rows: Sequence[SheetRow]) -> dict[int, RentRollRow]:
    """Return the readable rows by line; the others keep their problems."""
    return read_rows(rows, _rent_roll_row, _add_notes)


def _rent_roll_row(row: SheetRow) -> RentRollRow | None:
    building, unit = building_of(row), unit_of(row)
    standing = row.read("status", _read_standing) or _standing_without_status(row)
    layout, size = row.read("layout", cells.text), row.read("size_sqm", cells.size_centi_sqm)
    status = row.read("status", cells.text)
    is_vacant = standing is TenancyState.VACANT
    if is_vacant:
        if any(cells.trim(row.cell(key)) for key in ("start", "end", "term")):
            row.refuse("status", "vacant_with_tenancy")
        if cells.trim(row.cell("name")) and not _is_vacant_name(row):
            row.note("name", "name_in_vacant_row")
    known = len(row.problems)
    rent_yen = row.read("rent", cells.amount)
    if rent_yen is None and not is_vacant and len(row.problems) == known:
        row.refuse("rent", "tenancy_without_rent")
    values = RentRollRow(
        building=building or "",
        unit=unit or "",
        layout=layout,
        size_centi_sqm=size,
        standing=standing,
        status=status,
        rent_yen=rent_yen,
        common_fee_yen=row.read("common_fee", cells.amount) or 0,
        utilities_yen=row.read("utilities", cells.amount) or 0,
        remark=row.read("remark", cells.remark),
        tenancy=None if is_vacant else _read_tenancy(row),
    )
    return None if row.problems else values


def _read_standing(cell: str) -> TenancyState | None:
    written = normalize("NFKC", cells.text(cell) or "").casefold()
    if not written:
        return None
    for standing, beginnings in _STANDINGS:
        if written.startswith(beginnings):
            return standing
    raise Unreadable("not_one_of", allowed=_WANTED)


def _standing_without_status(row: SheetRow) -> TenancyState:
    has_start = any(cells.trim(row.cell(key)) for key in ("start", "term"))
    if not has_start and (_is_vacant_name(row) or not cells.trim(row.cell("name"))):
        return TenancyState.VACANT
    return TenancyState.LIVING


def _is_vacant_name(row: SheetRow) -> bool:
    name = normalize("NFKC", cells.trim(row.cell("name"))).lstrip("(（[【 ")
    return name.casefold().startswith(_VACANT_NAMES)


def _read_tenancy(row: SheetRow) -> RollTenancy:
    known = len(row.problems)
    name = row.read("name", cells.text)
    if len(row.problems) == known and (name is None or _is_vacant_name(row)):
        row.refuse("name", "name_missing")
    start_on, end_on = contract_days(row, "start", "end")
    if start_on is not None and end_on is not None and end_on < start_on:
        key = "end" if cells.trim(row.cell("end")) else "term"
        row.refuse(key, "end_before_start", first=start_on.isoformat())
    return RollTenancy(
        name=name or "",
        kana=row.read("kana", cells.kana),
        start_on=start_on or date.min,
        end_on=end_on,
        email=row.read("email", cells.email),
        phone=row.read("phone", cells.phone),
        payment_method=row.read("payment_method", cells.text),
        deposit_yen=row.read("deposit", cells.amount) or 0,
    )


def _add_notes(row: SheetRow, found: RentRollRow) -> None:
    tenancy = found.tenancy
    look_at_unit(row, "rent", found.rent_yen)
    note_formulas(row, "name", "remark")
    if found.standing is TenancyState.LEAVING:
        row.note("status", "planned_departure")
    if tenancy is None:
        return
    if tenancy.email is None:
        row.note("email", "no_email")
    if cells.has_lost_its_zero(tenancy.phone):
        row.note("phone", "lost_zero")


OPEN_ENDED: Final = "…"
_LIVES_THERE: Final = (TenancyState.LIVING, TenancyState.LEAVING)


@dataclass(frozen=True, slots=True)
class Held:
    """The days for which a tenancy takes its unit, both included; no last day is open-ended."""

    first_on: date
    last_on: date | None


class _Claim(NamedTuple):
    """The days a row claims for its tenancy, both included; the line breaks a tie."""

    first_on: date
    last_on: date
    line: int
    row: SheetRow
    tenancy: RollTenancy


@dataclass(slots=True)
class _Room:
    """What the rows above state of one room; its claims are in order and do not overlap."""

    claims: list[_Claim] = field(default_factory=list)
    vacant_line: int | None = None
    lived_in_line: int | None = None

    def find_overlapping(self, claim: _Claim) -> _Claim | None:
        """Return a tenancy that shares a day with the claim."""
        place = bisect_left(self.claims, claim)
        for other in self.claims[max(0, place - 1) : place + 1]:
            if other.first_on <= claim.last_on and claim.first_on <= other.last_on:
                return other
        return None


def refuse_contradictions(
    rows: Sequence[SheetRow], taken: dict[int, RentRollRow], today: date
) -> None:
    """Refuse contradictions: a tenancy twice, two at once, or an ended one without a past end."""
    rooms: dict[tuple[str, str], _Room] = defaultdict(_Room)
    for row in rows:
        found = taken.get(row.line)
        if found is None:
            continue
        if found.tenancy is None:
            # Refuse a room that is vacant twice, or both vacant and let.
            room = rooms[found.unit_key]
            if room.vacant_line is not None:
                row.refuse("unit", "same_unit_as_line", line=room.vacant_line)
            elif room.lived_in_line is not None:
                row.refuse("status", "vacant_and_let", line=room.lived_in_line)
            else:
                room.vacant_line = row.line
        else:
            # Refuse an ended tenancy without an end, or with an end in the future.
            tenancy = found.tenancy
            if found.standing is TenancyState.ENDED:
                if tenancy.end_on is None:
                    row.refuse("end", "ended_without_end")
                elif tenancy.end_on > today:
                    row.refuse("end", "ended_in_the_future", last=tenancy.end_on.isoformat())
            _add_tenancy(row, found, found.tenancy, rooms[found.unit_key], today=today)
        if row.problems:
            del taken[row.line]


def _add_tenancy(
    row: SheetRow, found: RentRollRow, tenancy: RollTenancy, room: _Room, *, today: date
) -> None:
    # Without an end, the tenancy lasts at least until today.
    last_on = tenancy.end_on or max(tenancy.start_on, today)
    claim = _Claim(tenancy.start_on, last_on, row.line, row, tenancy)
    lives_there = found.standing in _LIVES_THERE and tenancy.start_on <= today
    overlapped = room.find_overlapping(claim)
    if overlapped is not None:
        _refuse_overlap(row, tenancy, overlapped)
    elif lives_there and room.vacant_line is not None:
        row.refuse("status", "vacant_and_let", line=room.vacant_line)
    if row.problems:
        return
    insort(room.claims, claim)
    if lives_there:
        room.lived_in_line = row.line


def _refuse_overlap(row: SheetRow, tenancy: RollTenancy, other: _Claim) -> None:
    if (tenancy.start_on, tenancy.end_on) == (other.tenancy.start_on, other.tenancy.end_on):
        written = other.row.cell("unit").strip()
        row.refuse("unit", "same_as_line", line=other.line, written=written)
        return
    end_on = other.tenancy.end_on
    last = OPEN_ENDED if end_on is None else end_on.isoformat()
    first = other.tenancy.start_on.isoformat()
    row.refuse("start", "overlaps_line", line=other.line, first=first, last=last)


def held_days(taken: Mapping[int, RentRollRow]) -> dict[int, Held]:
    """Return the days for which each tenancy takes its unit, by line.

    A contract end does not end the occupancy: it lasts until the next tenancy of the room, or is
    open-ended. A tenancy that has ended lasted until the end in the sheet.
    """
    by_unit: dict[tuple[str, str], list[tuple[date, int]]] = defaultdict(list)
    for line, found in taken.items():
        if found.tenancy is not None:
            by_unit[found.unit_key].append((found.tenancy.start_on, line))
    held: dict[int, Held] = {}
    for starts in by_unit.values():
        starts.sort()
        following: list[date | None] = [start for start, _ in starts[1:]]
        for (start_on, line), next_on in zip(starts, [*following, None], strict=True):
            held[line] = Held(start_on, _last_on(taken[line], next_on))
    return held


def _last_on(found: RentRollRow, next_on: date | None) -> date | None:
    if found.standing is TenancyState.ENDED and found.tenancy is not None:
        return found.tenancy.end_on
    return None if next_on is None else next_on - ONE_DAY
