"""Makes workspaces by the thousand units, for measuring: one large, the others alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from pms.catalogue.models import Unit
from pms.demo.books import keep_books
from pms.demo.operators import OPERATORS, HousePlan, open_operator
from pms.demo.people import People
from pms.demo.rows import Album, Chance, Rows, read_toml, store_album
from pms.demo.tenancies import Tenancies, add_rows, fill, situations_for
from pms.demo.websites import publish
from pms.foundation.database import Database
from pms.foundation.errors import Refused
from pms.foundation.files import Files
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle
from pms.upkeep.turnovers import tend_turnovers
from pms.workspaces.queries import all_workspaces

# Of 5,000 units and 40,000 reservations the largest workspace has 600 and 4,000.
_LARGEST_SHARE_OF_UNITS = 0.12
_LARGEST_SHARE_OF_RESERVATIONS = 0.1
_OVER = {Lifecycle.CANCELLED, Lifecycle.SETTLED, Lifecycle.REFUNDED}
_UNITS_OF_A_HOUSE = 40
# One picture a unit, its floor plan: with three, most of a listing would be their addresses.
_PICTURES = (
    "kingfisher-morning", "tower", "plan-room", "plan-studio", "plan-1ldk", "plan-twin",
)  # fmt: skip
_HOUSES = tuple(house for operator in OPERATORS for house in operator.houses)


@dataclass(frozen=True)
class MeasuredWorkspace:
    """One workspace of the measurement."""

    id: str
    slug: str
    units: int
    reservations: int


def seed_measuring(
    database: Database,
    today: date,
    units: int,
    reservations: int,
    workspaces: int,
    *,
    album: Album | None = None,
) -> tuple[MeasuredWorkspace, ...]:
    """Return the workspaces made, the largest first; each is a transaction of its own.

    The same day and figures make the same rows. Raises `Refused` for figures that fit no
    workspace and when such workspaces exist already.
    """
    if workspaces < 1 or units < workspaces:
        raise Refused(f"units: {units} units do not fill {workspaces} workspaces.")
    if reservations < units * 2:
        raise Refused(f"reservations: {units} units need at least {units * 2} to be believable.")
    with database.across_workspaces_reading() as session:
        taken = {workspace.slug for workspace in all_workspaces(session)}
    if _slug_of_number(1) in taken:
        raise Refused(f"A workspace '{_slug_of_number(1)}' exists already: use an empty database.")
    album = album or store_album(Files(database.settings), _PICTURES)
    sizes = zip(
        share_out(units, workspaces, _LARGEST_SHARE_OF_UNITS),
        share_out(reservations, workspaces, _LARGEST_SHARE_OF_RESERVATIONS),
        strict=True,
    )
    made = tuple(
        _seed_workspace(database, today, number, size, album)
        for number, size in enumerate(sizes, start=1)
    )
    database.refresh_statistics()
    return made


def share_out(total: int, workspaces: int, largest_share: float) -> list[int]:
    """The total in parts: the largest its share, or as much as the others, these evenly."""
    if workspaces == 1:
        return [total]
    largest = max(round(total * largest_share), -(-total // workspaces))
    each, left = divmod(total - largest, workspaces - 1)
    return [largest, *(each + (number < left) for number in range(workspaces - 1))]


def _slug_of_number(number: int) -> str:
    return f"measured-{number:02}"


def _seed_workspace(
    database: Database, today: date, number: int, size: tuple[int, int], album: Album
) -> MeasuredWorkspace:
    rows = measuring_rows(today, number, *size, album)
    with database.across_workspaces_writing() as session:
        rows.write(session)
    with database.writing(rows.workspace_id) as session:
        tend_turnovers(session)
    return MeasuredWorkspace(
        rows.workspace_id, _slug_of_number(number), len(rows.of(Unit)), len(rows.of(Reservation))
    )


def measuring_rows(today: date, number: int, units: int, reservations: int, album: Album) -> Rows:
    """Every row of one workspace of the measurement."""
    rng = Chance("measuring", today, number)
    operator = replace(
        OPERATORS[0],
        slug=_slug_of_number(number),
        name=f"{read_toml('texts')['measured']} {number:02}",
        name_en=f"Measured {number:02}",
        email=f"hello@measured-{number:02}.example.com",
        houses=tuple(_build_houses(units)),
    )
    opened = open_operator(operator, today, album)
    people = People(rng)
    stories = rng.shuffle(situations_for(units))
    filled = fill(opened.units, stories, reservations, today, rng)
    tenancies = Tenancies(opened, people, rng)
    add_rows(filled, tenancies)
    # Of whoever may still be billed: the ledgers of all who ever left would be most of the rows.
    open_ones = [stay for stay in tenancies.stays if stay.plan.lifecycle not in _OVER]
    keep_books(opened.rows, open_ones, today)
    publish(opened, operator, people, rng)
    return opened.rows


def _build_houses(units: int) -> Iterator[HousePlan]:
    count = -(-units // _UNITS_OF_A_HOUSE)
    for number in range(count):
        plan = _HOUSES[number % len(_HOUSES)]
        size = units * (number + 1) // count - units * number // count
        whole, left = divmod(size, 10)
        floors = (*(10 for _ in range(whole)), *((left,) if left else ()))
        yield replace(
            plan,
            slug=f"{plan.slug}-{number + 1}",
            name=f"{plan.name} {number + 1}",
            name_en=f"{plan.name_en} {number + 1}",
            floors=floors,
            room_name="{floor}{number:02}",
        )
