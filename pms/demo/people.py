"""The people of the demo: invented residents, staff with known passwords, portal accounts.

Staff are only for trying the program out: production never makes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from sqlalchemy import exists, func, select
from sqlalchemy.orm import Session

from pms.access import models as access
from pms.access.members import add_member, place_of
from pms.catalogue.models import Building, Owner
from pms.demo.rows import Chance, read_csv, read_toml
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.passwords import Passwords
from pms.foundation.tenancy import refers_to
from pms.inbox.models import Ticket
from pms.ledger.models import LedgerEntry
from pms.reservations.models import Reservation
from pms.rules.enumerations import EntryKind, Lifecycle, ReservationKind, StaffRole
from pms.workspaces.queries import all_workspaces

_NAMES = read_csv("names")
FAMILY = [row for row in _NAMES if row["kind"] == "family"]
GIVEN = [row for row in _NAMES if row["kind"] == "given"]
ABROAD = [row for row in _NAMES if row["kind"] == "abroad"]
_PLAIN = str.maketrans("ễầốảíãıřń'", "eaoaiairn ")


@dataclass(frozen=True)
class DemoPerson:
    """Somebody, as a reservation or a viewing names them."""

    name: str
    kana: str
    email: str
    phone: str
    locale: str


class People:
    """Introduces one person after the other, nobody twice."""

    def __init__(self, rng: Chance, share_from_abroad: float = 0.4):
        self._rng = rng
        self._share = share_from_abroad
        self._met = 0

    def next(self) -> DemoPerson:
        self._met += 1
        if self._rng.share() < self._share:
            return self._from_abroad()
        family, given = self._rng.one_of(FAMILY), self._rng.one_of(GIVEN)
        email = f"{given['letters']}.{family['letters']}{self._met}@example.jp"
        name, kana = (f"{family[word]} {given[word]}" for word in ("name", "kana"))
        return DemoPerson(name, kana, email, self._invent_phone(), "ja")

    def _from_abroad(self) -> DemoPerson:
        found = self._rng.one_of(ABROAD)
        name, kana = found["name"], found["kana"]
        letters = "".join(part for part in name.lower().translate(_PLAIN) if part.isascii())
        email = f"{'.'.join(letters.replace('-', ' ').split())}{self._met}@example.com"
        return DemoPerson(name, kana, email, self._invent_phone(), "en")

    def _invent_phone(self) -> str:
        # A second block that starts with 0 is given to nobody.
        first = self._rng.one_of(("090", "080", "070"))
        return f"{first}-0{self._rng.whole(0, 999):03}-{self._rng.whole(0, 9999):04}"


class DemoOwner(NamedTuple):
    """Someone who owns houses; `number` is the registration number for consumption tax."""

    name: str
    kana: str
    email: str
    phone: str
    locale: str
    address: str
    number: str | None = None


OWNERS = tuple(DemoOwner(**row) for row in read_toml("people")["owner"])
PASSWORD: Final = "kawasemi-demo"


class DemoAccount(NamedTuple):
    """Somebody of the demo who signs in with `PASSWORD`."""

    email: str
    name: str
    places: tuple[tuple[str, StaffRole], ...]
    building: str | None = None
    """The one building the person works for."""


ACCOUNTS: Final = tuple(
    DemoAccount(
        row["email"],
        row["name"],
        tuple((slug, StaffRole(role)) for slug, role in row["places"]),
        row.get("building"),
    )
    for row in read_toml("people")["staff"]
)


def employ_staff(database: Database, clock: Clock) -> int:
    """Give the demo workspaces their staff; return how many places were new.

    Done again, it changes nothing. Raises `Refused` in production.
    """
    if database.settings.is_production:
        raise Refused("The accounts of the demo have known passwords: not in production.")
    kept = Passwords(database.settings).hash_password(PASSWORD)
    with database.across_workspaces_writing() as session:
        ids = {workspace.slug: workspace.id for workspace in all_workspaces(session)}
        return sum(
            _employ_person(session, clock, account, ids[slug], role=role, kept=kept)
            for account in ACCOUNTS
            for slug, role in account.places
            if slug in ids
        )


def _employ_person(
    session: Session,
    clock: Clock,
    account: DemoAccount,
    workspace_id: str,
    *,
    role: StaffRole,
    kept: str,
) -> bool:
    person_id = session.scalar(select(access.Person.id).where(access.Person.email == account.email))
    if person_id is not None and place_of(session, workspace_id, person_id) is not None:
        return False
    of_name = select(Building.id).where(
        Building.workspace_id == workspace_id, Building.name == account.building
    )
    add_member(
        session,
        clock,
        workspace_id=workspace_id,
        email=account.email,
        name=account.name,
        role=role,
        building_ids=session.scalars(of_name).all() or None,
        password_hash=kept,
    )
    return True


class PortalPerson(NamedTuple):
    """Somebody of the demo who signs in to a portal; the code is in the mail."""

    slug: str
    email: str


_SLUG: Final = "midori-living"
RESIDENT: Final = PortalPerson(_SLUG, "resident@midori.example")
APPLICANT: Final = PortalPerson(_SLUG, "applicant@midori.example")
OWNER: Final = PortalPerson(_SLUG, "owner@midori.example")


def name_portal_people(session: Session, slug: str) -> None:
    """Give known addresses to somebody who talks with the office, who applied, and who owns."""
    if slug != RESIDENT.slug:
        return
    talks = exists().where(refers_to(Ticket.reservation_id, Reservation))
    is_billed = exists().where(
        refers_to(LedgerEntry.reservation_id, Reservation),
        LedgerEntry.kind == EntryKind.MOVE_IN,
    )
    residents = (
        select(Reservation)
        .where(Reservation.kind == ReservationKind.RESIDENT, is_billed)
        .order_by(Reservation.id)
        .limit(1)
    )
    living = residents.where(Reservation.lifecycle == Lifecycle.LIVING)
    for person, resident in (
        (RESIDENT, session.scalar(living.where(talks)) or session.scalar(living)),
        (APPLICANT, session.scalar(residents.where(Reservation.lifecycle == Lifecycle.BOOKED))),
    ):
        if resident is not None:
            resident.email = person.email
    buildings = (
        select(Building.owner_id, func.count().label("owned"))
        .where(Building.owner_id.is_not(None))
        .group_by(Building.owner_id)
        .subquery()
    )
    most = (
        select(Owner)
        .join(buildings, buildings.c.owner_id == Owner.id)
        .order_by(buildings.c.owned.desc(), Owner.id)
    )
    owner = session.scalars(most.limit(1)).first()
    if owner is not None:
        owner.email = OWNER.email
    session.flush()
