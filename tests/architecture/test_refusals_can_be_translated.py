"""A refusal is a literal sentence with places, so that it is said in Japanese and in English."""

import pytest

from tests.architecture.refusal_templates import (
    composed,
    sources_of_refusals,
    unfilled,
    wrong_places,
)
from tests.architecture.source_tree import Source, listed


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    """The files whose refusals reach people, each read and parsed once."""
    return sources_of_refusals()


def test_every_refusal_is_a_literal_sentence(sources: list[Source]) -> None:
    assert not listed(finding for source in sources for finding in composed(source))


def test_every_refusal_fills_its_places(sources: list[Source]) -> None:
    assert not listed(finding for source in sources for finding in unfilled(source))


@pytest.mark.parametrize(
    "raised",
    [
        'raise Refused(f"day: {day} is past.")',
        "raise NotFound(message)",
        'raise Collision("slug: taken by " + name)',
        'raise Refused("day: {} is past.".format(day))',
    ],
)
def test_a_planted_composed_sentence_is_found(raised: str) -> None:
    assert list(composed(Source("pms/departures/notices.py", raised)))


@pytest.mark.parametrize(
    "raised",
    [
        'raise Refused("day: {day} is in the past. Choose {today} or later.", day=day)',
        'raise Refused("day: it is past.", day=day)',
    ],
)
def test_a_planted_place_without_its_value_is_found(raised: str) -> None:
    assert list(unfilled(Source("pms/departures/notices.py", raised)))


def test_literals_side_by_side_are_one_sentence() -> None:
    raised = 'raise Refused("day: {day} is past;" " choose a later one.", day=day)'
    source = Source("pms/departures/notices.py", raised)
    assert not [*composed(source), *unfilled(source)]


@pytest.mark.parametrize(
    ("wording", "is_wrong"),
    [
        ("{day}は{entry_id}の過去の日付です。", False),
        ("{day}は過去の日付です。", False),
        ("過去の日付です。", True),
        ("{day}は{today}より前の日付です。", True),
        ("{day:%Y-%m}は過去の月です。", True),
    ],
)
def test_a_wording_names_the_same_places_but_may_leave_an_id_out(
    wording: str, is_wrong: bool
) -> None:
    assert wrong_places("{day} of {entry_id} is past.", wording) is is_wrong
