"""Tries the mutants of every part, or of some, and tells which nobody noticed."""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Final

from tests.mutation.outcome import ROOT, Score, outdated, score_of
from tests.mutation.parts import PARTS, Part
from tests.mutation.workspace import TOOL, workspace

_LINE: Final = "{:<11}{:>6} of {:<6}{:>7}{:>10}{:>10}{:>12}{:>8}{:>6}"


def main(words: Sequence[str] | None = None) -> int:
    """Return 1 when a part misses its aim."""
    parser = _parser()
    asked = parser.parse_args(words)
    parts = asked.parts or list(PARTS)
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    for name in asked.module:
        if not any(ROOT.joinpath(PARTS[part].package, f"{name}.py").is_file() for part in parts):
            parser.error(f"there is no module {name} in {', '.join(parts)}")
    scores = {name: _tried(name, PARTS[name], asked) for name in parts}
    for line in outdated():
        print(f"equivalent.toml names what no longer stands: {line}")
    heads = ("part", "tried", "all", "killed", "timeouts", "survived", "equivalent", "score", "aim")
    print(_LINE.format(*heads))
    for name, score in scores.items():
        print(_row(name, score))
    return int(any(score.percent < PARTS[name].aim for name, score in scores.items()))


def _tried(name: str, part: Part, asked: argparse.Namespace) -> Score:
    began = time.monotonic()
    sample = 0 if asked.all else asked.sample or part.sample
    with workspace(part, asked.module) as folder:
        numbers = (str(sample), str(asked.processes), str(asked.seed))
        log = folder / "run.log"
        with log.open("w") as output:
            ran = subprocess.run(
                [*TOOL, *numbers],
                cwd=folder,
                env=os.environ | {"TMPDIR": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
            )
        if ran.returncode:
            # What turns while it works says nothing afterwards.
            kept = re.sub(r"[\u2800-\u28ff][^\r\n]*[\r\n]*", "", log.read_text("utf-8"))
            sys.exit(f"{name}: mutmut failed\n{kept[-20_000:]}")
        score = score_of(folder / "outcome.json")
    for mutant in score.survivors:
        print(f"{mutant.function} {mutant.number}: {mutant.status}")
        for sign, lines in (("-", mutant.was), ("+", mutant.now)):
            print(*(f"    {sign} {line}" for line in lines), sep="\n")
    for module, (noticed, tried) in sorted(score.by_module.items()):
        if noticed < tried:
            print(f"{module}: {noticed} of {tried}")
    print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)
    return score


def _row(name: str, score: Score) -> str:
    return _LINE.format(
        name,
        score.tried + score.equivalent,
        score.every,
        score.killed,
        score.timeouts,
        len(score.survivors),
        score.equivalent,
        f"{score.percent:.1f}",
        PARTS[name].aim,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.mutation", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument(
        "--module", action="append", default=[], help="change only this one; may be repeated"
    )
    parser.add_argument("--all", action="store_true", help="try every mutant, not a sample")
    parser.add_argument("--sample", type=int, help="so many mutants of each part")
    parser.add_argument("--seed", type=int, default=1, help="chooses the sample")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    return parser


if __name__ == "__main__":
    sys.exit(main())
