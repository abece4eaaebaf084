"""The page of restoration prices: lives, prices, and the days to object."""

from pms.deposits.restorations import price_list
from pms.foundation.database import Database
from pms.rules.wear import WornItem
from pms.workspaces.queries import policy
from tests.cast import Cast
from tests.staff import Browser


def test_lives_prices_and_days_are_saved_together(
    operator: Browser, database: Database, cast: Cast
) -> None:
    assert "72" in operator.get("/settings/restorations").text
    typed = {
        "version": "0",
        "objectionDays": "10",
        "life.carpet": "48",
        "unitPrice.carpet": "3,500",
    }
    assert operator.post("/settings/restorations", typed).status_code == 303
    with database.reading(cast.sumida.workspace_id) as session:
        found = price_list(session)
        assert (found.lives[WornItem.CARPET], found.prices[WornItem.CARPET]) == (48, 3_500)
        # What was left empty does not count by age.
        assert found.lives[WornItem.WALLPAPER] is None
        assert policy(session).objection_days == 10


def test_a_price_with_decimals_is_shown_again_as_it_was_typed(operator: Browser) -> None:
    typed = {"version": "0", "objectionDays": "14", "unitPrice.sink": "12.5"}
    answer = operator.post("/settings/restorations", typed)
    assert answer.status_code == 422
    assert 'value="12.5"' in answer.text
