"""Runs the import contracts of pyproject.toml over the program, or over planted programs."""

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.architecture.source_tree import ROOT

# One process for all the programs it is given; each is found on the path as `pms`.
_LINTER = """
import contextlib, importlib, io, json, os, sys
from importlinter.cli import lint_imports

printed_by_name = {}
for name, folder in json.loads(sys.argv[1]).items():
    os.chdir(folder)
    sys.path.insert(0, folder)
    importlib.invalidate_caches()
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        status = lint_imports(no_logo=True, cache_dir=None)
    printed_by_name[name] = printed.getvalue() if status else ""
    sys.path.remove(folder)
print(json.dumps(printed_by_name))
"""


def empty_program(folder: Path) -> Path:
    """A program with the rooms and surfaces of this one, in which nothing is imported."""
    shutil.copy(ROOT / "pyproject.toml", folder)
    placed = ("pms/*.py", "pms/*/__init__.py", "pms/surfaces/*.py", "pms/surfaces/*/__init__.py")
    for path in (path for pattern in placed for path in ROOT.glob(pattern)):
        emptied = folder / path.relative_to(ROOT)
        emptied.parent.mkdir(parents=True, exist_ok=True)
        emptied.touch()
    return folder


def plant(folder: Path, module: str, line: str) -> None:
    """Add a line to a module, making the module and its packages if need be."""
    path = folder / Path(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    for package in reversed(path.relative_to(folder).parents[:-1]):
        (folder / package).mkdir(exist_ok=True)
        (folder / package / "__init__.py").touch()
    with path.open("a") as file:
        file.write(f"\n{line}\n")


def broken_contracts(programs: Mapping[str, Path]) -> dict[str, str]:
    """What the linter prints about each program; empty when every contract is kept."""
    folders = {name: str(folder) for name, folder in programs.items()}
    answer = subprocess.run(
        [sys.executable, "-c", _LINTER, json.dumps(folders)],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONDONTWRITEBYTECODE": "1"},
    )
    output: dict[str, str] = json.loads(answer.stdout.splitlines()[-1])
    return output
