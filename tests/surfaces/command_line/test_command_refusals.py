"""A command that is refused says so in one line, exits with 1 and writes nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cast import Cast
from tests.surfaces.command_line.conftest import Operator

NOBODY = "0" * 32
SAME_WAY = pytest.mark.thorough("three of the ten groups are quick")
OF_EACH_GROUP = [
    "workspaces list",
    "demo",
    f"ledger show {NOBODY} -w x",
    *(
        pytest.param(line, marks=SAME_WAY)
        for line in (
            "keys list",
            "mail test a@example.jp",
            "reservation list -w x",
            "deposit report -w x",
            "billing preview -w x",
            "billing run -w x",
            "job run bill-month",
        )
    ),
]


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("１２３．５", "it has decimals"),
        ("93000.5", "it has decimals"),
        ("¥93,000", "it has a currency sign"),
        ("+93000", "it has a sign"),
        ("93,00", "a comma is in the wrong place"),
        ("many", "it is not a number"),
        ("0", "it is too small"),
        ("9999999999999", "it is too large"),
    ],
)
def test_an_amount_that_is_not_whole_yen(operator: Operator, typed: str, why: str) -> None:
    refusal = operator.is_refused(f"ledger pay {NOBODY} '{typed}'")
    assert refusal == f"amount: '{typed}' is not possible: {why}. Enter whole yen like 93,000."


@pytest.mark.parametrize("typed", ["93000", "93,000", "９３，０００", " 93000 "])
def test_an_amount_in_every_allowed_spelling(operator: Operator, typed: str) -> None:
    id_ = operator.books(rent=typed)
    prices = operator.asks(f"reservation show {id_}", "2026-06-20")["prices"]
    assert prices[0]["monthly_yen"] == 93_000


@pytest.mark.parametrize("typed", ["2026-13-01", "20260701", "2026-7-1", "tomorrow", "1026-07-01"])
def test_a_day_that_is_none(operator: Operator, typed: str) -> None:
    refusal = operator.is_refused(f"ledger show {NOBODY}", on=typed)
    assert refusal == f"--on: '{typed}' is not possible: a day is written like 2026-07-16."


def test_a_month_that_is_none_or_too_far_ahead(operator: Operator) -> None:
    refusal = operator.is_refused("billing run --through 2026-13", on="2026-08-25")
    assert refusal == "--through: '2026-13' is not possible: a month is written like 2026-07."
    refusal = operator.is_refused("billing run --through 2026-10", on="2026-08-25")
    assert refusal == "through: October 2026 is too far ahead. The latest month is September 2026."


@pytest.mark.parametrize(
    "line",
    [
        f"reservation show {NOBODY}",
        f"reservation notice {NOBODY} --move-out 2026-12-01",
        f"reservation cancel {NOBODY}",
        f"reservation force {NOBODY}",
        f"reservation dates {NOBODY} --move-in 2026-12-01",
        f"reservation price {NOBODY} --from 2026-12-01 --rent 1",
        f"reservation amend {NOBODY} --last-day 2026-12-01 --name K --rent 1",
        f"ledger show {NOBODY}",
        f"ledger pay {NOBODY} 1",
        f"ledger charge {NOBODY} 1 --label x",
        f"ledger arrears {NOBODY} 1",
        f"ledger void {NOBODY}",
        f"deposit balance {NOBODY}",
        f"deposit settle {NOBODY}",
        f"deposit refund {NOBODY}",
    ],
)
def test_a_record_that_is_not_there(operator: Operator, line: str) -> None:
    assert NOBODY in operator.is_refused(line)
    assert "is no" in operator.is_refused(line) or "There is no" in operator.is_refused(line)


def test_another_workspaces_record_is_not_there(operator: Operator, cast: Cast) -> None:
    stranger = cast.minato.resident_id
    assert (
        operator.is_refused(f"ledger show {stranger}") == f"There is no reservation '{stranger}'."
    )


def test_what_is_typed_is_stored_composed_and_bytes_that_are_no_text_are_refused(
    operator: Operator,
) -> None:
    for typed in ("K\udcff", "K\x1b[2J", "K\0"):
        refusal = operator.is_refused(f"reservation book --unit x --move-in x --name '{typed}'")
        assert refusal.startswith("'K\ufffd")
        assert refusal.endswith("' is not UTF-8 text without control characters.")
    operator.books(name="か\u3099とう")
    (booked,) = operator.asks("reservation list --unit 102")
    assert booked["name"] == "がとう"


def test_an_unknown_workspace(operator: Operator) -> None:
    said = operator.types("billing run --workspace nobody")
    assert (said.code, said.err) == (1, "pms: There is no workspace 'nobody'.\n")


def test_an_unknown_job(operator: Operator) -> None:
    refusal = operator.is_refused("job run dance")
    assert refusal.startswith(
        "Job 'dance' was not found. Available jobs: advance-lifecycles, plan-turnovers"
    )


@pytest.mark.parametrize("text", ["cleaning", "=5", "cleaning=5.5", "cleaning=0"])
def test_a_deduction_that_cannot_be_read(operator: Operator, text: str) -> None:
    refusal = operator.is_refused(f"deposit settle {NOBODY} --deduct '{text}'")
    assert refusal.startswith(f"--deduct: '{text}' is not possible")


def test_a_second_booking_of_the_same_nights(operator: Operator) -> None:
    operator.books()
    words = "--unit kawasemi-house-102-sumida --name K --move-in 2026-08-01 --rent 1"
    refusal = operator.is_refused(f"reservation book {words}", on="2026-06-21")
    assert "Minoru" not in refusal
    assert "16 July 2026" in refusal
    assert len(operator.asks("reservation list --unit 102")) == 1


def test_a_guest_of_181_nights(operator: Operator) -> None:
    operator.books()
    dates = "--move-in 2027-08-01 --contract-end 2028-01-29"
    words = f"--unit kawasemi-house-102-sumida --kind guest --name K {dates}"
    refusal = operator.is_refused(f"reservation book {words}", on="2026-06-21")
    assert "29 January 2028 is 181 nights after 1 August 2027" in refusal
    assert len(operator.asks("reservation list --unit 102")) == 1


def test_in_production_nothing_is_written_as_of_another_day(operator: Operator) -> None:
    id_ = operator.books()
    for name, value in {
        "PMS_ENV": "production",
        "PMS_SECRET_KEY": "a secret of production that nobody knows",
        "PMS_BASE_URL": "https://pms.example.jp",
        "PMS_TRUSTED_HOSTS": "pms.example.jp",
    }.items():
        operator.monkeypatch.setenv(name, value)
    refusal = operator.is_refused(f"ledger pay {id_} 1", on="2026-06-25")
    assert refusal == "--on: In production nothing can be saved as of another day. Leave out --on."
    assert operator.is_refused("billing run", on="2026-08-25") == refusal
    assert operator.asks(f"ledger show {id_}", "2026-06-25")["unpaid_yen"] > 0
    assert "is in the future" in operator.is_refused("job run bill-month", on="2199-01-01")


@pytest.mark.parametrize("line", OF_EACH_GROUP)
def test_a_database_that_is_missing_is_one_line(line: str, tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", "from pms.surfaces.command_line import main; main()", *line.split()],
        capture_output=True,
        text=True,
        check=False,
        env={"PMS_DATA_DIR": str(tmp_path / "none"), "PATH": ""},
    )
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("pms: database: ")
    assert "Run `pms migrate`" in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "none").exists()
