"""Opening a workspace in a browser by a one-time address."""

from datetime import timedelta

import pytest

from pms.access.opening_links import make_first_opening, make_opening
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.workspaces.queries import all_workspaces
from pms.workspaces.settings import describe_workspace
from tests.cast import Cast
from tests.surfaces.auth.conftest import Stranger

pytestmark = pytest.mark.differs("deleting a row says once that it was there")

NEW = {
    "workspace": "東京すまい",
    "workspaceEn": "Tokyo Sumai",
    "slug": "",
    "name": "新井 舞",
    "email": "mai@new.example",
    "newPassword": "quiet river house",
}


@pytest.fixture
def address(database: Database, clock: FixedClock) -> str:
    with database.across_workspaces_writing() as session:
        return f"/open/{make_opening(session, clock, made_by='test')}"


def slugs(database: Database) -> set[str]:
    with database.across_workspaces_reading() as session:
        return {one.slug for one in all_workspaces(session)}


def test_an_empty_installation_gets_its_workspace_and_operator_in_one_form(
    stranger: Stranger, database: Database, address: str
) -> None:
    page = stranger.opens(address)
    assert page.status_code == 200
    assert page.headers["X-Robots-Tag"] == "noindex"
    assert stranger.sends(address, NEW).location == "/dashboard/tokyo-sumai/"
    assert stranger.opens("/dashboard/tokyo-sumai/people").status_code == 200
    assert "tokyo-sumai" in slugs(database)


def test_the_address_works_once(stranger: Stranger, database: Database, address: str) -> None:
    stranger.sends(address, NEW)
    assert stranger.opens(address).status_code == 410
    again = stranger.sends(address, NEW | {"slug": "another", "email": "b@new.example"})
    assert again.status_code == 410
    assert "another" not in slugs(database)


def test_what_is_refused_leaves_the_address_open(
    stranger: Stranger, database: Database, cast: Cast, address: str
) -> None:
    before = slugs(database)
    for typed in (
        {"newPassword": "short"},
        {"slug": cast.sumida.slug},
        {"slug": "No Slug"},
        {"slug": "みどり"},
        {"email": "nobody"},
        {"email": "mai@日本.example"},
        {"workspace": ""},
    ):
        answer = stranger.sends(address, NEW | typed)
        assert answer.status_code == 422, typed
        assert "新井 舞" in answer.text
    assert slugs(database) == before
    assert stranger.sends(address, NEW).status_code == 303


JAPANESE_ONLY = NEW | {"workspaceEn": "", "slug": ""}


@pytest.mark.parametrize(
    ("typed", "begins"),
    [
        ({"email": "mai@post.mado-sumai.co.jp"}, "mado-sumai"),
        ({"email": "mai@gmail.com"}, "office-"),
        ({"email": "mai@gmail.com", "workspace": "みどり"}, "midori"),
        ({"email": "mai@sumida.example"}, "sumida-2"),
        ({"email": "mai@xn--wgv71a.example"}, "office-"),
    ],
)
def test_without_a_word_of_english_one_gets_in_at_the_first_try(
    stranger: Stranger, cast: Cast, address: str, typed: dict[str, str], begins: str
) -> None:
    page = (stranger.sends(address, JAPANESE_ONLY | typed).location or "").split("/")
    assert page[:2] == ["", "dashboard"]
    assert page[2].startswith(begins)
    assert stranger.opens(f"/dashboard/{page[2]}/").status_code == 200


def test_a_short_name_that_was_ever_given_is_not_given_again(
    stranger: Stranger, database: Database, clock: FixedClock, cast: Cast, address: str
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        describe_workspace(Work(session, clock, "staff"), slug="kawasemi")
    for slug in ("sumida", "kawasemi"):
        answer = stranger.sends(f"{address}?lang=en", NEW | {"slug": slug})
        assert answer.status_code == 422
        assert "is already the name of a workspace" in answer.text
    assert stranger.sends(address, NEW | {"slug": "ＫＡＷＡＳＥＭＩ－2"}).location == (
        "/dashboard/kawasemi-2/"
    )


def test_an_address_of_seven_days_ago_opens_nothing(
    stranger: Stranger, database: Database, clock: FixedClock, address: str
) -> None:
    clock.advance(timedelta(days=8))
    assert stranger.opens(address).status_code == 410
    assert stranger.sends(address, NEW).status_code == 410
    assert "tokyo-sumai" not in slugs(database)


def test_who_has_an_account_keeps_it_and_signs_in_as_always(
    stranger: Stranger, database: Database, cast: Cast, address: str
) -> None:
    known = NEW | {"email": "operator@minato.example", "newPassword": "another long password"}
    answer = stranger.sends(address, known)
    assert (answer.location or "").startswith("/sign-in?email=operator")
    assert stranger.opens("/dashboard/tokyo-sumai/").status_code == 303
    stranger.signs_in(email="operator@minato.example")
    assert stranger.opens("/dashboard/tokyo-sumai/").status_code == 200


def test_the_next_start_ends_the_address_of_the_one_before(
    stranger: Stranger, database: Database, clock: FixedClock
) -> None:
    made = []
    for _ in range(2):
        with database.across_workspaces_writing() as session:
            made.append(make_first_opening(session, clock))
    assert stranger.opens(f"/open/{made[0]}").status_code == 410
    assert stranger.opens(f"/open/{made[1]}").status_code == 200
    assert stranger.opens("/open/guessed").status_code == 404
