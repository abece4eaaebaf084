"""The website's content at the desk: written, looked at, published, put in order, taken away."""

import re
from typing import Any

import pytest
from sqlalchemy import func, select

from pms.catalogue.models import Campaign, CampaignUnit
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.rules.audit_events import AuditEvent
from pms.site.models import Position, Post, Service, SiteConfiguration
from tests.cast import Cast, campaign, position, post
from tests.staff import Browser
from tests.surfaces.agent_api.asking import next_id
from tests.surfaces.agent_api.test_questions_to_the_database import statements

WRITTEN: dict[str, Any] = {
    "titleJa": "屋上の夕涼み",
    "titleEn": "An evening on the roof",
    "summaryJa": "来月も開きます。",
    "summaryEn": "Again next month.",
    "bodyJa": "# 屋上\n\n<script>alert(1)</script> **風** が通ります。",
    "bodyEn": "",
    "slug": "",
}

MODELS: dict[str, type[Any]] = {
    "posts": Post,
    "campaigns": Campaign,
    "positions": Position,
    "services": Service,
}


def drafted(office: Browser, **given: Any) -> str:
    """Write a post and return its path."""
    answer = office.post("/content/posts/new", {**WRITTEN, **given})
    assert answer.status_code == 303, answer.text
    return str(answer.location).partition(office.home)[2]


def row_of(database: Database, cast: Cast, model: type[Any], path: str) -> Any:
    with database.reading(cast.sumida.workspace_id) as session:
        return session.scalars(select(model).where(model.id == path.rsplit("/", 1)[-1])).one()


def hidden(text: str) -> dict[str, str]:
    """What an edit form carries unseen."""
    return dict(
        re.findall(r'type="hidden" name="((?:was\.\w+|version|choose))" value="([^"]*)"', text)
    )


def test_a_post_is_written_looked_at_and_published(
    office: Browser, database: Database, cast: Cast
) -> None:
    path = drafted(office)
    draft = row_of(database, cast, Post, path)
    assert (draft.slug, draft.published_at, draft.is_out) == ("an-evening-on-the-roof", None, False)
    shown = office.get(f"{path}/publication?lang=en").text
    assert "&lt;script&gt;" in shown
    assert "<script>alert" not in shown
    assert "<strong>風</strong>" in shown
    assert "English is missing" in shown
    assert "https://sumida.example.jp/en/posts/an-evening-on-the-roof" in shown
    assert office.post(f"{path}/publication", {"when": "now"}).status_code == 303
    text = office.get(f"{path}?lang=en").text
    assert ">Public<" in text
    assert "Undo" in text
    assert row_of(database, cast, Post, path).is_out


def test_a_preview_writes_nothing_and_keeps_what_is_typed(
    office: Browser, database: Database, cast: Cast
) -> None:
    answer = office.post("/content/posts/new?lang=en", {**WRITTEN, "step": "preview"})
    assert answer.status_code == 200
    assert "Nothing is saved yet" in answer.text
    assert "An evening on the roof" in answer.text
    path = drafted(office)
    tried = office.post(f"{path}?lang=en", {**WRITTEN, "titleEn": "Tried", "step": "preview"})
    assert tried.status_code == 200
    assert tried.text.count("Tried") >= 2
    assert row_of(database, cast, Post, path).title_en == "An evening on the roof"
    with database.reading(cast.sumida.workspace_id) as session:
        assert session.scalar(select(func.count()).select_from(Post)) == 2


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"titleJa": "", "titleEn": ""}, "Enter 1 to"),
        ({"bodyJa": "", "bodyEn": ""}, "Enter 1 to"),
        ({"slug": "../x"}, "cannot be an address"),
        ({"slug": "Grüße"}, "cannot be an address"),
        ({"slug": "welcome-sumida"}, "is already used as an address"),
        ({"summaryJa": "あ" * 501}, "Enter at most 500 characters"),
    ],
)
def test_what_cannot_be_kept_comes_again_as_typed(
    office: Browser, wrong: dict[str, str], text: str
) -> None:
    answer = office.post("/content/posts/new?lang=en", {**WRITTEN, **wrong})
    assert answer.status_code == 422
    assert text in answer.text
    assert "Again next month." in answer.text


def test_a_title_that_is_taken_gets_another_address(office: Browser) -> None:
    assert "an-evening-on-the-roof-2" in [
        office.get(drafted(office)).text.partition("an-evening-on-the-roof-2")[1] for _ in range(2)
    ]
    assert ">post<" not in office.get(drafted(office, titleEn="")).text


def test_a_post_waits_for_its_instant_and_may_be_given_another(
    office: Browser, database: Database, cast: Cast
) -> None:
    path = drafted(office)
    refused = office.post(f"{path}/publication?lang=en", {"when": "later", "onDay": "2026-11-21"})
    assert refused.status_code == 422
    assert "Please fill this in" in refused.text
    later = {"when": "later", "onDay": "2026-11-21", "atTime": "9:30"}
    assert office.post(f"{path}/publication", later).status_code == 303
    waiting = row_of(database, cast, Post, path)
    assert (waiting.is_out, f"{waiting.published_at:%d %H:%M}") == (False, "21 00:30")
    assert ">Scheduled<" in office.get(f"{path}?lang=en").text
    assert office.post(f"{path}/publication", {**later, "atTime": "18:00"}).status_code == 303
    assert office.post(f"{path}/publication", {"when": "now"}).status_code == 303
    assert row_of(database, cast, Post, path).is_out
    again = office.post(f"{path}/publication?lang=en", later)
    assert again.status_code == 422
    assert "post is already public. Unpublish it first" in again.text


def test_withdrawing_is_undone_with_the_instant_it_had(
    office: Browser, database: Database, cast: Cast
) -> None:
    path = drafted(office)
    past = {"when": "later", "onDay": "2026-10-01", "atTime": "12:00"}
    assert office.post(f"{path}/publication", past).status_code == 303
    had = row_of(database, cast, Post, path).published_at
    assert office.post(f"{path}/withdrawal").status_code == 303
    shown = office.get(f"{path}?lang=en").text
    bar = shown[shown.index("undo-bar") :].partition("</form>")[0]
    fields = dict(re.findall(r'name="(version|when|onDay|atTime)" value="([^"]*)"', bar))
    assert row_of(database, cast, Post, path).published_at is None
    assert office.post(f"{path}/publication", fields).status_code == 303
    back = row_of(database, cast, Post, path)
    assert (back.published_at, back.is_out) == (had, True)


@pytest.mark.parametrize("folder", MODELS)
def test_what_changed_since_it_was_looked_at_does_not_come_out_unseen(
    office: Browser, operator: Browser, database: Database, cast: Cast, folder: str
) -> None:
    more = {"startsOn": "2026-11-01", "endsOn": "", "placeJa": "", "placeEn": ""}
    answer = office.post(f"/content/{folder}/new", {**WRITTEN, **more})
    path = str(answer.location).partition(office.home)[2]
    looked_at = {**hidden(office.get(f"{path}/publication").text), "when": "now"}
    theirs = {**WRITTEN, **more, **hidden(operator.get(path).text), "titleEn": "Slipped in"}
    assert operator.post(path, theirs).status_code == 303
    refused = office.post(f"{path}/publication?lang=en", looked_at)
    assert refused.status_code == 422
    assert "changed since you opened it" in refused.text
    assert "Slipped in" in refused.text
    row = row_of(database, cast, MODELS[folder], path)
    assert not (row.is_out if folder == "posts" else row.is_published)
    looked_at = {**hidden(refused.text), "when": "now"}
    assert office.post(f"{path}/publication", looked_at).status_code == 303
    row = row_of(database, cast, MODELS[folder], path)
    assert row.is_out if folder == "posts" else row.is_published


def test_two_edits_merge_and_a_text_both_changed_is_asked_about(
    office: Browser, operator: Browser, database: Database, cast: Cast
) -> None:
    path = drafted(office)
    seen = hidden(office.get(path).text)
    kept = {**WRITTEN, "slug": "an-evening-on-the-roof", **seen}
    theirs = {**kept, "titleJa": "屋上の夜", "summaryEn": "Soon."}
    assert operator.post(path, theirs).status_code == 303
    clash = office.post(f"{path}?lang=en", {**kept, "titleJa": "屋上の朝"})
    assert clash.status_code == 422
    assert "屋上の夜" in clash.text
    assert "屋上の朝" in clash.text
    assert "小川 智子" in clash.text
    chosen = {**kept, "titleJa": "屋上の朝", **hidden(clash.text), "keep.titleJa": "mine"}
    assert office.post(path, {**chosen, "summaryEn": "Soon."}).status_code == 303
    row = row_of(database, cast, Post, path)
    assert (row.title_ja, row.summary_en, row.version) == ("屋上の朝", "Soon.", 3)


def test_a_removed_post_is_gone_after_one_more_question(
    office: Browser, database: Database, cast: Cast
) -> None:
    path = drafted(office)
    asked = office.get(f"{path}/removal?lang=en")
    assert "cannot be restored" in asked.text
    assert office.post(f"{path}/removal").status_code == 303
    assert office.get(path).status_code == 404
    assert office.post(f"{path}/removal").status_code == 404


def test_a_campaign_has_days_units_and_an_end(
    office: Browser, database: Database, cast: Cast
) -> None:
    written = {**WRITTEN, "startsOn": "2026-11-01", "endsOn": "2026-10-01"}
    refused = office.post("/content/campaigns/new?lang=en", written)
    assert refused.status_code == 422
    assert "before the first day" in refused.text
    answer = office.post("/content/campaigns/new", {**written, "endsOn": ""})
    path = str(answer.location).partition(office.home)[2]
    assert "No units yet" in office.get(f"{path}/publication?lang=en").text
    house = {"buildingId": cast.sumida.building_id}
    assert office.post(f"{path}/units", house).status_code == 303
    assert office.post(f"{path}/units", {**house, "unit": "102"}).status_code == 303
    assert office.post(f"{path}/units", {**house, "unit": "999"}).status_code == 422
    assert office.post(f"{path}/units", {}).status_code == 422
    assert office.post(f"{path}/units", {"buildingId": "x", "unit": "999"}).status_code == 422
    theirs = {"buildingId": cast.minato.building_id}
    assert office.post(f"{path}/units", theirs).status_code == 422
    assert units_of(database, cast, path) == 4
    gone = {"unitIds": [cast.sumida.free_room_id, cast.minato.free_room_id, "x"]}
    assert office.post(f"{path}/units/removal", gone).status_code == 303
    assert office.post(f"{path}/units/removal", {}).status_code == 422
    assert units_of(database, cast, path) == 3
    assert office.post(f"{path}/publication").status_code == 303
    assert office.post(f"{path}/end").status_code == 303
    assert str(row_of(database, cast, Campaign, path).ends_on) == "2026-11-20"
    assert office.post(f"{path}/removal").status_code == 303


def units_of(database: Database, cast: Cast, path: str) -> int:
    asked = select(func.count()).select_from(CampaignUnit)
    with database.reading(cast.sumida.workspace_id) as session:
        return session.scalar(asked.where(CampaignUnit.campaign_id == path.rsplit("/", 1)[-1])) or 0


def test_a_campaign_that_has_not_begun_is_not_ended(office: Browser) -> None:
    written = {**WRITTEN, "startsOn": "2026-12-01", "endsOn": ""}
    answer = office.post("/content/campaigns/new", written)
    path = str(answer.location).partition(office.home)[2]
    refused = office.post(f"{path}/end?lang=en")
    assert refused.status_code == 422
    assert "only starts on" in refused.text


@pytest.mark.parametrize("folder", ["positions", "services"])
def test_positions_and_services_are_put_in_order_and_published(
    office: Browser, folder: str
) -> None:
    answer = office.post(f"/content/{folder}/new", {**WRITTEN, "placeJa": "本社"})
    path = str(answer.location).partition(office.home)[2]
    first = office.get(f"/content/{folder}?lang=en").text
    assert office.post(f"{path}/place", {"way": "up"}).status_code == 303
    moved = office.get(f"/content/{folder}?lang=en").text
    assert moved.index("An evening on the roof") < first.index("An evening on the roof")
    assert "Undo" in moved
    assert office.post(f"{path}/place", {"way": "up"}).status_code == 303
    assert office.post(f"{path}/place", {"way": "sideways"}).status_code == 303
    assert office.post(f"{path}/publication").status_code == 303
    assert ">Public<" in office.get(f"{path}?lang=en").text
    assert office.post(f"{path}/withdrawal").status_code == 303
    assert ">Draft<" in office.get(f"{path}?lang=en").text
    assert office.post(f"{path}/removal").status_code == 303


SITE: dict[str, str] = {
    "baseUrl": "https://www.example.jp/",
    "titleJa": "カワセミ荘",
    "titleEn": "Kawasemi House",
    "socialLinks": "instagram https://www.instagram.com/kawasemi\nline https://line.me/R/x",
}


def test_the_website_is_set_and_its_links_have_names(
    office: Browser, database: Database, cast: Cast
) -> None:
    seen = hidden(office.get("/content/website").text)
    assert office.post("/content/website", {**SITE, **seen}).status_code == 303
    with database.reading(cast.sumida.workspace_id) as session:
        row = session.scalars(select(SiteConfiguration)).one()
    assert row.base_url == "https://www.example.jp"
    assert row.social_links == {
        "instagram": "https://www.instagram.com/kawasemi",
        "line": "https://line.me/R/x",
    }


@pytest.mark.parametrize(
    "wrong",
    [
        {"baseUrl": "http://www.example.jp"},
        {"baseUrl": "https://user:secret@example.jp"},
        {"baseUrl": "https://example.jp/?q=1"},
        {"baseUrl": "https://localhost"},
        {"baseUrl": "javascript:alert(1)"},
        {"baseUrl": "https://[::1"},
        {"baseUrl": "https://example.jp:99999"},
        {"socialLinks": "instagram"},
        {"socialLinks": "x javascript:alert(1)"},
        {"socialLinks": "x https://x.example\nx https://y.example"},
        {"titleJa": ""},
        {"contactEmail": "nobody"},
    ],
)
def test_a_website_that_cannot_be_is_refused_with_what_was_typed(
    office: Browser, wrong: dict[str, str]
) -> None:
    answer = office.post("/content/website", {**SITE, **wrong})
    assert answer.status_code == 422
    assert "Kawasemi House" in answer.text


def test_every_audit_event_is_in_the_audit_with_the_slug_that_changed(
    office: Browser, database: Database, cast: Cast
) -> None:
    path = drafted(office)
    seen = hidden(office.get(path).text)
    renamed = {**WRITTEN, "slug": "roof", **seen}
    assert office.post(path, renamed).status_code == 303
    office.post(f"{path}/publication", {"when": "now"})
    office.post(f"{path}/withdrawal")
    office.post(f"{path}/removal")
    subject = path.rsplit("/", 1)[-1]
    asked = select(AuditRecord).where(AuditRecord.subject_id == subject).order_by(AuditRecord.id)
    with database.reading(cast.sumida.workspace_id) as session:
        kept = session.scalars(asked).all()
    assert [one.audit_event for one in kept] == [
        AuditEvent.POST_WRITTEN,
        AuditEvent.POST_WRITTEN,
        AuditEvent.POST_PUBLISHED,
        AuditEvent.POST_WITHDRAWN,
        AuditEvent.POST_REMOVED,
    ]
    assert kept[1].before == {"slug": "an-evening-on-the-roof"}
    assert kept[1].after == {"slug": "roof"}


def test_a_list_asks_as_much_however_long_it_is(
    office: Browser, database: Database, cast: Cast, clock: FixedClock
) -> None:
    for path, make in (
        ("/content", post),
        ("/content/campaigns", campaign),
        ("/content/positions", position),
    ):
        office.get(path)
        with statements() as few:
            assert office.get(path).status_code == 200
        with database.writing(cast.sumida.workspace_id) as session:
            session.add_all(make(id=next_id(), slug=f"more-{n}") for n in range(60))
        with statements() as many:
            shown = office.get(path).text
        assert len(many) <= len(few), path
        assert "page=2" in shown
        assert office.get(f"{path}?page=2").status_code == 200


def test_the_office_alone_reaches_content(housekeeper: Browser, maintainer: Browser) -> None:
    for who in (housekeeper, maintainer):
        assert who.get("/content").status_code == 403
        assert "/content" not in who.get("/").text


def test_another_workspaces_content_stays_as_it_is(
    stranger: Browser, database: Database, cast: Cast
) -> None:
    with database.reading(cast.sumida.workspace_id) as session:
        ours = session.scalars(select(Position.id)).one()
    assert stranger.get(f"/content/positions/{ours}").status_code == 404
    assert stranger.post(f"/content/positions/{ours}/removal").status_code == 404
    assert stranger.post(f"/content/positions/{ours}/place", {"way": "up"}).status_code == 404
