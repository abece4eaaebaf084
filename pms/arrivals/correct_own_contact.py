"""Lets a resident correct how they are reached; name and e-mail address stay the office's."""

from dataclasses import replace

from sqlalchemy.orm import Session

from pms.arrivals.change_contact import change_contact
from pms.arrivals.recorded_contact import recorded_contact
from pms.foundation.clock import Clock
from pms.reservations.models import Reservation
from pms.rules.enumerations import Locale


def correct_own_contact(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    reservation_id: str,
    phone: str | None,
    name_kana: str | None,
    locale: Locale,
    expected_version: int | None = None,
) -> Reservation:
    """Write phone, reading and language as stated (Surfaces, Resident portal).

    The address opens the portal, so it is not changed from inside it. Raises `Refused` for a bad
    text, `Collision` when somebody else was faster.
    """
    recorded = recorded_contact(session, reservation_id).contact
    wanted = replace(recorded, phone=phone, name_kana=name_kana, locale=locale)
    return change_contact(
        session,
        clock,
        actor,
        reservation_id=reservation_id,
        contact=wanted,
        expected_version=expected_version,
    )
