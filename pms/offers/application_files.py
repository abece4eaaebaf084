"""One application for a guarantee company: what it says in both languages, and its PDF."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.contracts.contract_facts import ContractFacts, facts_of_reservation, place_text
from pms.contracts.contract_people import (
    NamedPeople,
    named_people,
    people_of_reservation,
)
from pms.contracts.models import Screening
from pms.foundation.audit import Subject, note_audit_event, of_reservation
from pms.foundation.errors import Refused
from pms.foundation.mail_texts import format_day, format_yen
from pms.foundation.phrases import Bilingual
from pms.foundation.translations import deferred_texts, translate, translate_both
from pms.foundation.work import Work, locked
from pms.offers.models import ReservationLink
from pms.offers.offer_documents import facts_of_offer
from pms.rules.audit_events import AuditEvent
from pms.rules.contract_people import IdentityKind, OccupationKind
from pms.statements.invoices import operator_of
from pms.statements.typesetting import typeset

_NOTHING: Final = "—"
_IDENTITIES: Final = deferred_texts(
    {
        IdentityKind.RESIDENCE_CARD: "Residence card",
        IdentityKind.PASSPORT: "Passport",
        IdentityKind.DRIVING_LICENCE: "Driving licence",
        IdentityKind.MY_NUMBER_CARD: "My Number card (front only)",
        IdentityKind.STUDENT_CARD: "Student card",
        IdentityKind.OTHER: "Other identity paper",
    },
    "identity paper",
)
_OCCUPATIONS: Final = deferred_texts(
    {
        OccupationKind.EMPLOYER: "Employer",
        OccupationKind.SCHOOL: "School",
        OccupationKind.OTHER: "Self-employed or other",
    },
    "occupation",
)


class ApplicationLine(NamedTuple):
    """One line of an application: part, item and value, each in both languages."""

    part: Bilingual
    item: Bilingual
    value: Bilingual


class ApplicationFile(NamedTuple):
    """The lines of an application, and whose it is."""

    name: str
    lines: Sequence[ApplicationLine]

    def typeset(self, session: Session, today: date) -> bytes:
        """Return the PDF: Japanese with English beside it."""
        operator = operator_of(session)
        parts: dict[str, list[tuple[str, str]]] = {}
        for line in self.lines:
            parts.setdefault(_write_both(line.part), []).append(
                (_write_both(line.item), _write_both(line.value))
            )
        facts = {
            "language": "ja",
            "hue": operator.hue,
            "operator": operator.name.in_language("ja"),
            "title": translate("Application for residence", "ja"),
            "made": format_day(today, "ja"),
            "parts": [{"title": title, "rows": rows} for title, rows in parts.items()],
        }
        return typeset("application", facts)


def export_application(work: Work, *, screening_id: str) -> ApplicationFile:
    """Return one application as it is handed to a guarantee company; the audit notes that it left.

    Numbers and pictures of identity papers are not in it. Raises `Refused` before the applicant has
    entered their details.
    """
    screening = locked(work.session, Screening, screening_id)
    about: Subject = ("screening", screening.id)
    if screening.reservation_id is not None:
        about = of_reservation(screening.reservation_id)
        facts = facts_of_reservation(work.session, screening.reservation_id, work.clock.today())
        people_id = people_of_reservation(work.session, screening.reservation_id)
    else:
        asked = select(ReservationLink).where(ReservationLink.screening_id == screening.id)
        link = work.session.scalars(asked).one_or_none()
        if link is None:
            raise Refused("This screening has no offer and no reservation any more.")
        facts, people_id = facts_of_offer(work.session, work.clock, link), link.people_id
    named = named_people(work.session, people_id)
    note_audit_event(work, AuditEvent.APPLICATION_EXPORTED, about, after={"name": facts.resident})
    lines = [*_list_tenancy(facts), *_list_people(named)]
    return ApplicationFile(facts.resident, lines)


def _list_tenancy(facts: ContractFacts) -> Iterator[ApplicationLine]:
    for part, items in (
        (
            translate_both("Applicant"),
            (
                (translate_both("Name"), "resident.name"),
                (translate_both("Reading (kana)"), "resident.kana"),
                (translate_both("Email"), "resident.email"),
                (translate_both("Phone"), "resident.phone"),
                (translate_both("Moves in too"), "resident.others"),
            ),
        ),
        (
            translate_both("Home"),
            (
                (translate_both("Building"), "building.name"),
                (translate_both("Address"), "building.address"),
                (translate_both("Unit"), "unit.name"),
                (translate_both("Term"), "term"),
                (translate_both("Monthly payment"), "rent.lines"),
                (translate_both("Each month"), "rent.total"),
                (translate_both("Deposit"), "deposit"),
            ),
        ),
    ):
        for item, place in items:
            both = (place_text(place, facts, "ja"), place_text(place, facts, "en"))
            yield ApplicationLine(part, item, Bilingual(*both))


def _list_people(named: NamedPeople) -> Iterator[ApplicationLine]:
    """Yield the people and papers; of a piece that is not there one line says so."""
    work, contact, guarantor = named.occupation, named.emergency_contact, named.guarantor
    part = translate_both("Employer or school")
    yield ApplicationLine(
        part,
        translate_both("Kind"),
        _write_same(None) if work is None else _name_kind(_OCCUPATIONS[work.kind], "occupation"),
    )
    place = (None,) * 3 if work is None else (work.name, work.phone, work.address)
    for item, value in zip(
        (translate_both("Name"), translate_both("Phone"), translate_both("Address")),
        place,
        strict=True,
    ):
        yield ApplicationLine(part, item, _write_same(value or None))
    part = translate_both("Emergency contact")
    reached = (
        (None,) * 5
        if contact is None
        else (
            *(
                contact.name,
                contact.name_kana,
                contact.relationship,
                contact.phone,
                contact.address,
            ),
        )
    )
    for item, value in zip(
        (
            translate_both("Name"),
            translate_both("Reading (kana)"),
            translate_both("Relationship to the resident"),
            translate_both("Phone"),
            translate_both("Home address"),
        ),
        reached,
        strict=True,
    ):
        yield ApplicationLine(part, item, _write_same(value or None))
    if guarantor is not None:
        part = translate_both("Guarantor")
        amount = format_yen(guarantor.highest_yen) if guarantor.highest_yen else None
        for item, value in (
            (translate_both("Name"), guarantor.name),
            (translate_both("Reading (kana)"), guarantor.name_kana),
            (translate_both("Relationship to the resident"), guarantor.relationship),
            (translate_both("Phone"), guarantor.phone),
            (translate_both("Home address"), guarantor.address),
            (translate_both("Highest amount of the guarantee"), amount),
        ):
            yield ApplicationLine(part, item, _write_same(value))
        if guarantor.born_on is not None:
            yield ApplicationLine(part, translate_both("Birthday"), _write_day(guarantor.born_on))
    part = translate_both("Identity papers")
    for paper in named.papers:
        yield ApplicationLine(
            part,
            _name_kind(_IDENTITIES[paper.kind], "identity paper"),
            _write_same(None) if paper.expires_on is None else _write_day(paper.expires_on),
        )
    if not named.papers:
        yield ApplicationLine(part, translate_both("Identity paper"), _write_same(None))


def _name_kind(text: str, context: str) -> Bilingual:
    return Bilingual(translate(text, "ja", context), translate(text, "en", context))


def _write_same(value: str | None) -> Bilingual:
    return Bilingual(value or _NOTHING, value or _NOTHING)


def _write_day(day: date) -> Bilingual:
    return Bilingual(format_day(day, "ja"), format_day(day, "en"))


def _write_both(text: Bilingual) -> str:
    """Return a text in Japanese with the English one beside it, where they differ."""
    return f"{text.ja} / {text.en}" if text.en and text.en != text.ja else text.ja or ""
