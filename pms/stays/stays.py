"""Stays with a link, and the terms that guests accept."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, NamedTuple, TypedDict, Unpack

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import check_text, shorten_text
from pms.catalogue.models import Building, Unit
from pms.foundation.audit import of_workspace, set_columns
from pms.foundation.errors import Collision, Refused, no_such, whole_number
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual, join_with_commas
from pms.foundation.tenancy import refers_to, workspace_of
from pms.foundation.tokens import LinkKind, Signer
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import CheckInLinkState, RegisterField
from pms.rules.links import (
    arrives_at,
    check_in_link_state,
    codes_released_at,
    is_clock_time,
    link_ends_at,
)
from pms.stays.models import CheckInLink, StayTerms
from pms.workspaces.settings import workspace_to_edit


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestTerms:
    """The terms for guests; times are in Japan, as `15:00`; `rules` has one text per language."""

    check_in_time: str = "15:00"
    check_out_time: str = "10:00"
    release_minutes: int = 0
    codes_need_register: bool = True
    wants_passport_copy: bool = True
    register_fields: tuple[RegisterField, ...] = ()
    register_kept_years: int = 3
    rules: Bilingual = Bilingual("", "")  # noqa: RUF009  # a tuple, which nothing changes
    version: int = 1

    @property
    def has_rules(self) -> bool:
        """Whether there are house rules to accept."""
        return bool(self.rules.ja or self.rules.en)

    def arrives_at(self, check_in_on: date | None) -> datetime | None:
        """Return the check-in instant of a day."""
        return arrives_at(check_in_on, self.check_in_time)

    def released_at(self, check_in_on: date | None) -> datetime | None:
        """Return the instant from which guests of a day are shown the codes."""
        return codes_released_at(check_in_on, self.check_in_time, self.release_minutes)

    def are_codes_shown(self, now: datetime, nights: tuple[date | None, date | None]) -> bool:
        """Whether codes are shown now: from their release until the check-out, both in Japan."""
        released_at = self.released_at(nights[0])
        leaves_at = arrives_at(nights[1], self.check_out_time)
        return released_at is not None and leaves_at is not None and released_at <= now < leaves_at


def stay_terms(session: Session) -> GuestTerms:
    """Return the terms of the session's workspace, or the defaults without a row."""
    row = session.scalars(select(StayTerms)).first()
    return GuestTerms() if row is None else terms_of(row)


def terms_of(row: StayTerms) -> GuestTerms:
    """Return a row as terms; unknown fields of the register are left out."""
    return GuestTerms(
        check_in_time=row.check_in_time,
        check_out_time=row.check_out_time,
        release_minutes=row.release_minutes,
        codes_need_register=row.codes_need_register,
        wants_passport_copy=row.wants_passport_copy,
        register_fields=tuple(
            field for field in RegisterField if field.value in row.register_fields
        ),
        register_kept_years=row.register_kept_years,
        rules=Bilingual(row.rules_ja, row.rules_en),
        version=row.version,
    )


NUMBERS: Final = {
    "release_minutes": ("releaseMinutes", 0, 24 * 60),
    "register_kept_years": ("registerKeptYears", 3, 10),
}
"""The column, its field, and the valid range: the law requires a register for three years."""
LONGEST_RULES: Final = 4_000
_TIMES: Final = {"check_in_time": "checkInTime", "check_out_time": "checkOutTime"}
_TEXTS: Final = {"rules_ja": "rulesJa", "rules_en": "rulesEn"}


class StatedTerms(TypedDict, total=False):
    """The columns of `StayTerms` to change; those left out stay as they are."""

    check_in_time: str | None
    check_out_time: str | None
    release_minutes: int
    codes_need_register: bool
    wants_passport_copy: bool
    register_fields: Sequence[str]
    register_kept_years: int
    rules_ja: str | None
    rules_en: str | None


def set_stay_terms(
    work: Work, *, expected_version: int | None = None, **stated: Unpack[StatedTerms]
) -> GuestTerms:
    """Save the terms; they apply at once, also to stays booked before.

    Raises `Refused` for invalid values, and `Collision` if the terms changed since that version.
    """
    after = {name: _check_value(name, value) for name, value in stated.items()}
    row = _lock_terms_row(work.session)
    if expected_version is not None and row.version != expected_version:
        raise Collision("version: a colleague changed this in the meantime.")
    before = {name: getattr(row, name) for name in after}
    if before != after:
        about = of_workspace(work.session)
        set_columns(work, AuditEvent.STAY_TERMS_SET, row, after, about=about)
    return terms_of(row)


def _lock_terms_row(session: Session) -> StayTerms:
    workspace_to_edit(session)  # serialises two first saves of the terms
    row = session.scalars(
        select(StayTerms).with_for_update().execution_options(populate_existing=True)
    ).first()
    if row is None:
        row = StayTerms(id=workspace_of(session))
        session.add(row)
        session.flush()
    return row


def _check_value(name: str, value: Any) -> Any:
    if name in NUMBERS:
        field, least, most = NUMBERS[name]
        return whole_number(field, value, least, most)
    if name in _TIMES:
        return _check_time(_TIMES[name], value)
    if name in _TEXTS:
        return check_text(_TEXTS[name], value, LONGEST_RULES) or ""
    return _check_register_fields(value) if name == "register_fields" else bool(value)


def _check_time(field: str, value: str | None) -> str:
    if value is None or not is_clock_time(value):
        raise Refused(
            "{field}: '{value}' is not a time such as 15:00.",
            field=field,
            value=shorten_text(value or ""),
        )
    return value


def _check_register_fields(value: Sequence[str]) -> list[str]:
    unknown = [name for name in value if name not in list(RegisterField)]
    if unknown:
        raise Refused(
            "registerFields: '{value}' is not one of {allowed}.",
            value=shorten_text(str(unknown[0])),
            allowed=join_with_commas(field.value for field in RegisterField),
        )
    return [field.value for field in RegisterField if field in value]


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
