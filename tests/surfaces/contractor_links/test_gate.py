"""What a link opens, for how long, and what is told to whoever has none."""

import re
from datetime import date, timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from pms.access.sessions import AuthContext
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.rules.enumerations import ProjectState
from pms.site.models import SiteConfiguration
from pms.upkeep.projects import end_project
from pms.upkeep.share_links import named_link, revoke_share_link, share_link_record
from tests.cast import CONTRACTOR, Cast
from tests.surfaces.contractor_links.conftest import (
    ENTRANCE_CODE,
    OFFICE,
    OTHER_CODE,
    STAFF_CODE,
    UNIT_CODE,
    Phone,
    Site,
    made_site,
)

PHONE_NUMBER = "03-9876-5432"
CODES = (ENTRANCE_CODE, UNIT_CODE, OTHER_CODE, STAFF_CODE)


def auth_context_of(app: Flask) -> AuthContext:
    found: AuthContext = app.extensions["pms.auth_context"]
    return found


def link_id(app: Flask, site: Site) -> str:
    named = named_link(auth_context_of(app).reading, Signer(str(app.secret_key)), site.token)
    assert named is not None
    return named.link_id


def give_phone_number(database: Database, cast: Cast) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        row = session.get_one(
            SiteConfiguration, (cast.sumida.workspace_id, cast.sumida.workspace_id)
        )
        row.contact_phone = PHONE_NUMBER


def pages(app: Flask, site: Site) -> list[tuple[str, str]]:
    """Every address of the surface, filled with what a site holds."""
    values = {
        "token": site.token,
        "task_id": site.task_id,
        "page_id": site.entrance_id,
        "item_id": "0" * 32,
        "hours_id": "0" * 32,
        "purchase_id": "0" * 32,
        "photo_id": "0" * 32,
        "width": 400,
        "_rest": "whatever/else",
    }
    return [(method, built(rule, values)) for method, rule in rules(app)]


def rules(app: Flask) -> list[tuple[str, Rule]]:
    found = []
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("contractor_links."):
            methods = (rule.methods or set()) - {"HEAD", "OPTIONS"}
            assert len(methods) == 1
            found.append((methods.pop(), rule))
    return found


def built(rule: Rule, values: dict[str, object]) -> str:
    made = rule.build({name: values[name] for name in rule.arguments})
    assert made is not None
    return str(made[1])


def test_a_live_link_opens_its_project(phone: Phone) -> None:
    opened = phone.get()
    assert opened.status_code == 200
    assert "101 水漏れ" in opened.text
    assert "蛇口の交換" in opened.text
    assert phone.client.get(phone.site.home + "/").status_code == 404


@pytest.mark.parametrize("path", ["", "/hours", "/purchases", "/handbook", "/nothing/here"])
def test_no_page_is_kept_found_or_told_of(phone: Phone, path: str) -> None:
    answer = phone.get(path)
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "noindex" in answer.headers["X-Robots-Tag"]
    assert '<meta name="robots" content="noindex' in answer.text
    assert "Set-Cookie" not in answer.headers
    title = re.findall("<title>(.*?)</title>", answer.text)[0]
    assert "101" not in title
    assert "Kawasemi" not in title
    # Nothing is asked of another house, not even by a link.
    assert not re.search(r"""(?:src|href|action)=["']?(?:https?:)?//""", answer.text)


def test_codes_stand_on_no_page_before_a_tap(phone: Phone) -> None:
    for path in ("", "/hours", "/purchases", "/handbook", f"/tasks/{phone.site.task_id}"):
        text = phone.get(path).text
        assert not [code for code in CODES if code in text], path


def test_every_address_refuses_what_is_no_link_with_the_same_body(
    app: Flask, client: FlaskClient, site: Site, elsewhere: Site
) -> None:
    signer = Signer(str(app.secret_key))
    named = named_link(auth_context_of(app).reading, signer, site.token)
    foreign = named_link(auth_context_of(app).reading, signer, elsewhere.token)
    assert named is not None
    assert foreign is not None
    bad = [
        "nonsense",
        "x" * 900,
        site.token[:-1],
        f"{site.token}x",
        signer.sign_parts("share-link", *named[:2], "0" * 32),
        signer.sign_parts("invitation", *named),
        # A link of ours that names the other workspace, and theirs that names ours.
        signer.sign_parts("share-link", foreign.workspace_id, *named[1:]),
        signer.sign_parts("share-link", named.workspace_id, *foreign[1:]),
        Signer("another key").sign_parts("share-link", *named),
        signer.short("share-link", "0" * 32),
        signer.short("invitation", named.nonce),
        Signer("another key").short("share-link", named.nonce),
    ]
    bodies = set()
    for token in bad:
        for path in ("", "/handbook"):
            answer = client.get(f"/contractor/{token}{path}", headers={"Accept-Language": "en"})
            assert answer.status_code == 404, token
            bodies.add(answer.text)
    assert len(bodies) == 1
    assert "隅田" not in bodies.pop()


@pytest.mark.parametrize("way", ["expired", "revoked", "ended"])
def test_an_ended_link_says_whom_to_phone_and_nothing_else(
    way: str, client: FlaskClient, clock: FixedClock, cast: Cast, database: Database
) -> None:
    give_phone_number(database, cast)
    app = client.application
    site = made_site(app, clock, cast.sumida, expires_on=clock.today())
    with database.writing(cast.sumida.workspace_id) as session:
        if way == "revoked":
            revoke_share_link(Work(session, clock, OFFICE), share_link_id=link_id(app, site))
        elif way == "ended":
            end_project(
                Work(session, clock, OFFICE),
                project_id=site.project_id,
                into=ProjectState.CANCELLED,
            )
    if way == "expired":
        assert client.get(site.home).status_code == 200, "through the whole of its last day"
        clock.advance(timedelta(days=1))
    for method, path in pages(app, site):
        answer = client.open(path, method=method, headers={"Accept-Language": "en"})
        assert answer.status_code == 410, path
        assert f'href="tel:{PHONE_NUMBER.replace("-", "")}"' in answer.text
        assert answer.headers["Cache-Control"] == "no-store"
        for secret in ("水漏れ", "蛇口", CONTRACTOR, *CODES):
            assert secret not in answer.text, (path, secret)


def test_a_link_lasts_through_midnight_in_japan(
    app: Flask, client: FlaskClient, clock: FixedClock, cast: Cast
) -> None:
    site = made_site(app, clock, cast.sumida, expires_on=date(2026, 11, 20))
    clock.advance(timedelta(hours=11, minutes=59, seconds=59))  # 23:59:59 in Japan
    assert client.get(site.home).status_code == 200
    clock.advance(timedelta(seconds=1))
    assert client.get(site.home).status_code == 410


def test_nothing_of_another_project_is_reachable(
    app: Flask, phone: Phone, elsewhere: Site, next_door: Site
) -> None:
    """Our link, everything else's records: neither another project's nor another workspace's."""
    for other in (elsewhere, next_door):
        for path in (f"/tasks/{other.task_id}", f"/photos/{'0' * 32}/400"):
            assert phone.get(path).status_code == 404, path
        for path in (
            f"/tasks/{other.task_id}",
            f"/tasks/{other.task_id}/photos",
            f"/tasks/{other.task_id}/points/{'0' * 32}",
            f"/handbook/{other.staff_page_id}",
            f"/handbook/{other.others_page_id}",
            f"/hours/{'0' * 32}/removal",
            f"/purchases/{'0' * 32}/removal",
        ):
            answer = phone.post(path, {"state": "doing", "ticked": "1"})
            assert answer.status_code == 404, path
            assert not [code for code in CODES if code in answer.text]
        assert other.task_id not in phone.get().text
    assert phone.post(f"/handbook/{elsewhere.entrance_id}").status_code == 404
    hours = {"minutes": "1", "workedOn": "2026-11-20", "taskId": next_door.task_id}
    assert phone.post("/hours", hours).status_code == 422


def test_a_form_without_the_token_of_its_link_does_nothing(
    app: Flask, phone: Phone, next_door: Site
) -> None:
    theirs = Phone(phone.client, next_door).form_token()
    assert theirs
    assert theirs != phone.form_token()
    for method, path in pages(app, phone.site):
        if method == "POST":
            for sent in ({}, {"csrf_token": "0" * 32}, {"csrf_token": theirs}):
                assert phone.client.post(path, data=sent).status_code == 400, path
    crossed = phone.client.post(
        f"{phone.site.home}/hours",
        data={"csrf_token": phone.form_token(), "minutes": "2", "workedOn": "2026-11-20"},
        headers={"Sec-Fetch-Site": "cross-site"},
    )
    assert crossed.status_code == 400
    assert "2 h" not in phone.get("?lang=en").text


def test_forms_need_neither_cookie_nor_referrer(app: Flask, phone: Phone) -> None:
    alone = app.test_client(use_cookies=False)
    data = {"csrf_token": phone.form_token(), "minutes": "2", "workedOn": "2026-11-20"}
    answer = alone.post(
        f"{phone.site.home}/hours", data=data, base_url="https://localhost", headers={}
    )
    assert answer.status_code == 303


def test_the_token_is_in_no_line_of_the_log(
    app: Flask, phone: Phone, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    for method, path in pages(app, phone.site):
        phone.client.open(path, method=method)
        phone.client.open(path, method="DELETE")
    phone.get("/hours", query_string={"told": phone.site.token})
    phone.client.get(f"/contractor/{phone.site.token}//")
    phone.client.get(f"/elsewhere/{phone.site.token}")
    written = "".join(capsys.readouterr()) + caplog.text
    assert "/contractor/<token>" in written
    assert phone.site.token not in written
    assert phone.site.token[:40] not in written
    metrics = phone.client.get("/metrics").text
    assert phone.site.token not in metrics


def test_guessing_is_slowed_down_and_the_holder_is_not(
    client: FlaskClient, phone: Phone, clock: FixedClock
) -> None:
    statuses = [client.get(f"/contractor/guess-{number}").status_code for number in range(60)]
    assert statuses[:50] == [404] * 50
    assert 429 in statuses
    slowed = client.get("/contractor/guess-again")
    assert int(slowed.headers["Retry-After"]) > 0
    assert phone.get().status_code == 200
    clock.advance(timedelta(hours=1))
    assert client.get("/contractor/guess-later").status_code == 404


def test_opening_is_noted_at_most_once_a_minute(
    app: Flask, phone: Phone, clock: FixedClock, cast: Cast, database: Database
) -> None:
    def last_opened() -> object:
        with database.reading(cast.sumida.workspace_id) as session:
            return share_link_record(
                session, link_id(app, phone.site), clock.today()
            ).last_opened_at

    assert last_opened() is None
    phone.get()
    first = last_opened()
    assert first == clock.now()
    clock.advance(timedelta(seconds=59))
    phone.get("/handbook")
    assert last_opened() == first
    clock.advance(timedelta(seconds=1))
    phone.get("/handbook")
    assert last_opened() == clock.now()


def test_the_language_is_the_links_then_the_readers_own_choice(phone: Phone) -> None:
    english = {"Accept-Language": "en"}
    assert '<html lang="ja"' in phone.get(headers=english).text
    switched = phone.get("/handbook?lang=en", headers=english)
    assert '<html lang="en"' in switched.text
    assert 'href="?lang=ja"' in phone.get("?lang=en").text, "the page stays, the token is not told"
    assert '<html lang="en"' in phone.get("/hours", headers=english).text, "and it is remembered"


def test_an_address_is_short_and_one_of_an_earlier_release_stays_good(
    app: Flask, client: FlaskClient, site: Site
) -> None:
    signer = Signer(str(app.secret_key))
    named = named_link(auth_context_of(app).reading, signer, site.token)
    assert named is not None
    assert re.fullmatch(r"[0-9a-f]{32}\.[\w-]{27}", site.token)
    assert len(site.token) < 64
    for token in (site.token, signer.sign_parts("share-link", *named)):
        assert client.get(f"/contractor/{token}").status_code == 200
