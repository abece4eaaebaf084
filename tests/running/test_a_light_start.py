"""A web worker loads no library that the reading of lists does not need."""

import subprocess
import sys
from pathlib import Path

from tests.bench.serving import ROOT

_HEAVY = (
    "PIL",
    "alembic",
    "cryptography",
    "icalendar",
    "pillow_heif",
    "psycopg",
    "redis",
    "typst",
)
_SCRIPT = f"""
import sys
from app import create_app
create_app()
print(*[name for name in {_HEAVY} if name in sys.modules])
"""


def test_a_fresh_program_on_sqlite_holds_no_heavy_library(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", _SCRIPT],
        cwd=ROOT,
        env={"PMS_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.split() == []
