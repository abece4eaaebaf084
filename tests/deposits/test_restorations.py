"""The price list of restorations: the guideline's lives until a workspace writes its own."""

import pytest

from pms.deposits.restorations import PriceList, price_list, set_price_list
from pms.foundation.errors import Collision, Refused
from pms.rules.wear import USEFUL_LIFE_MONTHS, WornItem
from tests.departures.desk import Desk


def test_until_it_is_written_the_list_has_the_lives_of_the_guideline(desk: Desk) -> None:
    found = desk.ask(price_list)
    assert (dict(found.lives), dict(found.prices), found.version) == (USEFUL_LIFE_MONTHS, {}, 0)


def test_a_written_list_has_its_own_lives_and_prices(desk: Desk) -> None:
    lives = {**USEFUL_LIFE_MONTHS, WornItem.CARPET: 48, WornItem.COOKER: None}
    assert desk.do(set_price_list, stated=PriceList(lives, {WornItem.CARPET: 3_500})) == 1
    found = desk.ask(price_list)
    assert (found.lives[WornItem.CARPET], found.lives[WornItem.COOKER]) == (48, None)
    assert dict(found.prices) == {WornItem.CARPET: 3_500}


def test_a_list_based_on_an_older_one_is_refused(desk: Desk) -> None:
    stated = PriceList(USEFUL_LIFE_MONTHS, {WornItem.CARPET: 3_500})
    desk.do(set_price_list, stated=stated)
    with pytest.raises(Collision):
        desk.do(set_price_list, stated=stated)


def test_a_life_of_no_month_is_refused_by_its_field(desk: Desk) -> None:
    lives = {**USEFUL_LIFE_MONTHS, WornItem.SINK: 0}
    with pytest.raises(Refused) as refusal:
        desk.do(set_price_list, stated=PriceList(lives, {}))
    assert refusal.value.field == "life.sink"
