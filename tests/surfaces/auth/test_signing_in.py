"""Signing in as a browser does it: by password, by code, back to where one came from."""

from datetime import timedelta

import pytest
from flask import Flask

from pms.access.members import change_role, member_of_address, remove_member
from pms.access.own_sessions import sign_out_everywhere
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.rules.enumerations import StaffRole
from tests.cast import Cast
from tests.staff import Staff, open_browser
from tests.surfaces.auth.conftest import OPERATOR, Post, Stranger

HOME = "/dashboard/sumida/"


def is_in(browser: Stranger) -> bool:
    return browser.opens("/workspaces").location == HOME


def test_a_password_leads_to_the_only_workspace(stranger: Stranger) -> None:
    answer = stranger.signs_in()
    assert (answer.status_code, answer.location) == (303, "/workspaces")
    assert is_in(stranger)
    assert stranger.opens(HOME).status_code == 200
    assert stranger.opens("/").location == "/workspaces"


def test_a_wrong_password_comes_back_with_the_address_typed(stranger: Stranger) -> None:
    answer = stranger.signs_in("wrong")
    assert answer.status_code == 422
    assert f'value="{OPERATOR}"' in answer.text
    assert 'value="wrong"' not in answer.text
    assert not is_in(stranger)


def test_the_session_cookie_is_for_the_server_alone(stranger: Stranger) -> None:
    answer = stranger.signs_in()
    (cookie,) = (c for c in answer.headers.getlist("Set-Cookie") if c.startswith("session="))
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Expires=Fri, 27 Nov 2026" in cookie or "Expires=" in cookie


def test_only_pages_that_need_a_session_renew_the_cookie(
    stranger: Stranger, clock: FixedClock
) -> None:
    stranger.signs_in()
    stranger.opens(HOME)
    clock.advance(timedelta(minutes=1))
    for path in ("/assets/x/icon.svg", "/manual/", "/healthz"):
        answer = stranger.opens(path)
        assert "Set-Cookie" not in answer.headers, path
    assert "session=" in stranger.opens(HOME).headers["Set-Cookie"]
    assert "Set-Cookie" not in stranger.opens("/dashboard/sumida/me/password").headers


def test_a_pin_leads_in_and_survives_a_reload(stranger: Stranger, post: Post) -> None:
    page = stranger.asks_for_a_pin(next="/dashboard/sumida/me").location or ""
    assert OPERATOR in stranger.opens(page).text
    assert OPERATOR in stranger.opens(page).text
    digits = post.pin()
    typed = f"{digits[:3]}-{digits[3:]} ".translate({ord("1"): "１", ord("2"): "２"})
    answer = stranger.types_the_pin(page, typed)
    assert (answer.status_code, answer.location) == (303, "/dashboard/sumida/me")
    assert is_in(stranger)


def test_another_browser_or_another_tab_does_not_get_in(
    stranger: Stranger, other_browser: Stranger, post: Post
) -> None:
    page = stranger.asks_for_a_pin().location or ""
    digits = post.pin()
    assert OPERATOR not in other_browser.opens(page).text
    assert other_browser.types_the_pin(page, digits).status_code == 422
    other_page = other_browser.asks_for_a_pin("office@sumida.example").location or ""
    assert other_browser.types_the_pin(other_page, digits).status_code == 422
    tab = stranger.asks_for_a_pin("office@sumida.example").location or ""
    assert stranger.types_the_pin(tab, digits).status_code == 422
    assert stranger.types_the_pin(page, digits).status_code == 303


def test_what_is_no_pin_at_all_is_not_counted(stranger: Stranger, post: Post) -> None:
    page = stranger.asks_for_a_pin().location or ""
    digits = post.pin()
    for typed in ("", "12345", "abcdef", "1234567", "12 34") * 2:
        assert stranger.types_the_pin(page, typed).status_code == 422
    assert stranger.types_the_pin(page, digits).status_code == 303


@pytest.mark.parametrize("language", ["en"])
def test_the_five_messages_differ(
    stranger: Stranger, post: Post, clock: FixedClock, language: str
) -> None:
    stranger.opens(f"/sign-in?lang={language}")
    first = stranger.asks_for_a_pin().location or ""
    old = post.pin()
    wrong = stranger.types_the_pin(first, "000000" if old != "000000" else "000001")
    assert "The code is wrong" in wrong.text
    second = stranger.asks_for_a_pin().location or ""
    assert "A newer code was sent" in stranger.types_the_pin(first, old).text
    clock.advance(timedelta(minutes=10))
    assert "older than 10 minutes" in stranger.types_the_pin(second, post.pin()).text
    stranger.asks_for_a_pin()
    slow = stranger.asks_for_a_pin().location or ""
    assert "Please wait a moment" in stranger.opens(slow).text
    assert "another screen" in stranger.types_the_pin(slow, old).text


def test_asking_again_sends_another_and_then_slows_down(stranger: Stranger, post: Post) -> None:
    page = stranger.asks_for_a_pin().location or ""
    old = post.pin()
    for _ in range(2):
        assert stranger.sends(f"{page}/again", {}).location == page
        new = post.pin()
    assert old != new
    stranger.sends(f"{page}/again", {})
    assert post.count() == 3
    assert stranger.types_the_pin(page, new).status_code == 303


@pytest.mark.parametrize(
    "way", ["https://evil.example/", "//evil.example", "/\\evil.example", "\\\\evil", "x", "/a\nb"]
)
def test_the_way_back_never_leaves_the_site(stranger: Stranger, way: str) -> None:
    assert stranger.signs_in(next=way).location == "/workspaces"
    assert stranger.opens("/sign-in", query_string={"next": way}).location == "/workspaces"


def test_the_way_back_leads_on(stranger: Stranger) -> None:
    way = "/dashboard/sumida/people?page=2"
    refused = stranger.opens("/dashboard/sumida/people", query_string={"page": "2"})
    assert refused.status_code == 303
    assert (refused.location or "").startswith("/sign-in?next=")
    assert stranger.signs_in(next=way).location == way


def test_a_form_of_another_site_is_not_read(stranger: Stranger, app: Flask) -> None:
    for token in ("", "nonsense"):
        fields = {"email": OPERATOR, "password": "x", "way": "password", "csrf_token": token}
        assert stranger.client.post("/sign-in", data=fields).status_code == 400
    stranger.signs_in()
    assert stranger.client.post("/sign-out").status_code == 400
    assert is_in(stranger)


def test_signing_out_ends_the_session_itself(stranger: Stranger, app: Flask) -> None:
    stranger.signs_in()
    held = stranger.client.get_cookie("session")
    assert held is not None
    assert stranger.sends("/sign-out", {}).location == "/sign-in"
    stranger.client.set_cookie("session", held.value)
    assert not is_in(stranger)


def test_signing_in_again_ends_the_session_this_browser_held(stranger: Stranger) -> None:
    stranger.signs_in()
    held = stranger.client.get_cookie("session")
    assert held is not None
    stranger.signs_in(email="office@sumida.example")
    stranger.client.set_cookie("session", held.value)
    assert not is_in(stranger)


def test_an_ended_session_is_refused_on_the_very_next_request(
    stranger: Stranger, staff: Staff, database: Database, clock: FixedClock
) -> None:
    stranger.signs_in()
    assert is_in(stranger)
    with database.across_workspaces_writing() as session:
        sign_out_everywhere(session, clock, staff.operator_id)
    assert not is_in(stranger)
    assert stranger.opens(HOME).status_code == 303


@pytest.mark.parametrize(("hours", "stays"), [(167, True), (168, False)])
def test_a_session_lasts_a_week(
    stranger: Stranger, clock: FixedClock, hours: int, stays: bool
) -> None:
    stranger.signs_in()
    clock.advance(timedelta(hours=hours))
    assert is_in(stranger) == stays


def test_a_role_and_a_removal_count_on_the_very_next_request(
    app: Flask, staff: Staff, database: Database, clock: FixedClock, cast: Cast
) -> None:
    browser = open_browser(app, clock, staff.office_id, cast.sumida.slug)
    assert browser.get("/people").status_code == 403
    with database.writing(cast.sumida.workspace_id) as session:
        member = member_of_address(session, "office@sumida.example")
        change_role(Work(session, clock, "test"), member.id, StaffRole.OPERATOR)
    assert browser.get("/people").status_code == 200
    with database.writing(cast.sumida.workspace_id) as session:
        remove_member(Work(session, clock, "test"), member.id)
    assert browser.get("/people").status_code == 404


def test_no_page_for_signing_in_is_cached(stranger: Stranger) -> None:
    for path in ("/sign-in", "/sign-in/pin/x", "/invitations/x", "/workspaces"):
        assert stranger.opens(path).headers["Cache-Control"] == "no-store"


def test_after_fifteen_wrong_pins_a_link_leads_in_once(
    app: Flask, stranger: Stranger, other_browser: Stranger, post: Post
) -> None:
    for number in range(3):
        guesser = Stranger(app.test_client())
        guesser.client.environ_base["REMOTE_ADDR"] = f"198.51.{number}.7"
        page = guesser.asks_for_a_pin().location or ""
        wrong = f"{(int(post.pin()) + 1) % 10**6:06}"
        lines = [guesser.types_the_pin(page, wrong).text for _ in range(5)][-1]
    assert "Send a link" in lines
    page = stranger.asks_for_a_pin().location or ""
    assert "Open the link in your email" in stranger.opens(page).text
    link = post.link()
    assert OPERATOR in other_browser.opens(link).text
    assert not is_in(other_browser)
    assert other_browser.sends(link, {}).location == "/workspaces"
    assert is_in(other_browser)
    assert stranger.sends(link, {}).status_code == 410
    assert stranger.opens(f"{link}x").status_code == 410
