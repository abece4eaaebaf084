"""The people and papers of a contract, what its building asks for, and what is missing."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import BigInteger, cast, literal, null, select, union_all
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.contracts.models import (
    AskedOfBuilding,
    ContractPeople,
    EmergencyContact,
    GuaranteeCompany,
    Guarantor,
    IdentityPaper,
    Occupation,
)
from pms.foundation.errors import Refused
from pms.foundation.phrases import Phrase
from pms.foundation.prepared import one_of
from pms.foundation.tenancy import refers_to
from pms.foundation.versions import asked_once
from pms.foundation.work import find_row
from pms.reservations.models import Reservation
from pms.rules.contract_people import AskedFor, PeopleKind, PeopleLack, find_lacks
from pms.rules.enumerations import Lifecycle

_APPLYING: Final = (Lifecycle.BOOKED, Lifecycle.CONFIRMED)
_LACKS: Final[Mapping[PeopleLack, Phrase]] = {
    PeopleLack.GUARANTOR: Phrase("This building asks for a guarantor, and none is named."),
    PeopleLack.GUARANTOR_AMOUNT: Phrase(
        "The guarantor has no highest amount. Without it in writing the guarantee is void (Civil "
        "Code, Article 465-2)."
    ),
    PeopleLack.GUARANTEE_COMPANY: Phrase(
        "This building asks for a guarantee company, and none is recorded."
    ),
    PeopleLack.EMERGENCY_CONTACT: Phrase(
        "This building asks for an emergency contact, and none is named."
    ),
    PeopleLack.OCCUPATION: Phrase("This building asks for the employer or school."),
    PeopleLack.IDENTITY_PAPER: Phrase(
        "This building asks for an identity paper, and none was received."
    ),
}


class NamedPeople(NamedTuple):
    """The people and papers of one contract; None for those that nobody named."""

    guarantor: Guarantor | None = None
    guarantee_company: GuaranteeCompany | None = None
    emergency_contact: EmergencyContact | None = None
    occupation: Occupation | None = None
    papers: Sequence[IdentityPaper] = ()


def people_of_reservation(session: Session, reservation_id: str) -> str | None:
    """Return what the people of a tenancy hang on, None before the first one."""
    return session.scalar(
        select(ContractPeople.id).where(ContractPeople.reservation_id == reservation_id)
    )


def named_people(session: Session, people_id: str | None) -> NamedPeople:
    """Return the people and papers of a contract, its papers in the order they came."""
    if people_id is None:
        return NamedPeople()
    parts = (Guarantor, GuaranteeCompany, EmergencyContact, Occupation)
    asked = select(*parts).select_from(ContractPeople)
    for part in parts:
        asked = asked.outerjoin(part, refers_to(part.people_id, ContractPeople))
    found = session.execute(asked.where(ContractPeople.id == people_id)).one()
    papers = session.scalars(
        select(IdentityPaper)
        .where(IdentityPaper.people_id == people_id)
        .order_by(IdentityPaper.written_at, IdentityPaper.id)
    )
    return NamedPeople(*found, papers.all())


def named_paper(session: Session, paper_id: str) -> IdentityPaper:
    """Return an identity paper, what is sealed of it unopened; raise `NotFound`."""
    return find_row(session, IdentityPaper, paper_id)


def guarantors_of(session: Session, people_id: str | None) -> NamedPeople:
    """Return the guarantor and the guarantee company of a contract alone."""
    if people_id is None:
        return NamedPeople()
    found = session.execute(
        select(Guarantor, GuaranteeCompany)
        .select_from(ContractPeople)
        .outerjoin(Guarantor, refers_to(Guarantor.people_id, ContractPeople))
        .outerjoin(GuaranteeCompany, refers_to(GuaranteeCompany.people_id, ContractPeople))
        .where(ContractPeople.id == people_id)
    ).one()
    return NamedPeople(*found)


def asked_of_building(session: Session, building_id: str) -> Mapping[PeopleKind, AskedOfBuilding]:
    """Return what a building asks for, by kind in their order; the others are not asked for."""
    return asked_once(session, _ask_building, building_id)


def _ask_building(session: Session, building_id: str) -> Mapping[PeopleKind, AskedOfBuilding]:
    found = session.scalars(
        select(AskedOfBuilding).where(
            AskedOfBuilding.building_id == building_id, AskedOfBuilding.asked != AskedFor.NONE
        )
    )
    rows = {row.kind: row for row in found}
    return {kind: rows[kind] for kind in PeopleKind if kind in rows}


class PeopleOfHome(NamedTuple):
    """What the people of a contract hang on, None before the first one, and the building."""

    people_id: str | None
    building_id: str


def lacking_people(
    session: Session, people_id: str | None, building_id: str
) -> Sequence[PeopleLack]:
    """Return what a contract of a building lacks before it may be sent or signed."""
    contract = PeopleOfHome(people_id, building_id)
    return lacking_of_many(session, [contract])[contract]


def lacking_of_many(
    session: Session, contracts: Collection[PeopleOfHome]
) -> Mapping[PeopleOfHome, Sequence[PeopleLack]]:
    """Return what each of these contracts lacks, in two queries."""
    asked: defaultdict[str, dict[PeopleKind, AskedFor]] = defaultdict(dict)
    buildings = {contract.building_id for contract in contracts}
    for row in session.scalars(
        select(AskedOfBuilding).where(one_of(AskedOfBuilding.building_id, buildings))
    ):
        asked[row.building_id][row.kind] = row.asked
    given: defaultdict[str | None, dict[PeopleKind, int | None]] = defaultdict(dict)
    ids = {contract.people_id for contract in contracts if contract.people_id is not None}
    tables: Sequence[Any] = (
        Guarantor,
        GuaranteeCompany,
        EmergencyContact,
        Occupation,
        IdentityPaper,
    )
    parts = [
        select(
            literal(kind.value).label("kind"),
            table.people_id,
            (Guarantor.highest_yen if table is Guarantor else cast(null(), BigInteger)).label(
                "yen"
            ),
        ).where(one_of(table.people_id, ids))
        for kind, table in zip(PeopleKind, tables, strict=True)
    ]
    for kind, people_id, yen in session.execute(union_all(*parts)) if ids else ():
        given[people_id][PeopleKind(kind)] = yen
    return {
        contract: find_lacks(
            asked[contract.building_id],
            given[contract.people_id],
            highest_yen=given[contract.people_id].get(PeopleKind.GUARANTOR),
        )
        for contract in contracts
    }


def lacking_people_of(session: Session, row: Reservation) -> Sequence[PeopleLack]:
    """Return what the contract of a tenancy lacks; who lives there lacks only an amount.

    The building decides about its applicants, as with their screening.
    """
    asked = select(Unit.building_id).where(Unit.id == row.unit_id)
    people_id = people_of_reservation(session, row.id)
    lacks = lacking_people(session, people_id, session.scalars(asked).one())
    if row.lifecycle in _APPLYING:
        return lacks
    return [lack for lack in lacks if lack is PeopleLack.GUARANTOR_AMOUNT]


def refuse_lacking(lacks: Sequence[PeopleLack]) -> None:
    """Raise `Refused` with the first thing that keeps a contract from being sent or signed."""
    if lacks:
        raise Refused("people: {reason}", reason=_LACKS[lacks[0]])
