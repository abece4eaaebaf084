"""An unchanged poll is a 304; whatever changes a listing changes its tag, and nothing else does."""

import gzip
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from pms.catalogue.models import (
    Building,
    Campaign,
    CampaignUnit,
    ExternalBlock,
    Photo,
    Unit,
    UnitFee,
)
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.settings import Settings
from pms.reservations.models import ForcedMonthToMonth, Reservation
from pms.rules.enumerations import Scope
from pms.site.models import Position, Post, Service, SiteConfiguration
from pms.surfaces.agent_api.answers import Bodies
from pms.workspaces.models import Fee, PolicyRow, Workspace
from tests.cast import (
    LONG_AGO,
    Cast,
    building,
    campaign,
    external_block,
    fee,
    photo,
    position,
    post,
    reservation,
    service,
    unit,
)
from tests.surfaces.agent_api.asking import ROOT, Asker, another_house, asker, next_id

PAGES = (
    "/properties",
    "/site/units",
    "/site/buildings",
    "/site/posts",
    "/site/campaigns",
    "/site/positions",
    "/site/services",
    "/site/config",
    "/site/sitemap",
)


def tag_of(asker: Asker, path: str = "/properties", **query: Any) -> str:
    answer = asker.get(path, **query)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert set(answer.headers["Vary"].split(", ")) >= {"Accept-Encoding", "Authorization"}
    return answer.headers["ETag"]


def addresses(cast: Cast) -> Iterator[str]:
    yield from PAGES
    yield f"/properties/{cast.sumida.free_room_id}"
    yield f"/site/units/{cast.sumida.free_room_slug}"
    yield f"/site/buildings/{cast.sumida.building_slug}"
    yield f"/site/posts/{cast.sumida.post_slug}"


def test_an_unchanged_poll_is_empty_and_keeps_its_tag(website: Asker, cast: Cast) -> None:
    for path in addresses(cast):
        tag = tag_of(website, path)
        for given in (tag, f'"x", {tag}', tag.removeprefix("W/"), f'{tag},"y"', "*"):
            answer = website.get(path, headers={"If-None-Match": given})
            assert (answer.status_code, answer.data) == (304, b""), (path, given)
            assert answer.headers["ETag"] == tag
            assert "Content-Type" not in answer.headers
            assert "Content-Length" not in answer.headers
        assert tag_of(website, path) == tag


@pytest.mark.parametrize("given", ['""', "W/", '"', "x" * 10_000, '"é"', ",,,", 'W/"', "*x", '"*"'])
def test_a_tag_that_is_not_ours_gets_the_whole_answer(website: Asker, given: str) -> None:
    assert website.get("/properties", headers={"If-None-Match": given}).status_code == 200


Change = Callable[[Session, Cast], Any]


def first(session: Session, kind: type[Any]) -> Any:
    return session.scalars(select(kind).order_by(kind.id)).first()


def put(kind: type[Any], **given: Any) -> Change:
    """Change an object."""

    def change(session: Session, _: Cast) -> None:
        row = first(session, kind)
        for name, value in given.items():
            setattr(row, name, value)

    return change


def put_all(kind: type[Any], **given: Any) -> Change:
    """Change rows in bulk."""

    def change(session: Session, _: Cast) -> None:
        session.execute(update(kind).values(**given))

    return change


def add(make: Callable[[Cast], Any]) -> Change:
    """Add an object."""

    def change(session: Session, cast: Cast) -> None:
        session.add(make(cast))

    return change


def insert_all(kind: type[Any], row: Callable[[Cast], dict[str, Any]]) -> Change:
    """Insert rows in bulk."""

    def change(session: Session, cast: Cast) -> None:
        session.execute(insert(kind), [row(cast)])

    return change


def drop(kind: type[Any]) -> Change:
    """Delete an object."""

    def change(session: Session, _: Cast) -> None:
        session.delete(first(session, kind))

    return change


def drop_all(kind: type[Any]) -> Change:
    """Delete rows in bulk."""

    def change(session: Session, _: Cast) -> None:
        session.execute(delete(kind))

    return change


def free_room(cast: Cast) -> str:
    return cast.sumida.free_room_id


def columns(row: Any) -> dict[str, Any]:
    """The row of an object, for a bulk insert."""
    given = {name: value for name, value in vars(row).items() if not name.startswith("_")}
    return {"id": next_id()} | given


TOMORROW = date(2026, 11, 21)
CHANGES: dict[str, Change] = {
    "a unit's rent": put(Unit, rent_yen=1),
    "the rents of all units": put_all(Unit, rent_yen=1),
    "a new unit": add(lambda c: unit(building_id=c.sumida.building_id, name="9", slug="nine")),
    "units in bulk": insert_all(
        Unit, lambda c: columns(unit(building_id=c.sumida.building_id, name="9", slug="nine"))
    ),
    "a building's name": put(Building, name_en="Heron House"),
    "the postcodes of all buildings": put_all(Building, postcode="100-0001"),
    "a new building": add(lambda _: building(slug="new", name="新館")),
    "a picture": add(lambda c: photo(unit_id=free_room(c))),
    "pictures in bulk": insert_all(Photo, lambda c: columns(photo(unit_id=free_room(c)))),
    "a picture's words": put(Photo, alt_en="Front"),
    "a picture taken down": drop(Photo),
    "all pictures taken down": drop_all(Photo),
    "a campaign's title": put(Campaign, title_en="Spring"),
    "campaigns unpublished": put_all(Campaign, is_published=False),
    "a new campaign": add(lambda _: campaign(slug="spring")),
    "a unit taken out of its campaign": drop(CampaignUnit),
    "campaigns emptied": drop_all(CampaignUnit),
    "a fee's words": put(Fee, label_en="Water and sewage"),
    "a new fee": add(lambda _: fee(code="net")),
    "what a unit asks a month": put(UnitFee, amount_yen=6_000),
    "what all units ask a month": put_all(UnitFee, amount_yen=6_000),
    "a unit's fee dropped": drop(UnitFee),
    "a block": add(lambda c: external_block(unit_id=free_room(c))),
    "blocks in bulk": insert_all(
        ExternalBlock, lambda c: columns(external_block(unit_id=free_room(c)))
    ),
    "a block moved": put(ExternalBlock, last_on=date(2027, 1, 1)),
    "blocks lifted": drop_all(ExternalBlock),
    "a booking": add(lambda c: reservation(unit_id=free_room(c), move_in_date=TOMORROW)),
    "bookings in bulk": insert_all(
        Reservation, lambda c: columns(reservation(unit_id=free_room(c)))
    ),
    "a filed move-out": put(Reservation, move_out_date=TOMORROW),
    "an expected departure": put(Reservation, expected_departure_date=TOMORROW),
    "expected departures in bulk": put_all(Reservation, expected_departure_date=TOMORROW),
    "a cancellation": put(Reservation, cancelled_at=LONG_AGO),
    "a forced flag": add(
        lambda c: ForcedMonthToMonth(
            reservation_id=c.sumida.resident_id, set_at=LONG_AGO, set_by="staff"
        )
    ),
    "a forced day": put(Reservation, forced_on=TOMORROW),
    "the policy": put(PolicyRow, turnover_days=2),
    "the policy in bulk": put_all(PolicyRow, turnover_days=2),
    "a post's text": put(Post, body_en="News"),
    "a new post": add(lambda _: post(slug="news")),
    "posts deleted": drop_all(Post),
    "a position": add(lambda _: position(slug="cook")),
    "positions closed": put_all(Position, is_published=False),
    "a service": add(lambda _: service(slug="repairs")),
    "a service's title": put(Service, title_en="Repairs"),
    "the website's title": put(SiteConfiguration, title_en="Kawasemi"),
    "the website's links": put(SiteConfiguration, social_links={"x": "https://x.example"}),
    "the workspace's name": put(Workspace, name="隅田ハウス"),
    "the workspace's hue in bulk": put_all(Workspace, brand_hue=120),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_changes_the_tag_once_it_is_committed(
    website: Asker, database: Database, cast: Cast, name: str
) -> None:
    workspace_id = cast.sumida.workspace_id
    before = {path: tag_of(website, path) for path in ("/properties", "/site/config")}
    with pytest.raises(ZeroDivisionError), database.writing(workspace_id) as session:
        CHANGES[name](session, cast)
        session.flush()
        raise ZeroDivisionError
    assert {path: tag_of(website, path) for path in before} == before
    with database.writing(workspace_id) as session:
        CHANGES[name](session, cast)
    for path, tag in before.items():
        answer = website.get(path, headers={"If-None-Match": tag})
        assert answer.status_code == 200, path
        assert answer.headers["ETag"] != tag


def test_what_no_listing_shows_changes_no_tag(
    website: Asker, database: Database, cast: Cast
) -> None:
    before = [tag_of(website, path) for path in PAGES]
    with database.writing(cast.minato.workspace_id) as session:
        put(Unit, rent_yen=1)(session, cast)
        put(Workspace, name="港")(session, cast)
    with database.writing(cast.sumida.workspace_id) as session:
        put(Unit, rent_yen=first(session, Unit).rent_yen)(session, cast)
    assert [tag_of(website, path) for path in PAGES] == before


def test_a_new_fact_is_in_the_very_next_answer(
    website: Asker, database: Database, cast: Cast
) -> None:
    for rent in (70_000, 71_000, 72_000):
        with database.writing(cast.sumida.workspace_id) as session:
            session.execute(update(Unit).values(rent_yen=rent))
        for path in ("/properties", "/site/units"):
            assert {each["price"] for each in website.data(path)["units"]} == {rent}
    with database.writing(cast.sumida.workspace_id) as session:
        session.execute(update(Reservation).values(expected_departure_date=TOMORROW))
    states = {each["availability"]["state"] for each in website.units()}
    assert "possibly_available" in states


def test_a_deleted_unit_is_gone_at_once(website: Asker, database: Database, cast: Cast) -> None:
    path = f"/properties/{cast.sumida.free_room_id}"
    tag = tag_of(website, path)
    with database.writing(cast.sumida.workspace_id) as session:
        session.execute(delete(Unit).where(Unit.id == cast.sumida.free_room_id))
    website.not_found(path)
    for given in (tag, "*"):
        assert website.get(path, headers={"If-None-Match": given}).status_code == 404
    assert "102" not in website.names()


def test_the_day_rolling_over_in_japan_changes_the_tag(website: Asker, clock: FixedClock) -> None:
    before = [tag_of(website, path) for path in PAGES]
    clock.advance(timedelta(hours=11, minutes=59, seconds=59))
    assert [tag_of(website, path) for path in PAGES] == before
    clock.advance(timedelta(seconds=1))
    after = [tag_of(website, path) for path in PAGES]
    assert not set(before) & set(after)
    assert website.units()[0]["availability"]["moveInFrom"] in (None, "2026-11-21")


def test_another_question_language_or_scope_has_another_tag(
    website: Asker, client: FlaskClient, database: Database, clock: FixedClock, cast: Cast
) -> None:
    workspace_id = cast.sumida.workspace_id
    narrow = asker(client, database, clock, workspace_id, frozenset({Scope.PROPERTIES_READ}))
    twin = asker(client, database, clock, workspace_id, frozenset({Scope.PROPERTIES_READ}))
    tags = [
        tag_of(website),
        tag_of(website, locale="ja"),
        tag_of(website, sort="price-asc"),
        tag_of(website, search="102"),
        tag_of(website, search="103"),
        tag_of(website, page="2"),
        tag_of(website, excludeRecords=""),
        tag_of(website, excludeRecords="guest"),
        tag_of(website, "/site/units"),
        tag_of(website, "/site/units", locale="en"),
        tag_of(narrow),
    ]
    assert len(set(tags)) == len(tags)
    assert tag_of(narrow) == tag_of(twin)
    assert tag_of(website, locale="en", limit="50", colour="red") == tags[0]
    assert tag_of(website, limit="9999") == tag_of(website, limit="500")
    one = tag_of(website, excludeRecords="guest,resident")
    assert one == tag_of(website, excludeRecords="resident, guest")


def test_a_sitemap_depends_on_what_the_key_may_read(
    website: Asker, client: FlaskClient, database: Database, clock: FixedClock, cast: Cast
) -> None:
    content = asker(
        client, database, clock, cast.sumida.workspace_id, frozenset({Scope.CONTENT_READ})
    )
    for _ in range(2):
        whole = [page["url"] for page in website.data("/site/sitemap")["sitemap"]]
        part = [page["url"] for page in content.data("/site/sitemap")["sitemap"]]
        assert set(part) < set(whole)
        assert not [url for url in part if "/units/" in url or "/buildings/" in url]
        assert [url for url in whole if "/units/" in url]


@pytest.mark.parametrize(
    ("accepts", "is_compressed"),
    [
        ("gzip", True),
        ("GZIP", True),
        ("gzip, deflate, br", True),
        ("br;q=1.0, gzip;q=0.5", True),
        ("gzip;q=0", False),
        ("gzip;q=0.0, identity", False),
        ("identity", False),
        ("notgzip", False),
        ("br", False),
        ("", False),
        ("gzip;q=x", None),
        (";;;", None),
        ("\xff;q=1", None),
    ],
)
def test_gzip_and_plain_agree(website: Asker, accepts: str, is_compressed: bool | None) -> None:
    plain = website.get("/properties", headers={"Accept-Encoding": "identity"})
    answer = website.get("/properties", headers={"Accept-Encoding": accepts})
    assert answer.status_code == 200
    was_compressed = answer.headers.get("Content-Encoding") == "gzip"
    if is_compressed is not None:
        assert was_compressed == is_compressed
    body = gzip.decompress(answer.data) if was_compressed else answer.data
    assert body == plain.data
    assert answer.headers["ETag"] == plain.headers["ETag"]
    assert int(answer.headers["Content-Length"]) == len(answer.data)


def test_two_workspaces_never_share_an_answer(
    website: Asker, client: FlaskClient, database: Database, clock: FixedClock, cast: Cast
) -> None:
    theirs = asker(client, database, clock, cast.minato.workspace_id)
    for path in PAGES:
        tag, other = tag_of(website, path), tag_of(theirs, path)
        assert tag != other
        assert theirs.get(path, headers={"If-None-Match": tag}).status_code == 200
        assert website.get(path).data != theirs.get(path).data
        assert cast.sumida.slug not in theirs.get(path).text


def test_an_address_of_the_service_is_part_of_the_tag(
    website: Asker, settings: Settings, clock: FixedClock, database: Database
) -> None:
    from dataclasses import replace

    from app import create_app

    moved = create_app(replace(settings, base_url="https://new.example.jp"), clock, database)
    assert tag_of(Asker(moved.test_client(), website.key)) != tag_of(website)


def test_what_is_kept_is_bounded_also_when_answers_are_small() -> None:
    bodies = Bodies(most_bytes=100_000)
    for number in range(2_000):
        bodies.put("w", f"question {number} " + "?" * 100, "tag", b"{}")
    assert len(bodies._bodies) < 200
    assert bodies._bytes <= 100_000
    assert bodies.get("w", "question 1999 " + "?" * 100, "tag") is not None
    assert bodies.get("w", "question 0 " + "?" * 100, "tag") is None
    bodies.put("w", "huge", "tag", b"x" * 200_000)
    assert len(bodies._bodies) == 1


def test_a_kept_body_counts_only_under_its_tag_and_workspace() -> None:
    bodies = Bodies()
    bodies.put("w", "q", "new", b"{}")
    assert bodies.get("w", "q", "old") is None
    assert bodies.get("v", "q", "new") is None
    kept = bodies.get("w", "q", "new")
    assert kept is not None
    assert gzip.decompress(kept.compressed) == kept.plain == b"{}"


def test_many_threads_may_keep_and_drop_at_once() -> None:
    from concurrent.futures import ThreadPoolExecutor

    bodies = Bodies(most_bytes=5_000)

    def work(seed: int) -> None:
        for number in range(400):
            question = str((seed * number) % 11)
            bodies.get("w", question, "t")
            bodies.put("w", question, "t", b"x" * 500)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(1, 9)))
    assert bodies._bytes <= 5_000


def test_a_third_workspace_changes_nothing_for_the_first(
    website: Asker, database: Database
) -> None:
    before = [website.get(path).data for path in PAGES]
    another_house(database, "third")
    assert [website.get(path).data for path in PAGES] == before


def test_a_refusal_is_never_kept(website: Asker) -> None:
    answer = website.get("/properties", sort="up")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "ETag" not in answer.headers
    assert website.client.get(f"{ROOT}/properties").headers["Cache-Control"] == "no-store"
