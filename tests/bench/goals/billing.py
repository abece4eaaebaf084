"""S12: a month of rent for many tenancies, against the same rows written by hand."""

from collections.abc import Iterable, Sequence
from math import log
from statistics import median

from tests.bench.goals.billing_data import Ground
from tests.bench.goals.billing_floor import WrittenRows, floor_seconds, written_rows
from tests.bench.goals.billing_run import BillingRun, billed
from tests.bench.rounds import Figure, Spread, ratio, spread
from tests.bench.stage import Stage

_FEW, _SOME, _MANY = 1_000, 10_000, 100_000
_LEAST_RATES = {"SQLite": (0.10, 0.25), "PostgreSQL": (0.30, 0.60)}
_MOST_ROUNDS = 3


def judge_billing(stage: Stage) -> Iterable[Figure]:
    """The rate, and how time and memory grow."""
    yield from _rates(stage)
    yield from _growth(stage)


def _rates(stage: Stage) -> Iterable[Figure]:
    """Rows a second: reading what is due, the law, rounding and writing, against writing alone."""
    grounds = _grounds(stage)
    for name, limits in _LEAST_RATES.items():
        for size in _sizes(stage):
            what = f"{size:,} rents billed on {name}, rows a second against executemany"
            if name in grounds:
                yield _rate(grounds[name], size, what, limits, _rounds(stage))
            else:
                yield Figure("S12", what, None, *limits, note=str(stage.postgresql))


def _rate(ground: Ground, size: int, what: str, limits: tuple[float, float], rounds: int) -> Figure:
    written = _first_run(ground, size)[1]
    rows = sum(len(one.rows) for one in written)

    def ours() -> float:
        return rows / _run(ground, size).seconds

    found, mine, floor = ratio(ours, lambda: rows / _floor(ground, size, written), rounds)
    note = f"{mine.median:,.0f} of {floor.median:,.0f} rows/s"
    return Figure("S12", what, found, *limits, more_is_better=True, note=note)


def _growth(stage: Stage) -> Iterable[Figure]:
    """From few tenancies to many, the memory for the many, and the same run once more."""
    for name, ground in _grounds(stage).items():
        many = _most(stage)
        first, written, again = _first_run(ground, many)
        few = [_run(ground, _FEW) for _ in range(_rounds(stage))]
        yield _exponent(name, [run.seconds for run in few], first.seconds, many)
        what = f"most memory of a process that bills {many:,} rents on {name}"
        yield Figure("S12", what, _one(first.peak_mebibytes), 300, 180, "MiB")
        floor = _floor(ground, many, written)
        what = f"the same run once more on {name}, time against executemany"
        note = f"{again.entries} entries more"
        yield Figure("S12", what, _one(again.seconds / floor), 0.5, 0.15, note=note)
        what = f"the same run once more on {name}: entries written again"
        yield Figure("S12", what, _one(again.entries), 0, 0, "")


def _exponent(name: str, few: Sequence[float], seconds: float, many: int) -> Figure:
    found = spread([log(seconds / one) / log(many / _FEW) for one in few])
    note = f"{median(few):.2f} s and {seconds:.2f} s"
    what = f"growth exponent from {_FEW:,} to {many:,} rents on {name}"
    return Figure("S12", what, found, 1.15, 1.08, "", note=note)


def _first_run(ground: Ground, size: int) -> tuple[BillingRun, list[WrittenRows], BillingRun]:
    """Return a run, the rows it wrote, and the same run once more on the same database."""
    settings = ground.fresh(size)
    run = billed(settings)
    assert run.entries == size, f"{run.entries} entries for {size} tenancies"
    written = written_rows(settings, ground.server)
    again = billed(settings)
    assert written_rows(settings, ground.server) == written
    ground.drop(settings)
    return run, written, again


def _run(ground: Ground, size: int) -> BillingRun:
    settings = ground.fresh(size)
    run = billed(settings)
    ground.drop(settings)
    return run


def _floor(ground: Ground, size: int, written: Sequence[WrittenRows]) -> float:
    settings = ground.fresh(size)
    seconds = floor_seconds(settings, ground.server, written)
    ground.drop(settings)
    return seconds


def _grounds(stage: Stage) -> dict[str, Ground]:
    grounds = [Ground(stage.folder / "billing-sqlite")]
    if not isinstance(stage.postgresql, Exception):
        grounds.append(Ground(stage.folder / "billing-postgresql", stage.postgresql))
    return {ground.name: ground for ground in grounds}


def _sizes(stage: Stage) -> tuple[int, int]:
    return (_FEW, _SOME) if stage.is_quick else (_SOME, _MANY)


def _most(stage: Stage) -> int:
    return _sizes(stage)[1]


def _rounds(stage: Stage) -> int:
    return min(stage.rounds, _MOST_ROUNDS)


def _one(value: float) -> Spread:
    return Spread(value, value, value)
