"""No file tells where it was made: no folders of a machine, no addresses of a package registry."""

import re
from collections.abc import Iterator

import pytest

from tests.architecture.source_tree import ROOT, Finding, Source, file_paths, listed

# Spelled in pieces, so that this file does not find itself.
OF_A_MACHINE = re.compile(
    "|".join(
        (
            r"(?<![\w./-])/(?:work|home|root|Users|mnt|private|farm)/[\w.-]+",
            r"[A-Za-z]:" + r"\\Users\\",
            r"files\." + r"pythonhosted\.org",
            r"--(?:extra-)?index" + "-url",
            r"https?://[^\s\"'<>]*/" + r"(?:simple|pypi|artifactory|nexus)(?:/|\b)",
            r"registry\." + r"npmjs\.org",
        )
    )
)


def machine_marks(source: Source) -> Iterator[Finding]:
    for number, line in enumerate(source.text.splitlines(), 1):
        found = OF_A_MACHINE.search(line)
        if found:
            yield Finding(source.path, number, found[0])


def texts() -> Iterator[Source]:
    for path in file_paths():
        content = (ROOT / path).read_bytes()
        if b"\0" not in content:
            yield Source(path, content.decode("utf-8", errors="replace"))


def test_no_tracked_file_names_a_machine_or_a_registry() -> None:
    assert not listed([finding for source in texts() for finding in machine_marks(source)])


@pytest.mark.parametrize(
    "planted",
    [
        "see /wo" + "rk/plan/notes",
        'open("/ho' + 'me/taro/units.csv")',
        "--index" + "-url https://example.net",
        "https://mirror.example/" + "simple/flask/",
        "https://files." + "pythonhosted.org/packages/a.whl",
    ],
)
def test_a_planted_mark_of_a_machine_is_found(planted: str) -> None:
    assert list(machine_marks(Source("README.md", planted)))


@pytest.mark.parametrize(
    "harmless", ["/api/agent/properties", "tests/work/plan", "https://example.jp/home/rooms"]
)
def test_ordinary_addresses_are_left_alone(harmless: str) -> None:
    assert not list(machine_marks(Source("README.md", harmless)))
