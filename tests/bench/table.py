"""Prints what was measured as one table, and writes it as JSON."""

import os
import platform
import sqlite3
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

import msgspec

from tests.bench.rounds import Figure, Spread
from tests.bench.stage import Stage

_HEADINGS = ("goal", "what", "must", "stretch", "measured", "lo–hi", "verdict", "")
ROOT = Path(__file__).parents[2]


def about(stage: Stage) -> dict[str, str]:
    """Return where, over what and of which commit was measured."""
    sizes = stage.data.workspaces
    return {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}",
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "commit": _git("rev-parse", "--short", "HEAD") + ("+" if _git("status", "-s") else ""),
        "data": f"{len(sizes)} workspaces, {sum(one.units for one in sizes)} units, "
        f"{sum(one.reservations for one in sizes)} reservations; the largest "
        f"{sizes[0].units} and {sizes[0].reservations}",
        "rounds": f"{stage.rounds}, interleaved",
    }


def write(figures: Sequence[Figure], stage: Stage, path: Path) -> None:
    """Write the same as JSON."""
    lines = [asdict(figure) | {"verdict": figure.verdict} for figure in figures]
    path.write_bytes(msgspec.json.format(msgspec.json.encode(about(stage) | {"figures": lines})))


def printed(figures: Iterable[Figure], stage: Stage) -> str:
    """Return the table."""
    lines = [_HEADINGS, *(_cells(figure) for figure in figures)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADINGS))]
    table = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
    found = [f"{name}: {value}" for name, value in about(stage).items()]
    return "\n".join([*found, "", *table])


def _cells(figure: Figure) -> tuple[str, ...]:
    sign = "≥" if figure.more_is_better else "≤"
    must, stretch = (
        "" if limit is None else f"{sign} {limit:g}{figure.unit}"
        for limit in (figure.must, figure.stretch)
    )
    median, span = _measured(figure.measured, figure.unit)
    return figure.goal, figure.what, must, stretch, median, span, figure.verdict, figure.note


def _measured(spread: Spread | None, unit: str) -> tuple[str, str]:
    if spread is None:
        return "", ""
    median, low, high = (f"{value:.3g}" for value in spread)
    return f"{median}{unit}", "" if low == high else f"{low}–{high}"


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or ("unknown" if words[0] == "rev-parse" else "")
