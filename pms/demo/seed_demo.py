"""Makes the two demo workspaces: their rows at once, then what use cases add to each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy.orm import Session

from pms.access.issue_key import issue_key
from pms.catalogue.models import Unit
from pms.demo.arrivals import keep_condition_reports, keep_stays
from pms.demo.audit import tell_deeds
from pms.demo.contracts import keep_contracts, keep_offers
from pms.demo.conversations import keep_chats, keep_conversations, keep_inbox
from pms.demo.enquiries import keep_enquiries, wait
from pms.demo.houses import OPERATORS, OperatorPlan
from pms.demo.leads import keep_leads
from pms.demo.money.books import keep_books
from pms.demo.money.papers import agree_with_owners, publish_statements
from pms.demo.operators import open_operator
from pms.demo.people import People, employ_staff, name_portal_people
from pms.demo.pictures import Album, store_album
from pms.demo.providers import keep_calendars, keep_orders, keep_provider_events
from pms.demo.repairs import keep_upkeep
from pms.demo.rows import Chance, Rows
from pms.demo.sign_ins import keep_sign_ins
from pms.demo.tenancies import Tenancies, add_rows, fill, situations_for
from pms.demo.traffic import keep_key_calls, keep_visits
from pms.demo.unit_stories import Story
from pms.demo.websites import publish
from pms.foundation.clock import Clock, FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.tenancy import EVERY_WORKSPACE, announce
from pms.foundation.tokens import Sealer
from pms.reservations.models import Reservation
from pms.rules.enumerations import Scope
from pms.rules.scopes import PRESETS, Preset
from pms.workspaces.queries import all_workspaces

RESERVATIONS = 400
DEMO = "demo"
_EMPLOYED = timedelta(days=120)
_RESIDENTS_SCOPES = (Scope.RESIDENTS_READ, Scope.SHOWINGS_READ)


@dataclass(frozen=True)
class SeededWorkspace:
    """What was made; the keys are told here and never again."""

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
    if _exists(database):
        return ()
    album = album or store_album(files)
    rows = demo_rows(today, album)
    with database.across_workspaces_writing() as session:
        for one in rows:
            one.write(session)
        made = tuple(
            _with_keys(session, clock, operator, one)
            for operator, one in zip(OPERATORS, rows, strict=True)
        )
    if not database.settings.is_production:
        employ_staff(database, FixedClock(clock.now() - _EMPLOYED))
    sealer = Sealer(database.settings.secret_key)
    for workspace, one in zip(made, rows, strict=True):
        with database.writing(workspace.id) as session:
            publish_statements(session, one, today)
            tell_deeds(session, today)
            keep_upkeep(session, clock.now(), album, sealer)
            name_portal_people(session, workspace.slug)
            keep_condition_reports(session, clock.now(), album)
            keep_enquiries(session, workspace.slug, clock.now())
            keep_leads(session, clock.now(), files)
            keep_orders(session, clock.now())
            keep_stays(session, clock.now(), files)
            keep_calendars(session, clock.now())
            keep_offers(session, workspace.slug, clock.now(), sealer)
            keep_contracts(session, clock.now())
            keep_conversations(session, workspace.slug, clock.now(), files, album)
            keep_inbox(session, clock.now())
            keep_provider_events(session, workspace.slug, clock.now(), sealer)
            keep_visits(session, workspace.slug, clock.now())
            keep_key_calls(session, clock.now())
            keep_chats(session, workspace.slug, database.settings.base_url, clock.now())
    if not database.settings.is_production:
        with database.across_workspaces_writing() as session:
            keep_sign_ins(session, clock.now())
    database.refresh_statistics()
    return made


def _exists(database: Database) -> bool:
    with database.across_workspaces_reading() as session:
        taken = {workspace.slug for workspace in all_workspaces(session)}
    return any(operator.slug in taken for operator in OPERATORS)


def demo_rows(today: date, album: Album) -> list[Rows]:
    """Every row of the demo; the states are dealt out over both workspaces."""
    chance = Chance("demo", today)
    opened = [open_operator(operator, today, album) for operator in OPERATORS]
    sizes = [len(one.units) for one in opened]
    hands = _dealt(situations_for(sum(sizes)), sizes)
    people = People(chance)
    wanted = RESERVATIONS
    for operator, one, hand, size in zip(OPERATORS, opened, hands, sizes, strict=True):
        count = round(RESERVATIONS * size / sum(sizes)) if one is not opened[-1] else wanted
        wanted -= count
        filled = fill(chance.shuffled(one.units), hand, count, today, chance)
        tenancies = Tenancies(one, people, chance)
        add_rows(filled, tenancies)
        keep_books(one.rows, tenancies.told, today)
        agree_with_owners(one.rows, today)
        publish(one, operator, people, chance)
        wait(one, operator.slug)
    return [one.rows for one in opened]


def _dealt(stories: list[Story], sizes: list[int]) -> list[list[Story]]:
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
            keys, clock, DEMO, name="Website", scopes=PRESETS[Preset.READ], is_public=True
        )
        residents = issue_key(keys, clock, DEMO, name="Assistant", scopes=_RESIDENTS_SCOPES)
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
