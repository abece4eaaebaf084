"""A folder outside the checkout in which the program is changed."""

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.mutation.outcome import ROOT
from tests.mutation.parts import Part

# What the tests read besides the program itself.
_BESIDE: Final = ("app.py", "wsgi.py", "migrations", "static", "templates")
# Many small databases are written there, and a commit in memory waits for no disk.
_SHARED_MEMORY: Final = Path("/dev/shm")
_ROOM: Final = 2 * 1024**3
_SETTINGS: Final = """\
[mutmut]
source_paths=pms
only_mutate=
{mutated}
also_copy=
{beside}
track_dependencies=false
use_setproctitle=false
do_not_mutate_patterns=
    \\w+=.*\\[:\\d+\\][,)]*$
timeout_multiplier=5
timeout_constant=4
pytest_add_cli_args=
    -p
    no:cacheprovider
    -p
    tests.mutation.quicker
    -k
    {chosen}
pytest_add_cli_args_test_selection=
{tests}
"""
TOOL: Final = (sys.executable, "-P", str(Path(__file__).parent / "tool.py"))
"""The command that is run in the folder."""


@contextmanager
def workspace(part: Part, modules: Sequence[str] = ()) -> Iterator[Path]:
    """Give a folder with the program, its tests and the settings of mutmut; remove it after.

    Only the named modules of the part are changed, or all for none.
    """
    mutated = tuple(f"{part.package}/{name}.py" for name in modules) or (f"{part.package}/*",)
    folder = Path(tempfile.mkdtemp(prefix="pms-mutation-", dir=_parent()))
    try:
        for name in (*_BESIDE, "pms", "tests", "pyproject.toml"):
            (folder / name).symlink_to(ROOT / name)
        found = _SETTINGS.format(
            mutated=_listed(mutated),
            beside=_listed(_BESIDE),
            chosen=part.chosen,
            tests=_listed(part.tests),
        )
        (folder / "setup.cfg").write_text(found, "utf-8")
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _parent() -> Path | None:
    has_room = _SHARED_MEMORY.is_dir() and shutil.disk_usage(_SHARED_MEMORY).free > _ROOM
    return _SHARED_MEMORY if has_room else None


def _listed(names: tuple[str, ...]) -> str:
    return "\n".join(f"    {name}" for name in names)
