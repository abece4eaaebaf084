"""The places of a reply template, and what fills them: the person and the stay beside them."""

from collections.abc import Mapping
from datetime import date
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.channels.models import Conversation
from pms.foundation.bilingual import Bilingual
from pms.reservations.models import Reservation
from pms.workspaces.queries import branding

PLACES: Final = ("name", "unit", "building", "moveIn", "moveOut", "operator")


def reply_values(session: Session, row: Conversation, language: str) -> Mapping[str, str | None]:
    """Return what fills each place in a language; `None` where it is not known."""
    values: dict[str, str | None] = {
        "name": row.name,
        "operator": branding(session).name.said(language),
    }
    if row.reservation_id is None:
        return values
    name, starts_on, ends_on, unit, ja, en = session.execute(
        select(
            Reservation.name,
            Reservation.starts_on,
            Reservation.ends_on,
            Unit.name,
            Building.name,
            Building.name_en,
        )
        .join(Reservation.unit)
        .join(Unit.building)
        .where(Reservation.id == row.reservation_id)
    ).one()
    return values | {
        "name": name,
        "unit": unit,
        "building": Bilingual(ja, en).said(language),
        "moveIn": _day(starts_on, language),
        "moveOut": _day(ends_on, language),
    }


def _day(day: date | None, language: str) -> str | None:
    if day is None:
        return None
    if language == "ja":
        return f"{day.year}年{day.month}月{day.day}日"
    return f"{day.day} {day:%B %Y}"
