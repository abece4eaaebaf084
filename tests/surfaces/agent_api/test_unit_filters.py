"""Each filter of the list of units, alone and together (specification, List units)."""

from datetime import date
from typing import Any

import pytest

from pms.catalogue.models import CampaignUnit
from pms.rules.enumerations import ReservationKind, UnitType
from tests.cast import building, campaign, reservation
from tests.surfaces.agent_api.asking import Asker, Home, next_id

KINDS = ReservationKind


def houses(home: Home) -> None:
    """Units 1 to 6 of three areas, two types and four layouts, of which 6 knows nothing."""
    ota, kita = next_id(), next_id()
    home.store(
        building(id=ota, slug="ota", name="蒲田ハウス", area="大田区", area_en="Ōta", name_en=None),
        building(id=kita, slug="kita", name="Ｋハイツ", area="北区", area_en="KITA", name_en=""),
    )
    home.unit("1", rent_yen=50_000, layout="1R", bedrooms=1, size_centi_sqm=900)
    home.unit("2", rent_yen=70_000, layout="1K", bedrooms=1, size_centi_sqm=900)
    home.unit("3", rent_yen=70_000, layout="１ＬＤＫ", bedrooms=2, building_id=ota)
    home.unit("4", rent_yen=90_000, layout="2LDK", bedrooms=3, building_id=ota, type="apartment")
    home.unit("5", rent_yen=0, layout="2ldk", bedrooms=0, building_id=kita, size_centi_sqm=5_500)
    nothing = dict.fromkeys(("rent_yen", "layout", "bedrooms", "size_centi_sqm"))
    home.unit("6", building_id=kita, type=UnitType.APARTMENT, **nothing)


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({}, "123456"),
        ({"area": "大田区"}, "34"),
        ({"area": "Ōta"}, "34"),
        ({"area": "Kita"}, "56"),
        ({"area": " 北区 "}, "56"),
        ({"area": "大田区,北区"}, "3456"),
        ({"areas": "大田区, 北区,"}, "3456"),
        ({"area": "大田区", "areas": "北区"}, "56"),
        ({"area": "大田区", "areas": ""}, "34"),
        ({"area": "大田区", "areas": " , "}, "34"),
        ({"area": "", "areas": ""}, "123456"),
        ({"areas": "大田"}, ""),
        ({"areas": "%"}, ""),
        ({"areas": "大田区," * 200 + "北区"}, None),
        ({"priceMin": "70000"}, "234"),
        ({"priceMax": "70000"}, "1235"),
        ({"priceMin": "0", "priceMax": "0"}, "5"),
        ({"priceMin": "90000", "priceMax": "50000"}, ""),
        ({"priceMin": "9223372036854775807"}, ""),
        ({"type": "apartment"}, "46"),
        ({"type": "sharehouse"}, "1235"),
        ({"layout": "1K"}, "2"),
        ({"layout": "１ＬＤＫ"}, "3"),
        ({"layout": "2LDK"}, "45"),
        ({"layout": "1R,1K"}, "12"),
        ({"layouts": "1R,1K", "layout": "2LDK"}, "12"),
        ({"layouts": "", "layout": "2LDK"}, "45"),
        ({"bedrooms": "0"}, "5"),
        ({"bedrooms": "1"}, "12"),
        ({"bedrooms": "9223372036854775807"}, ""),
        ({"building": "カワセミ荘"}, "12"),
        ({"building": "蒲田ハウス"}, "34"),
        ({"building": "Ｋハイツ"}, "56"),
        ({"building": "Kハイツ"}, ""),
        ({"building": "Kawasemi House"}, "12"),
        ({"building": "0" * 32}, ""),
        ({"building": ""}, "123456"),
        ({"area": "大田区", "type": "apartment", "priceMin": "80000", "layouts": "2LDK"}, "4"),
        ({"area": "大田区", "bedrooms": "1"}, ""),
        ({"colour": "red", "Area": "大田区", "limit ": "x"}, "123456"),
    ],
)
def test_units_are_kept_by_their_facts(
    home: Home, visitor: Asker, asked: dict[str, str], names: str | None
) -> None:
    houses(home)
    if names is None:
        assert "at most 100" in visitor.refused("/properties", **asked)
    else:
        assert "".join(sorted(visitor.names(**asked))) == names


def test_a_building_is_asked_for_by_its_id(home: Home, visitor: Asker) -> None:
    houses(home)
    assert visitor.names(building=home.building_id) == ["1", "2"]


@pytest.mark.differs("sorting")
@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("price-asc", "512346"),
        ("price-desc", "423156"),
        ("size-asc", "123456"),
        ("size-desc", "534126"),
    ],
)
def test_sorting_puts_unknown_values_last_and_ties_by_id(
    home: Home, visitor: Asker, sort: str, names: str
) -> None:
    houses(home)
    assert "".join(visitor.names(sort=sort)) == names
    paged = [visitor.names(sort=sort, limit=1, page=page)[0] for page in range(1, 7)]
    assert "".join(paged) == names


@pytest.mark.differs("sorting")
def test_without_a_sort_units_come_by_id(home: Home, visitor: Asker) -> None:
    houses(home)
    ids = [unit["id"] for unit in visitor.units()]
    assert ids == sorted(ids)


@pytest.mark.differs("sorting")
@pytest.mark.parametrize(
    ("sort", "field"), [("price-asc", "price"), ("size-desc", "sizeSqm"), (None, "id")]
)
def test_the_site_family_filters_and_sorts_alike(
    home: Home, visitor: Asker, sort: str | None, field: str
) -> None:
    houses(home)
    asked = {"areas": "大田区,北区"} | ({"sort": sort} if sort else {})
    one, other = visitor.data("/properties", **asked), visitor.data("/site/units", **asked)
    assert [unit[field] for unit in one["units"]] == [unit[field] for unit in other["units"]]
    assert one["pagination"] == other["pagination"]
    assert one["counts"] == other["counts"]


@pytest.mark.parametrize(
    "word", ["TRUE", "True", "1", "yes", "", "truee", " true", "false", "ｔrue"]
)
def test_only_the_word_true_filters(home: Home, visitor: Asker, word: str) -> None:
    free, taken = home.unit("free"), home.unit("taken")
    winter = campaign(id=next_id())
    home.store(winter, CampaignUnit(unit_id=free, campaign_id=winter.id))
    home.store(reservation(unit_id=taken))
    assert visitor.names(availableNow="true") == ["free"]
    assert visitor.names(hasCampaign="true") == ["free"]
    assert visitor.names(availableNow="true", hasCampaign="true") == ["free"]
    assert visitor.names(availableNow=word) == ["free", "taken"]
    assert visitor.names(hasCampaign=word) == ["free", "taken"]


def test_a_campaign_counts_on_its_days_alone(home: Home, visitor: Asker) -> None:
    days: dict[str, dict[str, Any]] = {
        "ends today": {"starts_on": date(2026, 11, 1), "ends_on": date(2026, 11, 20)},
        "begins today": {"starts_on": date(2026, 11, 20), "ends_on": None},
        "over": {"starts_on": date(2026, 11, 1), "ends_on": date(2026, 11, 19)},
        "to come": {"starts_on": date(2026, 11, 21), "ends_on": None},
        "a draft": {"is_published": False},
    }
    for name, given in days.items():
        unit_id = home.unit(name)
        offer = campaign(id=next_id(), slug=name.replace(" ", "-"), **given)
        home.store(offer, CampaignUnit(unit_id=unit_id, campaign_id=offer.id))
    assert visitor.names(hasCampaign="true") == ["ends today", "begins today"]
    shown = {unit["name"]: unit["campaign"] for unit in visitor.units()}
    assert [name for name, offer in shown.items() if offer] == ["ends today", "begins today"]
    assert shown["begins today"]["endsOn"] is None
    offered = visitor.data("/site/campaigns")["campaigns"]
    assert {offer["slug"]: offer["isCurrent"] for offer in offered} == {
        "ends-today": True,
        "begins-today": True,
        "to-come": False,
    }


def test_of_two_campaigns_a_unit_shows_the_one_that_ends_first(home: Home, visitor: Asker) -> None:
    unit_id = home.unit("1")
    for slug, ends_on in (("a", date(2026, 12, 1)), ("b", date(2026, 11, 30)), ("c", None)):
        offer = campaign(id=next_id(), slug=slug, title_en=slug, ends_on=ends_on)
        home.store(offer, CampaignUnit(unit_id=unit_id, campaign_id=offer.id))
    assert visitor.units()[0]["campaign"]["title"] == "b"
    assert visitor.names(hasCampaign="true") == ["1"]


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({}, ["guest", "resident"]),
        ({"excludeRecords": ""}, ["guest", "owner", "resident"]),
        ({"excludeRecords": " "}, ["guest", "owner", "resident"]),
        ({"excludeRecords": ","}, ["guest", "owner", "resident"]),
        ({"excludeRecords": "owner_resident"}, ["guest", "resident"]),
        ({"excludeRecords": "guest"}, ["owner", "resident"]),
        ({"excludeRecords": "guest, owner_resident"}, ["resident"]),
        ({"excludeRecords": "resident,guest,owner_resident"}, []),
    ],
)
def test_whose_units_are_left_out(
    home: Home, visitor: Asker, asked: dict[str, str], names: list[str]
) -> None:
    kinds = {"guest": KINDS.GUEST, "owner": KINDS.OWNER_RESIDENT, "resident": KINDS.RESIDENT}
    for name, kind in kinds.items():
        home.store(reservation(unit_id=home.unit(name), kind=kind))
    assert sorted(visitor.names(**asked)) == names
    assert visitor.data("/properties", **asked)["pagination"]["total"] == len(names)


def test_an_owner_resident_is_never_free(home: Home, visitor: Asker) -> None:
    days = {"move_out_date": date(2026, 11, 25), "expected_departure_date": date(2026, 11, 25)}
    for column, day in days.items():
        owner = KINDS.OWNER_RESIDENT
        home.store(reservation(unit_id=home.unit(column), kind=owner, **{column: day}))
    data = visitor.data("/properties", excludeRecords="")
    assert [unit["availability"]["state"] for unit in data["units"]] == ["occupied"] * 2
    assert data["counts"] == {"confirmed": 0, "possible": 0}
    assert visitor.names(excludeRecords="", moveInBy="2027-12-31") == []
    assert visitor.names(excludeRecords="", availableNow="true") == []


@pytest.mark.parametrize(
    "asked",
    [
        {"priceMin": "-1"},
        {"priceMax": "9e4"},
        {"priceMin": ""},
        {"bedrooms": "two"},
        {"bedrooms": "1.0"},
        {"type": "villa"},
        {"type": "Apartment"},
        {"type": ""},
        {"sort": "price"},
        {"sort": "PRICE-ASC"},
        {"moveInBy": "2026-02-30"},
        {"moveInBy": "20261201"},
        {"moveInBy": "2026-12-01T00:00:00Z"},
        {"moveInBy": "1899-12-31"},
        {"moveInBy": "2201-01-01"},
        {"moveInBy": ""},
        {"excludeRecords": "owner"},
        {"excludeRecords": "guest,,Guest"},
        {"locale": "fr"},
        {"page": "0"},
        {"page": "-1"},
        {"page": "one"},
        {"page": ""},
        {"limit": "0"},
        {"limit": "-5"},
        {"limit": "5.5"},
        {"limit": "99999999999999999999"},
        {"search": "x" * 201},
        {"building": "a\0b"},
    ],
)
def test_what_is_wrong_is_named_with_what_was_sent_and_what_is_allowed(
    home: Home, visitor: Asker, asked: dict[str, str]
) -> None:
    ((name, value),) = asked.items()
    for path in ("/properties", "/site/units"):
        message = visitor.refused(path, **asked)
        assert message.startswith(f"{name}: '")
        assert "is not" in message
        if value.isprintable() and len(value) < 60 and "," not in value:
            assert f"'{value}'" in message


def test_every_problem_is_named_at_once(visitor: Asker) -> None:
    message = visitor.refused("/properties", priceMin="x", type="villa", page="0", sort="up")
    for name in ("priceMin", "type", "page", "sort"):
        assert f"{name}: '" in message
    assert "apartment, sharehouse" in message
    assert "price-asc, price-desc, size-asc, size-desc" in message
