"""A body for each address that is written to, which is taken as it is, and what they leave behind."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from flask import Flask
from werkzeug.routing import Rule

from pms.foundation.database import Database
from pms.tables import metadata
from tests.cast import House
from tests.surfaces.agent_api.asking import ROOT

Body = Mapping[str, Any]
ENQUIRY = {"name": "田中 実", "email": "tanaka@example.jp", "message": "内見を希望します。"}
# What is counted though nothing was written: the calls of a key.
_ASIDE = frozenset({"api_key_call", "api_key_hour"})
_ALL_ROWS = "SELECT " + " + ".join(
    f'(SELECT count(*) FROM "{name}")' for name in sorted(metadata.tables.keys() - _ASIDE)
)


def check_in(house: House, **given: Any) -> Body:
    """A guest's nights in the guests' room, when nobody is there."""
    nights = {"checkIn": "2027-02-01", "checkOut": "2027-02-05"}
    return {"unitId": house.guests_room_id, **nights, "guestName": "Emma Wilson", **given}


def offer(house: House, **given: Any) -> Body:
    """The free room for a year."""
    days = {"moveInDate": "2026-12-01", "contractEndDate": "2027-11-30"}
    return {"unitId": house.free_room_id, **days, **given}


SOUND: Mapping[str, Callable[[House], Body]] = {
    "/inquiries": lambda house: {**ENQUIRY, "unitId": house.free_room_id},
    "/leads": lambda _: {
        "name": "田中 実",
        "email": "tanaka@example.jp",
        "message": "応募します。",
    },
    "/analytics": lambda _: {"events": [{"type": "page_view", "path": "/"}]},
    "/chat": lambda _: {"message": "空いている部屋はありますか"},
    "/check-in-links": check_in,
    "/reservation-links": offer,
    "/purchases": lambda house: {
        "supplier": "墨田金物",
        "orderNumber": "A-1",
        "orderedOn": "2026-11-18",
        "buildingId": house.building_id,
        "items": [{"description": "電球", "quantity": 2, "unitPrice": 500}],
        "total": 1000,
    },
}


def written_to(app: Flask) -> list[Rule]:
    """Every address below /api/ that takes something in."""
    rules = (rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/api/"))
    return [rule for rule in rules if "POST" in (rule.methods or ())]


def path_of(rule: Rule, house: House) -> str:
    """The address itself; webhooks name the workspace."""
    return rule.rule.replace("<workspace>", house.slug).replace("<slug>", house.slug)


def sound_body(rule: Rule, house: House) -> Body:
    """What the address takes, as far as a line here knows it."""
    body = SOUND.get(rule.rule.removeprefix(ROOT))
    return body(house) if body else {}


def rows(database: Database) -> int:
    """How many rows there are of everything that somebody could have written."""
    with database.connection_across_workspaces() as connection:
        return int(connection.exec_driver_sql(_ALL_ROWS).scalar_one())


def raw(body: object) -> bytes:
    """The octets of a body."""
    return json.dumps(body).encode()
