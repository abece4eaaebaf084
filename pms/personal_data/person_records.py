"""The records under which a person is known: reservations, enquiries, applications and others."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, func, literal, or_, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Owner
from pms.enquiries.models import Lead, Viewing, WaitlistPlace
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import OfWorkspace, refers_to
from pms.inbox.models import Enquiry
from pms.offers.models import ReservationLink
from pms.reservations.models import CoOccupant, Reservation
from pms.stays.models import GuestRegistration

MOST_OF_A_KIND: Final = 50


class PersonRecord(NamedTuple):
    """One record of a person; `kind` is its table. `on` is its day, for people to tell it by."""

    kind: str
    id: str
    name: str
    email: str | None
    phone: str | None
    on: date | datetime | None

    @property
    def reference(self) -> str:
        """The record as forms and commands name it."""
        return f"{self.kind}/{self.id}"


class _Kind(NamedTuple):
    """A table whose rows are records of people, and which of its columns say who and when."""

    model: type[Any]
    name: Any
    email: Any
    phone: Any
    on: Any

    def select(self, *conditions: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
        nothing = literal(None)
        columns = (self.email, self.phone, self.on)
        return (
            select(
                self.model.id,
                self.name,
                *(nothing if column is None else column for column in columns),
            )
            .where(*conditions)
            .order_by(self.model.id.desc())
        )


_KINDS: Final = (
    _Kind(
        Reservation, Reservation.name, Reservation.email, Reservation.phone, Reservation.starts_on
    ),
    _Kind(
        CoOccupant,
        CoOccupant.name,
        None,
        None,
        select(Reservation.starts_on)
        .where(refers_to(CoOccupant.reservation_id, Reservation))
        .scalar_subquery(),
    ),
    _Kind(Enquiry, Enquiry.name, Enquiry.email, Enquiry.phone, Enquiry.received_at),
    _Kind(
        ReservationLink,
        ReservationLink.name,
        ReservationLink.email,
        None,
        ReservationLink.created_at,
    ),
    _Kind(
        Viewing,
        Viewing.visitor_name,
        Viewing.visitor_email,
        Viewing.visitor_phone,
        Viewing.starts_at,
    ),
    _Kind(
        WaitlistPlace,
        WaitlistPlace.name,
        WaitlistPlace.email,
        WaitlistPlace.phone,
        WaitlistPlace.added_at,
    ),
    _Kind(Lead, Lead.name, Lead.email, Lead.phone, Lead.received_at),
    _Kind(
        GuestRegistration,
        GuestRegistration.name,
        GuestRegistration.contact,
        None,
        GuestRegistration.written_at,
    ),
    _Kind(Owner, Owner.name, Owner.email, Owner.phone, Owner.created_at),
)
KINDS: Final[Mapping[str, type[OfWorkspace]]] = {
    kind.model.__tablename__: kind.model for kind in _KINDS
}
"""The tables that hold records of people, by name."""


def find_records(session: Session, text: str) -> Sequence[PersonRecord]:
    """Return the records with this email address or telephone number, or whose name contains it."""
    wanted = text.strip().casefold()
    if not wanted:
        return ()
    found: list[PersonRecord] = []
    for kind in _KINDS:
        who = [func.lower(kind.name).contains(wanted, autoescape=True)]
        for column in (kind.email, kind.phone):
            if column is not None:
                who.append(func.lower(func.trim(column)) == wanted)
        rows = session.execute(kind.select(or_(*who)).limit(MOST_OF_A_KIND))
        found += [_shape_record(kind, row) for row in rows]
    return found


def known_records(session: Session, references: Collection[str]) -> Sequence[PersonRecord]:
    """Return the named records; raise `NotFound` for one that is not in this workspace."""
    named = [reference.partition("/")[::2] for reference in dict.fromkeys(references)]
    found: list[PersonRecord] = []
    for kind in _KINDS:
        ids = [id_ for table, id_ in named if table == kind.model.__tablename__ and is_id(id_)]
        if ids:
            rows = session.execute(kind.select(one_of(kind.model.id, ids)))
            found += [_shape_record(kind, row) for row in rows]
    known = {record.reference for record in found}
    missing = [reference for reference in references if reference not in known]
    if missing:
        raise NotFound("There is no record '{reference}'.", reference=missing[0][:80])
    return found


def name_records(session: Session, who: Sequence[str]) -> Sequence[str]:
    """Return the records that are named by an email address or by themselves.

    Raises `NotFound` for an address that no record has.
    """
    named: list[str] = []
    for text in who:
        address = text.strip().casefold()
        if "@" not in address:
            named.append(text)
            continue
        records = find_records(session, address)
        found = [each for each in records if (each.email or "").strip().casefold() == address]
        if not found:
            raise NotFound("There is no record with the address '{address}'.", address=text[:100])
        named += [record.reference for record in found]
    return named


def _shape_record(kind: _Kind, row: Any) -> PersonRecord:
    id_, name, email, phone, on = row
    return PersonRecord(kind.model.__tablename__, id_, name or email or "", email, phone, on)
