"""Pages: default and largest limits, what is echoed, and the end of a list."""

from typing import Any

import pytest

from tests.cast import Cast, campaign, position, post, reservation, service, viewing
from tests.cast import building as a_building
from tests.cast import unit as a_unit
from tests.surfaces.agent_api.asking import Asker, Home

pytestmark = pytest.mark.differs("sorting")

LISTS = {
    "/properties": ("units", 50, 500),
    "/residents": ("residents", 20, 50),
    "/showings": ("showings", 20, 100),
    "/site/units": ("units", 50, 500),
    "/site/buildings": ("buildings", 20, 100),
    "/site/posts": ("posts", 20, 100),
    "/site/campaigns": ("campaigns", 20, 100),
    "/site/positions": ("positions", 20, 100),
    "/site/services": ("services", 20, 100),
}
SEVEN = range(7)


@pytest.fixture
def seven_of_each(home: Home) -> None:
    """Seven records in every list, the buildings' own units among them."""
    for number in SEVEN:
        home.store(
            *((a_building(slug=f"b{number}", name=f"家{number}"),) if number else ()),
            a_unit(building_id=home.building_id, slug=f"u{number}", name=str(number)),
            post(slug=f"p{number}"),
            campaign(slug=f"c{number}"),
            position(slug=f"j{number}"),
            service(slug=f"s{number}"),
        )
    unit_id = home.unit("8", type="apartment")
    for number in SEVEN:
        home.store(
            viewing(unit_id=unit_id),
            reservation(unit_id=unit_id, name=f"人{number}", cancelled_at=a_unit().created_at),
        )


def asker_of(path: str, visitor: Asker, clerk: Asker) -> Asker:
    return clerk if path == "/residents" else visitor


def records(asker: Asker, path: str, **query: Any) -> list[str]:
    found = asker.data(path, **query)[LISTS[path][0]]
    return [record.get("id") or record["slug"] for record in found]


@pytest.mark.usefixtures("seven_of_each")
def test_lists_are_cut_into_pages_in_one_order(visitor: Asker, clerk: Asker) -> None:
    for path in LISTS:
        ask = asker_of(path, visitor, clerk)
        whole = records(ask, path)
        total = 8 if LISTS[path][0] == "units" else 7
        assert len(whole) == len(set(whole)) == total, path
        pages = [records(ask, path, limit="3", page=page) for page in ("1", "2", "3")]
        assert [*pages[0], *pages[1], *pages[2]] == whole, path
        body = ask.data(path, limit="3", page="3")["pagination"]
        assert body == {"page": 3, "limit": 3, "total": total, "totalPages": 3}, path
        beyond = ask.data(path, limit="3", page="4")
        assert beyond[LISTS[path][0]] == []
        assert beyond["pagination"] == {"page": 4, "limit": 3, "total": total, "totalPages": 3}
        far = ask.data(path, page=str(2**63 - 1))
        assert far[LISTS[path][0]] == []
        assert far["pagination"]["page"] == 2**63 - 1


def test_limits_have_a_default_and_a_most_which_is_echoed(
    cast: Cast, website: Asker, office: Asker
) -> None:
    for path, (_, default, most) in LISTS.items():
        ask = asker_of(path, website, office)

        def limit(ask: Asker = ask, path: str = path, **query: str) -> int:
            body: int = ask.data(path, **query)["pagination"]["limit"]
            return body

        assert limit() == default, path
        assert limit(limit=str(most)) == most
        assert limit(limit=str(most + 1)) == most
        assert limit(limit=str(2**63 - 1)) == most
        assert limit(limit="1") == 1
        assert limit(limit="007") == 7


def test_an_empty_list_fills_no_page(visitor: Asker, clerk: Asker) -> None:
    for path, (name, default, _) in LISTS.items():
        if name == "buildings":
            continue
        data = asker_of(path, visitor, clerk).data(path)
        assert data[name] == []
        assert data["pagination"] == {"page": 1, "limit": default, "total": 0, "totalPages": 0}


@pytest.mark.parametrize("name", ["page", "limit"])
def test_pages_are_numbers_from_one(website: Asker, office: Asker, name: str) -> None:
    for path in LISTS:
        for text in ("0", "-1", "1.0", "", "x", "1_000", "１", "+1", "1e3", "NaN", "0x1"):
            message = asker_of(path, website, office).refused(path, **{name: text})
            assert message.startswith(f"{name}: '")


def test_single_pages_have_no_pages(website: Asker, cast: Cast) -> None:
    paths = (
        "/site/config",
        "/site/sitemap",
        f"/site/buildings/{cast.sumida.building_slug}",
        f"/site/posts/{cast.sumida.post_slug}",
        f"/site/units/{cast.sumida.free_room_slug}",
        f"/properties/{cast.sumida.free_room_id}",
    )
    for path in paths:
        assert website.data(path, page="0", limit="x") == website.data(path)
