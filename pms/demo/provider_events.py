"""What a payment provider pushed into the demo: paid, refused, sent back, disputed, not placed."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.channels.keep_events import keep_events
from pms.channels.models import InboundEvent
from pms.channels.take_event import take_event
from pms.demo.portal_people import RESIDENT
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import FixedClock
from pms.foundation.tokens import Sealer
from pms.ledger.post_charge import post_charge
from pms.reservations.models import Reservation
from pms.rules.channel_words import SecretPurpose, WebhookSource
from pms.rules.enumerations import Lifecycle, ReservationKind
from pms.rules.payment_events import PaymentEvent, split_payment
from pms.workspaces.add_webhook_secret import add_webhook_secret

_OFFICE: Final = "demo"
_SECRETS: Final = (
    (WebhookSource.PAYMENTS, SecretPurpose.SIGNATURE, "whsec_demo_only_7f3a"),
    (WebhookSource.ESIGN, SecretPurpose.SIGNATURE, "demo-connect-key-91c2"),
    (WebhookSource.LINE, SecretPurpose.SIGNATURE, "demo-channel-secret-40be"),
    (WebhookSource.WHATSAPP, SecretPurpose.SIGNATURE, "demo-app-secret-c55d"),
    (WebhookSource.WHATSAPP, SecretPurpose.HANDSHAKE, "demo-verify-token-e018"),
)


class _Bill(NamedTuple):
    label: Bilingual
    yen: int


_BILLS: Final = (
    _Bill(Bilingual("鍵の交換", "New lock"), 12_100),
    _Bill(Bilingual("エアコン分解清掃", "Air conditioner cleaned"), 16_500),
    _Bill(Bilingual("網戸の張り替え", "New fly screen"), 8_800),
    _Bill(Bilingual("寝具一式", "Bedding"), 22_000),
)
_REFUSED: Final = "Your card has insufficient funds."


def keep_provider_events(session: Session, slug: str, now: datetime, sealer: Sealer) -> None:
    """Store secrets, and the events of two days with what they caused."""
    clock = FixedClock(now - timedelta(days=2))
    for source, purpose, secret in _SECRETS:
        add_webhook_secret(
            session, clock, _OFFICE, sealer, source=source, purpose=purpose, secret=secret
        )
    teller = _Teller(session, slug, now)
    people = _people(session)
    for number, (reservation_id, bill) in enumerate(zip(people, _BILLS, strict=False), start=1):
        entry_id = post_charge(
            session,
            clock,
            _OFFICE,
            reservation_id=reservation_id,
            amount_yen=bill.yen,
            label=bill.label,
        )
        hours = 40 - 6 * number
        if number == 3:
            error = {"last_payment_error": {"code": "card_declined", "message": _REFUSED}}
            teller.tells(
                PaymentEvent.FAILED, number, hours, bill.yen, entry_id=entry_id, given=error
            )
            continue
        teller.tells(PaymentEvent.SUCCEEDED, number, hours, bill.yen, entry_id=entry_id)
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
        self._told = 0

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
        self._told += 1
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
            "id": self.name("evt", self._told),
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


def _people(session: Session) -> list[str]:
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
