"""What somebody typed while their session ended is there again once the same person is back."""

from datetime import timedelta

import pytest
from flask import Flask

from pms.access.sign_out_everywhere import sign_out_everywhere
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from tests.staff import Staff
from tests.surfaces.doors.conftest import Stranger

PATH = "/dashboard/sumida/people"
TYPED = {"email": "typed@new.example", "role": "office", "password": "never kept"}
OWN_PAGE = {"Origin": "http://localhost"}


@pytest.fixture
def cut_off(stranger: Stranger, database: Database, staff: Staff, clock: FixedClock) -> Stranger:
    """Somebody whose session ended in the middle of a form."""
    stranger.signs_in()
    with database.across_workspaces_writing() as session:
        sign_out_everywhere(session, clock, staff.operator_id)
    return stranger


def test_the_text_is_shown_and_sent_after_signing_in_again(cut_off: Stranger) -> None:
    refused = cut_off.client.post(PATH, data=TYPED, headers=OWN_PAGE)
    way = refused.location or ""
    assert way.startswith("/sign-in?kept=")
    kept = way.partition("kept=")[2]
    back = cut_off.signs_in(kept=kept).location or ""
    page = cut_off.opens(back).text
    assert "typed@new.example" in page
    assert "never kept" not in page
    sent = cut_off.sends(PATH, {"email": TYPED["email"], "role": TYPED["role"]})
    assert sent.location == PATH


def test_another_person_does_not_see_it(cut_off: Stranger) -> None:
    kept = (cut_off.client.post(PATH, data=TYPED, headers=OWN_PAGE).location or "").partition("=")[
        2
    ]
    cut_off.signs_in(email="office@sumida.example")
    assert cut_off.opens(f"/sign-in/kept/{kept}").location == "/workspaces"


def test_it_is_forgotten_after_half_a_day(cut_off: Stranger, clock: FixedClock) -> None:
    kept = (cut_off.client.post(PATH, data=TYPED, headers=OWN_PAGE).location or "").partition("=")[
        2
    ]
    clock.advance(timedelta(hours=12))
    assert cut_off.signs_in(kept=kept).location == f"/sign-in/kept/{kept}"
    assert cut_off.opens(f"/sign-in/kept/{kept}").location == "/workspaces"


@pytest.mark.parametrize("headers", [{}, {"Origin": "https://evil.example"}, {"Origin": "null"}])
def test_a_form_of_another_site_is_not_kept(cut_off: Stranger, headers: dict[str, str]) -> None:
    refused = cut_off.client.post(PATH, data=TYPED, headers=headers)
    assert refused.location == "/sign-in"


def test_nothing_is_kept_for_who_never_was_in(app: Flask, stranger: Stranger) -> None:
    assert stranger.client.post(PATH, data=TYPED, headers=OWN_PAGE).location == "/sign-in"


def test_nobody_keeps_a_library(cut_off: Stranger) -> None:
    long = TYPED | {"note": "x" * 200_001}
    assert cut_off.client.post(PATH, data=long, headers=OWN_PAGE).location == "/sign-in"


def test_the_same_person_keeps_the_forms_of_other_tabs(cut_off: Stranger) -> None:
    cut_off.opens("/sign-in")
    with cut_off.client.session_transaction() as cookie:
        before = cookie["csrf_token"]
    cut_off.signs_in()
    with cut_off.client.session_transaction() as cookie:
        assert cookie["csrf_token"] == before
    cut_off.signs_in(email="office@sumida.example")
    with cut_off.client.session_transaction() as cookie:
        assert cookie.get("csrf_token") != before
