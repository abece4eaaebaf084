"""Passages of the operator's texts, from which the assistant answers."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any, Final, NamedTuple

from pms.foundation.markdown import blocks_of

LONGEST: Final = 600


class PassageKind(StrEnum):
    """The source of a passage."""

    UNIT = "unit"
    BUILDING = "building"
    POST = "post"
    CAMPAIGN = "campaign"
    POSITION = "position"
    SERVICE = "service"
    SITE = "site"
    MANUAL = "manual"


class Passage(NamedTuple):
    """A part of the text of one page; `id` is that of a unit or a building."""

    kind: PassageKind
    title: str
    text: str
    url: str
    id: str | None = None


class AnswerSource(NamedTuple):
    """A page that an answer is based on."""

    title: str
    url: str


def passages_of_markdown(
    kind: PassageKind, title: str, markdown: str, url: str, lead: str = ""
) -> Iterator[Passage]:
    """Yield the passages of a Markdown text: whole paragraphs, none longer than `LONGEST`."""
    kept = lead.strip()
    for paragraph in _list_paragraphs(blocks_of(markdown)):
        for part in (
            paragraph[start : start + LONGEST] for start in range(0, len(paragraph), LONGEST)
        ):
            if kept and len(kept) + len(part) > LONGEST:
                yield Passage(kind, title, kept, url)
                kept = ""
            kept = f"{kept}\n{part}".strip()
    if kept:
        yield Passage(kind, title, kept, url)


def _list_paragraphs(blocks: Iterable[dict[str, Any]]) -> Iterator[str]:
    for block in blocks:
        if "runs" in block:
            yield "".join(run["text"] for run in block["runs"]).strip()
        for item in block.get("items", ()):
            yield " ".join(_list_paragraphs(item))
        for row in block.get("rows", ()):
            yield " / ".join("".join(run["text"] for run in cell) for cell in row)
