"""The list of units by hand: six statements, one pass, dictionaries, JSON."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from msgspec.json import decode

from pms.rules.search_text import terms
from pms.rules.unit_words import describe_layout, is_japanese, name_facilities
from tests.bench.floor.availability import availability, later, shown

UNITS = """
SELECT u.id, u.slug, u.name, u.type, u.layout, u.bedrooms, u.size_centi_sqm, u.floor, u.rent_yen,
  u.deposit_yen, u.reservation_fee_yen, u.minimum_stay_days, u.features, u.features_en,
  u.updated_at, b.id, b.slug, b.name, b.name_en, b.area, b.area_en, b.address, b.address_en
FROM unit u JOIN building b ON b.workspace_id = u.workspace_id AND b.id = u.building_id
WHERE u.workspace_id = :workspace %s ORDER BY %s u.id
"""
STAYS = """
SELECT unit_id, coalesce(nullif(override_move_in_date, ''), nullif(move_in_date, '')),
  coalesce(nullif(override_contract_end_date, ''), nullif(contract_end_date, '')),
  nullif(move_out_date, ''), nullif(expected_departure_date, ''), forced_on IS NOT NULL, kind,
  lifecycle = 'booked' AND kind = 'resident'
FROM reservation
WHERE workspace_id = ? AND cancelled_at IS NULL AND (ends_on IS NULL OR ends_on >= ?)
"""
BLOCKS = """
SELECT unit_id, nullif(first_on, ''), nullif(last_on, '') FROM external_block
WHERE workspace_id = ? AND (last_on IS NULL OR last_on >= ? OR length(last_on) <> 10)
"""
FEES = """
SELECT uf.unit_id, f.code, f.label_ja, f.label_en, uf.amount_yen FROM unit_fee uf
JOIN fee f ON f.workspace_id = uf.workspace_id AND f.id = uf.fee_id
WHERE uf.workspace_id = ? AND f.is_monthly ORDER BY f.code
"""
PHOTOS = """
SELECT unit_id, id, width, height, alt_ja, alt_en, files FROM photo
WHERE workspace_id = ? AND unit_id IS NOT NULL ORDER BY position, id
"""
CAMPAIGN = """
FROM campaign_unit cu
JOIN campaign c ON c.workspace_id = cu.workspace_id AND c.id = cu.campaign_id
WHERE cu.workspace_id = :workspace AND c.is_published AND c.starts_on <= :today
  AND (c.ends_on IS NULL OR c.ends_on >= :today)
"""
OFFERS = f"""
SELECT cu.unit_id, c.id, c.title_ja, c.title_en, c.ends_on {CAMPAIGN}
ORDER BY c.ends_on IS NOT NULL, c.ends_on DESC, c.id
"""
_ORDERS = {
    "": "",
    "price-asc": "u.rent_yen IS NULL, u.rent_yen,",
    "price-desc": "u.rent_yen IS NULL, u.rent_yen DESC,",
    "size-asc": "u.size_centi_sqm IS NULL, u.size_centi_sqm,",
    "size-desc": "u.size_centi_sqm IS NULL, u.size_centi_sqm DESC,",
}


def list_units(
    connection: sqlite3.Connection,
    asking: Any,
    base_url: str,
    today: date,
    args: Mapping[str, str],
) -> dict[str, Any]:
    """Return the data of the answer."""
    locale, day = args.get("locale", "en"), today.isoformat()
    conditions, values = _asked(args, asking.workspace_id, day)
    order = _ORDERS[args.get("sort", "")]
    rows = connection.execute(UNITS % (conditions, order), values).fetchall()
    matched = list(_matched(connection, asking, rows, day, args))
    page, limit = int(args.get("page", 1)), min(int(args.get("limit", 50)), 500)
    shown_now = matched[(page - 1) * limit : page * limit]
    address = f"{base_url}/photos/{asking.slug}/"
    parts = _parts(connection, values, address, locale) if shown_now else ({}, {}, {})
    return {
        "units": [_unit(row, answer, parts, locale) for row, answer in shown_now],
        "pagination": {
            "page": page,
            "limit": limit,
            "total": len(matched),
            "totalPages": -(-len(matched) // limit),
        },
        "counts": {
            "confirmed": sum(answer[2] is not None for _, answer in matched),
            "possible": sum(answer[0] == "possibly_available" for _, answer in matched),
        },
    }


def _asked(args: Mapping[str, str], workspace_id: str, day: str) -> tuple[str, dict[str, Any]]:
    values: dict[str, Any] = {"workspace": workspace_id, "today": day}
    parts = []

    def one_of(column: str, words: str, name: str) -> str:
        names = []
        for number, word in enumerate(words.split(",")):
            values[f"{name}{number}"] = word.strip().lower()
            names.append(f":{name}{number}")
        return f"lower({column}) IN ({','.join(names)})"

    if areas := args.get("areas") or args.get("area"):
        in_either = (one_of("b.area", areas, "area"), one_of("b.area_en", areas, "area"))
        parts.append(f"({' OR '.join(in_either)})")
    if layouts := args.get("layouts") or args.get("layout"):
        parts.append(one_of("u.layout", layouts, "layout"))
    for name, condition in (
        ("priceMin", "u.rent_yen >= :priceMin"),
        ("priceMax", "u.rent_yen <= :priceMax"),
        ("bedrooms", "u.bedrooms = :bedrooms"),
    ):
        if name in args:
            parts.append(condition)
            values[name] = int(args[name])
    if "type" in args:
        parts.append("u.type = :type")
        values["type"] = args["type"]
    if building := args.get("building"):
        parts.append("(b.id = :building OR b.name = :building OR b.name_en = :building)")
        values["building"] = building
    if args.get("hasCampaign") == "true":
        parts.append(f"EXISTS (SELECT 1 {CAMPAIGN} AND cu.unit_id = u.id)")
    for number, term in enumerate(terms(args.get("search", ""))):
        parts.append(f"(instr(u.search_text, :t{number}) OR instr(b.search_text, :t{number}))")
        values[f"t{number}"] = term
    return "".join(f"AND {part} " for part in parts), values


def _matched(
    connection: sqlite3.Connection,
    asking: Any,
    rows: list[Any],
    day: str,
    args: Mapping[str, str],
) -> Iterator[tuple[Any, Any]]:
    stays, blocks = defaultdict(list), defaultdict(list)
    gone_before = later(day, -asking.turnover_days)
    for unit_id, *stay in connection.execute(STAYS, (asking.workspace_id, gone_before)):
        stays[unit_id].append(stay)
    for unit_id, first, last in connection.execute(BLOCKS, (asking.workspace_id, day)):
        blocks[unit_id].append((first, last))
    excluded = frozenset(args.get("excludeRecords", "owner_resident").split(","))
    now, by = args.get("availableNow") == "true", args.get("moveInBy")
    nothing: tuple[()] = ()
    for row in rows:
        answer = availability(
            stays.get(row[0], nothing),
            blocks.get(row[0], nothing),
            excluded,
            day,
            asking.turnover_days,
        )
        if answer is None or (now and answer[0] != "available_now"):
            continue
        if by and not (answer[2] and answer[2] <= by):
            continue
        yield row, answer


def _parts(
    connection: sqlite3.Connection, values: dict[str, Any], address: str, locale: str
) -> tuple[Any, Any, Any]:
    fees, photos = defaultdict(list), defaultdict(list)
    is_ja, workspace = locale == "ja", values["workspace"]
    for unit_id, code, ja, en, amount in connection.execute(FEES, (workspace,)):
        said = (ja or en) if is_ja else (en or ja)
        fees[unit_id].append({"code": code, "label": said, "amount": amount})
    for unit_id, id_, width, height, ja, en, files in connection.execute(PHOTOS, (workspace,)):
        widest = max(int(name.partition(".")[0]) for name in decode(files))
        photos[unit_id].append(
            {
                "url": f"{address}{id_}/{widest}.webp",
                "width": widest,
                "height": max(1, (height * widest + width // 2) // width),
                "alt": ((ja or en) if is_ja else (en or ja)) or "",
            }
        )
    offers = {
        unit_id: {"id": id_, "title": (ja or en) if is_ja else (en or ja), "endsOn": ends_on}
        for unit_id, id_, ja, en, ends_on in connection.execute(
            OFFERS, {"workspace": workspace, "today": values["today"]}
        )
    }
    return fees, photos, offers


def _unit(row: Any, answer: Any, parts: tuple[Any, Any, Any], locale: str) -> dict[str, Any]:
    (
        id_, slug, name, type_, layout, bedrooms, size, floor, rent, deposit, reservation_fee,
        minimum_stay, features, features_en, updated_at, building_id, building_slug,
        building_name, building_name_en, area, area_en, address, address_en,
    ) = row  # fmt: skip
    fees, photos, offers = parts
    is_ja, asked = locale == "ja", fees.get(id_, [])
    ja, en = decode(features), decode(features_en)
    words, words_lang = (ja or en, None if ja or not en else "en") if is_ja else (en, None)
    if not is_ja and not en:
        words, words_lang = name_facilities(ja)
    said = describe_layout(layout, locale) if layout else None
    place = (("name", building_name, building_name_en), ("area", area, area_en))
    foreign = {
        key: "en" if is_ja else "ja"
        for key, in_ja, in_en in (*place, ("address", address, address_en))
        if _is_foreign(in_ja, in_en, is_ja=is_ja)
    }
    langs = {"layout": said.lang if said else None, "features": words_lang}
    return {
        "id": id_,
        "slug": slug,
        "name": name,
        "type": type_,
        "building": {
            "id": building_id,
            "slug": building_slug,
            "name": building_name if is_ja else building_name_en or building_name,
            "area": area if is_ja else area_en or area,
            "address": address if is_ja else address_en or address,
            "lang": foreign,
        },
        "layout": said.text if said else None,
        "bedrooms": bedrooms,
        "sizeSqm": None if size is None else _size(size),
        "floor": floor,
        "price": rent,
        "monthlyFees": asked,
        "monthlyTotal": None if rent is None else rent + sum(fee["amount"] for fee in asked),
        "deposit": deposit,
        "reservationFee": reservation_fee,
        "minimumStayDays": minimum_stay,
        "campaign": offers.get(id_),
        "features": words,
        "photos": photos.get(id_, []),
        "lang": {key: lang for key, lang in langs.items() if lang},
        "updatedAt": updated_at,
        "availability": shown(answer, locale),
    }


def _is_foreign(in_ja: str | None, in_en: str | None, *, is_ja: bool) -> bool:
    if is_ja:
        return bool(in_en and not in_ja and not is_japanese(in_en))
    said = in_en or in_ja
    return bool(said and is_japanese(said))


def _size(size: int) -> str:
    text = f"{size // 100}.{size % 100:02d}"
    return text[:-1] if text.endswith("0") else text
