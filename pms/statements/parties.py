"""Who a paper is from and whom it is for."""

from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.bilingual import Bilingual
from pms.reservations.models import Reservation
from pms.workspaces.models import Workspace


class Operator(NamedTuple):
    """The workspace as it signs its papers; the hue in degrees."""

    name: Bilingual
    hue: int
    qualified_invoice_number: str | None
    bank_details: str | None
    postcode: str | None
    address: str | None

    @property
    def address_lines(self) -> list[str]:
        """Return where the operator is written to, as it stands below the name on a paper."""
        postcode = f"〒{self.postcode}" if self.postcode else None
        return [line for line in (postcode, self.address) if line]


class Home(NamedTuple):
    """A resident, how to write to them, and where they live."""

    resident: str
    email: str | None
    locale: str
    building: Bilingual
    unit: str

    def said(self, locale: str) -> str:
        """Return the building and the unit in it."""
        return f"{self.building.said(locale)} {self.unit}"


def operator_of(session: Session) -> Operator:
    """Return the workspace of the session."""
    row = session.scalars(select(Workspace)).one()
    return Operator(
        name=Bilingual(row.name, row.name_en),
        hue=row.brand_hue,
        qualified_invoice_number=row.qualified_invoice_number,
        bank_details=row.bank_details,
        postcode=row.postcode,
        address=row.address,
    )


def home_of(session: Session, reservation_id: str) -> Home:
    """Return the resident of a reservation and the unit it is for."""
    name, email, locale, unit, building, building_en = session.execute(
        select(
            Reservation.name,
            Reservation.email,
            Reservation.locale,
            Unit.name,
            Building.name,
            Building.name_en,
        )
        .join(
            Unit, (Unit.workspace_id == Reservation.workspace_id) & (Unit.id == Reservation.unit_id)
        )
        .join(
            Building,
            (Building.workspace_id == Unit.workspace_id) & (Building.id == Unit.building_id),
        )
        .where(Reservation.id == reservation_id)
    ).one()
    return Home(name, email, locale, Bilingual(building, building_en), unit)
