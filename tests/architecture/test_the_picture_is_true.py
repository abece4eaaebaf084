"""The picture of the house names every room and every surface there is."""

import re
from pathlib import Path

from tests.architecture.source_tree import ROOT

PICTURE = "docs/architecture.md"


def packages(folder: Path) -> set[str]:
    return {path.parent.name for path in folder.glob("*/__init__.py")}


def unnamed(text: str, names: set[str]) -> list[str]:
    return sorted(name for name in names if not re.search(rf"\b{name}\b", text))


def test_every_room_and_every_surface_is_in_the_picture() -> None:
    picture = (ROOT / PICTURE).read_text(encoding="utf-8").split("```")[1]
    there = packages(ROOT / "pms") | packages(ROOT / "pms" / "surfaces")
    assert unnamed(picture, there) == []


def test_a_room_that_is_not_drawn_is_found() -> None:
    assert unnamed("surfaces, rules and catalogues", {"rules", "catalogue"}) == ["catalogue"]
