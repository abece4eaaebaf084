"""How long somebody worked, as people write it."""

import pytest

from pms.rules.upkeep_cost import plain_hours, read_worked_minutes


@pytest.mark.parametrize(
    ("typed", "minutes"),
    [
        ("2", 120),
        ("２", 120),
        ("2.5", 150),
        ("0.25", 15),
        ("1.33", 80),
        ("1:30", 90),
        ("１：３０", 90),
        ("2h", 120),
        ("2 hours", 120),
        ("2時間", 120),
        ("1時間30分", 90),
        ("1 h 5 min", 65),
        ("90分", 90),
        ("45 min", 45),
        ("0", 0),
    ],
)
def test_time_is_read_as_people_write_it(typed: str, minutes: int) -> None:
    assert read_worked_minutes(typed) == minutes


@pytest.mark.parametrize("typed", ["", "two", "-1", "1:75", "1,5", "2.555", "1:3", "h", "1e3"])
def test_what_is_no_time_is_none(typed: str) -> None:
    assert read_worked_minutes(typed) is None


@pytest.mark.parametrize(("minutes", "text"), [(120, "2"), (90, "1:30"), (5, "0:05")])
def test_a_field_shows_what_reads_the_same_again(minutes: int, text: str) -> None:
    assert plain_hours(minutes) == text
    assert read_worked_minutes(text) == minutes
