"""What a portal's forms do not offer is refused, and nothing of it is stored."""

from datetime import date

import pytest
from flask import Flask

from pms.collections import choices
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.bill_collection import CollectionTerms
from pms.rules.enumerations import IntegrationKind, UserKind
from pms.workspaces.integrations import set_integration
from tests.cast import Cast
from tests.portals import open_portal_browser
from tests.staff import Browser
from tests.surfaces.choices import NOT_OFFERED, send_what_is_not_offered


@pytest.fixture
def furnished(resident: Browser, cast: Cast, database: Database, clock: FixedClock) -> Browser:
    """The resident, just arrived: the report of the rooms is due, cards and stores are offered."""
    with database.writing(cast.sumida.workspace_id) as session:
        work = Work(session, clock, "staff")
        set_integration(
            work,
            Signer("a key"),
            kind=IntegrationKind.PAYMENTS,
            address="https://api.pay.example.com",
            account=None,
            secret="sk_test_12345678",
        )
        terms = CollectionTerms(offers_cards=True, offers_stores=True)
        choices.write_terms(work, terms, expected_version=0)
        row = session.get_one(Reservation, (cast.sumida.workspace_id, cast.sumida.resident_id))
        row.arrival_date = date(2026, 11, 18)
    return resident


@NOT_OFFERED
def test_a_resident_s_choice_that_the_page_does_not_offer_is_refused(
    furnished: Browser, cast: Cast, database: Database, sent: list[str]
) -> None:
    own = f"{furnished.home}/{cast.sumida.resident_id}"
    starts = [f"{own}/{page}" for page in ("requests/new", "condition", "payment-way", "move-out")]
    starts += [f"{own}/condition/rooms/{room}" for room in ("kitchen", "bath")]
    assert send_what_is_not_offered(furnished.client, database, furnished.home, sent, *starts) > 6


@NOT_OFFERED
def test_an_owner_s_choice_that_the_page_does_not_offer_is_refused(
    app: Flask, cast: Cast, database: Database, clock: FixedClock, sent: list[str]
) -> None:
    house = cast.minato
    owner = open_portal_browser(
        app,
        clock,
        UserKind.OWNER,
        workspace_id=house.workspace_id,
        slug=house.slug,
        address="owner@minato.example.jp",
    )
    send_what_is_not_offered(owner.client, database, owner.home, sent)


@NOT_OFFERED
@pytest.mark.parametrize("home", ["/resident/sumida", "/owner/sumida", "/sign-in", "/sign-up", "/"])
def test_a_choice_of_a_page_for_everybody_is_refused(
    app: Flask, cast: Cast, database: Database, sent: list[str], home: str
) -> None:
    start = f"{home}/sign-in" if home.count("/") == 2 else home
    send_what_is_not_offered(app.test_client(), database, start, sent)
