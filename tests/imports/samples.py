"""The files an operator sends, and what is expected of them."""

import json
from pathlib import Path
from typing import Any, Final

SAMPLES: Final = Path(__file__).parent.parent / "samples"


def sample(name: str) -> bytes:
    """The bytes of a file as it came."""
    return (SAMPLES / name).read_bytes()


def expected(name: str) -> dict[str, Any]:
    """What is expected of a sheet, record by record."""
    loaded: dict[str, Any] = json.loads((SAMPLES / f"{name}.expected.json").read_text("utf-8"))
    return loaded
