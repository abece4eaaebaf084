"""Makes the two demo workspaces: their rows at once, then what use cases add to each."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.keys import issue_key
from pms.access.models import Person, SignInEvent
from pms.access.sessions import Visitor
from pms.access.sign_in_events import note_event
from pms.catalogue.models import Unit
from pms.demo.arrivals import keep_condition_reports, keep_move_outs, keep_stays
from pms.demo.bank import keep_bank_month
from pms.demo.bank_orders import keep_bank_orders
from pms.demo.books import keep_books
from pms.demo.contract_people import keep_contract_people
from pms.demo.contracts import keep_contracts, keep_offers
from pms.demo.conversations import keep_chats, keep_conversations, keep_inbox
from pms.demo.endings import keep_endings
from pms.demo.enquiries import keep_enquiries, wait
from pms.demo.history import keep_key_calls, keep_visits, write_events
from pms.demo.leads import keep_leads
from pms.demo.notices import keep_notices
from pms.demo.operators import OPERATORS, OperatorPlan, open_operator
from pms.demo.papers import agree_with_owners, keep_closed_months, publish_statements
from pms.demo.people import (
    ACCOUNTS,
    OWNER,
    RESIDENT,
    People,
    PortalPerson,
    employ_staff,
    name_portal_people,
)
from pms.demo.providers import keep_calendars, keep_orders, keep_provider_events
from pms.demo.repairs import keep_upkeep
from pms.demo.rows import Album, Chance, Rows, store_album
from pms.demo.tenancies import Tenancies, add_rows, fill, situations_for
from pms.demo.unit_stories import Story
from pms.demo.websites import publish
from pms.foundation.clock import Clock, FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.settings import Settings
from pms.foundation.tenancy import EVERY_WORKSPACE, announce
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.days import JAPAN
from pms.rules.enumerations import Proof, Scope, SignInEventKind, UserKind
from pms.rules.scopes import PRESETS, Preset
from pms.upkeep.turnovers import tend_turnovers
from pms.workspaces.queries import all_workspaces, workspace_id_of

_DAYS: Final = 12
_OFFICE: Final = "198.51.100.24"
_DEVICES: Final = ("Chrome, Windows", "Safari, iPhone", "Edge, Windows", "Safari, Mac")
_STRANGER: Final = ("203.0.113.77", "Firefox, Linux")


def keep_sign_ins(session: Session, now: datetime) -> int:
    """Store who came in lately; return how many events were new. Done again, it adds none."""
    if session.scalar(select(SignInEvent.id).limit(1)) is not None:
        return 0
    kept = 0
    for account in ACCOUNTS:
        if session.scalar(select(Person.id).where(Person.email == account.email)) is not None:
            kept += _keep_mornings(session, account.email, now)
    for user_kind, person in ((UserKind.RESIDENT, RESIDENT), (UserKind.OWNER, OWNER)):
        kept += _keep_portal(session, user_kind, person, now)
    return kept


def _keep_mornings(session: Session, email: str, now: datetime) -> int:
    rng, kept = Chance("sign-ins", email), 0
    morning = now.astimezone(JAPAN).replace(hour=8, minute=30, second=0)
    device, phone = rng.one_of(_DEVICES), "Chrome, Android"
    for back in range(_DAYS, 0, -rng.whole(3, 4)):
        at = morning - timedelta(days=back, minutes=-rng.whole(0, 70))
        events: list[tuple[SignInEventKind, Proof | None, str]] = [
            (SignInEventKind.SIGNED_IN, Proof.PASSWORD, device)
        ]
        if back == _DAYS:
            events.insert(0, (SignInEventKind.FAILED, Proof.PASSWORD, device))
        elif rng.whole(0, 2) == 0:
            events = [
                (SignInEventKind.CODE_ASKED, Proof.CODE, phone),
                (SignInEventKind.SIGNED_IN, Proof.CODE, phone),
            ]
        for number, (kind, proof, shown) in enumerate(events):
            clock = FixedClock(at + timedelta(seconds=40 * number))
            note_event(session, clock, kind, Visitor(email, _OFFICE, shown), proof=proof)
            kept += 1
    if email.startswith("operator@"):
        kept += _keep_guesses(session, email, morning - timedelta(days=2, hours=6))
    return kept


def _keep_guesses(session: Session, email: str, at: datetime) -> int:
    """Somebody elsewhere who tried passwords in the night, and was slowed down."""
    kinds = [SignInEventKind.FAILED] * 4 + [SignInEventKind.LOCKED_OUT]
    for number, kind in enumerate(kinds):
        clock = FixedClock(at + timedelta(seconds=9 * number))
        note_event(session, clock, kind, Visitor(email, *_STRANGER), proof=Proof.PASSWORD)
    return len(kinds)


def _keep_portal(session: Session, user_kind: UserKind, person: PortalPerson, now: datetime) -> int:
    workspace_id = workspace_id_of(session, person.slug)
    kinds = (SignInEventKind.CODE_ASKED, SignInEventKind.SIGNED_IN, SignInEventKind.SIGNED_OUT)
    for number, kind in enumerate(kinds):
        note_event(
            session,
            FixedClock(now - timedelta(days=4, minutes=-number)),
            kind,
            Visitor(person.email, "192.0.2.48", "Safari, iPhone"),
            user_kind=user_kind,
            workspace_id=workspace_id,
            proof=None if kind is SignInEventKind.SIGNED_OUT else Proof.CODE,
        )
    return len(kinds)


RESERVATIONS = 400
DEMO = "demo"
_EMPLOYED = timedelta(days=120)
_RESIDENTS_SCOPES = (Scope.RESIDENTS_READ, Scope.SHOWINGS_READ)


@dataclass(frozen=True)
class SeededWorkspace:
    """What was made; the keys are returned once and kept nowhere."""

    id: str
    slug: str
    name: str
    units: int
    reservations: int
    read_key: str
    residents_key: str


def seed_demo(
    database: Database, files: Files, today: date, clock: Clock, *, album: Album | None = None
) -> tuple[SeededWorkspace, ...]:
    """Return the demo workspaces just made, none when one of them exists already.

    The same day makes the same rows, ids included; only the keys differ. `album` names pictures
    that are stored already.
    """
    if _has_demo_workspace(database):
        return ()
    album = album or store_album(files)
    rows = demo_rows(today, album)
    with database.across_workspaces_writing() as session:
        for rows_of_workspace in rows:
            rows_of_workspace.write(session)
        made = tuple(
            _with_keys(session, clock, operator, rows_of_operator)
            for operator, rows_of_operator in zip(OPERATORS, rows, strict=True)
        )
    # Without statistics of these rows PostgreSQL may plan the sums of the statements below as loops.
    database.refresh_statistics()
    if not database.settings.is_production:
        employ_staff(database, FixedClock(clock.now() - _EMPLOYED))
    for workspace, rows_of_workspace in zip(made, rows, strict=True):
        with database.writing(workspace.id) as session:
            tend_turnovers(session)
            publish_statements(session, rows_of_workspace, today)
            write_events(session, today)
            _keep_work(
                session,
                workspace.slug,
                now=clock.now(),
                files=files,
                album=album,
                settings=database.settings,
            )
    if not database.settings.is_production:
        with database.across_workspaces_writing() as session:
            keep_sign_ins(session, clock.now())
    database.refresh_statistics()
    return made


def _keep_work(
    session: Session, slug: str, *, now: datetime, files: Files, album: Album, settings: Settings
) -> None:
    """Let a workspace have done its work: repairs, letting, talks, money."""
    signer = Signer(settings.secret_key)
    keep_upkeep(session, now, album, signer)
    name_portal_people(session, slug)
    keep_condition_reports(session, now, album)
    keep_enquiries(session, slug, now)
    keep_leads(session, now, files)
    keep_orders(session, now)
    keep_stays(session, now, files)
    keep_move_outs(session, now, album)
    keep_calendars(session, now)
    keep_contract_people(session, slug, now)
    keep_offers(session, slug, now, signer)
    keep_contracts(session, now)
    keep_endings(session, now)
    keep_conversations(session, slug, now, files, album)
    keep_inbox(session, now)
    keep_provider_events(session, slug, now, signer)
    keep_visits(session, slug, now)
    keep_key_calls(session, now)
    keep_chats(session, slug, settings.base_url, now)
    keep_bank_orders(session, now)
    keep_bank_month(session, now)
    keep_closed_months(session, now)
    keep_notices(session, now)


def _has_demo_workspace(database: Database) -> bool:
    with database.across_workspaces_reading() as session:
        taken = {workspace.slug for workspace in all_workspaces(session)}
    return any(operator.slug in taken for operator in OPERATORS)


def demo_rows(today: date, album: Album) -> list[Rows]:
    """Every row of the demo; the states are dealt out over both workspaces."""
    rng = Chance("demo", today)
    opened = [open_operator(operator, today, album) for operator in OPERATORS]
    sizes = [len(workspace.units) for workspace in opened]
    hands = _deal_stories(situations_for(sum(sizes)), sizes)
    people = People(rng)
    wanted = RESERVATIONS
    for operator, workspace, hand, size in zip(OPERATORS, opened, hands, sizes, strict=True):
        count = round(RESERVATIONS * size / sum(sizes)) if workspace is not opened[-1] else wanted
        wanted -= count
        filled = fill(rng.shuffle(workspace.units), hand, count, today, rng)
        tenancies = Tenancies(workspace, people, rng)
        add_rows(filled, tenancies)
        keep_books(workspace.rows, tenancies.stays, today)
        agree_with_owners(workspace.rows, today)
        publish(workspace, operator, people, rng)
        wait(workspace, operator.slug)
    return [workspace.rows for workspace in opened]


def _deal_stories(stories: list[Story], sizes: list[int]) -> list[list[Story]]:
    """Hands of the given sizes, each with its share of every situation."""
    hands: list[list[Story]] = [[] for _ in sizes]
    for number, story in enumerate(stories, start=1):
        behind = [
            size * number / len(stories) - len(hand)
            for size, hand in zip(sizes, hands, strict=True)
        ]
        hands[behind.index(max(behind))].append(story)
    return hands


def _with_keys(
    session: Session, clock: Clock, operator: OperatorPlan, rows: Rows
) -> SeededWorkspace:
    connection = session.connection()
    with Database.session_on(connection, rows.workspace_id) as keys, keys.begin():
        read = issue_key(
            Work(keys, clock, DEMO),
            name="Website",
            scopes=PRESETS[Preset.READ],
            origins=[operator.website],
        )
        residents = issue_key(Work(keys, clock, DEMO), name="Assistant", scopes=_RESIDENTS_SCOPES)
    if connection.dialect.name == "postgresql":
        announce(connection, EVERY_WORKSPACE)
    return SeededWorkspace(
        id=rows.workspace_id,
        slug=operator.slug,
        name=operator.name,
        units=len(rows.of(Unit)),
        reservations=len(rows.of(Reservation)),
        read_key=read.plaintext,
        residents_key=residents.plaintext,
    )
