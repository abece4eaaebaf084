"""Reads what the demo says and shows: texts, figures and pictures in files beside this module."""

from __future__ import annotations

import csv
import tomllib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

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
