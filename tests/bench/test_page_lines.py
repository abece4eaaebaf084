"""A page is judged by its own limits: what shows many may cost more in a larger workspace."""

import pytest

from tests.bench.matrix import Cost, Page
from tests.bench.page_lines import PageLine, page_table

QUICK = Cost(first_ms=20, later_ms=10, statements=12, html=40 * 1024)


def line_of(*, shows_many: bool = False, **of_the_largest: int) -> PageLine:
    page = Page("dashboard.bills", "/bills", None, shows_many)
    line = PageLine(page, "sqlite")
    line.add({1: [QUICK], 10: [QUICK], 100: [QUICK._replace(**of_the_largest)]})
    return line


def test_a_page_that_keeps_every_goal_has_nothing_in_bold() -> None:
    assert not line_of().is_missed
    assert "**" not in page_table([line_of()])


@pytest.mark.parametrize(
    ("of_the_largest", "shows_many", "cell"),
    [
        ({"later_ms": 14}, False, "**1.4**"),
        ({"later_ms": 31}, True, "**3.1**"),
        ({"first_ms": 1_200}, True, "**1.2**"),
        ({"statements": 26}, True, "**26**"),
        ({"html": 151 * 1024}, True, "**151**"),
    ],
)
def test_what_is_missed_is_in_bold(
    of_the_largest: dict[str, int], shows_many: bool, cell: str
) -> None:
    line = line_of(shows_many=shows_many, **of_the_largest)
    assert [one for one in line.cells() if one.startswith("**")] == [cell]


def test_what_shows_many_may_cost_more_in_a_larger_workspace() -> None:
    assert not line_of(shows_many=True, later_ms=29).is_missed


def test_a_later_round_counts_as_much_as_the_first() -> None:
    line = line_of(later_ms=14)
    line.add({100: [QUICK, QUICK]})
    assert not line.is_missed


def test_pages_that_miss_a_goal_are_listed_first() -> None:
    table = page_table([line_of(), line_of(shows_many=True, statements=30)]).splitlines()
    assert ["**30**" in row for row in table[2:]] == [True, False]


def test_a_page_that_could_not_be_opened_is_in_the_table() -> None:
    line = PageLine(Page("dashboard.bills", "/bills", None, shows_many=False), "sqlite")
    assert line.is_missed
    assert "**could not be opened**" in page_table([line])
