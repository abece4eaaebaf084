"""Share links, reservation links and check-in links: their states, and what a check-in link opens when."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Final

from pms.rules.days import JAPAN, ONE_DAY, add_months, day_start
from pms.rules.enumerations import (
    CheckInLinkState,
    Lifecycle,
    ProjectState,
    RegisterField,
    ReservationLinkState,
    ShareLinkState,
)


def reservation_link_state(
    *,
    now: datetime,
    expires_at: datetime,
    revoked_at: datetime | None,
    accepted_at: datetime | None,
) -> ReservationLinkState:
    """Return the state of a link (specification, Surfaces: Reservation link).

    An accepted link stays accepted; at the exact instant of its end a link is expired.
    """
    if accepted_at is not None:
        return ReservationLinkState.ACCEPTED
    if revoked_at is not None:
        return ReservationLinkState.REVOKED
    return ReservationLinkState.EXPIRED if now >= expires_at else ReservationLinkState.LIVE


def link_expires_at(now: datetime, valid_days: int, move_in_on: date) -> datetime:
    """Return when a link ends: after `valid_days`, at the latest with the move-in day."""
    return min(now + timedelta(days=valid_days), day_start(move_in_on + ONE_DAY))


def share_link_state(
    *,
    today: date,
    expires_on: date | None,
    revoked_at: datetime | None,
    project: ProjectState,
) -> ShareLinkState:
    """Return whether the link is live; its last day counts until its end in Japan.

    Reopening a project reopens its links, except those that expired.
    """
    if revoked_at is not None:
        return ShareLinkState.REVOKED
    if expires_on is not None and today > expires_on:
        return ShareLinkState.EXPIRED
    if project is not ProjectState.OPEN:
        return ShareLinkState.PROJECT_ENDED
    return ShareLinkState.LIVE


_GONE: Final = frozenset(
    {Lifecycle.MOVED_OUT, Lifecycle.TRANSFERRED, Lifecycle.SETTLED, Lifecycle.REFUNDED}
)


def check_in_link_state(
    *,
    today: date,
    revoked_at: datetime | None,
    cancelled_at: datetime | None,
    lifecycle: Lifecycle,
    check_out_on: date | None,
) -> CheckInLinkState:
    """Return whether a link opens its stay (specification, Surfaces: Guest check-in link).

    It is open through the day of check-out in Japan; cancelling the booking closes it at once.
    """
    if revoked_at is not None:
        return CheckInLinkState.REVOKED
    if cancelled_at is not None or lifecycle is Lifecycle.CANCELLED:
        return CheckInLinkState.CANCELLED
    if lifecycle in _GONE or (check_out_on is not None and today > check_out_on):
        return CheckInLinkState.OVER
    return CheckInLinkState.LIVE


def link_ends_at(check_out_on: date) -> datetime:
    """Return the first instant at which the link of a stay is closed."""
    return day_start(check_out_on + ONE_DAY)


def arrives_at(check_in_on: date | None, check_in_time: str) -> datetime | None:
    """Return the instant of check-in in Japan; None without a day."""
    if check_in_on is None:
        return None
    return datetime.combine(check_in_on, time.fromisoformat(check_in_time), tzinfo=JAPAN)


def codes_released_at(
    check_in_on: date | None, check_in_time: str, release_minutes: int
) -> datetime | None:
    """Return the instant from which entrance codes are shown: `release_minutes` before check-in."""
    arrival = arrives_at(check_in_on, check_in_time)
    return None if arrival is None else arrival - timedelta(minutes=release_minutes)


def register_kept_from(today: date, kept_years: int) -> date:
    """Return the first check-out day whose register is still kept (three years by law)."""
    return add_months(today, -12 * kept_years)


def is_clock_time(text: str) -> bool:
    """Whether a text is a time as stored, 00:00 to 23:59."""
    try:
        return time.fromisoformat(text).strftime("%H:%M") == text
    except ValueError:
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestRegisterEntry:
    """A guest's register entries; texts without surrounding blanks, None when empty."""

    name: str | None = None
    lives_in_japan: bool = False
    address: str | None = None
    contact: str | None = None
    nationality: str | None = None
    passport_number: str | None = None
    has_passport_copy: bool = False
    extras: Mapping[str, str] = field(default_factory=dict)


def missing_entries(guest: GuestRegisterEntry, asked: Collection[RegisterField]) -> tuple[str, ...]:
    """Return the register entries that a guest has not given yet, by field name.

    Everybody gives an address and a contact. A guest who lives in Japan also gives a name; any
    other guest gives name, nationality and passport number, or a copy of the passport instead.
    """
    stated = {"address": guest.address, "contact": guest.contact}
    if guest.lives_in_japan:
        stated["name"] = guest.name
    elif not guest.has_passport_copy:
        stated["name"] = guest.name
        stated["nationality"] = guest.nationality
        stated["passportNumber"] = guest.passport_number
    stated |= {
        field.value: guest.extras.get(field.value) for field in RegisterField if field in asked
    }
    return tuple(name for name, text in stated.items() if not text)
