"""The runner of cases tells what differs, and passes over nothing that it does not know."""

import json
from copy import deepcopy
from pathlib import Path

import pytest

from tests.cases.__main__ import main
from tests.cases.files import FOLDER, kept_cases, kept_stories
from tests.cases.runner import check, unknown_groups
from tests.cases.stage import Stage

ROUNDED = kept_cases("rules.json", "rounding")
FILES = sorted(path.name for path in FOLDER.glob("*.json") if path.name != "practice.json")


def written(folder: Path, **content: object) -> str:
    path = folder / "asked.json"
    path.write_text(json.dumps(content), "utf-8")
    return str(path)


def test_cases_that_come_out_end_with_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([written(tmp_path, about="", cases=ROUNDED)]) == 0
    count = len(ROUNDED)
    assert capsys.readouterr().out == f"asked.json: {count} run, {count} as expected, 0 not\n"


def test_a_changed_expectation_is_told_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = deepcopy(ROUNDED[:2])
    yen = changed[0]["expect"]["yen"]
    changed[0]["expect"]["yen"] = yen + 1
    path, wrong, right = written(tmp_path, cases=changed), changed[0]["id"], changed[1]["id"]
    assert main([path]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{wrong}: by the rules, expect.yen: expected {yen + 1}, found {yen}",
        "asked.json: 2 run, 1 as expected, 1 not",
    ]
    assert main([path, right]) == 0
    assert main([path, "-k", wrong]) == 1
    assert main([path, "-k", right]) == 0


def test_a_changed_settlement_is_told_by_rules_and_use_cases(stage: Stage) -> None:
    case = deepcopy(kept_cases("rules.json", "settlement")[0])
    case["expect"]["remainder"] += 1
    ways = [difference.partition(",")[0] for difference in check(case, lambda: stage)]
    assert ways == ["by the rules", "by the use cases"]


def test_a_changed_step_of_a_story_is_told_by_rules_and_use_cases(stage: Stage) -> None:
    story = deepcopy(kept_stories("stories.json")[0])
    step = next(step for step in story["steps"] if step["do"] == "pay")
    step["expect"] = {"paid": -1}
    ways = [difference.partition(", step")[0] for difference in check(story, lambda: stage)]
    assert ways == ["by the rules", "by the use cases"]


def test_a_changed_report_is_told(stage: Stage) -> None:
    case = deepcopy(kept_cases("reports.json", "reported-calendar")[0])
    case["check"]["anyOf"] = [{"refused": "neither"}]
    assert len(list(check(case, lambda: stage))) == 1


def test_what_is_not_known_is_named_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = {"id": "weather-01", "given": {}, "expect": {}}
    by_hand = {"id": "W9", "steps": "look"}
    tool = {"id": "W1", "check": {"tool": "weather"}}
    story = {"id": "story-99", "steps": [{"do": "rain"}, {"do": "pay"}]}
    path = written(tmp_path, cases=[case, by_hand, tool], stories=[story], songs=[])
    assert main([path]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "weather-01: not run, nobody here answers group weather",
        "W9: not run, nobody here answers group W9 without a check",
        "W1: not run, nobody here answers group reported-weather",
        "story-99: not run, nobody here answers step rain",
        "a part of the file that is not known: songs",
        "asked.json: 4 run, 0 as expected, 4 not",
    ]


def test_a_case_that_cannot_be_answered_does_not_hide_the_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    torn = {**ROUNDED[0], "given": {}}
    assert main([written(tmp_path, cases=[torn, ROUNDED[1]])]) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{torn['id']}: stopped by KeyError at worked_cases.py:")
    assert last == "asked.json: 2 run, 1 as expected, 1 not"


def test_an_id_that_no_case_has_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([written(tmp_path, cases=ROUNDED), "rounding-999"]) == 2
    assert "rounding-999" in capsys.readouterr().out


@pytest.mark.parametrize("name", FILES)
def test_every_group_of_the_files_kept_here_is_known(name: str) -> None:
    for question in (*kept_cases(name), *kept_stories(name)):
        assert not unknown_groups(question), question["id"]
