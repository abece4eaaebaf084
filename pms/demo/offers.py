"""Offers of the demo: one that is open and was looked at, one that was accepted, one that ended."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.demo.chance import Chance
from pms.demo.people import People
from pms.enquiries.openings import Opening, openings
from pms.foundation.clock import FixedClock
from pms.foundation.ids import new_id
from pms.foundation.tokens import Sealer, new_token
from pms.offers.create_reservation_link import create_reservation_link
from pms.offers.frozen_terms import FrozenTerms, frozen
from pms.offers.models import ReservationLink
from pms.offers.stated_details import StatedDetails, kept_details
from pms.pricing.agreed_price import MonthlyAmounts, amounts_by_item
from pms.pricing.models import PricingSnapshot
from pms.reservations.models import Reservation
from pms.rules.days import ONE_DAY, add_months
from pms.rules.enumerations import Lifecycle, Locale, ReservationKind

_OFFICE: Final = "demo"
_MONTHS: Final = 12
_DAYS: Final = timedelta(days=7)


def keep_offers(session: Session, slug: str, now: datetime, sealer: Sealer) -> None:
    """Offer two free units, one of them too long ago, and tell of a booking that an offer became."""
    people = People(Chance("offers", slug, now.date()))
    clock = FixedClock(now)
    free = [one for one in openings(session, clock.today()) if one.is_confirmed]
    for days_ago, opening in zip((2, 9), free, strict=False):
        person = people.next()
        facts = {"name": person.name, "email": person.email, "locale": person.locale}
        link_id = _offered(session, clock, opening, sealer, facts)
        row = session.scalars(select(ReservationLink).where(ReservationLink.id == link_id)).one()
        _tell(row, now - timedelta(days=days_ago))
    _accepted(session, now)


def _offered(
    session: Session, clock: FixedClock, opening: Opening, sealer: Sealer, facts: dict[str, Any]
) -> str:
    move_in_on = max(opening.on, clock.today() + timedelta(days=20))
    made = create_reservation_link(
        session,
        clock,
        _OFFICE,
        unit_id=opening.unit_id,
        move_in_on=move_in_on,
        contract_end_on=add_months(move_in_on, _MONTHS) - ONE_DAY,
        sealer=sealer,
        **facts,
    )
    return made.id


def _tell(row: ReservationLink, made_at: datetime) -> None:
    """Let an offer have been made, sent and opened at an instant that is past."""
    row.created_at, row.expires_at = made_at, made_at + _DAYS
    row.sent_at = made_at + timedelta(minutes=5)
    row.last_opened_at = made_at + timedelta(hours=3)


def _accepted(session: Session, now: datetime) -> None:
    asked = (
        select(Reservation, PricingSnapshot)
        .join(
            PricingSnapshot,
            (PricingSnapshot.workspace_id == Reservation.workspace_id)
            & (PricingSnapshot.reservation_id == Reservation.id),
        )
        .where(
            Reservation.kind == ReservationKind.RESIDENT,
            Reservation.lifecycle == Lifecycle.BOOKED,
            Reservation.starts_on > now.date(),
        )
        .order_by(Reservation.starts_on, Reservation.id)
    )
    found = session.execute(asked).first()
    if found is None:
        return
    booked, price = found
    told = StatedDetails(
        name=booked.name,
        name_kana=booked.name_kana,
        email=booked.email,
        phone=booked.phone,
        locale=Locale(booked.locale),
    )
    row = ReservationLink(
        id=new_id(),
        nonce=new_token(),
        unit_id=booked.unit_id,
        move_in_on=booked.starts_on,
        contract_end_on=booked.contract_end_date,
        name=booked.name,
        email=booked.email,
        locale=booked.locale,
        terms=frozen(_terms(booked, price)),
        details=kept_details(told),
        created_by=_OFFICE,
        accepted_at=now - timedelta(hours=20),
        reservation_id=booked.id,
    )
    _tell(row, now - timedelta(days=1))
    session.add(row)
    session.flush()


def _terms(booked: Reservation, price: PricingSnapshot) -> FrozenTerms:
    yen = dict(amounts_by_item(vars(price)))
    return FrozenTerms(
        amounts=MonthlyAmounts(**{f"{item}_yen": amount for item, amount in yen.items()}),
        fees=(),
        discount=None,
        reservation_fee_yen=booked.reservation_fee_yen,
        deposit_yen=booked.deposit_yen,
    )
