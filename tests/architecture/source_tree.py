"""Reads the files of the repository, those git tracks or would track."""

import ast
import gc
import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOT_OURS = {".venv", "var", "build", "dist", "__pycache__", ".git"}


@dataclass(frozen=True)
class Source:
    """One file: where it lies below the root, and what it says."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        # Nothing of a new tree is garbage; to look for some takes as long as to read the file.
        is_collecting = gc.isenabled()
        gc.disable()
        try:
            return ast.parse(self.text, self.path)
        finally:
            if is_collecting:
                gc.enable()

    def mentions(self, names: Iterable[str]) -> bool:
        """Whether all parts of one of the dotted names are words of the text.

        Where they are not, no import and no alias can mean the name: nothing need be parsed.
        """
        return any(self._words.issuperset(name.split(".")) for name in names)

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(re.findall(r"\w+", self.text))

    def is_under(self, *folders: str) -> bool:
        return self.path.startswith(tuple(f"{folder}/" for folder in folders))


@dataclass(frozen=True)
class Finding:
    """Something at odds with the agreement, told so that it can be found."""

    path: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.what}"


def file_paths(root: Path = ROOT) -> list[str]:
    """Every file of the repository; without git, everything that is not made by a tool."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode == 0:
        return sorted({p for p in listed.stdout.split("\0") if p and (root / p).is_file()})
    found = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
    return sorted(str(path) for path in found if not NOT_OURS & set(path.parts))


def python_sources(*folders: str, root: Path = ROOT) -> Iterator[Source]:
    """The Python files below the folders, or all of them."""
    for path in file_paths(root):
        if path.endswith(".py") and (not folders or path.startswith(folders)):
            yield Source(path, (root / path).read_text(encoding="utf-8"))


def listed(findings: Iterator[Finding] | list[Finding]) -> str:
    """The findings as a text, empty when there is none: `assert not listed(...)` reads well."""
    return "\n".join(str(finding) for finding in findings)
