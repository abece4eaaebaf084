"""Runs the import contracts of pyproject.toml over a copy of the program."""

import shutil
import subprocess
import sys
from pathlib import Path

from tests.architecture.source_tree import ROOT

LINTER = (
    "import sys; from importlinter.cli import lint_imports; "
    "sys.exit(lint_imports(no_logo=True, cache_dir=None))"
)


def copy_of_the_program(folder: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", folder)
    shutil.copytree(ROOT / "pms", folder / "pms", ignore=shutil.ignore_patterns("*.pyc", "*.md"))
    return folder


def plant(folder: Path, module: str, line: str) -> None:
    """Adds a line to a module of the copy, making the module and its packages if need be."""
    path = folder / Path(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    for package in reversed(path.relative_to(folder).parents[:-1]):
        (folder / package).mkdir(exist_ok=True)
        (folder / package / "__init__.py").touch()
    with path.open("a") as file:
        file.write(f"\n{line}\n")


def broken_contracts(folder: Path) -> str:
    """What the linter says of the program in the folder; empty when every contract is kept."""
    told = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, '.'); {LINTER}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONDONTWRITEBYTECODE": "1"},
    )
    return "" if told.returncode == 0 else told.stdout + told.stderr
