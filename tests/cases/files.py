"""Files of worked cases: `cases`, each with an id, `given` and `expect`, and `stories` of steps."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.rules.worked_cases import Given

FOLDER = Path(__file__).parent
EXPLAINING = {"about", "kinds"}
"""What a file says of itself."""
ASK, SHARE = "ask", "shared"
"""Steps of a story that only ask: a group of the practice, and what all questions after it share."""


class CaseFile(NamedTuple):
    """What one file asks."""

    cases: Sequence[Given]
    stories: Sequence[Given]
    others: Sequence[str]
    """Names of the parts that nobody here knows."""


def read_case_file(path: Path) -> CaseFile:
    content: dict[str, Any] = json.loads(path.read_text("utf-8"))
    others = content.keys() - EXPLAINING - {"cases", "stories"}
    return CaseFile(content.get("cases", ()), content.get("stories", ()), sorted(others))


def kept_cases(name: str, *groups: str) -> list[Given]:
    """The cases of a file kept here, all or those of some groups."""
    cases = read_case_file(FOLDER / name).cases
    return [case for case in cases if not groups or group_of(case) in groups]


def kept_stories(name: str) -> list[Given]:
    return list(read_case_file(FOLDER / name).stories)


def group_of(case: Given) -> str:
    """What a case asks about: its id before the last dash, of a reported case its tool."""
    if "check" in case:
        return f"reported-{case['check']['tool']}"
    group: str = case["id"].rpartition("-")[0]
    return group or f"{case['id']} without a check"


def is_of_practice(case: Given) -> bool:
    """Whether a case is one of an operator's practice, whose rules are numbered; another's name theirs."""
    return isinstance(case.get("rule"), int)


def is_story(question: Given) -> bool:
    return isinstance(question.get("steps"), list)


def is_practice_story(story: Given) -> bool:
    """Whether a story is one of the practice: it stands on numbered rules, as their cases do."""
    return any(isinstance(rule, int) for rule in story.get("rules", ()))


def asked_kinds(story: Given) -> list[str]:
    """The groups that a story asks between its steps, each once."""
    return list(dict.fromkeys(step["kind"] for step in story["steps"] if step["do"] == ASK))
