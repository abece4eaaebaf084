"""Invented figures and records that the gallery shows."""

from typing import Final, NamedTuple


class SpecimenRun(NamedTuple):
    """Long work at one point of its way."""

    done: int
    total: int
    problems: int = 0
    finished_at: str | None = None
    failure: str | None = None


MONTHS: Final = tuple(
    (str(number), (income, cost))
    for number, income, cost in (
        (12, 8_420_000, 3_110_000),
        (1, 8_610_000, 3_050_000),
        (2, 8_590_000, 4_900_000),
        (3, 9_240_000, 3_700_000),
        (4, 9_310_000, 3_260_000),
        (5, 9_180_000, 3_190_000),
        (6, 8_870_000, 9_420_000),
        (7, 8_930_000, 3_300_000),
        (8, 9_020_000, 3_280_000),
        (9, 9_400_000, 3_410_000),
        (10, 9_550_000, 3_390_000),
        (11, 9_610_000, 3_520_000),
    )
)
RESULT: Final = tuple(income - cost for _, (income, cost) in MONTHS)
OCCUPANCY: Final = tuple(
    (label, share)
    for (label, _), share in zip(
        MONTHS, (88, 89, 91, 96, 95, 93, 92, 90, 91, 94, 95, 97), strict=True
    )
)
RUNS: Final = (
    SpecimenRun(done=214, total=1_000, problems=3),
    SpecimenRun(done=0, total=0),
    SpecimenRun(done=1_000, total=1_000, finished_at="now"),
    SpecimenRun(done=1_000, total=1_000, problems=1, finished_at="now"),
    SpecimenRun(done=430, total=1_000, failure="The mail server refuses to take any more."),
)
