"""However many rows there are, a list asks the database the same number of questions."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

import pytest
from sqlalchemy import Engine, event

from pms.catalogue.models import CampaignUnit, UnitFee
from pms.reservations.models import CoOccupant
from tests.cast import (
    building,
    campaign,
    external_block,
    fee,
    photo,
    position,
    post,
    reservation,
    service,
    viewing,
)
from tests.surfaces.agent_api.asking import Asker, Home, next_id

LISTS = (
    "/properties?limit=500",
    "/properties?limit=500&search=カワセミ&areas=墨田区&sort=price-asc&hasCampaign=true",
    "/properties?limit=500&availableNow=true&moveInBy=2027-01-01",
    "/site/units?limit=500",
    "/site/buildings?limit=100",
    "/site/posts?limit=100",
    "/site/campaigns?limit=100",
    "/site/positions?limit=100",
    "/site/services?limit=100",
    "/site/config",
    "/site/sitemap",
    "/showings?limit=100",
    "/residents?limit=50",
    "/residents?limit=50&search=佐藤&building=カワセミ荘",
)
MOST = 12
_OF_FACTS = re.compile(r"photo|fee(?!d)")  # a feed is a calendar


@contextmanager
def statements() -> Iterator[list[str]]:
    """Every statement any connection sends meanwhile, but for those that open a connection."""
    sent: list[str] = []

    def note(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> None:
        opens = "set_config" in statement and False in parameters  # not for one transaction alone
        if not opens and not statement.startswith(("BEGIN", "COMMIT", "PRAGMA")):
            sent.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def fill(home: Home, rows: range) -> None:
    """Make so many of everything, each with all that hangs on it."""
    for number in rows:
        unit_id, offer, water, stay = (
            next_id(),
            campaign(id=next_id(), slug=f"c{number}"),
            next_id(),
            next_id(),
        )
        home.unit(str(number), id=unit_id)
        home.store(
            building(slug=f"b{number}", name=f"家{number}", area=f"区{number}"),
            offer,
            CampaignUnit(unit_id=unit_id, campaign_id=offer.id),
            fee(id=water, code=f"water{number}"),
            UnitFee(unit_id=unit_id, fee_id=water, amount_yen=1),
            photo(unit_id=unit_id),
            photo(building_id=home.building_id),
            external_block(unit_id=unit_id, first_on=date(2027, 1, 1), last_on=date(2027, 1, 2)),
            reservation(id=stay, unit_id=unit_id, move_out_date=date(2026, 12, 1)),
            CoOccupant(reservation_id=stay, position=1, name="次郎"),
            viewing(unit_id=unit_id),
            post(slug=f"p{number}"),
            position(slug=f"j{number}"),
            service(slug=f"s{number}"),
        )


def counted(visitor: Asker, clerk: Asker) -> dict[str, int]:
    found = {}
    for path in LISTS:
        ask = clerk if path.startswith("/residents") else visitor
        with statements() as sent:
            answer = ask.get(path)
        assert answer.status_code == 200, answer.text
        found[path] = len(sent)
    return found


def test_a_list_asks_as_often_with_ten_times_the_rows(
    home: Home, visitor: Asker, clerk: Asker
) -> None:
    fill(home, range(4))
    counted(visitor, clerk)
    fill(home, range(4, 6))
    few = counted(visitor, clerk)
    fill(home, range(6, 60))
    many = counted(visitor, clerk)
    assert many == few
    assert max(few.values()) <= MOST, few


def questions_beside_the_key(sent: list[str]) -> list[str]:
    known = ("api_key", "set_config")
    return [statement for statement in sent if not any(word in statement for word in known)]


@pytest.mark.parametrize("path", ["/properties?limit=500", "/site/config", "/site/sitemap"])
def test_an_unchanged_poll_asks_for_the_key_alone(home: Home, visitor: Asker, path: str) -> None:
    fill(home, range(2))
    tag = visitor.get(path).headers["ETag"]
    with statements() as sent:
        assert visitor.get(path, headers={"If-None-Match": tag}).status_code == 304
    assert questions_beside_the_key(sent) == []


def test_a_kept_answer_asks_for_the_key_alone(home: Home, visitor: Asker) -> None:
    fill(home, range(2))
    visitor.get("/properties")
    with statements() as sent:
        assert visitor.get("/properties").status_code == 200
    assert questions_beside_the_key(sent) == []


def test_a_change_of_availability_leaves_the_facts_of_units_where_they_are(
    home: Home, visitor: Asker
) -> None:
    fill(home, range(2))
    visitor.get("/properties")
    home.store(external_block(unit_id=visitor.units()[0]["id"], first_on=date(2026, 11, 1)))
    with statements() as sent:
        assert visitor.get("/properties").status_code == 200
    assert not [statement for statement in sent if _OF_FACTS.search(statement)]


def test_reading_writes_nothing(home: Home, visitor: Asker, clerk: Asker) -> None:
    fill(home, range(2))
    with statements() as sent:
        counted(visitor, clerk)
    assert {statement.split()[0] for statement in sent} == {"SELECT"}
