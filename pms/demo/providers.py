"""What reaches the demo from outside: channels' calendars, suppliers' orders, payment events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.keys import issue_key
from pms.catalogue.feed_records import write_failure
from pms.catalogue.models import CalendarFeed, ExternalBlock, UnitCalendar
from pms.channels.event_effects import take_event
from pms.channels.kept_events import keep_events
from pms.channels.models import InboundEvent
from pms.channels.orders import WrittenItem, WrittenOrder, receive_order, set_order_aside
from pms.demo.people import RESIDENT
from pms.demo.rows import STAFF, read_toml
from pms.foundation.clock import FixedClock
from pms.foundation.ids import new_id
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.tokens import Signer, new_token
from pms.foundation.work import Work
from pms.ledger.charges import post_charge
from pms.providers.payment_news import PaymentEvent, split_payment
from pms.reservations.models import Reservation
from pms.rules.days import day_of
from pms.rules.enumerations import BlockSource, FeeCategory, Lifecycle, ReservationKind, Scope
from pms.rules.message_words import SecretPurpose, WebhookSource
from pms.upkeep.project_lists import ProjectSearch, project_list
from pms.workspaces.webhook_secrets import add_webhook_secret

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
    airbnb = _add_feed(session, unit_id, "Airbnb", now - _HOUR / 2, events=4)
    booking = _add_feed(session, unit_id, "Booking.com", now - 5 * _HOUR, events=2)
    booking.failures, booking.failure = 2, write_failure("status", {"status": 503})
    booking.tried_at, booking.broken = now - _HOUR, ["backwards 20391-b@booking.example.com"]
    # The guest's own nights come back from the channel that reads this unit's calendar.
    nights = (stay.ends_on - day_of(now)).days
    if nights > 0:
        _add_block(session, airbnb, now, day_of(now), nights, summary="Airbnb (Not available)")
    # The channel sold the guest's last night a second time.
    _add_block(session, airbnb, now, leaves_on - timedelta(days=1), 3, summary="Reserved")
    _add_block(session, airbnb, now, leaves_on + timedelta(days=9), 4, summary="Reserved")
    _add_block(
        session, airbnb, now, leaves_on + timedelta(days=25), 2, summary="Airbnb (Not available)"
    )
    _add_block(
        session, booking, now, leaves_on + timedelta(days=16), 5, summary="CLOSED - Not available"
    )
    session.add(
        UnitCalendar(
            id=new_id(),
            unit_id=unit_id,
            nonce=new_token(),
            made_at=now - timedelta(days=40),
            made_by=STAFF,
            last_read_at=now - _HOUR,
        )
    )
    session.flush()


def _add_feed(
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


def _add_block(
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


_OFFICE: Final = "demo"
_FEW: Final = 3


class Ordered(NamedTuple):
    """One order: how many days ago, from whom, what, and which open project it names if any."""

    days_ago: int
    supplier: str
    number: str
    items: Sequence[Mapping[str, Any]]
    names: int | None = None
    is_at: int | None = None
    is_aside_because: str | None = None
    names_nobody: str | None = None


ORDERS: Final = tuple(Ordered(**row) for row in read_toml("providers")["order"])


def keep_orders(session: Session, now: datetime) -> None:
    """Keep eight orders of two suppliers; those that name an open project are its cost."""
    projects = project_list(session, ProjectSearch(), Paging(1, _FEW)).projects
    if not projects:
        return
    began = _days_ago(now, 40)
    keys = {
        name: issue_key(
            Work(session, began, _OFFICE), name=name, scopes=(Scope.PURCHASES_WRITE,)
        ).id
        for name in dict.fromkeys(order.supplier for order in ORDERS)
    }
    for order in ORDERS:
        clock = _days_ago(now, order.days_ago)
        actor = f"key/{keys[order.supplier]}"
        items = tuple(
            WrittenItem(
                description=item["what"],
                quantity=item["count"],
                unit_price_yen=item["yen"],
                category=FeeCategory(item["category"]),
            )
            for item in order.items
        )
        named = None if order.names is None else projects[order.names % len(projects)].name
        place = None if order.is_at is None else projects[order.is_at % len(projects)].building_id
        written_order = WrittenOrder(
            supplier=order.supplier,
            order_number=order.number,
            ordered_on=day_of(clock.now()),
            items=items,
            total_yen=sum(item.yen for item in items),
            building_id=place,
            project_number=named or order.names_nobody,
        )
        got = receive_order(
            Work(session, clock, actor),
            order=written_order,
            key_id=keys[order.supplier],
        )
        if order.is_aside_because:
            set_order_aside(
                Work(session, clock, _OFFICE), order_id=got.id, why=order.is_aside_because
            )
    session.flush()


def _days_ago(now: datetime, days_ago: int) -> FixedClock:
    return FixedClock(now - timedelta(days=days_ago))


_PROVIDERS: Final = read_toml("providers")
_BILLS: Final = _PROVIDERS["bill"]
_REFUSED: Final = "Your card has insufficient funds."


def keep_provider_events(session: Session, slug: str, now: datetime, signer: Signer) -> None:
    """Store secrets, and the events of two days with what they caused."""
    clock = FixedClock(now - timedelta(days=2))
    work = Work(session, clock, _OFFICE)
    for row in _PROVIDERS["secret"]:
        add_webhook_secret(
            work,
            signer,
            source=WebhookSource(row["source"]),
            purpose=SecretPurpose(row["purpose"]),
            secret=row["secret"],
        )
    teller = _Teller(session, slug, now)
    people = _list_residents(session)
    for number, (reservation_id, bill) in enumerate(zip(people, _BILLS, strict=False), start=1):
        entry_id = post_charge(
            Work(session, clock, _OFFICE),
            reservation_id=reservation_id,
            amount_yen=bill["yen"],
            label=Bilingual(bill["ja"], bill["en"]),
        )
        hours = 40 - 6 * number
        if number == 3:
            error = {"last_payment_error": {"code": "card_declined", "message": _REFUSED}}
            teller.tells(
                PaymentEvent.FAILED, number, hours, bill["yen"], entry_id=entry_id, given=error
            )
            continue
        teller.tells(PaymentEvent.SUCCEEDED, number, hours, bill["yen"], entry_id=entry_id)
    refund = {"id": teller.name("ch", 4), "amount_refunded": 5_000}
    teller.tells(PaymentEvent.REFUNDED, 4, 8, 22_000, given=refund)
    dispute = {"id": teller.name("dp", 2), "charge": teller.name("ch", 2), "reason": "fraudulent"}
    teller.tells(PaymentEvent.DISPUTED, 2, 5, 16_500, given=dispute)
    # The bill whose card was refused: somebody paid it in another way.
    teller.tells(PaymentEvent.SUCCEEDED, 5, 4, 8_800)
    teller.tells(PaymentEvent.SUCCEEDED, 6, 3, 12_000, given={"currency": "usd"})
    teller.tells("customer.updated", 7, 1, 0)


class _Teller:
    """The provider, as it tells and as the worker takes it up a moment later."""

    def __init__(self, session: Session, slug: str, now: datetime) -> None:
        self._session, self._slug, self._now = session, slug, now
        self._count = 0

    def name(self, kind: str, number: int) -> str:
        """What the provider calls something."""
        return f"{kind}_demo_{self._slug}_{number:04}"

    def tells(
        self,
        kind: str,
        number: int,
        hours_ago: int,
        amount: int,
        *,
        entry_id: str | None = None,
        given: dict[str, Any] | None = None,
    ) -> None:
        """Tell of one event so many hours ago."""
        self._count += 1
        clock = FixedClock(self._now - timedelta(hours=hours_ago))
        about = {
            "id": self.name("pi", number),
            "payment_intent": self.name("pi", number),
            "latest_charge": self.name("ch", number),
            "amount": amount,
            "amount_received": amount,
            "currency": "jpy",
            "metadata": {"entryId": entry_id} if entry_id else {},
        }
        body = {
            "id": self.name("evt", self._count),
            "type": str(kind),
            "created": int(clock.now().timestamp()),
            "data": {"object": about | (given or {})},
        }
        source = WebhookSource.PAYMENTS
        (kept,) = keep_events(self._session, clock, source=source, events=split_payment(body))
        asked = select(InboundEvent).where(InboundEvent.id == kept.id)
        event = self._session.scalars(asked).one()
        event.attempts = 1
        self._session.flush()
        take_event(self._session, clock, event)


def _list_residents(session: Session) -> list[str]:
    """Some residents; not the one whose portal is shown, whose bills others tell of."""
    asked = (
        select(Reservation.id)
        .where(
            Reservation.kind == ReservationKind.RESIDENT,
            Reservation.lifecycle == Lifecycle.LIVING,
            Reservation.email.is_not(None),
            Reservation.email != RESIDENT.email,
        )
        .order_by(Reservation.id)
        .offset(20)
        .limit(len(_BILLS))
    )
    return list(session.scalars(asked))
