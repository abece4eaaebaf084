"""The papers hold together: links lead to files, and the decisions stay few and are all listed."""

import re

import pytest

from tests.architecture.source_tree import ROOT, file_paths
from tests.architecture.test_names_and_places import TOP_FOLDERS

MOST_DECISIONS = 40
MOST_LINES_OF_A_VERSION = 25
DECISIONS = ROOT / "docs" / "decisions"
LINK = re.compile(r"\]\((?!https?:|mailto:|#|/)([^)#\s]+)")
NAMED = re.compile(r"docs/decisions/([\w-]+(?:\.md)?)")
IN_CODE = re.compile(
    r"`([\w.-]+(?:/[\w.-]+)*/?)`|(?<![\w/<])((?:pms|tests|templates)/[\w./-]*\w)(?![\w/<])"
)


def papers() -> list[str]:
    return [
        path
        for path in file_paths()
        if path.endswith(".md") and (path.startswith("docs/") or "/" not in path)
    ]


def test_every_link_of_a_paper_leads_to_a_file() -> None:
    broken = [
        f"{path}: {target}"
        for path in papers()
        for target in LINK.findall((ROOT / path).read_text(encoding="utf-8"))
        if not (ROOT / path).parent.joinpath(target).exists()
    ]
    assert not broken


def test_every_decision_that_is_named_somewhere_is_there() -> None:
    missing = [
        f"{path}: {name}"
        for path in file_paths()
        if path.endswith((".py", ".js", ".html", ".md"))
        for name in NAMED.findall((ROOT / path).read_text(encoding="utf-8"))
        if not (DECISIONS / name).is_file()
    ]
    assert not missing


def named_paths(text: str) -> list[str]:
    """The files and folders that a paper names: between backticks, or in a picture of the tree."""
    named = [quoted or drawn for quoted, drawn in IN_CODE.findall(text)]
    tops = tuple(f"{top}/" for top in TOP_FOLDERS)
    return [name for name in named if name.startswith(tops) or name.endswith(".py")]


def test_every_file_that_a_paper_names_is_there() -> None:
    files = file_paths()
    there = {*files, *(part for path in files for part in _folders(path))}
    last = {path.rpartition("/")[2] for path in files}
    missing = [
        f"{path}: {name}"
        for path in papers()
        if path not in {"CHANGELOG.md"} and not path.startswith("docs/examples/")
        for name in named_paths((ROOT / path).read_text(encoding="utf-8"))
        if not {name.rstrip("/"), f"tests/{name}"} & there and name not in last
    ]
    assert not missing


def _folders(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: count + 1]) for count in range(len(parts))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see `pms/rules/yen.py`", ["pms/rules/yen.py"]),
        ("see `unit_stories.py` and `text/html`", ["unit_stories.py"]),
        ("`pms/rules/<chapter>.py`", []),
        ("  │ pms/jobs/worker.py   takes", ["pms/jobs/worker.py"]),
    ],
)
def test_a_file_is_named_between_backticks_or_in_a_picture(text: str, found: list[str]) -> None:
    assert named_paths(text) == found


def test_the_index_lists_each_page_of_decisions_once_by_its_title() -> None:
    index = (DECISIONS / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- \[(.+?)\]\((.+?)\)", index, re.MULTILINE)
    pages = sorted(path.name for path in DECISIONS.iterdir() if path.name != "README.md")
    assert sorted(name for _, name in listed) == pages
    assert len(pages) < MOST_DECISIONS
    for title, name in listed:
        assert (DECISIONS / name).read_text(encoding="utf-8").startswith(f"# {title}\n")


@pytest.mark.parametrize(
    ("text", "found"),
    [("[a](b.md)", ["b.md"]), ("[a](https://x)", []), ("[a](b.md#c)", ["b.md"]), ("[a](#c)", [])],
)
def test_a_link_is_read_without_its_anchor(text: str, found: list[str]) -> None:
    assert LINK.findall(text) == found


def versions() -> list[tuple[str, str, str]]:
    """Number, day and text of each version in the changelog, newest first."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (\S+) - (\S+)\n", text, flags=re.MULTILINE)[1:]
    return list(zip(parts[::3], parts[1::3], parts[2::3], strict=True))


def test_the_changelog_is_short_and_begins_with_the_newest() -> None:
    numbers = [tuple(map(int, number.split("."))) for number, *_ in versions()]
    assert numbers == sorted(numbers, reverse=True)
    # The version that is being made is cut when it is released.
    lengths = {number: len(text.strip().splitlines()) for number, _, text in versions()[1:]}
    assert {
        number: count for number, count in lengths.items() if count > MOST_LINES_OF_A_VERSION
    } == {}


def test_each_released_version_names_the_commit_that_runs_it() -> None:
    table = (ROOT / "docs" / "releases.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d\S+) \| (\S+) \| [0-9a-f]{8} \|", table, re.MULTILINE)
    assert rows == [(number, day) for number, day, _ in versions()[1:]]
