"""Measures every goal, or some of them, and prints one table."""

import argparse
import shutil
import sys
import tempfile
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.bench.agreement import check_agreement
from tests.bench.data import FULL, QUICK, TINY, seed
from tests.bench.goals import GOALS, PAGES
from tests.bench.page_lines import page_table
from tests.bench.rounds import Figure
from tests.bench.stage import Stage
from tests.bench.table import printed, write

_MOST_REPEATS = 2


def main(words: Sequence[str] | None = None) -> int:
    """Return 1 when a must is missed."""
    asked = _parser().parse_args(words)
    if asked.pages is not None:
        asked.only = list(PAGES)
    folder = Path(tempfile.mkdtemp(prefix="pms-bench-"))
    try:
        figures = _run(asked, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return int(any(figure.verdict == "MISSED" for figure in figures))


def _run(asked: argparse.Namespace, folder: Path) -> Sequence[Figure]:
    _say("seeding …")
    # The pages are measured over the demo, and against no floor.
    is_of_pages = set(asked.only) <= set(PAGES)
    size = TINY if is_of_pages else QUICK if asked.quick else FULL
    data = seed(asked.data or folder / "data", size)
    stage = Stage(
        data,
        folder,
        rounds=3 if asked.quick else 7,
        requests=10 if asked.quick else 20,
        with_frameworks=asked.with_frameworks,
        is_quick=asked.quick,
        named_pages=asked.pages.split(",") if asked.pages else (),
    )
    if not is_of_pages:
        _say("asking the product and the floor the same questions …")
        _say(f"they agree on {check_agreement(data)} answers")
    with stage.opened:
        figures = [figure for goal in asked.only for figure in _measured_or_failed(stage, goal)]
    print(printed(figures, stage))
    if stage.has_measured_pages:
        print(f"\n{page_table(stage.page_lines)}")
    if asked.json:
        write(figures, stage, asked.json)
    return figures


def _measured_or_failed(stage: Stage, goal: str) -> Iterable[Figure]:
    """Return the figures of a goal; a failure is printed and does not stop the others."""
    try:
        return _measured(stage, goal)
    except Exception as error:
        traceback.print_exc()
        return [Figure(goal, "stopped by an error", None, note=f"{type(error).__name__}: {error}")]


def _measured(stage: Stage, goal: str) -> Iterable[Figure]:
    """Return the figures of a goal, measured again while one is missed by little."""
    for repeat in range(_MOST_REPEATS + 1):
        _say(f"{goal} …" if not repeat else f"{goal} once more, it was close …")
        figures = list(GOALS[goal](stage))
        if not any(figure.is_close for figure in figures):
            break
    return figures


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("tests.bench", description=__doc__)
    parser.add_argument("--only", type=_goals, default=list(GOALS), metavar="S1,S3")
    parser.add_argument(
        "--pages",
        nargs="?",
        const="",
        metavar="dashboard.today,…",
        help="only the pages of the matrix, all or those named, at three sizes and on both databases",
    )
    parser.add_argument("--quick", action="store_true", help="less data, fewer rounds")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="seed there, or use what is")
    parser.add_argument(
        "--with-frameworks", action="store_true", help="install others for comparison (S2)"
    )
    return parser


def _goals(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in GOALS:
            raise argparse.ArgumentTypeError(f"'{name}' is not one of {', '.join(GOALS)}")
    return names


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
