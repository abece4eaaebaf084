"""Reads the examples out of a page, so that they can be shown, shared by languages, and run.

A request is a fence ```` ```bash example=NAME ````, its answer a fence
```` ```json answer=NAME status=200 ````. The English page holds the text; an empty fence of the
same name on the Japanese page is filled from it, so that there is one text to keep true.
"""

import re
from dataclasses import dataclass

_FENCE = re.compile(
    r"^```(?P<language>\w+)(?P<marks>(?: \w+=\S+)*)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE
)


@dataclass(frozen=True)
class Fence:
    """One fenced block: its language, its marks and its text."""

    language: str
    marks: dict[str, str]
    body: str


def fences(markdown: str) -> tuple[Fence, ...]:
    """Every fenced block of a page, in order."""
    return tuple(_fence(match) for match in _FENCE.finditer(markdown))


def read_marks(text: str) -> dict[str, str]:
    """The `name=value` words behind the language of a fence."""
    return dict(word.split("=", 1) for word in text.split() if "=" in word)


def filled_from(original: str, translation: str) -> str:
    """The translated page with its empty marked fences filled from the original page."""
    bodies = {_name(fence): fence.body for fence in fences(original) if fence.marks}

    def fill(match: re.Match[str]) -> str:
        fence = _fence(match)
        body = fence.body or bodies.get(_name(fence), "")
        return f"```{match['language']}{match['marks']}\n{body}```"

    return _FENCE.sub(fill, translation)


def without_marks(markdown: str) -> str:
    """The page as a reader gets it: fences name their language and nothing else."""
    return _FENCE.sub(lambda match: f"```{match['language']}\n{match['body']}```", markdown)


def _fence(match: re.Match[str]) -> Fence:
    return Fence(match["language"], read_marks(match["marks"]), match["body"])


def _name(fence: Fence) -> tuple[str, ...]:
    return tuple(sorted(f"{mark}={value}" for mark, value in fence.marks.items()))
