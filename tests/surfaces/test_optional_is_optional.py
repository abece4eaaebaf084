"""What a form marks as optional may stay empty: every form of every page is sent so."""

import re
from collections.abc import Mapping

import pytest
from flask import Flask

from pms.access.opening_links import make_opening
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.rules.enumerations import UserKind
from tests.cast import Cast
from tests.portals import open_portal_browser
from tests.staff import Browser, Staff, open_browser
from tests.surfaces.contractor_links.conftest import made_site
from tests.surfaces.dashboard.records import records_of
from tests.surfaces.dashboard.test_who_reaches_what import _ends_the_session, _forms
from tests.surfaces.guest_checkin.conftest import made_stay
from tests.surfaces.optional_fields import forms_below, refused_optionals
from tests.surfaces.reservation_links.conftest import made_phone

_ID = re.compile(r"[0-9a-f]{32}")


@pytest.fixture
def operator(app: Flask, clock: FixedClock, staff: Staff, cast: Cast) -> Browser:
    return open_browser(app, clock, staff.operator_id, cast.sumida.slug)


@pytest.fixture
def ours(database: Database, clock: FixedClock, cast: Cast, staff: Staff) -> Mapping[str, str]:
    """A record of every kind, at Sumida."""
    return records_of(database, clock, cast.sumida, staff.office_id)


def test_of_the_dashboard(app: Flask, operator: Browser, ours: Mapping[str, str]) -> None:
    forms = dict(_forms(app, operator, ours))
    refused = {
        _ID.sub("*", address): found
        for address in sorted(forms, key=_ends_the_session)
        if (found := refused_optionals(operator.client, address, forms[address]))
    }
    assert refused == {}
    assert len(forms) > 200


@pytest.mark.parametrize("kind", [UserKind.RESIDENT, UserKind.OWNER])
def test_of_the_portals(app: Flask, clock: FixedClock, cast: Cast, kind: UserKind) -> None:
    house = cast.sumida
    browser = open_portal_browser(
        app,
        clock,
        kind,
        workspace_id=house.workspace_id,
        slug=house.slug,
        address=house.resident_email,
    )
    forms = forms_below(browser.client, browser.home)
    for address in sorted(forms, key=lambda address: "/sign-out" in address):
        assert refused_optionals(browser.client, address, forms[address]) == {}, address
    assert len(forms) >= (5 if kind is UserKind.RESIDENT else 1)


def test_of_links(app: Flask, clock: FixedClock, cast: Cast) -> None:
    applicant = made_phone(app.test_client(), clock, cast.sumida)
    stay, site = made_stay(app, clock, cast.sumida), made_site(app, clock, cast.sumida)
    for client, home, first in (
        (applicant.client, applicant.home, "/details"),
        (app.test_client(), stay.home, "/arrival"),
        (app.test_client(), site.home, ""),
    ):
        forms = forms_below(client, home, first)
        assert forms
        for address, form in forms.items():
            assert refused_optionals(client, address, form) == {}, address


def test_of_opening_a_workspace(
    app: Flask, database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.across_workspaces_writing() as session:
        address = f"/open/{make_opening(session, clock, made_by='test')}"
    client = app.test_client()
    forms = forms_below(client, address, "")
    assert refused_optionals(client, address, forms[address]) == {}
    assert client.get(address).status_code == 410
