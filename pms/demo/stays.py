"""Guests of the demo: one who has not begun to check in, one half done, one who is let in today."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from PIL import Image, ImageDraw
from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.clock import FixedClock
from pms.foundation.files import Files
from pms.reservations.models import Reservation
from pms.rules.check_in import GuestFacts
from pms.rules.enumerations import Lifecycle, RegisterField, ReservationKind
from pms.stays.link_stay import link_stay
from pms.stays.plan_arrival import plan_arrival
from pms.stays.register_guest import register_guest
from pms.stays.send_passport import send_passport
from pms.stays.set_stay_terms import set_stay_terms

_OFFICE: Final = "demo"
_RULES_JA: Final = (
    "22時から翌朝8時まではお静かにお願いします。\n館内は禁煙です。\n"
    "ごみは手帳のとおりに分けてください。\nお部屋に泊まれるのはご予約の人数までです。"
)
_RULES_EN: Final = (
    "Please be quiet from 22:00 to 8:00.\nNo smoking in the house.\n"
    "Sort your rubbish as the handbook says.\nOnly the guests of the booking may stay overnight."
)
_TRAVELLERS: Final = (
    GuestFacts(
        name="Lucía Fernández",
        nationality="Spain",
        passport_number="PAB123456",
        address="Calle de Alcalá 45, Madrid, Spain",
        contact="lucia@example.com",
        extras={RegisterField.OCCUPATION.value: "Architect"},
    ),
    GuestFacts(
        name="中村 彩",
        lives_in_japan=True,
        address="京都府京都市左京区吉田本町1-2",
        contact="090-0000-1234",
        extras={RegisterField.OCCUPATION.value: "会社員"},
    ),
)


def keep_stays(session: Session, now: datetime, files: Files) -> None:
    """Make the links of the guests who come next and who stay, each at another point."""
    clock = FixedClock(now)
    set_stay_terms(
        session,
        clock,
        _OFFICE,
        register_fields=[RegisterField.OCCUPATION],
        rules_ja=_RULES_JA,
        rules_en=_RULES_EN,
    )
    staying, coming = _guests(session, Lifecycle.LIVING), _guests(session, Lifecycle.CONFIRMED)
    for row in coming[:1]:
        _linked(session, clock, row, guests=2)
    for number, row in enumerate(staying[:2]):
        _checked_in(session, _the_day_before(row, now), row, files, is_half=number == 1)


def _guests(session: Session, lifecycle: Lifecycle) -> Sequence[Reservation]:
    return session.scalars(
        select(Reservation)
        .where(
            Reservation.kind == ReservationKind.GUEST,
            Reservation.lifecycle == lifecycle,
            Reservation.starts_on.is_not(None),
        )
        .order_by(Reservation.starts_on, Reservation.id)
    ).all()


def _the_day_before(row: Reservation, now: datetime) -> FixedClock:
    came = datetime.combine(row.starts_on or now.date(), now.timetz())
    return FixedClock(min(now, came - timedelta(days=1)))


def _linked(session: Session, clock: FixedClock, row: Reservation, *, guests: int) -> str:
    return link_stay(session, clock, _OFFICE, reservation_id=row.id, guests=guests)


def _checked_in(
    session: Session, clock: FixedClock, row: Reservation, files: Files, *, is_half: bool
) -> None:
    """One registers both guests, sends the passport and plans the arrival; the other, one guest."""
    link_id, actor = _linked(session, clock, row, guests=2), f"reservation/{row.id}"
    guests = _TRAVELLERS[:1] if is_half else _TRAVELLERS
    for position, guest in enumerate(guests, start=1):
        register_guest(session, clock, actor, link_id=link_id, position=position, guest=guest)
    if is_half:
        return
    key = files.put_alone(_specimen(), "webp")
    send_passport(session, clock, actor, link_id=link_id, position=1, file_key=key)
    plan_arrival(session, clock, actor, link_id=link_id, arrival_time="17:30", accepts_rules=True)


def _specimen() -> bytes:
    """Return a page that nobody could take for a passport."""
    page = Image.new("RGB", (1000, 700), "#dfe7ef")
    pen = ImageDraw.Draw(page)
    pen.rectangle((60, 140, 360, 540), fill="#9fb4c7")
    pen.text((420, 160), "SPECIMEN - DEMO ONLY", fill="#20303f", font_size=40)
    pen.text((420, 240), "FERNANDEZ, LUCIA", fill="#20303f", font_size=40)
    buffer = io.BytesIO()
    page.save(buffer, "WEBP", quality=80)
    return buffer.getvalue()
