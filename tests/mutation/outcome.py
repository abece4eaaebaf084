"""What became of the mutants of a part."""

import json
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parent.parent.parent
_EQUIVALENT: Final = Path(__file__).parent / "equivalent.toml"


@dataclass(frozen=True)
class Mutant:
    """One change of one function."""

    function: str
    number: str
    status: str
    was: tuple[str, ...]
    now: tuple[str, ...]

    @property
    def module(self) -> str:
        """The module of the function."""
        return self.function.rpartition(".")[0]

    @property
    def change(self) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
        """What names the mutant, whatever else of the function changes."""
        return self.function, self.was, self.now


@dataclass(frozen=True)
class Score:
    """How many mutants there are, and how many of those tried were noticed."""

    every: int
    killed: int
    timeouts: int
    equivalent: int
    survivors: Sequence[Mutant]
    by_module: Mapping[str, tuple[int, int]]
    """How many of each module were noticed, and how many count."""

    @property
    def tried(self) -> int:
        """How many mutants count."""
        return self.killed + self.timeouts + len(self.survivors)

    @property
    def percent(self) -> float:
        """The share of what counts that was noticed."""
        return 100 * (self.killed + self.timeouts) / max(self.tried, 1)


def score_of(path: Path) -> Score:
    """Read what the tool wrote."""
    body = json.loads(path.read_text("utf-8"))
    known = _equivalent()
    counts: Counter[str] = Counter()
    survivors = []
    noticed: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for mutant in map(_mutant, body["mutants"]):
        if mutant.status in ("killed", "timeout"):
            counts[mutant.status] += 1
            noticed[mutant.module] += 1
        elif mutant.change in known:
            counts["equivalent"] += 1
        else:
            survivors.append(mutant)
            tried[mutant.module] += 1
    tried += noticed
    return Score(
        every=body["all"],
        killed=counts["killed"],
        timeouts=counts["timeout"],
        equivalent=counts["equivalent"],
        survivors=survivors,
        by_module={module: (noticed[module], tried[module]) for module in tried},
    )


def _mutant(given: dict[str, Any]) -> Mutant:
    function, _, number = given["name"].rpartition("__mutmut_")
    return Mutant(
        function,
        number,
        given["status"],
        tuple(line[2:] for line in given["change"] if line[0] == "-"),
        tuple(line[2:] for line in given["change"] if line[0] == "+"),
    )


def outdated() -> Iterator[str]:
    """Tell what is listed as equivalent though its lines no longer stand in the program."""
    for one in _listed():
        module = one["function"].rpartition(".")[0]
        path = ROOT.joinpath(*module.split(".")).with_suffix(".py")
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        if not {line.strip() for line in lines}.issuperset(one["was"]):
            yield f"{one['function']}: {' '.join(one['was'])}"


def _equivalent() -> set[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    return {(one["function"], tuple(one["was"]), tuple(one["now"])) for one in _listed()}


def _listed() -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = tomllib.loads(_EQUIVALENT.read_text("utf-8"))["mutant"]
    for one in listed:
        assert one["reason"], f"{one['function']}: say why it is equivalent"
    return listed
