"""Shares of several owners: read as people write them, and every yen is somebody's."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pms.rules.owner_income import OwnerShare, RunningPart, parts_of, read_share

_THIRDS = tuple(OwnerShare(name, 1, 3) for name in "abc")


@pytest.mark.parametrize(
    ("written", "part"),
    [
        ("1/3", Fraction(1, 3)),
        ("３分の１", Fraction(1, 3)),
        ("33.5%", Fraction(67, 200)),
        ("2/4", Fraction(1, 2)),
        ("100％", Fraction(1)),
        ("0/3", None),
        ("4/3", None),
        ("1/0", None),
        ("0%", None),
        ("101%", None),
        ("half", None),
        ("-1/2", None),
    ],
)
def test_a_share_is_read_as_people_write_it(written: str, part: Fraction | None) -> None:
    assert read_share(written) == part


def test_the_yen_left_over_are_the_first_named_owners() -> None:
    assert parts_of(_THIRDS, 100) == {"a": 34, "b": 33, "c": 33}
    assert parts_of(_THIRDS, -101) == {"a": -35, "b": -33, "c": -33}


_WEIGHTS = st.lists(st.integers(1, 50), min_size=1, max_size=6)
_AMOUNTS = st.lists(st.integers(-300_000, 300_000), max_size=20)


@given(weights=_WEIGHTS, amounts=_AMOUNTS)
def test_parts_of_any_amounts_add_up_by_owner_and_by_line(
    weights: list[int], amounts: list[int]
) -> None:
    shares = [OwnerShare(str(place), one, sum(weights)) for place, one in enumerate(weights)]
    running = [RunningPart(shares, [share.owner_id]) for share in shares]
    for yen in amounts:
        assert sum(one.take(yen) for one in running) == yen
    whole = parts_of(shares, sum(amounts))
    assert [one.yen for one in running] == list(whole.values())
    for share in shares:
        assert abs(whole[share.owner_id] - share.part * sum(amounts)) < len(shares)
