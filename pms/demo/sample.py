"""A sample workspace beside one's own, to try things in: opened filled, thrown away whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pms.access.members import add_member, place_of
from pms.access.models import Person
from pms.arrivals.takeover.going_live import go_live
from pms.arrivals.takeover.guides import keep_totals, open_new_files, read_guide, start_guide
from pms.demo.books import keep_books
from pms.demo.operators import OPERATORS, OperatorPlan, open_operator
from pms.demo.people import People
from pms.demo.rows import Album, Chance, Rows, read_toml, store_album
from pms.demo.tenancies import Tenancies, add_rows, fill, situations_for
from pms.foundation.clock import Clock
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.foundation.spreadsheet import Cell, csv_file
from pms.foundation.work import Work
from pms.rules.days import add_months, month_first, month_last
from pms.rules.enumerations import StaffRole
from pms.upkeep.turnovers import tend_turnovers
from pms.workspaces.models import Workspace

_STAYS_A_ROOM: Final = 3
_TAKEN_OVER: Final = read_toml("sample")
# One picture a kind of place: a sample is looked at, not sold.
_PICTURES: Final = (
    *("kingfisher-morning", "room-morning", "plan-room", "shared-kitchen", "tower"),
    *("studio-day", "plan-studio", "living-town", "plan-1ldk", "plan-twin", "twin-noon"),
)


def open_sample(
    database: Database,
    clock: Clock,
    *,
    workspace_id: str,
    person_id: str,
    album: Album | None = None,
) -> str:
    """Return the slug of the sample beside a workspace, made and filled where there is none yet.

    The person becomes its operator. Raises `Refused` beside a workspace that is a sample itself.
    """
    with database.across_workspaces_reading() as session:
        own = session.get_one(Workspace, workspace_id)
        if own.sample_of is not None:
            raise Refused("This workspace is a sample itself.")
        asked = select(Workspace.id, Workspace.slug).where(Workspace.sample_of == workspace_id)
        row = session.execute(asked).one_or_none()
        made = None if row is None else (row.id, row.slug)
        wanted = f"{own.slug[:30]}-sample"
        taken = set(
            session.scalars(select(Workspace.slug).where(Workspace.slug.startswith(wanted)))
        )
        free = (
            wanted if number == 1 else f"{wanted}-{number}" for number in range(1, len(taken) + 2)
        )
        free_slug = next(candidate for candidate in free if candidate not in taken)
        name, english, slug = own.name, own.name_en, free_slug
    if made is None:
        made = _fill_workspace(database, clock, workspace_id, (name, english or name, slug), album)
    sample_id, slug = made

    def join(session: Session) -> None:
        person = session.get_one(Person, person_id)
        if place_of(session, sample_id, person_id) is None:
            add_member(
                session,
                clock,
                workspace_id=sample_id,
                email=person.email,
                name=person.name,
                role=StaffRole.OPERATOR,
            )

    database.write_across_workspaces(join)
    return slug


def _fill_workspace(
    database: Database,
    clock: Clock,
    workspace_id: str,
    named: tuple[str, str, str],
    album: Album | None,
) -> tuple[str, str]:
    name, english, slug = named
    operator = replace(
        OPERATORS[0],
        slug=slug,
        name=_TAKEN_OVER["name"].format(name=name),
        name_en=_TAKEN_OVER["name_en"].format(name=english),
        houses=OPERATORS[0].houses[:2],
    )
    rows = _build_rows(
        operator, clock.today(), album or store_album(Files(database.settings), _PICTURES)
    )
    rows.of(Workspace)[0] |= {"sample_of": workspace_id, "set_up_hidden_at": clock.now()}
    with database.across_workspaces_writing() as session:
        rows.write(session)
    with database.writing(rows.workspace_id) as session:
        tend_turnovers(session)
        _take_over(Work(session, clock, "demo"), Files(database.settings))
    return rows.workspace_id, slug


def _take_over(work: Work, files: Files) -> None:
    """Take a small house over by the guide, as an operator does who comes from a sheet."""
    sheet = csv_file(_build_rent_roll(work.clock.today()))
    new = open_new_files(work.session, work.clock, files, [("rent-roll.csv", sheet)])
    id_ = start_guide(work, files, new)
    totals = {
        "depositHeld": sum(row["rent_yen"] for row in _TAKEN_OVER["tenancy"]),
        "unpaid": sum(row.get("unpaid_yen", 0) for row in _TAKEN_OVER["tenancy"]),
        "overpaid": 0,
    }
    keep_totals(work.session, id_, totals)
    go_live(work, read_guide(work.session, work.clock, files, id_), leaves_waiting=True)


def _build_rent_roll(today: date) -> Iterator[Sequence[Cell]]:
    """A rent roll whose last bill was for the month of today."""
    yield _TAKEN_OVER["heads"]
    start_on, through_on = add_months(month_first(today), -8), month_last(today)
    end_on = month_last(add_months(start_on, 23))
    for row in _TAKEN_OVER["tenancy"]:
        rent_yen, unpaid_yen = row["rent_yen"], row.get("unpaid_yen")
        yield (
            *(_TAKEN_OVER["building"], row["room"], row["name"], row["reading"]),
            *(start_on.isoformat(), end_on.isoformat(), rent_yen, _TAKEN_OVER["fee_yen"], rent_yen),
            *(through_on.isoformat(), unpaid_yen, f"{today:%Y-%m}" if unpaid_yen else None),
        )


def _build_rows(operator: OperatorPlan, today: date, album: Album) -> Rows:
    rng = Chance("sample", operator.slug, today)
    opened = open_operator(operator, today, album)
    size = len(opened.units)
    stories = rng.shuffle(situations_for(size))
    filled = fill(opened.units, stories, size * _STAYS_A_ROOM, today, rng)
    tenancies = Tenancies(opened, People(rng), rng)
    add_rows(filled, tenancies)
    keep_books(opened.rows, tenancies.stays, today)
    return opened.rows


def throw_sample_away(database: Database, sample_id: str) -> str:
    """Delete a sample with everything in it and return the slug of the workspace beside it.

    Raises `Refused` for a workspace that is no sample; nothing of it is touched.
    """

    def act(session: Session) -> str:
        is_sample = (Workspace.id == sample_id) & Workspace.sample_of.is_not(None)
        own_id = session.scalar(select(Workspace.sample_of).where(is_sample).with_for_update())
        if own_id is None:
            raise Refused("This workspace is no sample, so it stays.")
        session.execute(delete(Workspace).where(is_sample))
        return session.get_one(Workspace, own_id).slug

    return database.write_across_workspaces(act)
