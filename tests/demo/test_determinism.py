"""The same day makes the same rows; another day makes others."""

from datetime import date, timedelta
from functools import cache
from typing import Any

import pytest

from pms.catalogue.models import Unit
from pms.demo.rows import PARENTS_FIRST, Rows
from pms.demo.seed_demo import demo_rows
from pms.demo.seed_measuring import measuring_rows
from pms.foundation.ids import is_id
from pms.reservations.models import Reservation
from pms.rules.enumerations import EsignStatus, Lifecycle, PaymentStatus
from tests.demo.conftest import ALBUM

TODAY = date(2026, 11, 20)


YEAR = range(0, 366, 13)
QUICK = {0, 182}


@cache
def rows_of(day: date) -> list[Rows]:
    """The rows of a day, made once for all tests that only read them."""
    return demo_rows(day, ALBUM)


def contents(rows: Rows) -> list[list[dict[str, Any]]]:
    return [rows.of(table) for table in PARENTS_FIRST]


def test_two_seedings_of_a_day_are_equal_to_the_last_id() -> None:
    first, second = rows_of(TODAY), demo_rows(TODAY, ALBUM)
    assert [contents(rows) for rows in first] == [contents(rows) for rows in second]


def test_another_day_makes_other_tenancies() -> None:
    first = rows_of(TODAY)[0].of(Reservation)
    second = rows_of(TODAY + timedelta(days=1))[0].of(Reservation)
    assert not {row["id"] for row in first} & {row["id"] for row in second}


def test_the_units_are_the_same_on_every_day() -> None:
    def rents_on(day: date) -> list[tuple[Any, ...]]:
        rows = rows_of(day)[0].of(Unit)
        return [(row["slug"], row["rent_yen"], row["layout"]) for row in rows]

    assert rents_on(TODAY) == rents_on(TODAY + timedelta(days=182))


def test_every_id_is_one_and_none_repeats() -> None:
    ids = [
        (table, row["id"])
        for rows in rows_of(TODAY)
        for table in PARENTS_FIRST
        for row in rows.of(table)
    ]
    assert len(ids) == len(set(ids))
    assert all(is_id(id_) for _, id_ in ids)


def test_ids_follow_the_order_of_making_also_within_one_instant() -> None:
    for rows in rows_of(TODAY):
        ids = [row["id"] for row in rows.of(Unit)]
        assert ids == sorted(ids)


@pytest.mark.parametrize(
    "days",
    [
        pytest.param(days, marks=() if days in QUICK else pytest.mark.thorough("more of the year"))
        for days in YEAR
    ],
)
def test_on_any_day_no_word_of_a_reservation_is_left_out(days: int) -> None:
    rows = [row for one in rows_of(TODAY + timedelta(days=days)) for row in one.of(Reservation)]
    words = {"lifecycle": Lifecycle, "payment_status": PaymentStatus, "esign_status": EsignStatus}
    for column, every in words.items():
        assert {row[column] for row in rows} == set(every)


def test_rows_for_measuring_are_the_same_on_every_run() -> None:
    first = measuring_rows(TODAY, 1, 40, 200, ALBUM)
    second = measuring_rows(TODAY, 1, 40, 200, ALBUM)
    assert contents(first) == contents(second)
