"""People and papers of the demo's contracts: complete ones, some that expire, and what houses ask."""

from datetime import date, datetime, timedelta
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Unit
from pms.contracts.people_changes import (
    WrittenPaper,
    add_paper,
    ask_of_building,
    hold_people,
    write_party,
)
from pms.demo.people import RESIDENT as KNOWN_RESIDENT
from pms.demo.people import People
from pms.demo.rows import Chance, read_toml
from pms.foundation.clock import FixedClock
from pms.foundation.work import Work
from pms.offers.applications import name_party_of_offer, send_paper_of_offer
from pms.offers.models import ReservationLink
from pms.reservations.models import Reservation
from pms.rules.contract_people import AskedFor, IdentityKind, OccupationKind, PeopleKind
from pms.rules.enumerations import Lifecycle, Locale, ReservationKind

_TEXTS: Final = read_toml("texts")["contract_people"]
_BY: Final = "demo"
_MOST_RESIDENTS: Final = 12
# From the day of the demo to the last day of a paper: one is over, one soon, the others hold.
_PAPER_DAYS: Final = (-9, 24, 410, 800, 1200)
_RENEWAL_DAYS: Final = (18, 150, 290)


def keep_contract_people(session: Session, slug: str, now: datetime) -> None:
    """Name the people of some residents' contracts, before any contract of theirs is made."""
    people = People(Chance("contract-people", slug, now.date()))
    residents = session.scalars(
        select(Reservation)
        .where(
            Reservation.kind == ReservationKind.RESIDENT, Reservation.lifecycle == Lifecycle.LIVING
        )
        .order_by((Reservation.email == KNOWN_RESIDENT.email).desc(), Reservation.id)
        .limit(_MOST_RESIDENTS)
    )
    for number, row in enumerate(residents):
        _name_people(session, FixedClock(now), row, people, number)
    session.flush()


def _name_people(
    session: Session, clock: FixedClock, row: Reservation, people: People, number: int
) -> None:
    work = Work(session, clock, _BY)
    people_id = hold_people(session, clock, reservation_id=row.id)
    relative, friend, relationships = people.next(), people.next(), _TEXTS["relationships"]
    places = _TEXTS["schools" if number % 3 == 1 else "employers"]
    pieces: dict[PeopleKind, dict[str, Any]] = {
        PeopleKind.EMERGENCY_CONTACT: {
            "name": friend.name,
            "phone": friend.phone,
            "relationship": relationships[number % 5],
        },
        PeopleKind.OCCUPATION: {
            "kind": OccupationKind.SCHOOL if number % 3 == 1 else OccupationKind.EMPLOYER,
            "name": places[number % len(places)],
        },
    }
    if number % 2 == 0:
        pieces[PeopleKind.GUARANTOR] = {
            "name": relative.name,
            "name_kana": relative.kana or None,
            "address": _TEXTS["addresses"][number % 4],
            "phone": relative.phone,
            "born_on": date(1960 + number, 4, 2),
            "relationship": relationships[(number + 1) % 5],
            "highest_yen": 1_500_000,
        }
    else:
        renews_on = clock.today() + timedelta(days=_RENEWAL_DAYS[number // 2 % 3])
        pieces[PeopleKind.GUARANTEE_COMPANY] = {
            "name": _TEXTS["companies"][number // 2 % 2],
            "number": f"HS-{20_400 + number}",
            "plan": _TEXTS["plan"],
            "from_on": renews_on - timedelta(days=365),
            "renews_on": renews_on,
            "fee_yen": 10_000,
        }
    for kind, written in pieces.items():
        write_party(work, people_id=people_id, kind=kind, written=written)
    is_from_abroad = row.locale == Locale.EN
    paper = WrittenPaper(
        IdentityKind.RESIDENCE_CARD if is_from_abroad else IdentityKind.DRIVING_LICENCE,
        f"DEMO{number:04}",
        clock.today() + timedelta(days=_PAPER_DAYS[number % 5]),
    )
    add_paper(work, people_id=people_id, written=paper)


def ask_applicant(session: Session, clock: FixedClock, link: ReservationLink) -> None:
    """Let the house of an open offer ask for pieces, of which the applicant has given two."""
    building_id = session.scalars(select(Unit.building_id).where(Unit.id == link.unit_id)).one()
    ask_of_building(
        Work(session, clock, _BY),
        building_id=building_id,
        asked={
            **dict.fromkeys(PeopleKind, AskedFor.OPTIONAL),
            PeopleKind.GUARANTEE_COMPANY: AskedFor.NONE,
        },
        highest_yen=1_500_000,
    )
    work = Work(session, clock, f"applicant/{link.id}")
    contact = {"name": "Demo Friend", "phone": "090-5555-0188", "relationship": "friend"}
    name_party_of_offer(work, link_id=link.id, kind=PeopleKind.EMERGENCY_CONTACT, written=contact)
    lasts_until = clock.today() + timedelta(days=500)
    passport = WrittenPaper(IdentityKind.PASSPORT, "DEMO0001", lasts_until)
    send_paper_of_offer(work, link_id=link.id, written=passport)
