"""The list of residents by hand: two or three statements, dictionaries, JSON."""

import sqlite3
from calendar import monthrange
from collections import defaultdict
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from pms.rules.search_text import terms
from tests.bench.floor.availability import is_day

FROM = """
FROM reservation r
JOIN unit u ON u.workspace_id = r.workspace_id AND u.id = r.unit_id
JOIN building b ON b.workspace_id = u.workspace_id AND b.id = u.building_id
"""
RECORDS = f"""
SELECT r.id, r.kind, r.lifecycle, r.name, r.name_kana, r.email, r.phone,
  nullif(r.move_in_date, ''), nullif(r.override_move_in_date, ''), nullif(r.arrival_date, ''),
  nullif(r.contract_end_date, ''), nullif(r.override_contract_end_date, ''),
  nullif(r.move_out_date, ''), nullif(r.expected_departure_date, ''), r.forced_on,
  r.cancelled_at, r.payment_status, r.esign_status, r.created_at, r.updated_at,
  u.id, u.name, b.id, b.name,
  (SELECT min(s.starts_on) FROM reservation s WHERE s.workspace_id = r.workspace_id
    AND s.unit_id = r.unit_id AND s.starts_on > r.starts_on AND s.cancelled_at IS NULL)
{FROM} WHERE r.workspace_id = :workspace AND r.id IN (%s) ORDER BY r.id DESC
"""
NAMED = """
SELECT reservation_id, name FROM co_occupant
WHERE workspace_id = ? AND reservation_id IN (%s) ORDER BY position, id
"""


def list_residents(
    connection: sqlite3.Connection, asking: Any, _: str, today: date, args: Mapping[str, str]
) -> dict[str, Any]:
    """Return the data of the answer."""
    page, limit = int(args.get("page", 1)), min(int(args.get("limit", 20)), 50)
    values = {"workspace": asking.workspace_id, "limit": limit, "offset": (page - 1) * limit}
    conditions, source = _asked(args, values), FROM if _is_placed(args) else "FROM reservation r"
    where = f"{source} WHERE r.workspace_id = :workspace {conditions}"
    (total,) = connection.execute(f"SELECT count(*) {where}", values).fetchone()
    ids = f"SELECT r.id {where} ORDER BY r.id DESC LIMIT :limit OFFSET :offset"
    rows = connection.execute(RECORDS % ids, values).fetchall()
    named = defaultdict(list)
    marks = ",".join("?" * len(rows))
    found = connection.execute(NAMED % marks, (asking.workspace_id, *(row[0] for row in rows)))
    for id_, name in found:
        named[id_].append({"name": name})
    return {
        "residents": [_resident(row, named.get(row[0], []), today, asking) for row in rows],
        "pagination": {
            "page": page,
            "limit": limit,
            "total": total,
            "totalPages": -(-total // limit),
        },
    }


def _is_placed(args: Mapping[str, str]) -> bool:
    return any(args.get(name) for name in ("building", "unit", "search"))


def _asked(args: Mapping[str, str], values: dict[str, Any]) -> str:
    parts = []
    for name, condition in (
        ("building", "(b.id = :building OR b.name = :building OR b.name_en = :building)"),
        ("unit", "(u.id = :unit OR u.name = :unit)"),
        ("email", "r.email_key = :email"),
        ("paymentStatus", "r.payment_status = :paymentStatus"),
        ("esignStatus", "r.esign_status = :esignStatus"),
    ):
        if name in args:
            parts.append(condition)
            values[name] = args[name].strip().casefold() if name == "email" else args[name]
    for number, term in enumerate(terms(args.get("search", ""))):
        columns = ("r.search_text", "u.name_text", "b.name_text")
        parts.append(f"({' OR '.join(f'instr({column}, :t{number})' for column in columns)})")
        values[f"t{number}"] = term
    return "".join(f"AND {part} " for part in parts)


def _resident(
    row: Any, co_occupants: list[dict[str, str]], today: date, asking: Any
) -> dict[str, Any]:
    (
        id_, kind, lifecycle, name, kana, email, phone, move_in, override_in, arrival, end,
        override_end, move_out, departure, forced_on, cancelled_at, payment, esign, created_at,
        updated_at, unit_id, unit_name, building_id, building_name, successor,
    ) = row  # fmt: skip
    start_on, end_on = override_in or move_in, override_end or end
    is_awaited = lifecycle == "booked" and kind == "resident"
    is_plain = kind != "guest" and not is_awaited and cancelled_at is None and move_out is None
    is_plain = is_plain and is_day(start_on)
    state, since = "none", None
    if is_plain and (end_on is None or is_day(end_on)):
        state, since = _month_to_month((start_on, end_on, forced_on, successor), today, asking)
    return {
        "id": id_,
        "kind": kind,
        "lifecycle": lifecycle,
        "name": name,
        "nameKana": kana,
        "email": email,
        "phone": phone,
        "building": {"id": building_id, "name": building_name},
        "unit": {"id": unit_id, "name": unit_name},
        "moveInDate": _readable(move_in),
        "overrideMoveInDate": _readable(override_in),
        "effectiveMoveInDate": _readable(start_on),
        "arrivalDate": _readable(arrival),
        "contractEndDate": _readable(end),
        "overrideContractEndDate": _readable(override_end),
        "effectiveContractEndDate": _readable(end_on),
        "moveOutDate": _readable(move_out),
        "expectedDepartureDate": _readable(departure),
        "monthToMonth": {"state": state, "since": since},
        "coOccupants": co_occupants,
        "paymentStatus": payment,
        "esignStatus": esign,
        "createdAt": created_at,
        "updatedAt": updated_at,
    }


def _readable(text: str | None) -> str | None:
    return text if is_day(text) else None


def _month_to_month(
    days: tuple[str, str | None, str | None, str | None], today: date, asking: Any
) -> tuple[str, str | None]:
    start_on, end_on, forced_on, successor = days
    day = today.isoformat()
    if start_on > day:
        return "none", None
    if forced_on and forced_on <= day:
        return "forced", forced_on
    opens_on = start_on if end_on is None else _opens_on(start_on, end_on, asking)
    if opens_on <= day and successor is None:
        return "derived", opens_on
    return "none", None


def _opens_on(start_on: str, end_on: str, asking: Any) -> str:
    start, end = date.fromisoformat(start_on), date.fromisoformat(end_on)
    notice = asking.long_notice_days
    is_short = (end - start).days + 1 <= asking.short_contract_days
    if is_short and not (asking.full_calendar_month_is_long and _holds_a_month(start, end)):
        notice = asking.short_notice_days
    return max((end - timedelta(days=notice)).isoformat(), start_on)


def _holds_a_month(start: date, end: date) -> bool:
    first = start if start.day == 1 else (start.replace(day=1) + timedelta(days=32)).replace(day=1)
    return first.replace(day=monthrange(first.year, first.month)[1]) <= end
