"""The rows of the demo on their way into the database: from data files, with ids and choices from a seed."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple, TypeVar
from zlib import crc32

from PIL import Image
from sqlalchemy import insert
from sqlalchemy.orm import Session

from pms.arrivals.models import KeyHandover, RentRollTenancy
from pms.catalogue.models import (
    Building,
    CalendarFeed,
    Campaign,
    CampaignUnit,
    ExternalBlock,
    HandbookPage,
    ManagementFormRow,
    Owner,
    Photo,
    Unit,
    UnitFee,
)
from pms.catalogue.photo_sizes import SizedPhoto, store_sizes
from pms.departures.models import MoveOutNotice, NoticeFiling
from pms.deposits.models import Amendment, DeductionRow, Refund, Settlement
from pms.enquiries.models import Viewing, WaitlistPlace
from pms.foundation.db import Base
from pms.foundation.files import Files
from pms.foundation.ids import shape_id
from pms.foundation.numbering import Counter
from pms.foundation.sealing import seal, signer_of
from pms.ledger.models import (
    Allocation,
    BilledRow,
    DepositMoveRow,
    LedgerEntry,
    LedgerLine,
    Payment,
    PaymentReturn,
    RowExtent,
)
from pms.pricing.models import FrozenDiscount, PeriodFee, PricePeriod, PricingSnapshot
from pms.reservations.models import CoOccupant, ForcedMonthToMonth, Reservation
from pms.rules.days import JAPAN
from pms.rules.enumerations import UnitType
from pms.site.models import Position, Post, Service, SiteConfiguration
from pms.statements.models import (
    Invoice,
    OwnerDeduction,
    OwnerStatement,
    OwnerTerms,
    Receipt,
    ReceiptCorrection,
)
from pms.workspaces.models import Fee, PolicyRow, TaxClassRow, Workspace

Thing = TypeVar("Thing")
_MASK = (1 << 64) - 1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_IDS_OF_A_MILLISECOND = 4096  # twelve bits stand between the time and the random bits


class Chance:
    """SplitMix64: small, quick, and not touched by a new version of Python."""

    def __init__(self, *seed: object):
        spelled = "/".join(str(part) for part in seed).encode()
        self._state = crc32(spelled) << 32 | crc32(spelled[::-1])

    def _draw_number(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def share(self) -> float:
        """A number from 0 up to, not including, 1."""
        return (self._draw_number() >> 11) / (1 << 53)

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * self.share()

    def whole(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return low + self._draw_number() % (high - low + 1)

    def one_of(self, things: Sequence[Thing]) -> Thing:
        return things[self._draw_number() % len(things)]

    def some_of(self, things: Sequence[Thing], count: int) -> list[Thing]:
        """That many different things, in the order they had."""
        left = list(range(len(things)))
        while len(left) > count:
            left.pop(self._draw_number() % len(left))
        return [things[index] for index in left]

    def shuffle(self, things: Sequence[Thing]) -> list[Thing]:
        left = list(things)
        for last in range(len(left) - 1, 0, -1):
            other = self._draw_number() % (last + 1)
            left[last], left[other] = left[other], left[last]
        return left

    def bits(self, count: int) -> int:
        """At most 64 of them."""
        return self._draw_number() >> (64 - count)


class IdMaker:
    """Ids of the shape the service makes, from an instant and seeded rng."""

    def __init__(self, *seed: object):
        self._rng = Chance("ids", *seed)
        self._made_at: dict[int, int] = {}

    def at(self, instant: datetime) -> str:
        """An id that sorts by the instant, and among those of one instant by their making."""
        milliseconds = (instant - _EPOCH) // timedelta(milliseconds=1)
        before = self._made_at.get(milliseconds, 0)
        self._made_at[milliseconds] = before + 1
        later, counter = divmod(before, _IDS_OF_A_MILLISECOND)
        return shape_id(milliseconds + later, counter << 62 | self._rng.bits(62))


PARENTS_FIRST: tuple[type[Base], ...] = (
    Workspace, PolicyRow, Fee, TaxClassRow, Owner, Building, ManagementFormRow, Unit, UnitFee, Photo, HandbookPage, Campaign,
    CampaignUnit, CalendarFeed, ExternalBlock, RentRollTenancy, Reservation, CoOccupant, KeyHandover,
    ForcedMonthToMonth, PricingSnapshot, PricePeriod, PeriodFee, FrozenDiscount, LedgerEntry,
    BilledRow, RowExtent, LedgerLine, Payment, PaymentReturn, Settlement, Allocation, DeductionRow, Refund,
    Amendment, DepositMoveRow, MoveOutNotice, NoticeFiling, Counter, Invoice, Receipt, ReceiptCorrection, OwnerTerms,
    OwnerDeduction, OwnerStatement, Viewing, WaitlistPlace, Post, Position, Service, SiteConfiguration,
)  # fmt: skip


class Rows:
    """The rows of one workspace."""

    def __init__(self, workspace_id: str, ids: IdMaker):
        self.workspace_id = workspace_id
        self._ids = ids
        self._by_table: dict[type[Base], list[dict[str, Any]]] = {}

    def add(self, table: type[Base], made_at: datetime, **values: Any) -> str:
        """Keep a row for writing and return its id; each table has its place in `PARENTS_FIRST`."""
        if table not in PARENTS_FIRST:
            raise ValueError(
                f"{table.__name__} has no place in PARENTS_FIRST, so it is not written"
            )
        id_: str = values.pop("id", None) or self.new_id(made_at)
        row = {"workspace_id": self.workspace_id, "id": id_, **values}
        self._by_table.setdefault(table, []).append(row)
        return id_

    def new_id(self, made_at: datetime) -> str:
        """Give an id to a row that others name before it is kept."""
        return self._ids.at(made_at)

    def add_workspace(self, values: Mapping[str, Any]) -> None:
        self._by_table[Workspace] = [{"id": self.workspace_id, **values}]

    def write(self, session: Session) -> None:
        """Insert everything; the session writes across workspaces."""
        for workspace in self.of(Workspace):
            session.add(Workspace(**workspace))
        session.flush()
        for table in PARENTS_FIRST[1:]:
            rows = self.of(table)
            if table is HandbookPage:
                pages, rows = rows, []
                for row in pages:
                    code = row["guarded_code"]
                    sealed = seal(signer_of(session), self.workspace_id, code) if code else None
                    rows.append({**row, "guarded_code": sealed})
            if rows:
                # Without it every pattern of empty columns would be a statement of its own.
                session.execute(insert(table).execution_options(render_nulls=True), rows)

    def of(self, table: type[Base]) -> list[dict[str, Any]]:
        """The rows of one table, in the order they were kept."""
        return self._by_table.get(table, [])


def instant(day: date, hour: int = 10, minute: int = 0) -> datetime:
    """The instant of a wall clock in Japan."""
    return datetime.combine(day, time(hour, minute), JAPAN).astimezone(UTC)


_FOLDER = files("pms.demo") / "data"


@cache
def read_toml(name: str) -> dict[str, Any]:
    """Return the tables of a TOML file by name; whoever asks does not change them."""
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def read_csv(name: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file by their columns; whoever asks does not change them."""
    return list(csv.DictReader((_FOLDER / f"{name}.csv").read_text(encoding="utf-8").splitlines()))


STAFF: str = read_toml("texts")["staff"]
"""The member of staff who did what the rows of the demo name."""


def picture_path(name: str) -> Traversable:
    """Return where a picture lies."""
    return _FOLDER / "pictures" / f"{name}.webp"


Album = Mapping[str, SizedPhoto]


class Scene(NamedTuple):
    """A picture by name: what kind of place it shows, and the words that describe it."""

    name: str
    kind: str
    alt_ja: str
    alt_en: str

    def image(self) -> Image.Image:
        """Return the picture itself, in RGB."""
        with picture_path(self.name).open("rb") as file, Image.open(file) as picture:
            return picture.convert("RGB")


SCENES: Mapping[str, Scene] = {
    row["name"]: Scene(**row) for row in read_toml("pictures")["picture"]
}


def names_of(kind: str) -> tuple[str, ...]:
    """Return the names of the pictures of one kind of place."""
    return tuple(scene.name for scene in SCENES.values() if scene.kind == kind)


_BY_LAYOUT: Mapping[str, tuple[Sequence[str], str]] = {
    row["layout"]: (row["pictures"], row["plan"]) for row in read_toml("pictures")["layout"]
}
_ROOMS = tuple(name for name in names_of("room") if name not in {"room-loft", "room-tatami"})
_STUDIOS = tuple(name for name in names_of("home") if not name.startswith("living"))


def store_album(files: Files, names: Iterable[str] = SCENES) -> Album:
    """Read the pictures and store every size of them."""
    names = tuple(names)
    # Scaling and encoding leave the interpreter's lock, so every core takes part.
    with ThreadPoolExecutor() as pool:
        sized = pool.map(lambda name: store_sizes(SCENES[name].image(), files), names)
        return dict(zip(names, sized, strict=True))


def hang_house(
    rows: Rows, album: Album, made_at: datetime, building_id: str, names: Iterable[str]
) -> None:
    _hang_photos(rows, album, made_at, names, building_id=building_id, unit_id=None)


def hang_room(
    rows: Rows, album: Album, made_at: datetime, unit_id: str, names: Iterable[str]
) -> None:
    _hang_photos(rows, album, made_at, names, building_id=None, unit_id=unit_id)


def scenes_of(type_: UnitType, layout: str, rng: Chance) -> tuple[str, ...]:
    """The names of a unit's pictures: its room, what belongs to it, and its floor plan."""
    if type_ is UnitType.SHAREHOUSE:
        rooms, plan = _BY_LAYOUT.get(layout, (_ROOMS, "plan-room"))
        return rng.one_of(rooms), rng.one_of(("lounge", "shared-kitchen")), plan
    rooms, plan = _BY_LAYOUT.get(layout, (_STUDIOS, "plan-studio"))
    return *rng.some_of(rooms, 2), rng.one_of(("kitchen", "bathroom")), plan


def _hang_photos(
    rows: Rows,
    album: Album,
    made_at: datetime,
    names: Iterable[str],
    *,
    building_id: str | None,
    unit_id: str | None,
) -> None:
    hung = [name for name in names if name in album]
    for position, name in enumerate(hung, start=1):
        rows.add(
            Photo,
            made_at,
            building_id=building_id,
            unit_id=unit_id,
            position=position,
            width=album[name].width,
            height=album[name].height,
            alt_ja=SCENES[name].alt_ja,
            alt_en=SCENES[name].alt_en,
            files=dict(album[name].files),
            created_at=made_at,
        )
