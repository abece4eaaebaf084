"""Runs cases and stories against the rules and the use cases, and says what differs."""

from collections.abc import Callable, Iterator

from tests.cases import by_rules, by_use_cases, practice
from tests.cases.files import (
    asked_kinds,
    group_of,
    is_of_practice,
    is_practice_story,
    is_story,
)
from tests.cases.stage import Stage
from tests.reports import TOOLS, Reports
from tests.rules.worked_cases import Given


def unknown_groups(question: Given) -> list[str]:
    """The group of a case, or the steps of a story, that nobody here answers."""
    if is_story(question):
        known = set(by_rules.steps_of(question))
        if not is_practice_story(question):
            known &= by_use_cases.steps_of(question).keys()
        steps = dict.fromkeys(step["do"] for step in question["steps"])
        unknown = [f"step {name}" for name in steps if name not in known]
        kinds = [kind for kind in asked_kinds(question) if kind not in practice.ANSWERS]
        return [*unknown, *(f"group {kind}" for kind in kinds)]
    reported = {f"reported-{tool}" for tool in TOOLS}
    known = by_rules.ANSWERS.keys() | by_use_cases.ANSWERS.keys() | reported
    if is_of_practice(question):
        known = set(practice.ANSWERS)
    group = group_of(question)
    return [] if group in known else [f"group {group}"]


def check(question: Given, set_stage: Callable[[], Stage]) -> Iterator[str]:
    """What the rules and the use cases answer otherwise than a case or a story expects."""
    if "check" in question:
        stage = set_stage()
        reports = Reports(stage.folder, stage.settings, stage.clock, stage.database)
        yield from reports.differences(question)
        return
    if is_story(question):
        by_rule = list(by_rules.tell_story(question))
        by_use_case = []
        if by_use_cases.can_tell(question):
            by_use_case = list(by_use_cases.tell_story(set_stage(), question))
    else:
        answered = by_rules.check_case(question), by_use_cases.check_case(set_stage, question)
        if answered == (None, None):
            yield "nothing here answers it"
        by_rule, by_use_case = (differing or [] for differing in answered)
    yield from (f"by the rules, {difference}" for difference in by_rule)
    yield from (f"by the use cases, {difference}" for difference in by_use_case)
