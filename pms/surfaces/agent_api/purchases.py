"""`POST /api/agent/purchases`: what a supplier says was ordered."""

from typing import Any

from flask import Response

from pms.catalogue.checked_texts import LONGEST_NAME
from pms.channels.receive_order import receive_order
from pms.channels.written_order import (
    LONGEST_ITEM,
    MOST_ITEMS,
    MOST_PIECES,
    USUAL_CATEGORY,
    WrittenItem,
    WrittenOrder,
)
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import FeeCategory
from pms.rules.upkeep_cost import PURCHASE_CATEGORIES
from pms.rules.yen import LARGEST_YEN
from pms.surfaces.agent_api.gate import known_key
from pms.surfaces.agent_api.json_body import JsonBody
from pms.surfaces.agent_api.writing import key_actor, written
from pms.surfaces.request_scope import clock
from pms.upkeep.add_purchase import MOST_YEN

_LONGEST_NUMBER = 20


def send_order() -> Response:
    """Keep the order, and tell which project bears it, or why it waits for a person."""
    body = JsonBody.read()
    external_id = body.external_id()
    order = WrittenOrder(
        supplier=body.line("supplier", LONGEST_NAME, needed=True),
        order_number=body.line("orderNumber", LONGEST_NAME, needed=True),
        ordered_on=body.day("orderedOn", needed=True),
        items=tuple(_item(one) for one in body.items("items", 1, MOST_ITEMS)),
        total_yen=body.whole("total", 0, LARGEST_YEN, needed=True),
        building_id=body.identity("buildingId"),
        project_number=body.line("projectNumber", _LONGEST_NUMBER),
    )
    body.finish()

    def receive(session: WorkspaceSession) -> dict[str, Any]:
        got = receive_order(
            session,
            clock(),
            key_actor(),
            order=order,
            key_id=known_key().id,
            external_id=external_id,
        )
        return {
            "id": got.id,
            "projectNumber": got.matched_to,
            "waitsBecause": got.doubt,
            "repeats": got.repeats_id,
        }

    return written(receive)


def _item(body: JsonBody) -> WrittenItem:
    return WrittenItem(
        description=body.line("description", LONGEST_ITEM, needed=True),
        quantity=body.whole("quantity", 1, MOST_PIECES, needed=True),
        unit_price_yen=body.whole("unitPrice", 0, MOST_YEN, needed=True),
        category=_category(body),
    )


def _category(body: JsonBody) -> FeeCategory:
    """One of those that are a cost: rent and deposits are words of the same list."""
    said = body.line("category", LONGEST_NAME)
    if said is None:
        return USUAL_CATEGORY
    known = {category.value: category for category in PURCHASE_CATEGORIES}
    if said not in known:
        body.refuse("category", said, f"one of {', '.join(known)}")
    return known.get(said, USUAL_CATEGORY)
