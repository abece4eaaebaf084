"""Two channels' calendars of a room for guests, one meeting a guest, and the room's own address."""

from datetime import date, datetime, timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.calendar_feeds import failure_kept
from pms.catalogue.models import CalendarFeed, ExternalBlock, UnitCalendar
from pms.foundation.ids import new_id
from pms.foundation.tokens import new_token
from pms.reservations.models import Reservation
from pms.rules.days import day_of
from pms.rules.enumerations import BlockSource, Lifecycle, ReservationKind

_STAFF: Final = "三枝 みどり"
_HOUR: Final = timedelta(hours=1)


def keep_calendars(session: Session, now: datetime) -> None:
    """Add what the worker would have read; nothing is due, so nobody asks the made-up servers."""
    stay = session.scalars(
        select(Reservation)
        .where(
            Reservation.kind == ReservationKind.GUEST,
            Reservation.lifecycle == Lifecycle.LIVING,
            Reservation.ends_on.is_not(None),
        )
        .order_by(Reservation.ends_on.desc(), Reservation.id)
        .limit(1)
    ).first()
    if stay is None or stay.ends_on is None:
        return
    unit_id, leaves_on = stay.unit_id, max(stay.ends_on, day_of(now) + timedelta(days=2))
    airbnb = _feed(session, unit_id, "Airbnb", now - _HOUR / 2, events=3)
    booking = _feed(session, unit_id, "Booking.com", now - 5 * _HOUR, events=2)
    booking.failures, booking.failure = 2, failure_kept("status", {"status": 503})
    booking.tried_at, booking.broken = now - _HOUR, ["backwards 20391-b@booking.example.com"]
    # The channel sold the guest's last night a second time.
    _block(session, airbnb, now, leaves_on - timedelta(days=1), 3, summary="Reserved")
    _block(session, airbnb, now, leaves_on + timedelta(days=9), 4, summary="Reserved")
    _block(
        session, airbnb, now, leaves_on + timedelta(days=25), 2, summary="Airbnb (Not available)"
    )
    _block(
        session, booking, now, leaves_on + timedelta(days=16), 5, summary="CLOSED - Not available"
    )
    session.add(
        UnitCalendar(
            id=new_id(),
            unit_id=unit_id,
            nonce=new_token(),
            made_at=now - timedelta(days=40),
            made_by=_STAFF,
            last_read_at=now - _HOUR,
        )
    )
    session.flush()


def _feed(
    session: Session, unit_id: str, name: str, read_at: datetime, *, events: int
) -> CalendarFeed:
    host = f"ical.{name.split('.', maxsplit=1)[0].lower()}.example.com"
    feed = CalendarFeed(
        id=new_id(),
        unit_id=unit_id,
        name=name,
        url=f"https://{host}/export/{unit_id[-12:]}.ics",
        last_read_at=read_at,
        tried_at=read_at,
        events=events,
    )
    session.add(feed)
    session.flush()
    return feed


def _block(
    session: Session,
    feed: CalendarFeed,
    now: datetime,
    first_on: date,
    nights: int,
    *,
    summary: str,
) -> None:
    session.add(
        ExternalBlock(
            id=new_id(),
            unit_id=feed.unit_id,
            source=BlockSource.CHANNEL_CALENDAR,
            first_on=first_on,
            last_on=first_on + timedelta(days=nights - 1),
            summary=summary,
            feed_id=feed.id,
            uid=f"{first_on:%Y%m%d}@{feed.name.lower()}.example.com",
            created_at=now,
            updated_at=now,
        )
    )
