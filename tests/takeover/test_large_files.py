"""A large file of a take-over is read in a process of its own, as a small one is here, or refused."""

from datetime import date

import pytest

from pms.arrivals.takeover import reading, reading_process
from pms.arrivals.takeover.instructions import NO_INSTRUCTIONS
from pms.arrivals.takeover.reading import MOST_ROWS, open_file, read_files
from pms.arrivals.takeover.reading_process import MOST_CELLS, MOST_READ_HERE, read_within_bounds
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
    here = read_files(files, TODAY, NO_INSTRUCTIONS, takes_proposed_days=True)
    there = read_within_bounds(files, TODAY, NO_INSTRUCTIONS)
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


def refusal_of(content: str) -> str:
    with pytest.raises(SheetRefused) as refused:
        read_within_bounds([open_file("a.csv", content.encode())], TODAY, NO_INSTRUCTIONS)
    return refused.value.message


def test_rows_are_counted_without_the_heading_and_named_with_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert MOST_ROWS >= 5_000
    monkeypatch.setattr(reading, "MOST_ROWS", 3)
    opened = open_file("a.csv", b"\n" + roll(3))
    assert len(read_within_bounds([opened], TODAY, NO_INSTRUCTIONS).tenancies) == 3
    assert "have 4 rows" in (words := refusal_of(roll(4).decode()))
    assert "at most 3" in words


def test_cells_that_say_nothing_of_tenancies_are_refused_with_their_number() -> None:
    words = refusal_of("a,b,c,d\n" * (MOST_CELLS // 4 + 1))
    assert f"have {MOST_CELLS + 4} filled cells; at most {MOST_CELLS}" in words


def test_a_file_with_more_questions_than_anybody_answers_names_the_column(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reading, "MOST_QUESTIONS", 2)
    words = refusal_of(
        _HEADS + "101,住人,2025/4/1,#N/A,50000,0\n102,住人,2025/4/1,#N/A,50000,0\n" * 2
    )
    assert "column '賃料', as in line 2" in words


def test_a_head_far_below_is_left_to_a_person_and_nothing_of_the_sheet_is_read() -> None:
    found = read_files([open_file("a.csv", b"words,more\n" * 2_000 + roll(2))], TODAY)
    assert found.tenancies == []
    assert [question.code for question in found.about_the_file if question.blocks] == [
        "nothing_read"
    ]
    assert not found.previews[0].is_read
