"""Every answer has exactly the fields of the contract, with their types."""

import re
from datetime import UTC, date, datetime
from typing import Any

import pytest

from pms.catalogue.slugs import change_building_slug, change_unit_slug
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.work import Work
from pms.reservations.models import CoOccupant
from pms.rules.days import CorruptDay
from tests.cast import Cast, external_block, photo, post, reservation, unit, viewing
from tests.surfaces.agent_api import shapes
from tests.surfaces.agent_api.asking import Asker, Home, store

pytestmark = pytest.mark.differs("types")

LISTS: dict[str, dict[str, Any]] = {
    "/properties": {"units": [shapes.UNIT], "counts": shapes.COUNTS},
    "/showings": {"showings": [shapes.SHOWING]},
    "/site/units": {"units": [shapes.SITE_UNIT], "counts": shapes.COUNTS},
    "/site/buildings": {"buildings": [shapes.SITE_BUILDING]},
    "/site/posts": {"posts": [shapes.POST]},
    "/site/campaigns": {"campaigns": [shapes.CAMPAIGN]},
    "/site/positions": {
        "positions": [{"id": shapes.id_, **shapes.LEAFLET, "place": shapes.or_null(shapes.text)}]
    },
    "/site/services": {"services": [shapes.LEAFLET]},
}


@pytest.fixture(autouse=True)
def rich_and_poor_records(request: pytest.FixtureRequest) -> None:
    """Beside the usual cast: a unit that knows nothing of itself and one in every other state."""
    cast: Cast = request.getfixturevalue("cast")
    database = request.getfixturevalue("database")
    house, bare, soon, soft = cast.sumida, new_id(), new_id(), new_id()
    nothing = dict.fromkeys(
        ("layout", "bedrooms", "size_centi_sqm", "floor", "rent_yen", "deposit_yen")
    )
    nothing |= dict.fromkeys(("reservation_fee_yen", "minimum_stay_days"))
    rooms = [
        unit(id=bare, name="301", slug="bare", **nothing, features=[], features_en=[]),
        unit(id=soon, name="302", slug="soon", floor=-1),
        unit(id=soft, name="303", slug="soft", size_centi_sqm=905),
    ]
    for room in rooms:
        room.building_id = house.building_id
    store(
        database,
        house.workspace_id,
        *rooms,
        photo(unit_id=soon, width=1600, height=1067, files={"400": "a", "800": "b", "1600": "c"}),
        reservation(unit_id=soon, move_out_date=date(2026, 12, 1), phone="03-1234-5678"),
        reservation(
            unit_id=soft,
            expected_departure_date=date(2026, 12, 5),
            override_move_in_date=CorruptDay("2026-13-01"),
            arrival_date=date(2026, 4, 2),
        ),
        external_block(unit_id=bare, first_on=date(2026, 11, 1)),
        viewing(unit_id=soon, visitor_email=None, visitor_phone="090", note="2名"),
        post(slug="second", published_at=datetime(2026, 11, 1, tzinfo=UTC), summary_ja="短く"),
    )


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize("locale", ["ja", "en"])
def test_a_list_answers_its_records_and_its_pages(website: Asker, path: str, locale: str) -> None:
    data = website.data(path, locale=locale)
    shape = {**LISTS[path], "pagination": shapes.PAGINATION}
    assert list(shapes.differences(shape, data)) == []
    assert all(data[name] for name in LISTS[path])


@pytest.mark.parametrize("locale", ["ja", "en"])
def test_one_record_answers_as_in_its_list(website: Asker, locale: str) -> None:
    for unit_ in website.data("/properties", locale=locale)["units"]:
        body = website.data(f"/properties/{unit_['id']}", locale=locale)["unit"]
        assert {name: body[name] for name in unit_ if name != "building"} == {
            name: unit_[name] for name in unit_ if name != "building"
        }
        assert unit_["building"].items() <= body["building"].items()
        more = {"description", *body["building"]} - set(unit_["building"])
        assert more == {"description", "access", "photos"}
        assert set(body) - set(unit_) == {"description"}
    for unit_ in website.data("/site/units", locale=locale)["units"]:
        assert website.data(f"/site/units/{unit_['slug']}", locale=locale) == {"unit": unit_}
    for house in website.data("/site/buildings", locale=locale)["buildings"]:
        path = f"/site/buildings/{house['slug']}"
        assert website.data(path, locale=locale) == {"building": house}
    for post_ in website.data("/site/posts", locale=locale)["posts"]:
        body = website.data(f"/site/posts/{post_['slug']}", locale=locale)["post"]
        assert {name: body.pop(name) for name in shapes.POST} == post_
        assert list(shapes.differences({"body": shapes.text, "bodyHtml": shapes.text}, body)) == []


def test_residents_have_exactly_the_fields_of_the_contract(office: Asker) -> None:
    data = office.data("/residents")
    shape = {"residents": [shapes.RESIDENT], "pagination": shapes.PAGINATION}
    assert list(shapes.differences(shape, data)) == []
    assert len(data["residents"]) == 5
    for resident in data["residents"]:
        assert office.data(f"/residents/{resident['id']}") == {"resident": resident}


def test_the_configuration_and_the_sitemap(website: Asker, cast: Cast) -> None:
    data = website.data("/site/config")
    assert list(shapes.differences({"config": shapes.CONFIG}, data)) == []
    sitemap = website.data("/site/sitemap")
    entry = {"url": shapes.address, "lastModified": shapes.instant}
    assert list(shapes.differences({"sitemap": [entry]}, sitemap)) == []
    addresses = [page["url"] for page in sitemap["sitemap"]]
    assert len(set(addresses)) == len(addresses)
    assert f"https://sumida.example.jp/en/units/{cast.sumida.free_room_slug}" in addresses
    assert f"https://sumida.example.jp/ja/posts/{cast.sumida.post_slug}" in addresses


def test_a_unit_tells_exactly_this(website: Asker, cast: Cast) -> None:
    house = cast.sumida
    (found,) = [u for u in website.units() if u["id"] == house.free_room_id]
    campaign = found["campaign"]
    assert found == {
        "id": house.free_room_id,
        "slug": house.free_room_slug,
        "name": "102",
        "type": "sharehouse",
        "building": {
            "id": house.building_id,
            "slug": house.building_slug,
            "name": "Kawasemi House",
            "area": "Sumida",
            "address": "1-2-3 Higashimukojima, Sumida, Tokyo",
            "lang": {},
        },
        "layout": "1R",
        "bedrooms": 1,
        "sizeSqm": "12.5",
        "floor": 1,
        "price": 93_000,
        "monthlyFees": [{"code": "water", "label": "Water", "amount": 5_000}],
        "monthlyTotal": 98_000,
        "deposit": 93_000,
        "reservationFee": 30_000,
        "minimumStayDays": 30,
        "campaign": {"id": campaign["id"], "title": "Winter offer", "endsOn": "2026-12-31"},
        "features": ["Air conditioning"],
        "photos": [],
        "availability": {
            "state": "available_now",
            "on": None,
            "label": "Available now",
            "confirmed": True,
            "moveInFrom": "2026-11-20",
        },
        "lang": {},
        "updatedAt": "2026-04-01T00:00:00Z",
    }


def test_a_resident_tells_exactly_this(office: Asker, cast: Cast) -> None:
    house = cast.sumida
    assert office.data(f"/residents/{house.resident_id}")["resident"] == {
        "id": house.resident_id,
        "kind": "resident",
        "lifecycle": "living",
        "name": "佐藤 花子",
        "nameKana": "サトウ ハナコ",
        "email": "resident@sumida.example.jp",
        "phone": None,
        "building": {"id": house.building_id, "name": "シェアハウス カワセミ荘"},
        "unit": {"id": house.residents_room_id, "name": "101"},
        "moveInDate": "2026-04-01",
        "overrideMoveInDate": None,
        "effectiveMoveInDate": "2026-04-01",
        "arrivalDate": None,
        "contractEndDate": "2027-03-31",
        "overrideContractEndDate": None,
        "effectiveContractEndDate": "2027-03-31",
        "moveOutDate": None,
        "expectedDepartureDate": None,
        "monthToMonth": {"state": "none", "since": None},
        "coOccupants": [{"name": "佐藤 次郎"}],
        "paymentStatus": "paid",
        "esignStatus": "signed",
        "createdAt": "2026-04-01T00:00:00Z",
        "updatedAt": "2026-04-01T00:00:00Z",
    }


def test_nobody_may_keep_what_is_personal(website: Asker, office: Asker) -> None:
    for answer in (office.get("/residents"), website.get("/showings")):
        assert answer.headers["Cache-Control"] == "no-store"
        assert "ETag" not in answer.headers


def test_money_and_documents_of_a_resident_stay_inside(office: Asker) -> None:
    text = office.get("/residents").text
    # An id may hold the digits by accident, between others.
    assert not re.search(r"(?<![0-9a-f])(93000|30000)(?![0-9a-f])", text)


def test_pictures_tell_their_true_size(home: Home, visitor: Asker) -> None:
    unit_id = home.unit("1")
    kept = {"400": "a", "800": "b", "1600": "c"}
    home.store(
        photo(unit_id=unit_id, position=1, width=600, height=450, files=kept, alt_en=""),
        photo(unit_id=unit_id, position=2, width=1600, height=1200, files=kept),
        photo(unit_id=unit_id, position=3, width=300, height=200, files=kept),
        photo(unit_id=unit_id, position=4, width=300, height=200, files={}),
    )
    first, second, third = visitor.units()[0]["photos"]
    assert (first["width"], first["height"], first["alt"]) == (600, 450, "外観")
    assert first["url"].endswith("/800.webp")
    assert (second["width"], second["height"]) == (1600, 1200)
    assert (third["width"], third["height"]) == (300, 200)
    images = visitor.data("/site/units")["units"][0]["images"]
    sizes = [[(size["width"], size["height"]) for size in image["sizes"]] for image in images]
    assert sizes == [
        [(400, 300), (600, 450)],
        [(400, 300), (800, 600), (1600, 1200)],
        [(300, 200)],
    ]


def test_co_occupants_come_in_their_order(office: Asker, cast: Cast, database: Any) -> None:
    house = cast.sumida
    more = [
        CoOccupant(reservation_id=house.resident_id, position=place, name=name)
        for place, name in ((3, "三"), (0, "零"))
    ]
    store(database, house.workspace_id, *more)
    body = office.data(f"/residents/{house.resident_id}")["resident"]["coOccupants"]
    assert body == [{"name": "零"}, {"name": "佐藤 次郎"}, {"name": "三"}]


def test_old_addresses_find_their_place_and_are_listed(
    website: Asker, database: Database, clock: FixedClock, cast: Cast
) -> None:
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        change_building_slug(
            Work(session, clock, "staff"), building_id=house.building_id, typed="kawasemi"
        )
        change_unit_slug(
            Work(session, clock, "staff"), unit_id=house.free_room_id, typed="kawasemi-102"
        )
    building = website.data(f"/site/buildings/{house.building_slug}", locale="en")["building"]
    assert building["slug"] == "kawasemi"
    assert building["url"] == "https://sumida.example.jp/en/buildings/kawasemi"
    unit = website.data(f"/site/units/{house.free_room_slug}", locale="en")["unit"]
    assert unit["slug"] == "kawasemi-102"
    stem = "https://sumida.example.jp"
    assert website.data("/site/redirects")["redirects"] == [
        {"from": f"{stem}/{locale}/{old}", "to": f"{stem}/{locale}/{new}"}
        for old, new in (
            (f"buildings/{house.building_slug}", "buildings/kawasemi"),
            (f"units/{house.free_room_slug}", "units/kawasemi-102"),
        )
        for locale in ("ja", "en")
    ]
