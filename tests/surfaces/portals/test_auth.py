"""A mailed code opens a portal to whom the office knows, and tells nobody else anything."""

import re
from datetime import timedelta

import pytest

from pms.foundation.clock import FixedClock
from tests.cast import Cast
from tests.staff import Browser, Staff, open_browser
from tests.surfaces.portals.conftest import OWNER, Post, Visitor

_NOT_OF_THE_PAGE = re.compile(r'value="[^"]+"|/pin/\w+|[\w.]+@[\w.]+|data-countdown="\d+"')


def test_a_resident_comes_in_and_goes_on_to_where_they_were(
    visitor: Visitor, post: Post, cast: Cast
) -> None:
    wanted = f"{visitor.home}/{cast.sumida.resident_id}"
    sent_away = visitor.opens(wanted)
    assert sent_away.location == f"{visitor.home}/sign-in?next={wanted}"
    assert sent_away.headers["Cache-Control"] == "no-store"
    screen = visitor.asks(cast.sumida.resident_email.upper(), wanted)
    assert cast.sumida.resident_email in visitor.opens(screen).text
    assert visitor.types(screen, "12").status_code == 422
    came_in = visitor.types(screen, post.digits())
    assert came_in.location == wanted
    assert visitor.opens(wanted).status_code == 200
    assert visitor.opens(f"{visitor.home}/").location == wanted


def test_the_digits_open_nothing_elsewhere_or_later(
    visitor: Visitor, another_browser: Visitor, post: Post, cast: Cast, clock: FixedClock
) -> None:
    another_browser.client.environ_base["REMOTE_ADDR"] = "198.51.100.7"  # a network of its own
    first = visitor.asks(cast.sumida.resident_email)
    digits = post.digits()
    assert another_browser.types(first, digits).status_code == 422
    other = another_browser.asks(cast.sumida.resident_email)
    assert another_browser.types(other, digits).status_code == 422
    newest = post.digits()
    again = visitor.asks(cast.sumida.resident_email)
    assert "newer code" in visitor.types(first, digits).text
    assert "newer code" not in another_browser.types(other, digits).text
    assert visitor.opens(again).status_code == 200
    for _ in range(2):
        wrong = f"{(int(newest) + 1) % 10**6:06}"
        assert "The code is wrong" in another_browser.types(other, wrong).text
    clock.advance(timedelta(minutes=10))
    assert "10 minutes" in another_browser.types(other, newest).text


def test_a_newer_code_ends_the_older_one_of_another_browser_of_the_network(
    visitor: Visitor, another_browser: Visitor, post: Post, cast: Cast
) -> None:
    first = visitor.asks(cast.sumida.resident_email)
    digits = post.digits()
    another_browser.asks(cast.sumida.resident_email)
    assert "newer code" in visitor.types(first, digits).text


def test_an_unknown_address_is_told_the_same_and_gets_no_mail(
    visitor: Visitor, another_browser: Visitor, post: Post, cast: Cast
) -> None:
    known = visitor.opens(visitor.asks(cast.sumida.resident_email))
    assert len(post.mails()) == 1
    for address in ("nobody@x.example", cast.minato.resident_email, OWNER):
        unknown = another_browser.opens(another_browser.asks(address))
        assert _NOT_OF_THE_PAGE.sub("", unknown.text) == _NOT_OF_THE_PAGE.sub("", known.text)
    assert len(post.mails()) == 1


def test_an_owner_signs_in_to_the_owner_portal_alone(
    owner_visitor: Visitor, visitor: Visitor, post: Post, cast: Cast
) -> None:
    visitor.asks(OWNER)
    owner_visitor.asks(cast.sumida.resident_email)
    assert not post.mails()
    screen = owner_visitor.asks(OWNER)
    assert owner_visitor.types(screen, post.digits()).location == "/owner/sumida/"
    assert owner_visitor.opens("/owner/sumida/").status_code == 200
    assert owner_visitor.opens("/resident/sumida/").status_code == 303


def test_signing_out_ends_the_session(resident: Browser, cast: Cast) -> None:
    own = f"/{cast.sumida.resident_id}"
    assert resident.get(own).status_code == 200
    cookie = resident.client.get_cookie("session")
    assert cookie is not None
    assert resident.post("/sign-out").location == "/resident/sumida/sign-in"
    resident.client.set_cookie("session", cookie.value)
    assert resident.get(own).status_code == 303, "the cookie kept elsewhere opens nothing either"


def test_a_session_ends_after_a_week(resident: Browser, cast: Cast, clock: FixedClock) -> None:
    clock.advance(timedelta(days=7) - timedelta(seconds=1))
    assert resident.get(f"/{cast.sumida.resident_id}").status_code == 200
    clock.advance(timedelta(seconds=1))
    assert resident.get(f"/{cast.sumida.resident_id}").status_code == 303


def test_a_session_is_not_valid_in_another_workspace(
    resident: Browser, stranger: Browser, cast: Cast
) -> None:
    assert stranger.get(f"/{cast.sumida.resident_id}").status_code == 303
    assert resident.get(f"/{cast.minato.resident_id}").status_code == 404
    assert resident.get(f"/{cast.sumida.owner_resident_id}").status_code == 404
    assert resident.client.get("/resident/nowhere/").status_code == 404
    assert resident.client.get("/resident/nowhere/sign-in").status_code == 404


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example/", "/\\evil.example"])
def test_the_way_back_stays_on_this_site(
    visitor: Visitor, post: Post, cast: Cast, back: str
) -> None:
    screen = visitor.asks(cast.sumida.resident_email, back)
    assert visitor.types(screen, post.digits()).location == "/resident/sumida/"


def test_a_form_without_its_token_changes_nothing(resident: Browser) -> None:
    refused = resident.client.post(f"{resident.home}/sign-out?lang=en")
    assert refused.status_code == 400
    assert "open too long" in refused.text


def test_who_came_in_is_shown_to_the_resident(visitor: Visitor, post: Post, cast: Cast) -> None:
    comes_in_at_the_second_try(visitor, post, cast)
    own = visitor.opens(f"{visitor.home}/{cast.sumida.resident_id}/profile?lang=en").text
    assert all(word in own for word in ("Code requested", "Sign-in failed", "127.0.0.1"))


def test_who_came_in_is_shown_to_operators_alone(
    visitor: Visitor, post: Post, cast: Cast, clock: FixedClock, staff: Staff
) -> None:
    comes_in_at_the_second_try(visitor, post, cast)
    app, path = visitor.client.application, f"/reservations/{cast.sumida.resident_id}/people"
    operator = open_browser(app, clock, staff.operator_id, cast.sumida.slug)
    assert "Sign-in failed" in operator.get(f"{path}?lang=en").text
    office = open_browser(app, clock, staff.office_id, cast.sumida.slug)
    assert "Sign-in failed" not in office.get(f"{path}?lang=en").text


def comes_in_at_the_second_try(visitor: Visitor, post: Post, cast: Cast) -> None:
    screen = visitor.asks(cast.sumida.resident_email)
    digits = post.digits()
    visitor.types(screen, f"{(int(digits) + 1) % 1_000_000:06}")
    visitor.types(screen, digits)
