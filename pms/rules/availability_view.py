"""How an availability is worded and filtered, and whose units a view leaves out."""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Final

from pms.rules.availability import Availability, is_living
from pms.rules.enumerations import AvailabilityState, Locale, ReservationKind
from pms.rules.policy import Policy
from pms.rules.stays import Stay

_PLAIN: Final[dict[Locale, dict[AvailabilityState, str]]] = {
    Locale.EN: {
        AvailabilityState.AVAILABLE_NOW: "Available now",
        AvailabilityState.AVAILABLE_FROM: "Available",
        AvailabilityState.RESERVED: "Reserved",
        AvailabilityState.POSSIBLY_AVAILABLE: "Possibly available",
        AvailabilityState.OCCUPIED: "Occupied",
    },
    Locale.JA: {
        AvailabilityState.AVAILABLE_NOW: "空室",
        AvailabilityState.AVAILABLE_FROM: "空室予定",
        AvailabilityState.RESERVED: "予約済み",
        AvailabilityState.POSSIBLY_AVAILABLE: "空室の可能性あり",
        AvailabilityState.OCCUPIED: "入居中",
    },
}
_DATED: Final[dict[Locale, dict[AvailabilityState, str]]] = {
    Locale.EN: {
        AvailabilityState.AVAILABLE_FROM: "Available from %s",
        AvailabilityState.RESERVED: "Reserved from %s",
        AvailabilityState.POSSIBLY_AVAILABLE: "Possibly available from %s",
    },
    Locale.JA: {
        AvailabilityState.AVAILABLE_FROM: "%sから空室",
        AvailabilityState.RESERVED: "%sから予約済み",
        AvailabilityState.POSSIBLY_AVAILABLE: "%s頃空室の可能性あり",
    },
}


@dataclass(frozen=True, slots=True)
class UnknownKinds:
    """Words of the owner-resident filter that name no kind of reservation."""

    words: tuple[str, ...]


def label(availability: Availability, locale: Locale = Locale.EN) -> str:
    """The words shown for an availability (specification, Availability: State table).

    Without a date, also when it was lost to a corrupt source date, the plain label.
    """
    if availability.on is None:
        return _PLAIN[locale][availability.state]
    return _DATED[locale][availability.state] % _written(availability.on, locale)


def matches_available_now(availability: Availability) -> bool:
    """Whether `availableNow=true` lets the unit through (List units)."""
    return availability.state == AvailabilityState.AVAILABLE_NOW


def matches_move_in_by(availability: Availability, move_in_by: date) -> bool:
    """Whether `moveInBy` lets the unit through: confirmed free by that day (List units)."""
    offered_on = availability.move_in_from
    return offered_on is not None and offered_on <= move_in_by


def read_excluded_kinds(text: str | None) -> frozenset[ReservationKind] | UnknownKinds:
    """The owner-resident filter `excludeRecords` in its three states (Availability, Rules).

    Unset leaves owner residents out; present but empty leaves nobody out; else the kinds named.
    """
    if text is None:
        return frozenset({ReservationKind.OWNER_RESIDENT})
    words = [word.strip() for word in text.split(",") if word.strip()]
    known = frozenset(ReservationKind)
    unknown = tuple(word for word in words if word not in known)
    if unknown:
        return UnknownKinds(unknown)
    return frozenset(ReservationKind(word) for word in words)


def is_shown(
    stays: Iterable[Stay], excluded: Container[ReservationKind], today: date, policy: Policy
) -> bool:
    """Whether a view shows a unit, by the kinds of who lives there today (Availability, Rules)."""
    return not any(stay.kind in excluded and is_living(stay, today, policy) for stay in stays)


def _written(day: date, locale: Locale) -> str:
    return f"{day.year}年{day.month}月{day.day}日" if locale == Locale.JA else day.isoformat()
