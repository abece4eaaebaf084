"""What a guest's link opens, for how long, and what is told to whoever has none."""

import re
from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from pms.arrivals.lifecycles import cancel_booking
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.stays.check_in_links import renew_check_in_link, revoke_check_in_link
from pms.stays.stay_links import CHECK_IN_LINK
from tests.cast import Cast
from tests.surfaces.guest_checkin.conftest import (
    ENTRANCE_CODE,
    OFFICE,
    OTHER_CODE,
    ROOM_CODE,
    STAFF_CODE,
    Phone,
    Stay,
    link_now,
    made_stay,
)

CODES = (ENTRANCE_CODE, ROOM_CODE, OTHER_CODE, STAFF_CODE)
PATHS = ("", "/people", "/people/1", "/arrival", "/ready")


@pytest.fixture
def elsewhere(app: Flask, clock: FixedClock, cast: Cast) -> Stay:
    """Minato's stay, in the same house of another workspace."""
    return made_stay(app, clock, cast.minato)


def pages(app: Flask, stay: Stay) -> list[tuple[str, str]]:
    """Every address of the surface, filled with what a stay holds."""
    values = {
        "token": stay.token,
        "position": 1,
        "page_id": stay.entrance_id,
        "_rest": "whatever/else",
    }
    found = []
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("guest_checkin."):
            (method,) = (rule.methods or set()) - {"HEAD", "OPTIONS"}
            found.append((method, built(rule, values)))
    return found


def built(rule: Rule, values: dict[str, object]) -> str:
    made = rule.build({name: values[name] for name in rule.arguments})
    assert made is not None
    return str(made[1])


@pytest.mark.parametrize("path", [*PATHS, "/nothing/here"])
def test_no_page_is_kept_found_or_told_of(phone: Phone, path: str) -> None:
    answer = phone.get(path)
    assert answer.status_code == (404 if "nothing" in path else 200)
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "noindex" in answer.headers["X-Robots-Tag"]
    assert "Set-Cookie" not in answer.headers
    title = re.findall("<title>(.*?)</title>", answer.text)[0]
    assert "Emma" not in title
    assert "Kawasemi" not in title
    assert not re.search(r"""(?:src|action)=["']?(?:https?:)?//""", answer.text)
    assert not [code for code in CODES if code in answer.text]


def test_every_address_refuses_what_is_no_link_with_the_same_body(
    app: Flask, client: FlaskClient, stay: Stay, elsewhere: Stay, clock: FixedClock
) -> None:
    database: Database = app.extensions["pms.database"]
    signer = Signer(str(app.secret_key))
    ours, theirs = link_now(database, clock, stay), link_now(database, clock, elsewhere)
    bad = [
        "nonsense",
        "x" * 900,
        stay.token[:-1],
        signer.sign_parts(CHECK_IN_LINK.purpose, stay.workspace_id, ours.id, "0" * 32),
        signer.sign_parts("share-link", stay.workspace_id, ours.id, ours.nonce),
        # A link of ours that names the other workspace, and theirs that names ours.
        signer.sign_parts(CHECK_IN_LINK.purpose, elsewhere.workspace_id, ours.id, ours.nonce),
        signer.sign_parts(CHECK_IN_LINK.purpose, stay.workspace_id, theirs.id, theirs.nonce),
        signer.sign_parts(CHECK_IN_LINK.purpose, stay.workspace_id, ours.id, theirs.nonce),
        Signer("another key").sign_parts(
            CHECK_IN_LINK.purpose, stay.workspace_id, ours.id, ours.nonce
        ),
    ]
    bodies = set()
    for token in bad:
        for path in ("", "/ready"):
            answer = client.get(f"/check-in/{token}{path}", headers={"Accept-Language": "en"})
            assert answer.status_code == 404, token
            bodies.add(answer.text)
    assert len(bodies) == 1
    assert "隅田" not in bodies.pop()


@pytest.mark.parametrize("way", ["over", "revoked", "cancelled"])
def test_an_ended_link_opens_no_address(
    app: Flask, client: FlaskClient, stay: Stay, way: str, clock: FixedClock
) -> None:
    database: Database = app.extensions["pms.database"]
    if way == "over":
        clock.advance(timedelta(days=4, hours=11, minutes=59))  # 23:59 of the check-out in Japan
        assert client.get(stay.home).status_code == 200
        clock.advance(timedelta(minutes=1))
    with database.writing(stay.workspace_id) as session:
        if way == "revoked":
            revoke_check_in_link(Work(session, clock, OFFICE), link_id=stay.link_id)
        elif way == "cancelled":
            cancel_booking(Work(session, clock, OFFICE), reservation_id=stay.reservation_id)
    for method, path in pages(app, stay):
        answer = client.open(path, method=method)
        assert answer.status_code == 410, path
        assert "Emma" not in answer.text
        assert not [code for code in CODES if code in answer.text]


def test_a_renewed_link_ends_the_old_address(
    app: Flask, client: FlaskClient, stay: Stay, clock: FixedClock
) -> None:
    database: Database = app.extensions["pms.database"]
    with database.writing(stay.workspace_id) as session:
        renew_check_in_link(Work(session, clock, OFFICE), link_id=stay.link_id)
    assert client.get(stay.home).status_code == 404
    link = link_now(database, clock, stay)
    with database.reading(stay.workspace_id) as session:
        token = link.token(Signer(str(app.secret_key)))
    assert client.get(f"/check-in/{token}").status_code == 200


def test_nothing_of_another_booking_is_reachable(phone: Phone, elsewhere: Stay) -> None:
    for page_id in (elsewhere.entrance_id, elsewhere.room_page_id, phone.stay.others_page_id):
        assert phone.post(f"/ready/{page_id}").status_code == 404
    assert phone.post(f"/ready/{phone.stay.staff_page_id}").status_code == 404
    assert phone.get("/people/2").status_code == 404, "the stay is of one guest"
    assert phone.post("/people/0", {"livesInJapan": "yes"}).status_code == 404


def test_a_form_without_the_token_of_its_link_does_nothing(
    app: Flask, phone: Phone, elsewhere: Stay, clock: FixedClock
) -> None:
    theirs = Phone(phone.client, elsewhere).form_token()
    assert theirs
    assert theirs != phone.form_token()
    for method, path in pages(app, phone.stay):
        if method == "POST":
            for sent in ({}, {"csrf_token": "0" * 32}, {"csrf_token": theirs}):
                assert phone.client.post(path, data=sent).status_code == 400, path
    crossed = phone.client.post(
        f"{phone.stay.home}/arrival",
        data={"csrf_token": phone.form_token(), "arrivalTime": "16:00", "acceptsRules": "y"},
        headers={"Sec-Fetch-Site": "cross-site"},
    )
    assert crossed.status_code == 400
    assert link_now(app.extensions["pms.database"], clock, phone.stay).arrival_time is None


def test_the_token_is_in_no_line_of_the_log(
    app: Flask, phone: Phone, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    for method, path in pages(app, phone.stay):
        phone.client.open(path, method=method)
        phone.client.open(path, method="DELETE")
    phone.client.get(f"/check-in/{phone.stay.token}//")
    written = "".join(capsys.readouterr()) + caplog.text
    assert "/check-in/<token>" in written
    assert phone.stay.token not in written
    assert phone.stay.token[:40] not in written


def test_guessing_is_slowed_down_and_the_guest_is_not(client: FlaskClient, phone: Phone) -> None:
    statuses = [client.get(f"/check-in/guess-{number}").status_code for number in range(60)]
    assert 429 in statuses
    assert phone.get().status_code == 200


def test_the_language_is_the_bookings_then_the_readers_own_choice(phone: Phone) -> None:
    assert '<html lang="en"' in phone.get(headers={"Accept-Language": "ja"}).text
    assert '<html lang="ja"' in phone.get("/arrival?lang=ja").text


def test_an_address_is_short_and_one_of_an_earlier_release_stays_good(
    app: Flask, client: FlaskClient, stay: Stay, clock: FixedClock
) -> None:
    database: Database = app.extensions["pms.database"]
    link = link_now(database, clock, stay)
    old = Signer(str(app.secret_key)).sign_parts(
        CHECK_IN_LINK.purpose, stay.workspace_id, link.id, link.nonce
    )
    assert len(stay.token) < 64
    for token in (stay.token, old):
        assert client.get(f"/check-in/{token}").status_code == 200
