"""The rules of availability by hand, on days as they are stored: texts that sort like days."""

from collections.abc import Container, Iterable
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

StayRow = tuple[str | None, str | None, str | None, str | None, int, str, int]
"""Start, contract end, move-out, expected departure, forced, kind, whether nobody moved in yet."""
Answer = tuple[str, str | None, str | None]
"""State, date shown, date to be offered."""

_LABELS: dict[str, dict[str, tuple[str, str]]] = {
    "en": {
        "available_now": ("Available now", ""),
        "available_from": ("Available", "Available from %s"),
        "reserved": ("Reserved", "Reserved from %s"),
        "possibly_available": ("Possibly available", "Possibly available from %s"),
        "occupied": ("Occupied", ""),
    },
    "ja": {
        "available_now": ("空室", ""),
        "available_from": ("空室予定", "%sから空室"),
        "reserved": ("予約済み", "%sから予約済み"),
        "possibly_available": ("空室の可能性あり", "%s頃空室の可能性あり"),
        "occupied": ("入居中", ""),
    },
}
_UNREADABLE_START, _UNREADABLE_END = "", "~"
OCCUPIED: Answer = ("occupied", None, None)


@lru_cache(maxsize=8192)
def is_day(text: str | None) -> bool:
    """Tell whether a stored text is a day."""
    if text is None or len(text) != 10 or text[4] != "-" or text[7] != "-":
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return "1900-01-01" <= text <= "2200-12-31"


@lru_cache(maxsize=8192)
def later(text: str, days: int) -> str:
    """Return the day so many days later."""
    return (date.fromisoformat(text) + timedelta(days=days)).isoformat() if days else text


def availability(
    stays: Iterable[StayRow],
    blocks: Iterable[tuple[str | None, str | None]],
    excluded: Container[str],
    today: str,
    turnover: int,
) -> Answer | None:
    """Return the answer for one unit, nothing when the view leaves it out."""
    living, taken = [], []
    gone_before = later(today, -turnover)
    for stay in stays:
        start, end, move_out, _, _, kind, is_awaited = stay
        left = move_out or (end if kind == "guest" or is_awaited else None)
        if left and left < gone_before and is_day(left):
            continue
        if not is_day(start):
            taken.append(_UNREADABLE_START)
        elif start and (start > today or is_awaited):
            taken.append(start)
        elif kind in excluded:
            return None
        else:
            living.append(stay)
    if any(stay[4] and not stay[2] and stay[5] != "guest" for stay in living):
        return OCCUPIED
    for first, last in blocks:
        if last and last < today and is_day(last):
            continue
        if not first or first <= today or not is_day(first):
            return "reserved", None, None
        taken.append(first)
    if taken:
        return "reserved", min(taken) or None, None
    return _by_ends(living, today, turnover) if living else ("available_now", None, today)


def _by_ends(living: Iterable[StayRow], today: str, turnover: int) -> Answer:
    latest, is_soft = "", False
    for start, end, move_out, departure, _, kind, _ in living:
        known = move_out or (end if kind == "guest" else None)
        if kind == "owner_resident" or not (known or (departure and kind != "guest")):
            return OCCUPIED
        day = known or departure or ""
        is_readable = is_day(day)
        if not known:
            is_soft = True
            if is_readable and day < today:
                return OCCUPIED
        elif is_readable and start and day <= start:
            # Who leaves on the first day was there for that night.
            day = later(start, 1)
        latest = max(
            latest, _UNREADABLE_END if not is_readable else later(day, turnover if known else 0)
        )
    on = None if latest == _UNREADABLE_END else latest
    return ("possibly_available", on, None) if is_soft else ("available_from", on, on)


@lru_cache(maxsize=4096)
def shown(answer: Answer, locale: str) -> dict[str, Any]:
    """Return an answer as JSON shows it."""
    state, on, move_in_from = answer
    plain, dated = _LABELS[locale][state]
    return {
        "state": state,
        "on": on,
        "label": dated % _written(on, locale) if on else plain,
        "confirmed": move_in_from is not None,
        "moveInFrom": move_in_from,
    }


def _written(day: str, locale: str) -> str:
    if locale == "en":
        return day
    year, month, of_month = day.split("-")
    return f"{int(year)}年{int(month)}月{int(of_month)}日"
