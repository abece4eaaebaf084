"""Suppliers' orders over the API: matched at once, kept waiting, repeated, refused by field."""

from typing import Any

import pytest
from sqlalchemy import select

from pms.channels.models import SupplierOrder
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.rules.message_words import OrderState
from pms.upkeep.models import Purchase
from tests.cast import Cast
from tests.surfaces.agent_api.asking import Asker, error_of
from tests.upkeep.works import Works

ITEMS = [
    {"description": "給湯器 20号", "quantity": 1, "unitPrice": 98_000},
    {"description": "フィルター", "quantity": 3, "unitPrice": 800, "category": "cleaning"},
]
ORDER: dict[str, Any] = {
    "supplier": "墨田建材",
    "orderNumber": "A-1001",
    "orderedOn": "2026-11-19",
    "items": ITEMS,
    "total": 100_400,
}


@pytest.fixture
def works(database: Database, clock: FixedClock, cast: Cast) -> Works:
    """Kawasemi House of Sumida."""
    return Works(database, clock, cast.sumida)


def test_an_order_for_an_open_project_is_its_cost_at_once(website: Asker, works: Works) -> None:
    works.open()
    body = website.created("/purchases", {**ORDER, "projectNumber": "PRJ-0001"})
    assert body == {
        "id": body["id"],
        "projectNumber": "PRJ-0001",
        "waitsBecause": None,
        "repeats": None,
    }
    with works.writing() as session:
        bought = session.scalars(select(Purchase).order_by(Purchase.amount_yen)).all()
        order = session.scalars(select(SupplierOrder)).one()
    assert [(one.what, one.amount_yen, one.shop) for one in bought] == [
        ("フィルター × 3", 2_400, "墨田建材"),
        ("給湯器 20号", 98_000, "墨田建材"),
    ]
    assert order.key_id is not None
    assert order.state is OrderState.MATCHED


def test_what_waits_is_told_why_and_a_repetition_is_another_record(
    website: Asker, works: Works
) -> None:
    works.open()
    first = website.created("/purchases", ORDER)
    assert (first["projectNumber"], first["waitsBecause"]) == (None, "no_number")
    unknown = website.created(
        "/purchases", {**ORDER, "orderNumber": "B", "projectNumber": "PRJ-0099"}
    )
    assert unknown["waitsBecause"] == "unknown_number"
    again = website.created("/purchases", {**ORDER, "projectNumber": "PRJ-0001"})
    assert again["waitsBecause"] == "repeated"
    assert again["repeats"] == first["id"] != again["id"]


def test_an_external_id_is_taken_once(website: Asker) -> None:
    website.created("/purchases", {**ORDER, "externalId": "S-1"})
    again = website.post("/purchases", {**ORDER, "externalId": "S-1"})
    assert again.status_code == 409
    assert error_of(again) == "externalId: 'S-1' has already been used for another record."


def test_every_problem_is_named_at_once(website: Asker, database: Database, cast: Cast) -> None:
    items = [
        {"description": "", "quantity": 1.5, "unitPrice": "800", "category": "rent"},
        "not an object",
        {"description": "x", "quantity": 0, "unitPrice": -1},
    ]
    answer = website.post("/purchases", {"orderedOn": "19.11.2026", "items": items, "total": True})
    assert answer.status_code == 400
    said = error_of(answer)
    for text in (
        "supplier: missing",
        "orderNumber: missing",
        "orderedOn: '19.11.2026' is not a day",
        "items[0].description: ",
        "items[0].quantity: '1.5' is not a whole number",
        "items[0].unitPrice: '800' is not a whole number",
        "items[0].category: 'rent' is not one of repair, cleaning, utilities, service, other",
        "items[1]: ",
        "items[2].quantity: '0'",
        "items[2].unitPrice: '-1'",
        "total: ",
    ):
        assert text in said, text
    with database.reading(cast.sumida.workspace_id) as session:
        assert session.scalars(select(SupplierOrder.id)).all() == []


@pytest.mark.parametrize(
    ("given", "status", "text"),
    [
        ({"total": 100_399}, 400, "total: 100399 is not the total of the items, 100400."),
        ({"orderedOn": "2026-11-21"}, 400, "orderedOn: 2026-11-21 is in the future"),
        ({"projectNumber": "heater"}, 400, "projectNumber: 'heater' is not a project number"),
        ({"buildingId": "0" * 32}, 404, "buildingId: building"),
        ({"buildingId": "7"}, 400, "buildingId: '7' is not an id"),
        ({"items": []}, 400, "items: "),
        ({"total": 2**63}, 400, "total: "),
    ],
)
def test_an_order_that_contradicts_itself_is_refused(
    website: Asker, given: dict[str, Any], status: int, text: str
) -> None:
    answer = website.post("/purchases", {**ORDER, **given})
    assert answer.status_code == status
    assert text in error_of(answer)


def test_a_building_of_another_workspace_is_unknown(website: Asker, cast: Cast) -> None:
    answer = website.post("/purchases", {**ORDER, "buildingId": cast.minato.building_id})
    assert answer.status_code == 404


def test_only_a_key_of_purchases_may_send_one(office: Asker) -> None:
    assert office.post("/purchases", ORDER).status_code == 403
