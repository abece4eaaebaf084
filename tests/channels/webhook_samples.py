"""The deliveries of providers as they arrive, and the records they refer to."""

import json
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parents[1] / "samples" / "webhooks"


def raw(provider: str, number: str) -> bytes:
    """The bytes of a delivery, by its number."""
    [path] = FOLDER.glob(f"{provider}/{number}_*.body")
    return path.read_bytes()


def body_of(provider: str, number: str) -> dict[str, Any]:
    """The body of a delivery that can be read."""
    body: dict[str, Any] = json.loads(raw(provider, number))
    return body


def about(provider: str, number: str) -> dict[str, Any]:
    """What goes along with a delivery, and what should become of it."""
    [path] = FOLDER.glob(f"{provider}/{number}_*.json")
    sidecar: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return sidecar


def world() -> dict[str, Any]:
    """The records that deliveries refer to."""
    body: dict[str, Any] = json.loads((FOLDER / "world.json").read_text(encoding="utf-8"))
    return body
