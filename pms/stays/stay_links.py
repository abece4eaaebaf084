"""The check-in link of a stay."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.errors import no_such
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.foundation.tokens import LinkKind, Signer
from pms.reservations.models import Reservation
from pms.rules.enumerations import CheckInLinkState
from pms.rules.links import (
    check_in_link_state,
    link_ends_at,
)
from pms.stays.models import CheckInLink

CHECK_IN_LINK: Final = LinkKind("check-in-link", CheckInLink.nonce)
"""What the token of a guest's link is signed for."""


class StayLink(NamedTuple):
    """A link with its stay, as it is now."""

    id: str
    nonce: str
    reservation_id: str
    guests: int
    arrival_time: str | None
    rules_accepted_at: datetime | None
    registered_at: datetime | None
    finished_at: datetime | None
    created_at: datetime
    created_by: str
    sent_at: datetime | None
    revoked_at: datetime | None
    revoked_by: str | None
    last_opened_at: datetime | None
    guest_name: str
    email: str | None
    locale: str
    check_in_on: date | None
    check_out_on: date | None
    unit_id: str
    unit_name: str
    building_id: str
    building: Bilingual
    address: Bilingual
    state: CheckInLinkState

    @property
    def nights(self) -> int:
        """The number of nights; 0 if a day cannot be read."""
        if self.check_in_on is None or self.check_out_on is None:
            return 0
        return (self.check_out_on - self.check_in_on).days

    @property
    def ends_at(self) -> datetime | None:
        """The instant at which the link expires."""
        return link_ends_at(self.check_out_on) if self.check_out_on else None

    def token(self, signer: Signer) -> str:
        """Return the token in the link's address."""
        return signer.short(CHECK_IN_LINK.purpose, self.nonce)


def stay_link(session: Session, link_id: str, today: date) -> StayLink:
    """Return one link; raise `NotFound` for an unknown id."""
    row = None
    if is_id(link_id):
        row = session.execute(LINKS.where(CheckInLink.id == link_id)).first()
    if row is None:
        raise no_such("check-in link", link_id)
    return shaped_link(row, today)


def link_of_reservation(session: Session, reservation_id: str, today: date) -> StayLink | None:
    """Return the link of a booking, or None."""
    asked = LINKS.where(CheckInLink.reservation_id == reservation_id)
    row = session.execute(asked).first() if is_id(reservation_id) else None
    return None if row is None else shaped_link(row, today)


LINKS: Final[Select[*tuple[Any, ...]]] = (
    select(
        CheckInLink.id,
        CheckInLink.nonce,
        CheckInLink.reservation_id,
        CheckInLink.guests,
        CheckInLink.arrival_time,
        CheckInLink.rules_accepted_at,
        CheckInLink.registered_at,
        CheckInLink.finished_at,
        CheckInLink.created_at,
        CheckInLink.created_by,
        CheckInLink.sent_at,
        CheckInLink.revoked_at,
        CheckInLink.revoked_by,
        CheckInLink.last_opened_at,
        Reservation.name.label("guest_name"),
        Reservation.email,
        Reservation.locale,
        Reservation.starts_on,
        Reservation.ends_on,
        Unit.id.label("unit_id"),
        Unit.name.label("unit_name"),
        Building.id.label("building_id"),
        Building.name.label("building_ja"),
        Building.name_en.label("building_en"),
        Building.address.label("address_ja"),
        Building.address_en,
        Reservation.cancelled_at,
        Reservation.lifecycle,
    )
    .join(Reservation, refers_to(CheckInLink.reservation_id, Reservation))
    .join(Unit, refers_to(Reservation.unit_id, Unit))
    .join(Unit.building)
)
"""Links with their stays, to be filtered further."""


def shaped_link(row: Sequence[Any], today: date) -> StayLink:
    """Return a row of `LINKS` as a link."""
    *values, building_ja, building_en, address_ja, address_en, cancelled_at, lifecycle = row
    state = check_in_link_state(
        today=today,
        revoked_at=values[11],
        cancelled_at=cancelled_at,
        lifecycle=lifecycle,
        check_out_on=values[18],
    )
    names = Bilingual(building_ja, building_en), Bilingual(address_ja, address_en)
    return StayLink._make((*values, *names, state))
