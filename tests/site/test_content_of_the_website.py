"""What the office writes is in the next answer of the website, and only what is public is."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.catalogue.models import Campaign
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import Collision
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.readings import release_due_posts
from pms.jobs.runs import Tools
from pms.rules.message_words import LeafletKind
from pms.site.campaigns import (
    choose_campaign_units,
    drop_campaign_units,
    end_campaign,
    publish_campaign,
    remove_campaign,
    withdraw_campaign,
    write_campaign,
)
from pms.site.configuration import WrittenSite, set_site_configuration
from pms.site.models import Position, Post, Service, SiteConfiguration
from pms.site.written_content import (
    WrittenCampaign,
    WrittenLeaflet,
    WrittenPost,
    move_leaflet,
    publish_leaflet,
    publish_post,
    remove_leaflet,
    remove_post,
    withdraw_leaflet,
    withdraw_post,
    write_leaflet,
    write_post,
)
from tests.cast import Cast
from tests.surfaces.agent_api.asking import Asker, asker

OFFICE = "person/office"
TEXTS = {"title_ja": "秘密の題", "title_en": "Secret title", "body_ja": "本文", "body_en": "Words"}
POSTS, CAMPAIGNS, SITEMAP = "/site/posts", "/site/campaigns", "/site/sitemap"
POSITIONS, SERVICES, CONFIG = "/site/positions", "/site/services", "/site/config"
UNITS = "/site/units"
LISTS = (POSTS, CAMPAIGNS, POSITIONS, SERVICES, CONFIG, SITEMAP, UNITS)
Write = Callable[[Session, FixedClock, Cast], object]


@pytest.fixture
def website(client: FlaskClient, database: Database, clock: FixedClock, cast: Cast) -> Asker:
    """Sumida's website."""
    return asker(client, database, clock, cast.sumida.workspace_id)


@pytest.fixture
def tools(settings: Settings, database: Database, clock: FixedClock) -> Tools:
    """The worker's tools."""
    return Tools(settings, database, clock, choose_postbox(settings))


def answers(website: Asker) -> dict[str, tuple[str, str]]:
    """Return each list's tag and text."""
    found = {path: website.get(path) for path in LISTS}
    assert {answer.status_code for answer in found.values()} == {200}
    return {path: (answer.headers["ETag"], answer.text) for path, answer in found.items()}


def id_of(session: Session, model: type[Any]) -> str:
    return str(session.scalars(select(model.id)).one())


def new_post(session: Session, clock: FixedClock, **given: Any) -> str:
    return write_post(Work(session, clock, OFFICE), written=WrittenPost(**{**TEXTS, **given}))


def public_post(session: Session, clock: FixedClock, _: Cast) -> object:
    return publish_post(Work(session, clock, OFFICE), post_id=new_post(session, clock))


def edited_post(session: Session, clock: FixedClock, _: Cast) -> object:
    post_id = id_of(session, Post)
    written = WrittenPost(**{**TEXTS, "slug": "renamed"})
    return write_post(Work(session, clock, OFFICE), post_id=post_id, written=written)


def new_campaign(session: Session, clock: FixedClock, **given: Any) -> str:
    written = WrittenCampaign(**{**TEXTS, "starts_on": clock.today(), **given})
    return write_campaign(Work(session, clock, OFFICE), written=written)


def public_campaign(session: Session, clock: FixedClock, cast: Cast) -> object:
    campaign_id = new_campaign(session, clock)
    room = cast.sumida.residents_room_id
    choose_campaign_units(Work(session, clock, OFFICE), campaign_id=campaign_id, unit_id=room)
    publish_campaign(Work(session, clock, OFFICE), campaign_id=campaign_id)
    return campaign_id


def public_leaflet(kind: LeafletKind) -> Write:
    def write(session: Session, clock: FixedClock, _: Cast) -> object:
        written = WrittenLeaflet(**TEXTS)
        made = write_leaflet(Work(session, clock, OFFICE), kind=kind, written=written)
        publish_leaflet(Work(session, clock, OFFICE), kind=kind, leaflet_id=made)
        return made

    return write


def first(model: type[Any], act: Callable[..., object], name: str, **given: Any) -> Write:
    """Do something to the one piece of content of a kind."""
    return lambda session, clock, _: act(
        Work(session, clock, OFFICE), **{name: id_of(session, model)}, **given
    )


def new_site(session: Session, clock: FixedClock, _: Cast) -> object:
    written = WrittenSite(base_url="https://new.example.jp", title_ja="秘密の題")
    return set_site_configuration(Work(session, clock, OFFICE), written=written)


def dropped_units(session: Session, clock: FixedClock, cast: Cast) -> object:
    room = cast.sumida.free_room_id
    campaign_id = id_of(session, Campaign)
    return drop_campaign_units(
        Work(session, clock, OFFICE), campaign_id=campaign_id, unit_ids=[room]
    )


# What is written, and which lists tell it.
WRITES: Mapping[str, tuple[Write, set[str]]] = {
    "a post": (public_post, {POSTS, SITEMAP}),
    "a post edited": (edited_post, {POSTS, SITEMAP}),
    "a post withdrawn": (first(Post, withdraw_post, "post_id"), {POSTS, SITEMAP}),
    "a post removed": (first(Post, remove_post, "post_id"), {POSTS, SITEMAP}),
    "a campaign": (public_campaign, {CAMPAIGNS, SITEMAP, UNITS}),
    "a campaign withdrawn": (
        first(Campaign, withdraw_campaign, "campaign_id"),
        {CAMPAIGNS, SITEMAP, UNITS},
    ),
    "a campaign ended": (
        first(Campaign, end_campaign, "campaign_id"),
        {CAMPAIGNS, SITEMAP, UNITS},
    ),
    "a campaign removed": (
        first(Campaign, remove_campaign, "campaign_id"),
        {CAMPAIGNS, SITEMAP, UNITS},
    ),
    "a unit out of its campaign": (dropped_units, {CAMPAIGNS, SITEMAP, UNITS}),
    "a position": (public_leaflet(LeafletKind.POSITION), {POSITIONS, SITEMAP}),
    "a service": (public_leaflet(LeafletKind.SERVICE), {SERVICES, SITEMAP}),
    "a position withdrawn": (
        first(Position, withdraw_leaflet, "leaflet_id", kind=LeafletKind.POSITION),
        {POSITIONS, SITEMAP},
    ),
    "a service removed": (
        first(Service, remove_leaflet, "leaflet_id", kind=LeafletKind.SERVICE),
        {SERVICES, SITEMAP},
    ),
    "the website": (new_site, {*LISTS}),
}


@pytest.mark.parametrize("name", WRITES)
def test_what_is_written_is_in_the_very_next_answer_under_another_tag(
    website: Asker, database: Database, clock: FixedClock, cast: Cast, name: str
) -> None:
    write, told_by = WRITES[name]
    before = answers(website)
    with database.writing(cast.sumida.workspace_id) as session:
        write(session, clock, cast)
    after = answers(website)
    for path, (tag, text) in before.items():
        if path in told_by:
            assert after[path][0] != tag, path
            assert after[path][1] != text, path
            assert website.get(path, headers={"If-None-Match": tag}).status_code == 200
        else:
            assert after[path][1] == text, path
        same = website.get(path, headers={"If-None-Match": after[path][0]})
        assert same.status_code == 304


def test_drafts_and_what_is_withdrawn_or_to_come_is_nowhere(
    website: Asker, database: Database, clock: FixedClock, cast: Cast
) -> None:
    soon = clock.now() + timedelta(hours=2)
    with database.writing(cast.sumida.workspace_id) as session:
        new_post(session, clock)
        waiting = new_post(session, clock)
        publish_post(Work(session, clock, OFFICE), post_id=waiting, at=soon)
        gone = new_post(session, clock)
        publish_post(Work(session, clock, OFFICE), post_id=gone)
        withdraw_post(Work(session, clock, OFFICE), post_id=gone)
        new_campaign(session, clock)
        over = new_campaign(session, clock, starts_on=date(2026, 1, 1), ends_on=date(2026, 2, 1))
        publish_campaign(Work(session, clock, OFFICE), campaign_id=over)
        for kind in LeafletKind:
            write_leaflet(Work(session, clock, OFFICE), kind=kind, written=WrittenLeaflet(**TEXTS))
        slugs = session.scalars(select(Post.slug)).all()
    for path in LISTS:
        for locale in ("ja", "en"):
            text = website.get(path, locale=locale).text
            assert "Secret" not in text, path
            assert "秘密" not in text, path
            assert "secret-title" not in text, path
    assert len(slugs) == 4
    for slug in slugs:
        status = website.get(f"{POSTS}/{slug}").status_code
        assert status == (200 if slug == cast.sumida.post_slug else 404)


def test_a_scheduled_post_comes_out_at_its_instant_under_another_tag(
    website: Asker, database: Database, clock: FixedClock, cast: Cast, tools: Tools
) -> None:
    at = clock.now() + timedelta(minutes=90)
    with database.writing(cast.sumida.workspace_id) as session:
        post_id = new_post(session, clock)
        publish_post(Work(session, clock, OFFICE), post_id=post_id, at=at)
    one = f"{POSTS}/secret-title"
    before = answers(website)
    clock.advance(timedelta(minutes=90) - timedelta(seconds=1))
    release_due_posts(tools)
    assert answers(website) == before
    assert website.get(one).status_code == 404
    clock.advance(timedelta(seconds=1))
    # Until somebody wrote that it is out, the answer is the one its tag stands for.
    assert answers(website) == before
    release_due_posts(tools)
    after = answers(website)
    for path in (POSTS, SITEMAP):
        assert after[path][0] != before[path][0]
        assert "secret-title" in after[path][1]
    assert website.data(one)["post"]["publishedAt"] == f"{at:%Y-%m-%dT%H:%M:%SZ}"
    release_due_posts(tools)
    assert answers(website) == after


def test_without_a_worker_the_next_day_lets_a_post_out(
    website: Asker, database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        post_id = new_post(session, clock)
        soon = clock.now() + timedelta(hours=3)
        publish_post(Work(session, clock, OFFICE), post_id=post_id, at=soon)
    tag = website.get(POSTS).headers["ETag"]
    clock.advance(timedelta(hours=12))
    assert "secret-title" in website.get(POSTS).text
    assert website.get(POSTS).headers["ETag"] != tag


def test_a_post_withdrawn_before_its_instant_never_comes_out(
    website: Asker, database: Database, clock: FixedClock, cast: Cast, tools: Tools
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        post_id = new_post(session, clock)
        soon = clock.now() + timedelta(hours=1)
        publish_post(Work(session, clock, OFFICE), post_id=post_id, at=soon)
        withdraw_post(Work(session, clock, OFFICE), post_id=post_id)
    clock.advance(timedelta(days=2))
    release_due_posts(tools)
    assert "secret-title" not in website.get(POSTS).text


def test_only_the_workspace_whose_post_comes_out_changes(
    website: Asker, database: Database, clock: FixedClock, cast: Cast, tools: Tools
) -> None:
    theirs = asker(website.client, database, clock, cast.minato.workspace_id)
    with database.writing(cast.minato.workspace_id) as session:
        post_id = new_post(session, clock)
        soon = clock.now() + timedelta(hours=1)
        publish_post(Work(session, clock, OFFICE), post_id=post_id, at=soon)
    ours = answers(website)
    clock.advance(timedelta(hours=1))
    release_due_posts(tools)
    assert answers(website) == ours
    assert "secret-title" in theirs.get(POSTS).text


def test_the_order_of_services_is_the_order_of_the_answer(
    website: Asker, database: Database, clock: FixedClock, cast: Cast
) -> None:
    kind = LeafletKind.SERVICE
    with database.writing(cast.sumida.workspace_id) as session:
        made = write_leaflet(
            Work(session, clock, OFFICE), kind=kind, written=WrittenLeaflet(**TEXTS)
        )
        publish_leaflet(Work(session, clock, OFFICE), kind=kind, leaflet_id=made)
    tag = website.get(SERVICES).headers["ETag"]
    assert [one["slug"] for one in website.data(SERVICES)["services"]][-1] == "secret-title"
    with database.writing(cast.sumida.workspace_id) as session:
        assert move_leaflet(Work(session, clock, OFFICE), kind=kind, leaflet_id=made, places=-9)
        assert not move_leaflet(Work(session, clock, OFFICE), kind=kind, leaflet_id=made, places=-1)
    assert website.data(SERVICES)["services"][0]["slug"] == "secret-title"
    assert website.get(SERVICES).headers["ETag"] != tag


def test_a_language_that_is_missing_is_said_in_the_other(
    website: Asker, database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        only_ja = new_post(session, clock, title_en="", body_en="", slug="only-ja")
        publish_post(Work(session, clock, OFFICE), post_id=only_ja)
    post = website.data(f"{POSTS}/only-ja", locale="en")["post"]
    assert (post["title"], post["body"], post["summary"]) == ("秘密の題", "本文", "")


def test_markup_in_a_text_is_shown_and_never_obeyed(
    website: Asker, database: Database, clock: FixedClock, cast: Cast
) -> None:
    body = '<img src=x onerror="alert(1)"> [x](javascript:alert(1)) ![y](data:text/html,z) **b**'
    with database.writing(cast.sumida.workspace_id) as session:
        post_id = new_post(session, clock, body_ja=body, slug="sharp")
        publish_post(Work(session, clock, OFFICE), post_id=post_id)
    html = website.data(f"{POSTS}/sharp", locale="ja")["post"]["bodyHtml"]
    assert "<img" not in html
    assert 'href="javascript' not in html
    assert "&lt;img" in html
    assert "<strong>b</strong>" in html


def test_an_old_version_is_refused_by_each_use_case(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        post_id = id_of(session, Post)
        written = WrittenPost(**TEXTS)
        write_post(Work(session, clock, OFFICE), post_id=post_id, written=written, version=1)
        for act in (withdraw_post, publish_post, remove_post):
            with pytest.raises(Collision):
                act(Work(session, clock, OFFICE), post_id=post_id, version=1)
        with pytest.raises(Collision):
            write_post(Work(session, clock, OFFICE), post_id=post_id, written=written, version=1)
        site = WrittenSite(base_url="https://x.example.jp", title_ja="題")
        set_site_configuration(Work(session, clock, OFFICE), written=site, version=1)
        with pytest.raises(Collision):
            set_site_configuration(Work(session, clock, OFFICE), written=site, version=1)


def test_a_first_website_makes_its_row(
    website: Asker, database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        session.delete(session.scalars(select(SiteConfiguration)).one())
    assert website.data(CONFIG)["config"]["tagline"] == ""
    with database.writing(cast.sumida.workspace_id) as session:
        new_site(session, clock, cast)
    assert website.data(CONFIG, locale="ja")["config"]["title"] == "秘密の題"
    assert website.data(CONFIG, locale="en")["config"]["title"] == "秘密の題"


def test_pictures_of_units_and_buildings_come_in_sizes(website: Asker, cast: Cast) -> None:
    house = website.data(f"/site/buildings/{cast.sumida.building_slug}")["building"]
    (size,) = house["images"][0]["sizes"]
    assert (size["width"], size["height"]) == (800, 600)
    assert size["url"].startswith("http")
    listed = website.data("/site/units")["units"]
    assert all("images" in unit for unit in listed)


def test_the_last_change_of_the_sitemap_is_the_last_writing(
    website: Asker, database: Database, clock: FixedClock, cast: Cast
) -> None:
    clock.advance(timedelta(minutes=5))
    with database.writing(cast.sumida.workspace_id) as session:
        edited_post(session, clock, cast)
    urls = {one["url"]: one["lastModified"] for one in website.data(SITEMAP)["sitemap"]}
    at = datetime(2026, 11, 20, 3, 5, tzinfo=UTC)
    assert urls["https://sumida.example.jp/ja/posts/renamed"] == f"{at:%Y-%m-%dT%H:%M:%SZ}"
    assert not [url for url in urls if cast.sumida.post_slug in url]
