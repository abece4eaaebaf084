"""One enquiry with what was answered and noted, and everything else of the same person."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.enquiries.enquiry_in_hand import no_enquiry
from pms.enquiries.enquiry_list import ENQUIRIES, WIDTH, ListedEnquiry, listed
from pms.enquiries.models import Enquiry, EnquiryNote, WaitlistPlace
from pms.enquiries.viewing_list import ListedViewing, viewings_of_enquiry
from pms.enquiries.what_was_said import Said, what_was_said
from pms.enquiries.written_enquiry import WrittenEnquiry
from pms.foundation.bilingual import Bilingual
from pms.foundation.ids import is_id
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle, WaitlistState

_FEW: Final = 10


class PlaceOfPerson(NamedTuple):
    """A place on the waitlist under the same address."""

    id: str
    state: WaitlistState
    wanted_from_on: date
    unit_name: str | None
    building: Bilingual


class TenancyOfPerson(NamedTuple):
    """A reservation under the same address."""

    id: str
    name: str
    lifecycle: Lifecycle
    unit_name: str
    building: Bilingual


class EnquiryRecord(NamedTuple):
    """One enquiry as it stands, and what is known of whoever asks."""

    enquiry: ListedEnquiry
    version: int
    received_by: str
    external_id: str | None
    said: Sequence[Said]
    viewings: Sequence[ListedViewing]
    others: Sequence[ListedEnquiry]
    places: Sequence[PlaceOfPerson]
    tenancies: Sequence[TenancyOfPerson]

    @property
    def written(self) -> WrittenEnquiry:
        """What the office may correct."""
        one = self.enquiry
        return WrittenEnquiry(
            name=one.name,
            source=one.source,
            email=one.email,
            phone=one.phone,
            message=one.message,
            unit_id=one.unit_id,
            building_id=None if one.unit_id else one.building_id,
            move_in_on=one.move_in_on,
            locale=one.locale,
        )


def enquiry_record(session: Session, enquiry_id: str) -> EnquiryRecord:
    """Return the enquiry; raise `NotFound` for an id of nobody here."""
    row: Any = None
    if is_id(enquiry_id):
        question = ENQUIRIES.add_columns(
            Enquiry.version,
            Enquiry.received_by,
            Enquiry.external_id,
            Enquiry.email_key,
            Enquiry.phone_key,
        )
        row = session.execute(question.where(Enquiry.id == enquiry_id)).first()
    if row is None:
        raise no_enquiry(enquiry_id)
    version, received_by, external_id, email_key, phone_key = row[WIDTH:]
    return EnquiryRecord(
        enquiry=listed(row),
        version=version,
        received_by=received_by,
        external_id=external_id,
        said=what_was_said(session, EnquiryNote, EnquiryNote.enquiry_id == enquiry_id),
        viewings=viewings_of_enquiry(session, enquiry_id),
        others=_others(session, enquiry_id, email_key, phone_key),
        places=_places(session, email_key),
        tenancies=_tenancies(session, email_key),
    )


def _others(
    session: Session, enquiry_id: str, email_key: str | None, phone_key: str | None
) -> Sequence[ListedEnquiry]:
    same: list[ColumnElement[bool]] = []
    if email_key:
        same.append(Enquiry.email_key == email_key)
    if phone_key:
        same.append(Enquiry.phone_key == phone_key)
    if not same:
        return []
    question = ENQUIRIES.where(or_(*same), Enquiry.id != enquiry_id).limit(_FEW)
    return [listed(row) for row in session.execute(question)]


def _places(session: Session, email_key: str | None) -> Sequence[PlaceOfPerson]:
    if email_key is None:
        return []
    rows = session.execute(
        select(
            WaitlistPlace.id,
            WaitlistPlace.state,
            WaitlistPlace.wanted_from_on,
            Unit.name,
            Building.name,
            Building.name_en,
        )
        .select_from(WaitlistPlace)
        .outerjoin(
            Unit,
            (Unit.workspace_id == WaitlistPlace.workspace_id) & (Unit.id == WaitlistPlace.unit_id),
        )
        .outerjoin(
            Building,
            (Building.workspace_id == WaitlistPlace.workspace_id)
            & or_(Building.id == WaitlistPlace.building_id, Building.id == Unit.building_id),
        )
        .where(func.lower(WaitlistPlace.email) == email_key)
        .order_by(WaitlistPlace.added_at.desc(), WaitlistPlace.id)
        .limit(_FEW)
    )
    return [PlaceOfPerson(*row[:4], Bilingual(row[4], row[5])) for row in rows]


def _tenancies(session: Session, email_key: str | None) -> Sequence[TenancyOfPerson]:
    if email_key is None:
        return []
    rows = session.execute(
        select(
            Reservation.id,
            Reservation.name,
            Reservation.lifecycle,
            Unit.name,
            Building.name,
            Building.name_en,
        )
        .join(Reservation.unit)
        .join(Unit.building)
        .where(Reservation.email_key == email_key)
        .order_by(Reservation.starts_on.desc(), Reservation.id)
        .limit(_FEW)
    )
    return [TenancyOfPerson(*row[:4], Bilingual(row[4], row[5])) for row in rows]
