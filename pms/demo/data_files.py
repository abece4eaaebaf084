"""Reads what the demo says and shows, and stores and hangs its pictures."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

from PIL import Image

from pms.catalogue.models import Photo
from pms.catalogue.photos import SizedPhoto, store_sizes
from pms.demo.rows import Chance, Rows
from pms.foundation.files import Files
from pms.rules.enumerations import UnitType

_FOLDER = files("pms.demo") / "data"


@cache
def read_toml(name: str) -> dict[str, Any]:
    """Return the tables of a TOML file by name; whoever asks does not change them."""
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def read_csv(name: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file by their columns; whoever asks does not change them."""
    return list(csv.DictReader((_FOLDER / f"{name}.csv").read_text(encoding="utf-8").splitlines()))


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


_BY_LAYOUT = {
    "ツイン": (names_of("twin"), "plan-twin"),
    "ロフト付き個室": (("room-loft",), "plan-room"),
    "和室6畳": (("room-tatami",), "plan-room"),
    "1LDK": (("living-harbour", "living-town", "balcony"), "plan-1ldk"),
    "2LDK": (("living-harbour", "living-town", "balcony"), "plan-1ldk"),
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
    _hang(rows, album, made_at, names, building_id=building_id, unit_id=None)


def hang_room(
    rows: Rows, album: Album, made_at: datetime, unit_id: str, names: Iterable[str]
) -> None:
    _hang(rows, album, made_at, names, building_id=None, unit_id=unit_id)


def scenes_of(type_: UnitType, layout: str, rng: Chance) -> tuple[str, ...]:
    """The names of a unit's pictures: its room, what belongs to it, and its floor plan."""
    if type_ is UnitType.SHAREHOUSE:
        rooms, plan = _BY_LAYOUT.get(layout, (_ROOMS, "plan-room"))
        return rng.one_of(rooms), rng.one_of(("lounge", "shared-kitchen")), plan
    rooms, plan = _BY_LAYOUT.get(layout, (_STUDIOS, "plan-studio"))
    return *rng.some_of(rooms, 2), rng.one_of(("kitchen", "bathroom")), plan


def _hang(
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
