"""Naming, correcting and removing the people and papers of a contract, and what buildings ask for."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.checks import (
    LONGEST_NAME,
    check_phone,
    check_reading,
    check_text,
    check_yen,
    needed_text,
)
from pms.catalogue.models import Building
from pms.contracts.contract_people import people_of_reservation
from pms.contracts.models import (
    AskedOfBuilding,
    ContractPeople,
    EmergencyContact,
    GuaranteeCompany,
    Guarantor,
    IdentityPaper,
    Occupation,
)
from pms.contracts.outdated_papers import mark_outdated
from pms.foundation.audit import (
    Subject,
    facts_of,
    note_audit_event,
    note_difference,
    of_reservation,
)
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.foundation.sealing import opened_text, sealed_text
from pms.foundation.work import Work, locked
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.contract_people import (
    EXPIRING,
    AskedFor,
    IdentityKind,
    OccupationKind,
    PeopleKind,
    may_keep_number,
)

_LONGEST_NUMBER: Final = 40
PARTIES: Final[Mapping[PeopleKind, Any]] = {
    PeopleKind.GUARANTOR: Guarantor,
    PeopleKind.GUARANTEE_COMPANY: GuaranteeCompany,
    PeopleKind.EMERGENCY_CONTACT: EmergencyContact,
    PeopleKind.OCCUPATION: Occupation,
}
"""The tables of which a contract has one row each."""
# Each column with the check of what is typed; the check gets the field's name in forms.
_CHECKS: Final[Mapping[PeopleKind, Mapping[str, Callable[[str, Any], Any]]]] = {
    PeopleKind.GUARANTOR: {
        "name": lambda field, text: needed_text(field, text, LONGEST_NAME),
        "name_kana": check_reading,
        "address": check_text,
        "phone": check_phone,
        "born_on": lambda _field, day: day,
        "relationship": lambda field, text: check_text(field, text, LONGEST_NAME),
        "highest_yen": lambda field, yen: check_yen(field, yen) or None,
    },
    PeopleKind.GUARANTEE_COMPANY: {
        "name": lambda field, text: needed_text(field, text, LONGEST_NAME),
        "number": lambda field, text: check_text(field, text, LONGEST_NAME),
        "plan": lambda field, text: check_text(field, text, LONGEST_NAME),
        "from_on": lambda _field, day: day,
        "renews_on": lambda _field, day: day,
        "fee_yen": check_yen,
    },
    PeopleKind.EMERGENCY_CONTACT: {
        "name": lambda field, text: needed_text(field, text, LONGEST_NAME),
        "name_kana": check_reading,
        "relationship": lambda field, text: check_text(field, text, LONGEST_NAME),
        "phone": lambda field, text: check_phone(field, needed_text(field, text, 50)),
        "address": check_text,
    },
    PeopleKind.OCCUPATION: {
        "kind": lambda _field, kind: OccupationKind(kind),
        "name": needed_text,
        "phone": check_phone,
        "address": check_text,
    },
}
FIELDS: Final[Mapping[str, str]] = {
    "kind": "kind",
    "name": "name",
    "name_kana": "nameKana",
    "address": "address",
    "phone": "phone",
    "born_on": "bornOn",
    "relationship": "relationship",
    "highest_yen": "highestYen",
    "number": "number",
    "plan": "plan",
    "from_on": "fromOn",
    "renews_on": "renewsOn",
    "fee_yen": "feeYen",
}
"""The names that columns have in forms and refusals."""


def hold_people(session: Session, clock: Clock, *, reservation_id: str) -> str:
    """Return what the people of a tenancy hang on, which is made for the first one."""
    row = reservation_to_change(session, reservation_id)
    return people_of_reservation(session, row.id) or begin_people(session, clock, row.id)


def begin_people(session: Session, clock: Clock, reservation_id: str | None = None) -> str:
    """Store what the people of a tenancy or an offer hang on; return its id."""
    people = ContractPeople(id=new_id(), reservation_id=reservation_id, updated_at=clock.now())
    session.add(people)
    session.flush()
    return people.id


def adopt_people(session: Session, people_id: str, reservation_id: str) -> None:
    """Assign the people and papers of an offer to its booking."""
    locked(session, ContractPeople, people_id).reservation_id = reservation_id
    session.flush()


def carry_people_on(session: Session, old: Reservation, new: Reservation) -> None:
    """Let the people and papers go on with a resident who changes rooms or terms.

    Another contract holder has people of their own. The contract that ends keeps what it printed.
    """
    people_id = people_of_reservation(session, old.id)
    if people_id is not None and new.name == old.name:
        locked(session, ContractPeople, people_id).reservation_id = new.id
        session.flush()


def write_party(
    work: Work, *, people_id: str, kind: PeopleKind, written: Mapping[str, Any]
) -> None:
    """Name or correct the guarantor, the guarantee company, the contact or the employer.

    Columns that are left out keep what they have. Raises `Refused` naming the field for a value
    that cannot be kept, and for a birthday or a first day that makes no sense.
    """
    people = locked(work.session, ContractPeople, people_id)
    row = work.session.scalar(select(PARTIES[kind]).where(PARTIES[kind].people_id == people_id))
    before = {} if row is None else facts_of(row)
    values = {
        column: check(FIELDS[column], written[column])
        for column, check in _CHECKS[kind].items()
        if column in written
    }
    _refuse_strange_days(values, work.clock.today())
    if row is None:
        row = PARTIES[kind](id=new_id(), people_id=people_id)
        work.session.add(row)
    for column, value in values.items():
        setattr(row, column, value)
    work.session.flush()
    facts = {name: value for name, value in facts_of(row).items() if name != "people_id"}
    note_difference(work, _NAMED_EVENTS[kind], _find_subject(people), before=before, after=facts)
    _count_change(work, people)
    if people.reservation_id is not None:
        mark_outdated(work, [people.reservation_id])


def remove_party(work: Work, *, people_id: str, kind: PeopleKind) -> None:
    """Remove the guarantor, the guarantee company, the contact or the employer; repeats do nothing."""
    people = locked(work.session, ContractPeople, people_id)
    row = work.session.scalar(select(PARTIES[kind]).where(PARTIES[kind].people_id == people_id))
    if row is None:
        return
    note_audit_event(
        work,
        AuditEvent.PEOPLE_REMOVED,
        _find_subject(people),
        before={"piece": kind, "name": row.name},
    )
    work.session.delete(row)
    work.session.flush()
    _count_change(work, people)
    if people.reservation_id is not None:
        mark_outdated(work, [people.reservation_id])


_NAMED_EVENTS: Final = {
    PeopleKind.GUARANTOR: AuditEvent.GUARANTOR_NAMED,
    PeopleKind.GUARANTEE_COMPANY: AuditEvent.GUARANTEE_COMPANY_NAMED,
    PeopleKind.EMERGENCY_CONTACT: AuditEvent.EMERGENCY_CONTACT_NAMED,
    PeopleKind.OCCUPATION: AuditEvent.OCCUPATION_NAMED,
}


def _count_change(work: Work, people: ContractPeople) -> None:
    people.updated_at = work.clock.now()
    people.version += 1
    work.session.flush()


def _refuse_strange_days(values: Mapping[str, Any], today: date) -> None:
    born_on = values.get("born_on")
    if born_on is not None and born_on >= today:
        raise Refused("bornOn: {day} is not in the past.", day=born_on)
    from_on, renews_on = values.get("from_on"), values.get("renews_on")
    if from_on is not None and renews_on is not None and renews_on <= from_on:
        raise Refused(
            "renewsOn: {day} is not after the first day, {first_on}.",
            day=renews_on,
            first_on=from_on,
        )


def _find_subject(people: ContractPeople) -> Subject:
    if people.reservation_id is not None:
        return of_reservation(people.reservation_id)
    return ("contract_people", people.id)


class WrittenPaper(NamedTuple):
    """An identity paper as it is typed; `file_key` is a new picture, stored already."""

    kind: IdentityKind
    number: str | None = None
    expires_on: date | None = None
    file_key: str | None = None


def add_paper(work: Work, *, people_id: str, written: WrittenPaper) -> str:
    """Add an identity paper; return its id. Raises `Refused` naming the field."""
    people = locked(work.session, ContractPeople, people_id)
    paper = IdentityPaper(
        id=new_id(),
        people_id=people_id,
        **_check_paper(work, written),
        file_key=written.file_key,
        written_at=work.clock.now(),
        written_by=work.actor,
    )
    work.session.add(paper)
    facts = {"kind": paper.kind, "valid_through": paper.expires_on}
    note_audit_event(work, AuditEvent.IDENTITY_PAPER_ADDED, _find_subject(people), after=facts)
    _count_change(work, people)
    return paper.id


def correct_paper(work: Work, *, paper_id: str, written: WrittenPaper) -> str | None:
    """Correct an identity paper; return the key of the picture it replaces, to be deleted, or None.

    Without a new number or picture the one that is kept stays.
    """
    paper = locked(work.session, IdentityPaper, paper_id)
    people = locked(work.session, ContractPeople, paper.people_id)
    number = written.number or opened_text(work.session, paper.sealed_number)
    keeps = may_keep_number(written.kind)
    columns = _check_paper(work, written._replace(number=number if keeps else written.number))
    freed = paper.file_key if written.file_key is not None else None
    before = {"kind": paper.kind, "valid_through": paper.expires_on}
    paper.kind, paper.expires_on = columns["kind"], columns["expires_on"]
    paper.sealed_number = columns["sealed_number"]
    paper.file_key = written.file_key or paper.file_key
    after = {
        "kind": paper.kind,
        "valid_through": paper.expires_on,
        "new_picture": freed is not None,
    }
    note_difference(
        work,
        AuditEvent.IDENTITY_PAPER_CORRECTED,
        _find_subject(people),
        before={**before, "new_picture": False},
        after=after,
    )
    _count_change(work, people)
    return freed


def remove_paper(work: Work, *, paper_id: str) -> str | None:
    """Remove an identity paper; return the key of its picture, to be deleted, or None."""
    paper = locked(work.session, IdentityPaper, paper_id)
    people = locked(work.session, ContractPeople, paper.people_id)
    facts = {"kind": paper.kind, "valid_through": paper.expires_on}
    note_audit_event(work, AuditEvent.IDENTITY_PAPER_REMOVED, _find_subject(people), before=facts)
    freed = paper.file_key
    work.session.delete(paper)
    _count_change(work, people)
    return freed


class OpenedIdentityPaper(NamedTuple):
    """What is sealed of an identity paper: its number, and the key of its picture."""

    paper: IdentityPaper
    number: str | None
    file_key: str | None


def open_paper(work: Work, *, paper_id: str) -> OpenedIdentityPaper:
    """Return what is sealed of an identity paper; that it was looked at is noted each time."""
    paper = locked(work.session, IdentityPaper, paper_id)
    people = locked(work.session, ContractPeople, paper.people_id)
    facts = {"kind": paper.kind, "valid_through": paper.expires_on}
    note_audit_event(work, AuditEvent.IDENTITY_PAPER_OPENED, _find_subject(people), after=facts)
    return OpenedIdentityPaper(
        paper, opened_text(work.session, paper.sealed_number), paper.file_key
    )


def _check_paper(work: Work, written: WrittenPaper) -> dict[str, Any]:
    kind = IdentityKind(written.kind)
    number = check_text("number", written.number, _LONGEST_NUMBER)
    if number is not None and not may_keep_number(kind):
        raise Refused(
            "number: do not enter the number of a My Number card. The law forbids keeping it."
        )
    if written.expires_on is None and kind in EXPIRING:
        raise Refused("expiresOn: enter the day on which this paper expires.")
    return {
        "kind": kind,
        "sealed_number": sealed_text(work.session, number),
        "expires_on": written.expires_on,
    }


def ask_of_building(
    work: Work,
    *,
    building_id: str,
    asked: Mapping[PeopleKind, AskedFor],
    highest_yen: int | None = None,
) -> None:
    """Set what a building asks its applicants for; kinds that are left out stay as they are.

    `highest_yen` is the amount up to which a guarantor named on a link answers, None to enter it
    for each contract.
    """
    locked(work.session, Building, building_id)
    rows = {
        row.kind: row
        for row in work.session.scalars(
            select(AskedOfBuilding).where(AskedOfBuilding.building_id == building_id)
        )
    }
    yen = check_yen("highestYen", highest_yen) or None
    before: dict[str, Any] = {
        f"asks_{kind}": rows[kind].asked if kind in rows else AskedFor.NONE for kind in asked
    }
    guarantor = rows.get(PeopleKind.GUARANTOR)
    before["highest_yen"] = guarantor.highest_yen if guarantor else None
    after: dict[str, Any] = {f"asks_{kind}": level for kind, level in asked.items()}
    if PeopleKind.GUARANTOR in asked:
        after["highest_yen"] = yen
    for kind, level in asked.items():
        row = rows.get(kind)
        if row is None:
            row = AskedOfBuilding(id=new_id(), building_id=building_id, kind=kind)
            work.session.add(row)
        row.asked = level
        row.highest_yen = yen if kind is PeopleKind.GUARANTOR else None
    note_difference(
        work, AuditEvent.BUILDING_ASKS_SET, ("building", building_id), before=before, after=after
    )
    work.session.flush()
