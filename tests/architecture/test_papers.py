"""The papers hold together: links lead to files, and the decisions stay few and are all listed."""

import re

import pytest

from tests.architecture.source_tree import ROOT, file_paths

MOST_DECISIONS = 40
DECISIONS = ROOT / "docs" / "decisions"
LINK = re.compile(r"\]\((?!https?:|mailto:|#|/)([^)#\s]+)")
NAMED = re.compile(r"docs/decisions/([\w-]+(?:\.md)?)")


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
