"""Opening a workspace in a browser by a one-time address."""

from datetime import timedelta

import pytest

from pms.access.workspace_openings import make_first_opening, make_opening
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.workspaces.queries import all_workspaces
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
        {"workspaceEn": ""},
        {"email": "nobody"},
        {"workspace": ""},
    ):
        answer = stranger.sends(address, NEW | typed)
        assert answer.status_code == 422, typed
        assert "新井 舞" in answer.text
    assert slugs(database) == before
    assert stranger.sends(address, NEW).status_code == 303


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
