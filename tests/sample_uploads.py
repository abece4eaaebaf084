"""The sample uploads with what becomes of each, as a résumé and as a photo."""

import json
from io import BytesIO
from pathlib import Path
from typing import Final

UPLOADS: Final = Path(__file__).parent / "samples" / "uploads"
_TOLD: Final = json.loads((UPLOADS / "expected.json").read_text("utf-8"))["files"]


def upload(name: str) -> tuple[BytesIO, str]:
    """Return a file as a browser sends it."""
    return BytesIO((UPLOADS / name).read_bytes()), name


def _refused(as_what: str) -> list[str]:
    return [told["file"] for told in _TOLD if told[as_what].startswith("refuse")]


NO_PHOTOS: Final = _refused("asPhoto")
NO_RESUMES: Final = _refused("asResume")
PHOTOS: Final = [told["file"] for told in _TOLD if told["file"] not in NO_PHOTOS]
