"""Identity papers that expire, and guarantees to be renewed, of who lives here or is about to."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    BigInteger,
    Select,
    String,
    and_,
    cast,
    func,
    literal,
    null,
    select,
    union_all,
)
from sqlalchemy.orm import Session, aliased

from pms.catalogue.models import Building, Unit
from pms.contracts.models import ContractPeople, GuaranteeCompany, IdentityPaper
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.reservations.models import Reservation
from pms.rules.contract_people import IdentityKind, PeopleKind
from pms.rules.enumerations import Lifecycle
from pms.workspaces.queries import policy

_HERE: Final = (
    Lifecycle.BOOKED,
    Lifecycle.CONFIRMED,
    Lifecycle.LIVING,
    Lifecycle.NOTICE_FILED,
)


class ExpiringPiece(NamedTuple):
    """A paper with its last day, or a guarantee company with the day and the fee of its renewal."""

    kind: PeopleKind
    id: str
    reservation_id: str
    name: str
    unit: str
    building: Bilingual
    on: date
    paper: IdentityKind | None
    company: str | None
    fee_yen: int | None


def expiring_pieces(
    session: Session, today: date, few: int | None = None
) -> Sequence[ExpiringPiece]:
    """Return the first few papers and guarantees that ended or soon end, the earliest day first.

    A paper is left out once another one of its kind that lasts longer is there, and those of
    residents who leave before the day.
    """
    last_on = today + timedelta(days=policy(session).expiry_reminder_days)
    later = aliased(IdentityPaper)
    has_later = (
        select(later.id)
        .where(
            later.workspace_id == IdentityPaper.workspace_id,
            later.people_id == IdentityPaper.people_id,
            later.kind == IdentityPaper.kind,
            later.expires_on > IdentityPaper.expires_on,
        )
        .exists()
    )
    papers = _select_residents(
        select(
            literal(PeopleKind.IDENTITY_PAPER.value).label("piece"),
            IdentityPaper.id,
            IdentityPaper.expires_on.label("on_day"),
            cast(IdentityPaper.kind, String).label("paper"),
            cast(null(), String).label("company"),
            cast(null(), BigInteger).label("fee_yen"),
        ).join(ContractPeople, refers_to(IdentityPaper.people_id, ContractPeople)),
        IdentityPaper.expires_on,
        last_on,
    ).where(~has_later)
    companies = _select_residents(
        select(
            literal(PeopleKind.GUARANTEE_COMPANY.value).label("piece"),
            GuaranteeCompany.id,
            GuaranteeCompany.renews_on.label("on_day"),
            cast(null(), String).label("paper"),
            GuaranteeCompany.name.label("company"),
            cast(GuaranteeCompany.fee_yen, BigInteger).label("fee_yen"),
        ).join(ContractPeople, refers_to(GuaranteeCompany.people_id, ContractPeople)),
        GuaranteeCompany.renews_on,
        last_on,
    )
    found = union_all(papers, companies).subquery()
    rows = session.execute(select(found).order_by(found.c.on_day, found.c.id).limit(few))
    return [
        ExpiringPiece(
            kind=PeopleKind(row.piece),
            id=row.id,
            reservation_id=row.reservation_id,
            name=row.name,
            unit=row.unit,
            building=Bilingual(row.ja, row.en),
            on=row.on_day,
            paper=IdentityKind(row.paper) if row.paper else None,
            company=row.company,
            fee_yen=row.fee_yen,
        )
        for row in rows
    ]


def _select_residents(
    asked: Select[*tuple[Any, ...]], column: Any, last_on: date
) -> Select[*tuple[Any, ...]]:
    """Add who the pieces that end until a day belong to."""
    return (
        asked.add_columns(
            Reservation.id.label("reservation_id"),
            Reservation.name,
            Unit.name.label("unit"),
            Building.name.label("ja"),
            Building.name_en.label("en"),
        )
        .join(Reservation, refers_to(ContractPeople.reservation_id, Reservation))
        .join(Reservation.unit)
        .join(Unit.building)
        .where(
            and_(column.is_not(None), column <= last_on),
            Reservation.lifecycle.in_(_HERE),
            func.coalesce(Reservation.ends_on, column) >= column,
        )
    )
