"""The contract's shapes, and how an answer differs from one."""

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any

Check = Callable[[Any], bool]
_ID = re.compile(r"[0-9a-f]{32}")
_SIZE = re.compile(r"(0|[1-9][0-9]*)\.[0-9]{1,2}")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_ADDRESS = re.compile(r"https?://[^\s]+")


def text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def words(value: Any) -> bool:
    return isinstance(value, str)


def id_(value: Any) -> bool:
    return isinstance(value, str) and bool(_ID.fullmatch(value))


def whole(value: Any) -> bool:
    return type(value) is int and value >= 0


def integer(value: Any) -> bool:
    return type(value) is int


def flag(value: Any) -> bool:
    return type(value) is bool


def size(value: Any) -> bool:
    return isinstance(value, str) and bool(_SIZE.fullmatch(value))


def day(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 10 and date.fromisoformat(value) is not None


def instant(value: Any) -> bool:
    return bool(_INSTANT.fullmatch(value)) and datetime.fromisoformat(value) is not None


def address(value: Any) -> bool:
    return isinstance(value, str) and bool(_ADDRESS.fullmatch(value))


def or_null(check: Any) -> Check:
    return lambda value: value is None or not list(differences(check, value))


def one_of(*allowed: str) -> Check:
    return lambda value: value in allowed


def languages(value: Any) -> bool:
    return isinstance(value, dict) and set(value.values()) <= {"ja", "en"}


PAGINATION = {"page": whole, "limit": whole, "total": whole, "totalPages": whole}
COUNTS = {"confirmed": whole, "possible": whole}
PLACE = {"id": id_, "name": text}
PHOTO = {"url": address, "width": whole, "height": whole, "alt": words}
AVAILABILITY = {
    "state": one_of(
        "available_now", "available_from", "reserved", "possibly_available", "occupied"
    ),
    "on": or_null(day),
    "label": text,
    "confirmed": flag,
    "moveInFrom": or_null(day),
}
UNIT = {
    "id": id_,
    "slug": text,
    "name": text,
    "type": one_of("apartment", "sharehouse"),
    "building": {
        "id": id_,
        "slug": text,
        "name": text,
        "area": text,
        "address": text,
        "lang": languages,
    },
    "layout": or_null(text),
    "bedrooms": or_null(whole),
    "sizeSqm": or_null(size),
    "floor": or_null(integer),
    "price": or_null(whole),
    "monthlyFees": [{"code": text, "label": text, "amount": integer}],
    "monthlyTotal": or_null(whole),
    "deposit": or_null(whole),
    "reservationFee": or_null(whole),
    "minimumStayDays": or_null(whole),
    "campaign": or_null({"id": id_, "title": text, "endsOn": or_null(day)}),
    "features": [text],
    "photos": [PHOTO],
    "availability": AVAILABILITY,
    "lang": languages,
    "updatedAt": instant,
}
RESIDENT = {
    "id": id_,
    "kind": one_of("resident", "owner_resident", "guest"),
    "lifecycle": one_of(
        "booked",
        "confirmed",
        "living",
        "notice_filed",
        "moved_out",
        "settled",
        "refunded",
        "cancelled",
        "transferred",
    ),
    "name": text,
    "nameKana": or_null(text),
    "email": or_null(text),
    "phone": or_null(text),
    "building": PLACE,
    "unit": PLACE,
    "moveInDate": or_null(day),
    "overrideMoveInDate": or_null(day),
    "effectiveMoveInDate": or_null(day),
    "arrivalDate": or_null(day),
    "contractEndDate": or_null(day),
    "overrideContractEndDate": or_null(day),
    "effectiveContractEndDate": or_null(day),
    "moveOutDate": or_null(day),
    "expectedDepartureDate": or_null(day),
    "monthToMonth": {"state": one_of("none", "derived", "forced"), "since": or_null(day)},
    "coOccupants": [{"name": text}],
    "paymentStatus": one_of("pending", "paid", "refunded", "cancelled", "failed"),
    "esignStatus": one_of("pending", "sent", "partially_signed", "signed", "declined", "expired"),
    "createdAt": instant,
    "updatedAt": instant,
}
SHOWING = {
    "id": id_,
    "status": one_of("scheduled", "done", "cancelled", "no_show"),
    "startsAt": instant,
    "endsAt": instant,
    "building": PLACE,
    "unit": PLACE,
    "visitor": {
        "name": text,
        "email": or_null(text),
        "phone": or_null(text),
        "locale": one_of("ja", "en"),
    },
    "note": or_null(text),
    "createdAt": instant,
    "updatedAt": instant,
}
IMAGE = {"alt": words, "sizes": [{"url": address, "width": whole, "height": whole}]}
SITE_UNIT = {
    **{name: check for name, check in UNIT.items() if name not in ("photos", "campaign")},
    "url": address,
    "title": text,
    "typeLabel": text,
    "building": {
        "id": id_,
        "slug": text,
        "url": address,
        "name": text,
        "area": text,
        "address": text,
        "lang": languages,
    },
    "sizeLabel": or_null(text),
    "floorLabel": or_null(text),
    "priceLabel": or_null(text),
    "monthlyFees": [{"code": text, "label": text, "amount": integer, "amountLabel": text}],
    "monthlyTotalLabel": or_null(text),
    "description": or_null(text),
    "campaign": or_null(
        {"id": id_, "slug": text, "url": address, "title": text, "endsOn": or_null(day)}
    ),
    "images": [IMAGE],
}
SITE_BUILDING = {
    "id": id_,
    "slug": text,
    "url": address,
    "name": text,
    "area": text,
    "address": text,
    "access": or_null(text),
    "description": or_null(text),
    "lang": languages,
    "priceFrom": or_null(whole),
    "priceFromLabel": or_null(text),
    "units": {"total": whole, "availableNow": whole, "confirmed": whole, "possible": whole},
    "images": [IMAGE],
    "updatedAt": instant,
}
POST = {
    "slug": text,
    "url": address,
    "title": text,
    "summary": words,
    "publishedAt": instant,
    "updatedAt": instant,
}
LEAFLET = {
    "slug": text,
    "url": address,
    "title": text,
    "body": text,
    "bodyHtml": text,
    "updatedAt": instant,
}
CAMPAIGN = {
    **LEAFLET,
    "id": id_,
    "startsOn": day,
    "endsOn": or_null(day),
    "isCurrent": flag,
    "unitSlugs": [text],
}
CONFIG = {
    "workspace": {"slug": text, "name": text},
    "url": address,
    "title": text,
    "tagline": words,
    "defaultLocale": one_of("ja", "en"),
    "locales": [one_of("ja", "en")],
    "brandHue": whole,
    "contact": {"email": or_null(text), "phone": or_null(text), "address": or_null(text)},
    "socialLinks": {},
    "areas": [text],
}


def differences(shape: Any, value: Any, where: str = "data") -> Iterator[str]:
    """An object has exactly the keys of its shape; every member of a list has the list's shape."""
    if isinstance(shape, dict):
        if not isinstance(value, dict) or value.keys() != shape.keys():
            yield f"{where}: {value!r} has not exactly {sorted(shape)}"
            return
        for name, check in shape.items():
            yield from differences(check, value[name], f"{where}.{name}")
    elif isinstance(shape, list):
        if not isinstance(value, list):
            yield f"{where}: {value!r} is no list"
            return
        for place, member in enumerate(value):
            yield from differences(shape[0], member, f"{where}[{place}]")
    elif not shape(value):
        yield f"{where}: {value!r}"
