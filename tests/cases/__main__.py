"""Runs the cases of a file, or some of them, and prints what differs from what they expect."""

import argparse
import logging
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.cases.files import read_case_file
from tests.cases.runner import check, unknown_groups
from tests.cases.stage import Stage, opened_stages
from tests.rules.worked_cases import Given
from tests.servers.absence import MissingServerError


def main(words: Sequence[str] | None = None) -> int:
    """Return 0 when everything comes out as expected, 1 when not, 2 when nothing could be run."""
    asked = _parser().parse_args(words)
    file = read_case_file(asked.file)
    chosen = [
        question
        for question in (*file.cases, *file.stories)
        if asked.keyword in question["id"] and (not asked.ids or question["id"] in asked.ids)
    ]
    missing = set(asked.ids) - {question["id"] for question in chosen}
    if missing or not chosen:
        print(f"no such case in {asked.file}: {' '.join(sorted(missing)) or asked.keyword}")
        return 2
    try:
        with opened_stages(on_postgresql=asked.postgresql) as set_stage:
            differing = {
                question["id"]: list(_findings(question, set_stage)) for question in chosen
            }
    except MissingServerError as absent:
        print(absent)
        return 2
    unread = [f"a part of the file that is not known: {name}" for name in file.others]
    for line in unread:
        print(line)
    count = sum(map(bool, differing.values()))
    print(f"{asked.file.name}: {len(chosen)} run, {len(chosen) - count} as expected, {count} not")
    return int(bool(count or unread))


def _findings(question: Given, set_stage: Callable[[], Stage]) -> Iterator[str]:
    """What is wrong with a case, printed as it is found."""
    for finding in _check_or_stop(question, set_stage):
        print(f"{question['id']}: {finding}", flush=True)
        yield finding


def _check_or_stop(question: Given, set_stage: Callable[[], Stage]) -> Iterator[str]:
    unknown = unknown_groups(question)
    if unknown:
        yield f"not run, nobody here answers {', '.join(unknown)}"
        return
    try:
        yield from check(question, set_stage)
    except Exception as error:  # one case that cannot be told must not hide the others
        *_, where = traceback.extract_tb(error.__traceback__)
        place = f"{Path(where.filename).name}:{where.lineno}"
        yield f"stopped by {type(error).__name__} at {place}: {error}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.cases", description=__doc__)
    parser.add_argument("file", type=Path, help="a file like those in tests/cases")
    parser.add_argument("ids", nargs="*", help="run these cases and stories alone")
    parser.add_argument("-k", dest="keyword", default="", help="run those with this in their id")
    parser.add_argument("--postgresql", action="store_true", help="on PostgreSQL, not SQLite")
    return parser


if __name__ == "__main__":
    # What the program logs of each request would hide what differs.
    logging.disable(logging.CRITICAL)
    sys.exit(main())
