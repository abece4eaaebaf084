"""A large file of a take-over is read in a process of its own, as a small one is here, or refused."""

from datetime import date

import pytest

from pms.arrivals.takeover import reading_process
from pms.arrivals.takeover.instructions import NO_INSTRUCTIONS
from pms.arrivals.takeover.reading import open_file, read_files
from pms.arrivals.takeover.reading_process import MOST_READ_HERE, read_within_bounds
from pms.foundation.bounded_process import BoundedProcess
from pms.foundation.errors import TooMany
from pms.sheets.refusals import SheetRefused
from tests.takeover.test_run import SAMPLES

TODAY = date(2026, 11, 20)
_HEADS = "号室,氏名,契約開始,賃料,敷金,滞納額\n"


def roll(tenancies: int) -> bytes:
    rows = (f"{number},住人 {number},2025/4/1,50000,50000,0\n" for number in range(tenancies))
    return (_HEADS + "".join(rows)).encode()


def test_a_large_file_is_read_like_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_process, "MOST_READ_HERE", 0)
    name = "heights_aoba.xlsx"
    files = [open_file(name, (SAMPLES / name).read_bytes())]
    here, there = (read(files, TODAY, NO_INSTRUCTIONS) for read in (read_files, read_within_bounds))
    assert there.shape() == here.shape()
    assert there.previews == here.previews
    assert len(there.tenancies) > 50


def test_a_large_file_is_not_read_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(reading_process, "read_files")
    tenancies = MOST_READ_HERE // 6
    found = read_within_bounds([open_file("a.csv", roll(tenancies))], TODAY, NO_INSTRUCTIONS)
    assert len(found.tenancies) == tenancies


@pytest.mark.parametrize(
    ("module", "refusal"),
    [("tests.takeover.ends_at_once", SheetRefused), ("tests.takeover.never_ends", TooMany)],
)
def test_a_file_that_takes_too_much_is_refused(
    monkeypatch: pytest.MonkeyPatch, module: str, refusal: type[Exception]
) -> None:
    monkeypatch.setattr(reading_process, "MOST_READ_HERE", 0)
    process = BoundedProcess(module, most_seconds=1, patience_seconds=1)
    monkeypatch.setattr(reading_process, "_process", process)
    reading_process._read_there.cache_clear()
    with pytest.raises(refusal):
        read_within_bounds([open_file("a.csv", roll(1))], TODAY, NO_INSTRUCTIONS)
