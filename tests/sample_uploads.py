"""The sample uploads with what becomes of each, as a résumé and as a photo."""

import json
from io import BytesIO
from pathlib import Path
from typing import Final

UPLOADS: Final = Path(__file__).parent / "samples" / "uploads"
_EXPECTED: Final = json.loads((UPLOADS / "expected.json").read_text("utf-8"))["files"]


def upload(name: str) -> tuple[BytesIO, str]:
    """Return a file as a browser sends it."""
    return BytesIO((UPLOADS / name).read_bytes()), name


def _refused(as_what: str) -> list[str]:
    return [row["file"] for row in _EXPECTED if row[as_what].startswith("refuse")]


NO_PHOTOS: Final = _refused("asPhoto")
NO_RESUMES: Final = _refused("asResume")
PHOTOS: Final = [row["file"] for row in _EXPECTED if row["file"] not in NO_PHOTOS]
