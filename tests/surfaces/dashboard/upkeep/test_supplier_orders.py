"""Suppliers' orders at the desk: matched, taken out again, set aside, with where they came from."""

from typing import Any

import pytest
from sqlalchemy import select

from pms.access.keys import issue_key
from pms.channels.orders import WrittenItem, WrittenOrder, receive_order
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.rules.enumerations import Scope
from pms.upkeep.models import Purchase
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.agent_api.test_questions_to_the_database import statements
from tests.upkeep.works import Works


@pytest.fixture
def works(database: Database, clock: FixedClock, cast: Cast) -> Works:
    """Kawasemi House of Sumida."""
    return Works(database, clock, cast.sumida)


def ordered(works: Works, **given: Any) -> str:
    """Have a supplier send an order; return its path."""
    item = WrittenItem(description="給湯器 <20号>", quantity=2, unit_price_yen=49_000)
    key_id = given.pop("key_id", None)
    usual = {
        "supplier": "墨田建材",
        "order_number": "A-1001",
        "ordered_on": works.clock.today(),
        "items": (item,),
        "total_yen": item.yen,
    }
    order = WrittenOrder(**{**usual, **given})
    with works.writing() as session:
        got = receive_order(Work(session, works.clock, "key/1"), order=order, key_id=key_id)
    return f"/supplier-orders/{got.id}"


def yen(works: Works) -> int:
    """What the projects cost by purchases that stand."""
    with works.writing() as session:
        wanted = select(Purchase.amount_yen).where(Purchase.removed_at.is_(None))
        return sum(session.scalars(wanted))


def test_maintenance_matches_an_order_to_a_suggested_project_and_takes_it_out_again(
    maintainer: Browser, works: Works
) -> None:
    works.open("給湯器の交換")
    path = ordered(works, building_id=works.house.building_id)
    text = maintainer.get(f"{path}?lang=en").text
    assert "No project number." in text
    assert "Match to PRJ-0001" in text
    assert "&lt;20号&gt;" in text
    assert maintainer.post(f"{path}/project", {"projectNumber": "PRJ-0001"}).status_code == 303
    assert yen(works) == 98_000
    assert "PRJ-0001" in maintainer.get(path).text
    again = maintainer.post(f"{path}/project?lang=en", {"projectNumber": "PRJ-0001"})
    assert again.status_code == 422
    assert maintainer.post(f"{path}/project/removal").status_code == 303
    assert yen(works) == 0


def test_a_number_of_no_project_comes_again_as_typed(office: Browser, works: Works) -> None:
    path = ordered(works, project_number="PRJ-0007")
    text = office.get(f"{path}?lang=en").text
    assert "No project has this number." in text
    assert 'value="PRJ-0007"' in text
    refused = office.post(f"{path}/project?lang=en", {"projectNumber": "PRJ-0008"})
    assert refused.status_code == 422
    assert 'value="PRJ-0008"' in refused.text
    assert "PRJ-0008" in refused.text


def test_an_order_is_set_aside_with_the_words_why_and_taken_back(
    office: Browser, works: Works
) -> None:
    path = ordered(works)
    assert office.post(f"{path}/aside", {"why": "二重の注文"}).status_code == 303
    assert "二重の注文" in office.get(path).text
    assert path in office.get("/supplier-orders?state=set_aside").text
    assert path not in office.get("/supplier-orders").text
    assert office.post(f"{path}/return").status_code == 303
    assert path in office.get("/supplier-orders").text


def test_the_page_tells_the_key_the_repetition_and_the_first_order(
    office: Browser, works: Works
) -> None:
    with works.writing() as session:
        key = issue_key(
            Work(session, works.clock, "x"), name="墨田建材の鍵", scopes=[Scope.PURCHASES_WRITE]
        )
    first = ordered(works, key_id=key.id)
    second = ordered(works, key_id=key.id)
    text = office.get(f"{second}?lang=en").text
    assert "The same order was received before" in text
    assert first in text
    assert "墨田建材の鍵" in text
    assert key.plaintext not in text
    assert second in office.get(first).text
    assert office.get("/supplier-orders?lang=en").text.count("Repeated") == 1


def test_the_list_is_narrowed_by_words_and_building_and_asks_few_questions(
    office: Browser, works: Works, database: Database
) -> None:
    works.open()
    path = ordered(works, building_id=works.house.building_id)
    other = ordered(works, order_number="B-7", supplier="江東建材")
    assert path in office.block("/supplier-orders?search=墨田").text
    assert other not in office.block("/supplier-orders?search=墨田").text
    assert other not in office.get(f"/supplier-orders?buildingId={works.house.building_id}").text
    assert office.get("/supplier-orders?state=lost").status_code == 422
    with statements() as few:
        office.get("/supplier-orders")
    for number in range(12):
        ordered(works, order_number=f"C-{number}")
    with statements() as many:
        office.get("/supplier-orders")
    assert len(few) == len(many) <= 10


def test_housekeeping_and_strangers_meet_no_order(
    housekeeper: Browser, stranger: Browser, works: Works
) -> None:
    works.open()
    path = ordered(works)
    assert housekeeper.get("/supplier-orders").status_code in (403, 404)
    for browser in (housekeeper, stranger):
        assert browser.get(path).status_code in (403, 404)
        sent = browser.post(f"{path}/project", {"projectNumber": "PRJ-0001"})
        assert sent.status_code in (403, 404)
    assert yen(works) == 0
